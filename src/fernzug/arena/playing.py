"""One game of the arena, and what has come of it."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

from fernzug import bots
from fernzug.board.model import Board
from fernzug.bots import Budget
from fernzug.events import as_seen
from fernzug.game import Game
from fernzug.sim import bot_seed


class Task(NamedTuple):
    """A game that is to be played; ``match`` is the store's number of its line-up."""

    match: int
    block: int
    rotation: int
    seed: int
    bots: tuple[str, ...]
    """By seat."""


@dataclass(slots=True)
class SeatResult:
    """What has come of one seat."""

    bot: str
    points: int = 0
    rank: int = 0
    tickets_completed: int = 0
    tickets_kept: int = 0
    turns: int = 0
    decisions: int = 0
    seconds: float = 0.0
    """The time of all decisions."""
    slowest: float = 0.0
    """The time of the slowest decision."""
    failure: str | None = None
    """Why the bot was replaced by a random player, if it was."""


@dataclass(slots=True)
class GameResult:
    """What has come of one game."""

    first_player: int
    turns: int = 0
    seats: list[SeatResult] = field(default_factory=list)


def play(task: Task, board: Board, budget: Budget) -> GameResult:
    """Play a game; every bot has a guard, so that the game comes to its end in any case."""
    game = Game(board, len(task.bots), task.seed)
    result = GameResult(game.view(None).first_player, seats=[SeatResult(bot) for bot in task.bots])
    with ExitStack() as stack:
        guards = []
        for seat, spec in enumerate(task.bots):
            guard = bots.guarded(spec, board, bot_seed(task.seed, seat), budget)
            stack.callback(guard.close)
            guards.append(guard)
        _play_out(game, guards, result)
        for guard, row in zip(guards, result.seats, strict=True):
            row.failure = None if guard.failure is None else str(guard.failure)
    _score(game, result)
    return result


def _play_out(game: Game, guards: list[bots.Guard], result: GameResult) -> None:
    watching = [seat for seat, guard in enumerate(guards) if guard.watches]
    for seat in watching:
        guards[seat].watch(as_seen(game.events, seat))
    while (seat_now := game.seat) is not None:
        view = game.view(seat_now)
        legal = view.legal
        row = result.seats[seat_now]
        row.turns += game.phase == "turn"
        start = time.perf_counter()
        action = guards[seat_now].choose(view, legal)
        seconds = time.perf_counter() - start
        row.decisions += 1
        row.seconds += seconds
        row.slowest = max(row.slowest, seconds)
        events = game.play(action)
        for seat in watching:
            guards[seat].watch(as_seen(events, seat))


def _score(game: Game, result: GameResult) -> None:
    players = game.view(None).players
    for row, sheet, player in zip(result.seats, game.scores(), players, strict=True):
        row.points = sheet.total
        row.rank = sheet.rank
        row.tickets_completed = sheet.tickets_completed
        row.tickets_kept = player.ticket_count
    result.turns = sum(row.turns for row in result.seats)
