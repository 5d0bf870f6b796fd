"""Changes: what has happened at a table, as it is written to disk.

A table is the result of its changes. A request is first decided
(:class:`~fernzug.table.authority.Table` returns the changes that would follow), then written to
disk, and only then applied; so a change that could not be written never happened.

============  =====================================================================================
kind          data
============  =====================================================================================
``joined``    seat, name, token: the hash of what opens the seat
``filled``    seat, name, level, face: a bot sits down, in a game instead of a person
``freed``     seat: it is free again
``started``   seed, first_player, facts: the set-up of the game, start: a position, if there was one
``played``    seat, action, facts, bot, spent: seconds on the clock
``undone``    seat, facts: how many of the last facts are taken back
``stepped``   seat, step: of the lesson, relaid: whether the game is another one, undone: its facts
``said``      seat, text
``hinted``    seat: it has been given hints
``reviewed``  review: what decided the finished game, as clients are told
``left``      seat: a bot plays it from now on
``back``      seat: its owner plays it again
``renewed``   code: it replaces the code before it
``rematch``   table, code: where the next game is
============  =====================================================================================

``id`` is the id of the command, if a person sent one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fernzug.game import Game
from fernzug.table.encoding import decode, encode


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a table."""

    seq: int
    at: int
    kind: str
    data: Mapping[str, Any]
    game: Game | None = field(default=None, compare=False, repr=False)
    """The game after the change, if we already have it; it also follows from the data."""

    def to_text(self) -> str:
        """Return kind and data as they are stored."""
        return encode({"kind": self.kind, **self.data}).decode()

    @classmethod
    def from_text(cls, seq: int, at: int, text: str) -> Change:
        """Read a stored change."""
        data = decode(text)
        return cls(seq, at, data.pop("kind"), data)
