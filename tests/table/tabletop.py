"""Tables to test with: no socket, no clock, no file."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from fernzug import Board, Game
from fernzug.table import Change, ClockSetup, Moment, SeatSetup, Table, TableSetup, telling
from fernzug.table.authority import GameFactory, new_game
from fernzug.table.tokens import hash_of

HOST = "the token of the host"


def token(seat: int) -> str:
    """Return the token of a seat."""
    return f"the token of seat {seat}"


def here(seat: int) -> SeatSetup:
    return SeatSetup("here", name=f"Player {seat}", token=hash_of(token(seat)))


def link(seat: int) -> SeatSetup:
    return SeatSetup("link")


def bot(seat: int) -> SeatSetup:
    return SeatSetup("bot", name=f"Bot {seat}", level="regular")


class Tabletop:
    """A table whose changes are written to a list and applied at once."""

    def __init__(
        self,
        board: Board,
        *seats: Callable[[int], SeatSetup],
        game_factory: GameFactory = new_game,
        clock: ClockSetup | None = None,
        **setup: Any,
    ) -> None:
        self.setup = TableSetup(
            id="abc",
            code="ABCDE",
            board=board.id,
            board_hash=board.hash,
            seats=tuple(make(number) for number, make in enumerate(seats)),
            host=hash_of(HOST),
            created=1000,
            clock=clock or ClockSetup(),
            **{"seed": 1, **setup},
        )
        self.table = Table(self.setup, game_factory)
        self.written: list[str] = []
        self.now = 0.0
        self._commands = 0
        self.do(self.table.open(1000))

    @property
    def moment(self) -> Moment:
        return Moment(self.now, int(1000 * self.now))

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    @property
    def changes(self) -> list[Change]:
        """The changes as they would be read again."""
        return [
            Change.from_text(number, 1000, text)
            for number, text in enumerate(self.written, start=1)
        ]

    def do(self, changes: list[Change]) -> list[Change]:
        for change in changes:
            self.written.append(change.to_text())
            self.table.apply(change, self.now)
        return changes

    def play(self, seat: int, action: str, **options: Any) -> list[Change]:
        self._commands += 1
        version = options.pop("version", self.table.seq)
        options.setdefault("id", f"command {self._commands}")
        return self.do(self.table.play(seat, version, action, now=self.moment, **options))

    def undo(self, seat: int) -> list[Change]:
        self._commands += 1
        return self.do(
            self.table.undo(seat, self.table.seq, id=f"command {self._commands}", at=1000)
        )

    def told(self, change: Change, audience: telling.Audience) -> Any:
        """Return what an audience is told of a change."""
        return telling.change_messages(self.table, change, [audience], self.now).get(audience)

    def awaited(self) -> list[int]:
        return [seat for seat in range(self.table.seats.count) if self.table.awaits(seat)]

    def keep_all(self) -> None:
        """Let everybody keep all tickets that they were dealt."""
        for seat in self.awaited():
            self.play(seat, self.game.legal(seat)[-1].text)

    def play_at_random(self, luck: random.Random) -> list[Change]:
        """Let somebody whose decision is awaited take any action."""
        seat = luck.choice(self.awaited())
        return self.play(seat, luck.choice(self.game.legal(seat)).text)


def beginning_at(position: dict[str, Any]) -> GameFactory:
    """Return a factory of games that begin at a position."""
    return lambda board, setup: Game.from_position({"board": board.id, **position})
