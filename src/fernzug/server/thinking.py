"""Bots think here: in processes of their own, never on the server's loop."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any

from fernzug import board_file, bots
from fernzug.engine.fold import fold
from fernzug.engine.state import blank
from fernzug.game import Game
from fernzug.notation import tables_of
from fernzug.position_reader import state_from
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a bot has to make: the game so far, and for which seat."""

    level: str
    board: str
    players: int
    seed: int
    first_player: int
    start: dict[str, Any] | None
    facts: Sequence[tuple[int, ...]]
    seat: int
    luck: int
    """The seed of the bot's own stream of chance."""


def question(game: Game, seat: int, level: str) -> Question:
    """Return what has to be known to decide for a seat of a game."""
    return Question(
        level=level,
        board=game.board.id,
        players=game.players,
        seed=int(game.state.seed),
        first_player=int(game.state.first_player),
        start=game.start,
        facts=game.facts,
        seat=seat,
        luck=(int(game.state.seed) ^ (len(game.facts) * 16 + seat)) & ((1 << 62) - 1),
    )


def answer(asked: Question) -> str:
    """Return the text of the action that the bot chooses; the bot sees its seat's view only."""
    board = board_file.load(asked.board)
    if asked.start is None:
        state = blank(tables_of(board), asked.players, asked.seed)
        state.first_player = asked.first_player
    else:
        state = state_from(asked.start, board)
    for fact in asked.facts:
        fold(state, fact)
    game = Game.resumed(board, state, [], asked.start)
    bot = bots.make(asked.level, board, asked.luck)
    try:
        return bot.choose(game.view(asked.seat), game.legal(asked.seat)).text
    finally:
        bot.close()


def _begin_worker() -> None:
    """Prepare a process: the server alone answers to Ctrl-C, and nobody outlives the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Thinkers:
    """The processes in which bots think."""

    def __init__(self, workers: int, seconds: float, metrics: Metrics) -> None:
        self._workers = workers
        self._seconds = seconds
        self._metrics = metrics
        self._pool: Executor = self._new_pool()

    def _new_pool(self) -> Executor:
        if self._workers == 0:
            return ThreadPoolExecutor(2, thread_name_prefix="bots")
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, context, _begin_worker)

    def warm_up(self) -> None:
        """Start the processes before the first bot is asked."""
        for _ in range(self._workers):
            self._pool.submit(bots.names)

    async def choose(self, game: Game, seat: int, level: str) -> str:
        """Return the action of a bot; one that fails or takes too long is replaced by chance."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        asked = question(game, seat, level)
        pool = self._pool
        try:
            thinking = loop.run_in_executor(pool, answer, asked)
            text = await asyncio.wait_for(thinking, self._seconds)
            if not any(action.text == text for action in game.legal(seat)):
                raise ValueError(f"'{text}' is not legal here")
        except BrokenProcessPool:
            note_error("bot_processes_died", bot=level)
            if pool is self._pool:
                pool.shutdown(wait=False)
                self._pool = self._new_pool()
            text = self._anything(game, seat, level)
        except TimeoutError:
            note("bot_too_slow", logging.WARNING, bot=level, seconds=self._seconds)
            text = self._anything(game, seat, level)
        except Exception:
            note_error("bot_failed", bot=level)
            text = self._anything(game, seat, level)
        self._metrics.time("bot_decision", loop.time() - began)
        return text

    def _anything(self, game: Game, seat: int, level: str) -> str:
        self._metrics.count("bot_failures", level)
        return random.choice(game.legal(seat)).text

    def close(self) -> None:
        """Stop thinking."""
        self._pool.shutdown(wait=False, cancel_futures=True)
