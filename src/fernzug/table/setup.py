"""What is agreed on before the game of a table begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from fernzug.board.model import Board
from fernzug.table.protocol import ClockKind, ClockSetting, Face, SeatKind, StartRule

HERE: Final = "here"
LINK: Final = "link"
BOT: Final = "bot"

BY_HOST: Final = "host"
WHEN_FULL: Final = "full"

NO_CLOCK: Final = "none"
TURN_CLOCK: Final = "turn"
BANK_CLOCK: Final = "bank"


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """Who is to sit on a seat: somebody ``here``, somebody by ``link``, or a ``bot``."""

    kind: SeatKind
    name: str | None = None
    level: str | None = None
    face: Face | None = None
    token: str | None = None
    """The hash of the token that opens the seat; only its holder has the token itself."""


@dataclass(frozen=True, slots=True)
class ClockSetup:
    """How time is limited: not at all, per ``turn``, or by a ``bank`` for the whole game."""

    kind: ClockKind = NO_CLOCK
    seconds: int = 0
    increment: int = 0

    def to_json(self) -> ClockSetting:
        """Return the setting as a JSON object, without what its kind does not use."""
        data: ClockSetting = {"kind": self.kind}
        if self.kind != NO_CLOCK:
            data["seconds"] = self.seconds
        if self.kind == BANK_CLOCK:
            data["increment"] = self.increment
        return data


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table as it was created."""

    id: str
    code: str
    board: str
    board_hash: str
    seats: tuple[SeatSetup, ...]
    host: str
    """The hash of the token of whoever created the table."""
    created: int
    first_player: int | None = None
    clock: ClockSetup = ClockSetup()
    grace: int | None = 90
    seed: int | None = None
    daily: str | None = None
    """The date, if this is the game of a day; its seed is known to everybody."""
    public: bool = False
    chat: bool = True
    start: StartRule = WHEN_FULL
    """When the game starts. Tables that were stored before there was a choice started when full."""
    position: Mapping[str, Any] | None = None
    """The position that the game begins from; None if it begins with the deal."""
    lesson: str | None = None
    """The id of the lesson that is taken here."""
    lesson_hash: str = ""
    """The version of the lesson: in another one, the steps so far may not make sense."""
    hints: bool = False
    """Whether people may ask for hints although they do not play alone."""

    @property
    def seeded(self) -> bool:
        """Whether somebody at the table may know the decks: the seed was chosen, or a position."""
        return self.seed is not None or (self.position is not None and self.lesson is None)

    def to_json(self) -> dict[str, Any]:
        """Return the setup as a JSON object."""
        return asdict(self) | {"seats": [asdict(seat) for seat in self.seats]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TableSetup:
        """Return the setup that a JSON object describes."""
        seats = tuple(SeatSetup(**seat) for seat in data["seats"])
        return cls(**{**data, "seats": seats, "clock": ClockSetup(**data["clock"])})

    def for_rematch(
        self, *, id: str, code: str, seats: tuple[SeatSetup, ...], created: int
    ) -> TableSetup:
        """Return the setup of a rematch: the same people and rules, with a new deal."""
        fresh = replace(self, seed=None, daily=None, first_player=None, position=None, lesson=None)
        return replace(fresh, id=id, code=code, seats=seats, created=created)


def fault_of(setup: TableSetup, board: Board) -> str | None:
    """Return in words why no game can be played with this setup; None if one can."""
    players = len(setup.seats)
    if players not in board.players:
        return (
            f"{board.name} is for {board.min_players} to {board.max_players} players, not {players}"
        )
    if setup.first_player is not None and setup.first_player not in range(players):
        return f"there is no seat {setup.first_player} to go first"
    if setup.position is not None and setup.position.get("players") != players:
        return f"the position is not one of {players} players"
    if setup.clock.kind != NO_CLOCK and setup.clock.seconds < 1:
        return "a clock needs a number of seconds"
    return None
