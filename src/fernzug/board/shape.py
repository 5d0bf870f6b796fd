"""The shape of a board file: its keys, and the values that each may have.

A bad value is reported and left out of its entry. Asking the entry for it raises `Unread`, so the
checks that follow skip that value, go on with the rest, and all faults are reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from fernzug.board.lines import Path
from fernzug.bonuses import KINDS
from fernzug.spelling import closest, did_you_mean

Report = Callable[[Path, str], None]
Reader = Callable[[Any, Path, Report], Any]

# The engine's vectors are sized for these.
MAX_PLAYERS = 8
MAX_COLORS = 12
MAX_OFFERED = 5
MAX_ROUTES = 240
MAX_LOCATIONS = 63
# No printed board comes near these; they keep sums of points far inside a machine word.
MAX_NUMBER = 999
MAX_COORDINATE = 100_000

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
NETWORKS = ("printed", "own")


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


def _plain(expected: str, fits: Callable[[Any], bool]) -> Reader:
    def read(value: Any, path: Path, report: Report) -> Any:
        if fits(value):
            return value
        each = "each of " if isinstance(path[-1], int) else ""
        report(path, f"{each}'{_key(path)}' must be {expected}, not {_shown(value)}")
        raise Unread

    return read


def _whole(low: int, high: int = MAX_NUMBER) -> Reader:
    # True and false are ints in Python, but not in a board file.
    return _plain(
        f"a whole number from {low} to {high}",
        lambda value: type(value) is int and low <= value <= high,
    )


def _one_of(*words: str) -> Reader:
    return _plain("one of " + ", ".join(words), lambda value: value in words)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_id(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9_]+", value) is not None


_TEXT = _plain("non-empty text", _is_text)
_ID = _plain("an id (lower-case letters a to z, digits and _)", _is_id)
_BOOL = _plain("true or false", lambda value: isinstance(value, bool))
_NUMBER = _plain(
    f"a number between -{MAX_COORDINATE} and {MAX_COORDINATE}",
    lambda value: type(value) in (int, float) and -MAX_COORDINATE <= value <= MAX_COORDINATE,
)


def _list(item: Reader) -> Reader:
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


def _by_key(expected: str, fits: Callable[[str], bool], item: Reader) -> Reader:
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


_NAMES = _by_key(
    "language codes such as de, en or fr",
    lambda key: re.fullmatch(r"[a-z]{2,3}", key) is not None,
    _TEXT,
)
_POINTS = _by_key(
    "route lengths such as 3",
    lambda key: re.fullmatch(r"[1-9][0-9]{0,2}", key) is not None,
    _whole(0),
)


@dataclass(frozen=True, slots=True)
class _Key:
    """One key of a table, required unless it has a default."""

    read: Reader
    required: bool = True
    default: Any = None


def _optional(read: Reader, default: Any = None) -> _Key:
    return _Key(read, required=False, default=default)


def _table(noun: str, **keys: _Key) -> Reader:
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
    noun: str, keys: Mapping[str, _Key], value: Mapping[str, Any], path: Path, report: Report
) -> set[str]:
    """Report unknown keys, and return the missing keys that they seem to be misspellings of."""
    absent = [key for key in keys if key not in value]
    meant = set()
    for name in value:
        if name not in keys:
            report((*path, name), f"{noun} has no key '{name}'{did_you_mean(name, absent)}")
            meant.add(closest(name, absent) or "")
    return meant


_GROUP = _table(
    "a group",
    id=_Key(_ID),
    name=_Key(_TEXT),
    names=_optional(_NAMES, {}),
    color=_optional(_ID),
    points=_Key(_whole(0)),
    locations=_Key(_list(_ID)),
)

_BONUS = {
    "points": _optional(_whole(0)),
    "locations": _optional(_list(_ID)),
    "colors": _optional(_list(_ID)),
    "groups": _optional(_list(_GROUP)),
}
BONUS_KEYS = tuple(_BONUS)
"""What a file can say of a bonus of any kind; a kind may need numbers under names of its own."""


def _bonus(value: Any, path: Path, report: Report) -> Any:
    """Read a bonus; which numbers it has depends on its kind."""
    kind = KINDS.get(str(value.get("kind"))) if isinstance(value, dict) else None
    numbers = () if kind is None else kind.NUMBERS
    keys = {
        "kind": _Key(_ID),
        **_BONUS,
        **{name: _optional(_whole(0)) for name in numbers},
        "names": _optional(_NAMES, {}),
    }
    return _table("a bonus", **keys)(value, path, report)


read_board: Reader = _table(
    "the board",
    id=_Key(_ID),
    name=_Key(_TEXT),
    names=_optional(_NAMES, {}),
    network=_Key(_one_of(*NETWORKS)),
    notes=_optional(_NAMES, {}),
    players=_Key(
        _table(
            "'players'",
            min=_Key(_whole(2, MAX_PLAYERS)),
            max=_Key(_whole(2, MAX_PLAYERS)),
        )
    ),
    deal=_Key(
        _table(
            "'deal'",
            cards=_Key(_whole(0)),
            tickets=_Key(_whole(1, MAX_OFFERED)),
            keep=_Key(_whole(1)),
        )
    ),
    draw=_Key(_table("'draw'", tickets=_Key(_whole(1, MAX_OFFERED)), keep=_Key(_whole(1)))),
    last_round_at=_Key(_whole(0)),
    single_lane_up_to=_Key(_whole(0)),
    score_track=_optional(_BOOL, True),
    tie_breaks=_optional(_list(_ID), ()),
    pieces=_Key(
        _list(
            _table(
                "a kind of piece",
                id=_Key(_ID),
                count=_Key(_whole(1)),
                one_per_route=_optional(_BOOL, False),
                points=_Key(_POINTS),
                names=_optional(_NAMES, {}),
                singular=_optional(_NAMES, {}),
            )
        )
    ),
    colors=_Key(
        _list(
            _table("a colour", id=_Key(_ID), count=_Key(_whole(1)), names=_optional(_NAMES, {})),
        )
    ),
    wild=_Key(_table("'wild'", count=_Key(_whole(0)), names=_optional(_NAMES, {}))),
    bonuses=_optional(
        _list(_bonus),
        (),
    ),
    drawing=_Key(
        _table(
            "'drawing'",
            width=_Key(_NUMBER),
            height=_Key(_NUMBER),
            pitch=_optional(_NUMBER, 62.0),
            space_width=_optional(_NUMBER, 25.0),
            lane_gap=_optional(_NUMBER, 4.0),
            location_radius=_optional(_NUMBER, 14.0),
            font_size=_optional(_NUMBER, 17.0),
        )
    ),
    locations=_Key(
        _list(
            _table(
                "a place",
                id=_Key(_ID),
                name=_Key(_TEXT),
                names=_optional(_NAMES, {}),
                x=_Key(_NUMBER),
                y=_Key(_NUMBER),
                label=_optional(_one_of(*COMPASS), "n"),
                lines=_optional(_list(_TEXT)),
                lat=_optional(_NUMBER),
                lon=_optional(_NUMBER),
            )
        )
    ),
    routes=_Key(
        _list(
            _table(
                "a route",
                a=_Key(_ID),
                b=_Key(_ID),
                length=_Key(_whole(1)),
                color=_Key(_ID),
                lane=_optional(_whole(1, 2), 0),
                piece=_optional(_ID),
                bend=_optional(_NUMBER, 0.0),
            )
        )
    ),
    tickets=_Key(_list(_table("a ticket", a=_Key(_ID), b=_Key(_ID), points=_Key(_whole(1))))),
)
"""Reads the table of a whole file into an `Entry`, and reports what does not fit."""
