"""The game of the day: on every board one shuffle and the same opponents for everybody.

Both follow from the date alone, so servers that know nothing of each other offer the same game. The
date is that of the player's own calendar: whoever plays the game of a day has the same cards, no
matter when the day begins where they live.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from fernzug.board.model import Board
from fernzug.engine.chance import SEEDS
from fernzug.table.characters import CHARACTERS, Character

PLAYERS = 3
"""One person and two bots, where the board allows it."""
OPPONENTS = ("novice", "regular", "expert")
"""The levels of bots that take part. They decide at once: whoever thinks for a while plays
differently on a fast machine. Another version, even with more levels, must offer the same game."""
EASTERNMOST = timedelta(hours=14)
"""How much earlier than in UTC a day begins where it begins first."""


def day_of(text: str) -> date:
    """Return the day that a date such as 2026-11-18 names; ``ValueError`` if it names none."""
    # Python reads more ways of writing a date than one.
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        with suppress(ValueError):
            return date.fromisoformat(text)
    raise ValueError(f"'{text}' is not a date such as 2026-11-18")


def has_begun(day: date, now: datetime) -> bool:
    """Whether a day has begun anywhere on earth."""
    return day <= (now.astimezone(UTC) + EASTERNMOST).date()


def seed_of(day: date, board: str) -> int:
    """Return the seed of a day's game on a board."""
    return _number(day, board) % SEEDS


def opponents_on(day: date, board: Board) -> list[Character]:
    """Return whom everybody plays against on a day; they are the same on all boards.

    The first ones are of different strengths, so that it is worth comparing them.
    """
    number = min(max(PLAYERS, board.min_players), board.max_players) - 1
    drawn = sorted(
        (one for one in CHARACTERS if one.level in OPPONENTS),
        key=lambda one: _number(day, one.face),
    )
    levels = list(dict.fromkeys(one.level for one in drawn))
    first = [next(one for one in drawn if one.level == level) for level in levels]
    return [*first, *(one for one in drawn if one not in first)][:number]


def _number(day: date, what: str) -> int:
    """Return a number that depends on a day and a word, and on nothing else."""
    return int.from_bytes(sha256(f"fernzug {day.isoformat()} {what}".encode()).digest()[:8], "big")
