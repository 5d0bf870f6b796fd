"""The values of bonuses in positions and views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fernzug.bonuses import KINDS
from fernzug.engine.bonus import Bonus
from fernzug.engine.state import State
from fernzug.engine.tables import Tables


def bonus_values(s: State, seat: int) -> dict[str, Any]:
    """Return the values for a seat, by key."""
    values: dict[str, Any] = dict(_said_everywhere())
    for bonus in s.tables.bonuses:
        values.update(zip(bonus.KEYS, bonus.describe(s, seat), strict=True))
    return values


def bonus_keys(tables: Tables) -> dict[str, tuple[Any, Bonus | None]]:
    """Return the keys that bonuses add to a position, each with its blank value and its bonus."""
    keys: dict[str, tuple[Any, Bonus | None]] = {}
    for key, blank in _said_everywhere():
        keys[key] = blank, None
    for bonus in tables.bonuses:
        for key, blank in zip(bonus.KEYS, bonus.blank(), strict=True):
            keys[key] = blank, bonus
    return keys


def _said_everywhere() -> Iterator[tuple[str, Any]]:
    for kind in KINDS.values():
        if kind.ON_EVERY_BOARD:
            yield from zip(kind.KEYS, kind.blank(), strict=True)
