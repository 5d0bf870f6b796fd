"""Find, read and check lessons."""

from __future__ import annotations

import os
from functools import cache
from importlib import resources
from pathlib import Path

from fernzug.board.model import Fault
from fernzug.lessons.model import Lesson, LessonError
from fernzug.lessons.reader import read
from fernzug.lessons.rehearsal import Rehearsal, rehearse
from fernzug.spelling import did_you_mean


@cache
def _names() -> tuple[str, ...]:
    folder = resources.files("fernzug.lessons") / "data"
    names = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def lessons() -> tuple[str, ...]:
    """The ids of the lessons that come with the package; the one to begin with is the longest."""
    return tuple(sorted(_names(), key=lambda name: (-_shipped(name).minutes, name)))


@cache
def _shipped(name: str) -> Lesson:
    if name not in _names():
        known = ", ".join(lessons())
        meant = did_you_mean(name, lessons())
        raise ValueError(f"there is no lesson '{name}'{meant} (lessons: {known})")
    file = resources.files("fernzug.lessons") / "data" / f"{name}.toml"
    return read(file.read_text(encoding="utf-8"), name)


def lesson(name_or_path: str | os.PathLike[str]) -> Lesson:
    """Load a lesson by its id or by the path of a file.

    :class:`~fernzug.lessons.LessonError` says everything that is wrong with a file.
    """
    name = os.fspath(name_or_path)
    if isinstance(name_or_path, str) and not (name.endswith(".toml") or os.sep in name):
        return _shipped(name)
    path = Path(name)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise LessonError([Fault(None, "this is not a text file in UTF-8")]) from None
    except OSError as error:
        raise LessonError([Fault(None, f"cannot be read: {error.strerror}")]) from None
    return read(text, path.stem)


def checked(name_or_path: str | os.PathLike[str]) -> tuple[Lesson, Rehearsal]:
    """Load a lesson, and try every way through it; one that gets stuck is refused."""
    found = lesson(name_or_path)
    rehearsal = rehearse(found)
    if rehearsal.faults:
        raise LessonError(rehearsal.faults)
    return found, rehearsal
