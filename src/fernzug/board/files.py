"""Find, read and check board files."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from fernzug.board.model import Board, BoardError, Fault
from fernzug.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

# The reader and the parts of the standard library that it needs would slow down `import fernzug`
# noticeably, so they are imported when the first board is loaded.


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
    """The ids of the boards that come with the package, followed by those that were added."""
    return [*_shipped(), *_added]


def add(board: Board) -> None:
    """Make a board available by its id throughout this process."""
    if board.id in _shipped():
        raise ValueError(f"the id '{board.id}' belongs to a board that comes with the package")
    if _added.setdefault(board.id, board) != board:
        raise ValueError(f"there are two boards with the id '{board.id}'")


def is_builtin(board: Board) -> bool:
    """Whether this is an unchanged board of the package."""
    return board.id in _shipped() and _load_shipped(board.id) == board


def load(name_or_path: str | os.PathLike[str]) -> Board:
    """Load a board by id or path; a path contains a separator or ends in .toml."""
    name = os.fspath(name_or_path)
    if isinstance(name_or_path, str) and not _is_path(name):
        return _added.get(name) or _load_shipped(name)
    return parse(_read(name))


def at_hand(board: str | os.PathLike[str] | Board) -> Board:
    """Return a board as it is, or load it by id or path."""
    return board if isinstance(board, Board) else load(board)


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
        # Some editors begin a file with a byte order mark, which TOML does not allow.
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BoardError([Fault(line, "this is not UTF-8 text")]) from None
    except OSError as error:
        raise ValueError(f"cannot read the board file '{path}': {error.strerror}") from error


def check(text: str) -> list[Fault]:
    """List everything that is wrong with the text of a board file, from top to bottom."""
    from fernzug.board import reader

    return reader.inspect(text)[1]


def parse(text: str) -> Board:
    """Read the text of a board file; BoardError with every fault if there are any."""
    from fernzug.board import reader

    entry, faults = reader.inspect(text)
    if entry is None or faults:
        raise BoardError(faults)
    return reader.build(entry, text)
