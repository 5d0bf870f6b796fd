"""Play one game of the arena and return its result."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fernzug import bots
from fernzug.board.model import Board
from fernzug.bots import Budget, Guard
from fernzug.game import Game
from fernzug.match import Match
from fernzug.notation import Action
from fernzug.view import View


class Task(NamedTuple):
    """A game to be played; ``series`` is the number of its line-up in the store."""

    series: int
    block: int
    rotation: int
    seed: int
    bots: tuple[str, ...]
    """By seat."""


@dataclass(slots=True)
class SeatResult:
    """The result of one seat."""

    bot: str
    points: int = 0
    rank: int = 0
    tickets_completed: int = 0
    tickets_kept: int = 0
    turns: int = 0
    decisions: int = 0
    seconds: float = 0.0
    """The time for all decisions."""
    slowest: float = 0.0
    """The time of the slowest decision."""
    failure: str | None = None
    """Why a random player has replaced the bot, if it has."""


@dataclass(slots=True)
class GameResult:
    """The result of one game."""

    first_player: int
    turns: int = 0
    seats: list[SeatResult] = field(default_factory=list)


class _Timed:
    """A bot whose decisions are counted and timed."""

    def __init__(self, guard: Guard, result: SeatResult) -> None:
        self.guard = guard
        self.result = result
        self.watches = guard.watches
        self.watch = guard.watch

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        start = time.perf_counter()
        action = self.guard.choose(view, legal)
        seconds = time.perf_counter() - start
        result = self.result
        result.turns += view.phase == "turn"
        result.decisions += 1
        result.seconds += seconds
        result.slowest = max(result.slowest, seconds)
        return action

    def close(self) -> None:
        self.guard.close()
        if self.guard.failure is not None:
            self.result.failure = str(self.guard.failure)


def play(task: Task, board: Board, budget: Budget) -> GameResult:
    """Play a game; bots are guarded, so it always comes to an end."""
    game = Game(board, len(task.bots), task.seed)
    result = GameResult(game.start.first_player, seats=[SeatResult(bot) for bot in task.bots])
    guards = bots.seated(dict(enumerate(task.bots)), board, task.seed, budget)
    timed = {seat: _Timed(guard, result.seats[seat]) for seat, guard in guards.items()}
    with Match(game, timed) as match:
        match.play_out()
    _score(game, result)
    return result


def _score(game: Game, result: GameResult) -> None:
    players = game.view(None).players
    for row, sheet, player in zip(result.seats, game.scores(), players, strict=True):
        row.points = sheet.total
        row.rank = sheet.rank
        row.tickets_completed = sheet.tickets_completed
        row.tickets_kept = player.ticket_count
    result.turns = sum(row.turns for row in result.seats)
