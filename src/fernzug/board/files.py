"""Board files: finding them, reading them, and telling everything that is wrong with one."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from fernzug.board.model import Board, BoardError, Fault
from fernzug.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# The reader and what it needs of the standard library cost a third of the time that importing the
# whole package takes; they are imported when the first board is asked for.


@cache
def _folder() -> Traversable:
    from importlib import resources

    return resources.files("fernzug.board") / "data"


@cache
def _shipped() -> tuple[str, ...]:
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(name[: -len(".toml")] for name in names if name.endswith(".toml")))


_added: dict[str, Board] = {}


def boards() -> list[str]:
    """The ids of the boards that come with the package, then of those that were added."""
    return [*_shipped(), *_added]


def add(board: Board) -> None:
    """Let a board be known by its id to everything in this process."""
    if board.id in _shipped():
        raise ValueError(f"the id '{board.id}' belongs to a board that comes with the package")
    if _added.setdefault(board.id, board) != board:
        raise ValueError(f"there are two boards with the id '{board.id}'")


def is_builtin(board: Board) -> bool:
    """Whether a board is one of those that come with the package, unchanged."""
    return board.id in _shipped() and _load_shipped(board.id) == board


def load(name_or_path: str | os.PathLike[str]) -> Board:
    """The board of that id, or of that file: a path has a separator in it or ends in .toml."""
    name = os.fspath(name_or_path)
    if isinstance(name_or_path, str) and not _is_path(name):
        return _added.get(name) or _load_shipped(name)
    return parse(_read(name))


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or "/" in name or os.sep in name


@cache
def _load_shipped(name: str) -> Board:
    if name not in _shipped():
        known = ", ".join(boards())
        raise ValueError(
            f"there is no board '{name}'{did_you_mean(name, boards())} (boards: {known})"
        )
    return parse((_folder() / f"{name}.toml").read_bytes().decode())


def _read(path: str) -> str:
    from pathlib import Path

    try:
        # Some editors put a mark before the first letter, which TOML would not know.
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BoardError([Fault(line, "this is not UTF-8 text")]) from None
    except OSError as error:
        raise ValueError(f"cannot read the board file '{path}': {error.strerror}") from error


def check(text: str) -> list[Fault]:
    """Everything that is wrong with the text of a board file, from top to bottom."""
    from fernzug.board import reader

    return reader.inspect(text)[1]


def parse(text: str) -> Board:
    """The board that the text of a file describes, or a BoardError with all its faults."""
    from fernzug.board import reader

    entry, faults = reader.inspect(text)
    if entry is None or faults:
        raise BoardError(faults)
    return reader.build(entry, text)
