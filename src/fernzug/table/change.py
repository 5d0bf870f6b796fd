"""Changes: what has happened to a table, as it is written down.

A table is the fold of its changes. What somebody wants is decided first
(:class:`~fernzug.table.authority.Table` returns the changes that would follow), then written down,
and only then applied; so a change that could not be written never happened.

============  =====================================================================================
kind          data
============  =====================================================================================
``joined``    seat, name, token: the hash of what opens the seat
``filled``    seat, name, level: a bot sits down
``freed``     seat: nobody sits there any more
``started``   seed, first_player, facts: the set-up of the game, start: a position, if there was one
``played``    seat, action, facts, bot, spent: seconds on the clock
``undone``    seat, facts: how many of the last facts did not happen
``said``      seat, text
``left``      seat: a bot plays it from now on
``back``      seat: its owner plays it again
``rematch``   table, code: where the next game is
============  =====================================================================================

``id`` is the id of the command, if a person sent one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fernzug.game import Game


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a table."""

    seq: int
    at: int
    kind: str
    data: Mapping[str, Any]
    game: Game | None = field(default=None, compare=False, repr=False)
    """The game after the change, where it is at hand; it follows from the data as well."""

    def to_text(self) -> str:
        """Return kind and data as they are written down."""
        return json.dumps({"kind": self.kind, **self.data}, separators=(",", ":"))

    @classmethod
    def from_text(cls, seq: int, at: int, text: str) -> Change:
        """Return the change that was written down."""
        data = json.loads(text)
        return cls(seq, at, data.pop("kind"), data)
