"""Tables of a TOML file: which keys they have, and the values that each may have.

Board files and lessons are read with these. A bad value is reported and left out of its entry.
Asking the entry for it raises `Unread`, so the checks that follow skip that value, go on with the
rest, and all faults are reported at once.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from fernzug.board.lines import Path, lines_of
from fernzug.board.model import Fault
from fernzug.spelling import CONTROL, closest, did_you_mean, printable

Report = Callable[[Path, str], None]
Reader = Callable[[Any, Path, Report], Any]
Findings = Callable[["Entry"], Iterable[tuple[Path, str]]]

# No file comes near these; they keep sums of points far inside a machine word.
MAX_NUMBER = 999
MAX_COORDINATE = 100_000
MAX_LENGTH = 200_000
MAX_PARTS = 50
_PART = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)(?P<dot>[ \t]*\.[ \t]*)?""")


class Unread(Exception):
    """A value is missing, and its fault has already been reported."""


class Entry(dict[str, Any]):
    """What could be read of a table in the file, and its path."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def __missing__(self, key: str) -> NoReturn:
        raise Unread(key)


def _key(path: Path) -> str:
    """The key of a value; for an item of a list, the key of the list."""
    return next((part for part in reversed(path) if isinstance(part, str)), "the file")


def _shown(value: object) -> str:
    """A value as the file shows it, shortened if necessary."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > MAX_COORDINATE:
        # Python refuses to print a number with thousands of digits.
        return "a number far too big"
    text = f"'{value}'" if isinstance(value, str) else f"{value}"
    return text if len(text) <= 40 else f"{text[:37]}..."


def plain(expected: str, fits: Callable[[Any], bool]) -> Reader:
    """A value that fits; `expected` says what it must be."""

    def read(value: Any, path: Path, report: Report) -> Any:
        if fits(value):
            return value
        each = "each of " if isinstance(path[-1], int) else ""
        report(path, f"{each}'{_key(path)}' must be {expected}, not {_shown(value)}")
        raise Unread

    return read


def whole(low: int, high: int = MAX_NUMBER) -> Reader:
    """A whole number."""
    # True and false are ints in Python, but not in a file.
    return plain(
        f"a whole number from {low} to {high}",
        lambda value: type(value) is int and low <= value <= high,
    )


def one_of(*words: str) -> Reader:
    """One of some words."""
    return plain("one of " + ", ".join(words), lambda value: value in words)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_id(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9_]+", value) is not None


TEXT = plain("non-empty text", _is_text)
ID = plain("an id (lower-case letters a to z, digits and _)", _is_id)
BOOL = plain("true or false", lambda value: isinstance(value, bool))
NUMBER = plain(
    f"a number between -{MAX_COORDINATE} and {MAX_COORDINATE}",
    lambda value: type(value) in (int, float) and -MAX_COORDINATE <= value <= MAX_COORDINATE,
)


def list_of(item: Reader) -> Reader:
    """A list, each item of which is read in the same way."""

    def read(value: Any, path: Path, report: Report) -> Any:
        if not isinstance(value, list):
            report(path, f"'{_key(path)}' must be a list [ ... ], not {_shown(value)}")
            raise Unread
        items = []
        for number, each in enumerate(value):
            with suppress(Unread):
                items.append(item(each, (*path, number), report))
        if len(items) < len(value):
            raise Unread
        return items

    return read


def by_key(expected: str, fits: Callable[[str], bool], item: Reader) -> Reader:
    """A table whose keys are data: languages or lengths."""

    def read(value: Any, path: Path, report: Report) -> Any:
        if not isinstance(value, dict):
            report(path, f"'{_key(path)}' must be a table {{ ... }}, not {_shown(value)}")
            raise Unread
        known = {}
        for key, each in value.items():
            if not fits(key):
                report((*path, key), f"the keys of '{_key(path)}' must be {expected}, not '{key}'")
            with suppress(Unread):
                known[key] = item(each, (*path, key), report)
        if len(known) < len(value) or not all(map(fits, value)):
            raise Unread
        return known

    return read


NAMES = by_key(
    "language codes such as de, en or fr",
    lambda key: re.fullmatch(r"[a-z]{2,3}", key) is not None,
    TEXT,
)


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table, required unless it has a default."""

    read: Reader
    required: bool = True
    default: Any = None


def optional(read: Reader, default: Any = None) -> Key:
    """A key that need not be there."""
    return Key(read, required=False, default=default)


def table(noun: str, **keys: Key) -> Reader:
    """A table with these keys; `noun` is what messages call it."""

    def read(value: Any, path: Path, report: Report) -> Entry:
        if not isinstance(value, dict):
            report(path, f"{noun} must be a table {{ ... }}, not {_shown(value)}")
            raise Unread
        entry = Entry(path)
        meant = _report_unknown(noun, keys, value, path, report)
        for name, key in keys.items():
            if name in value:
                with suppress(Unread):
                    entry[name] = key.read(value[name], (*path, name), report)
            elif not key.required:
                entry[name] = key.default
            elif name not in meant:
                report(path, f"{noun} needs '{name}'")
        return entry

    return read


def _report_unknown(
    noun: str, keys: Mapping[str, Key], value: Mapping[str, Any], path: Path, report: Report
) -> set[str]:
    """Report unknown keys, and return the missing keys that they seem to be misspellings of."""
    absent = [key for key in keys if key not in value]
    meant = set()
    for name in value:
        if name not in keys:
            report((*path, name), f"{noun} has no key '{name}'{did_you_mean(name, absent)}")
            meant.add(closest(name, absent) or "")
    return meant


def inspect(
    text: str, noun: str, read: Reader, findings: Findings
) -> tuple[Entry | None, list[Fault]]:
    """Return what could be read of a text, and all its faults in the order of their lines.

    A key that the file lacks altogether has no line, so those faults come first.
    """
    if len(text) > MAX_LENGTH:
        words = f"this is not a {noun} file: it has more than {MAX_LENGTH:,} characters"
        return None, [Fault(None, words)]
    long = _long_key(text)
    if long is not None:
        words = f"this is not a {noun} file: a key in it has more than {MAX_PARTS} parts"
        return None, [Fault(text.count("\n", 0, long) + 1, words)]
    try:
        content = tomllib.loads(text)
        lines = lines_of(text)
    except tomllib.TOMLDecodeError as error:
        return None, [_syntax_fault(text, error)]
    except (ValueError, RecursionError):
        # A number with thousands of digits, or lists nested thousands deep.
        return None, [Fault(None, f"this is not a {noun} file: a number or list in it is too big")]
    faults: list[Fault] = []

    def report(path: Path, words: str) -> None:
        faults.append(Fault(lines.get(path), words))

    for path in _control_characters(content, ()):
        report(path, f"'{printable(_key(path))}' has a control character")
    if faults:
        return None, faults
    entry: Entry = read(content, (), report)
    for path, words in findings(entry):
        report(path, words)
    return entry, sorted(faults, key=lambda fault: fault.line or 0)


def _long_key(text: str) -> int | None:
    """Return where a dotted key ends whose parts are so many that reading it takes minutes."""
    parts, end = 0, -1
    for part in _PART.finditer(text):
        parts = parts + 1 if part.start() == end else 1
        if parts > MAX_PARTS:
            return part.start()
        end = part.end() if part["dot"] else -1
    return None


def _control_characters(value: object, path: Path) -> Iterator[Path]:
    """Yield where there are control characters, which no terminal should ever print."""
    if isinstance(value, str):
        if CONTROL.search(value):
            yield path
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _control_characters(item, (*path, place))
    elif isinstance(value, dict):
        for key, item in value.items():
            if CONTROL.search(key):
                yield (*path, key)
            yield from _control_characters(item, (*path, key))


def _syntax_fault(text: str, error: tomllib.TOMLDecodeError) -> Fault:
    """The message of tomllib, with the position at its end turned into a line number."""
    words, _, position = str(error).partition(" (at ")
    if match := re.match(r"line (\d+)", position):
        return Fault(int(match[1]), f"not valid TOML: {words}")
    return Fault(text.count("\n") + 1, f"not valid TOML: {words}, at the end of the file")
