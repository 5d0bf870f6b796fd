"""Workers in which bots think: a thread, or a process of its own.

Each bot lives in one worker, which remembers it (:mod:`fernzug.server.bot_worker`) and is told only
what is new. A worker that dies or is abandoned is replaced; its bots are recreated from the whole
game the next time they have to decide.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from fernzug.analysis.reviewer import Reviewer
from fernzug.game import Game
from fernzug.match import Fact
from fernzug.server import bot_worker
from fernzug.server.bot_worker import (
    MAX_GAMES,
    Answer,
    KnownGames,
    Question,
    ReviewQuestion,
    question,
)

START_SECONDS = 60.0

T = TypeVar("T")


class WorkerDied(Exception):
    """The process in which a bot was thinking is gone."""


class Worker:
    """A thread in which bots think, one at a time."""

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        self._max_games = max_games
        self._games = KnownGames(max_games)
        self._told: OrderedDict[str, list[Fact]] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "bots")

    async def start(self) -> None:
        """Return when the worker is ready."""

    async def ask(
        self, table: str, game: Game, seat: int, level: str | None, time_share: float = 1.0
    ) -> Answer:
        """Return the decision of the bot on a seat, after telling it what it has not heard yet.

        Without a ``level``, return hints for the seat instead.
        """
        told = self._told.pop(table, [])
        facts = list(game.facts)
        # If something it was told has been taken back since, tell it everything again.
        known = len(told) if facts[: len(told)] == told else 0
        asked = question(table, game, seat, level, time_share, known)
        answer = await self._run(self._answer, asked)
        if answer.forgotten:
            asked = question(table, game, seat, level, time_share)
            answer = await self._run(self._answer, asked)
        self._told[table] = facts
        if len(self._told) > MAX_GAMES:
            self._told.popitem(last=False)
        return answer

    async def judge(self, table: str, reviewer: Reviewer, step: int) -> Answer:
        """Return what is found about a step of a finished game."""
        answer = await self._run(self._answer, ReviewQuestion(table, step, None))
        if answer.forgotten:
            answer = await self._run(self._answer, ReviewQuestion(table, step, reviewer))
        return answer

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _answer(self, asked: Question | ReviewQuestion) -> Answer:
        return self._games.answer(asked)

    def abandon(self) -> None:
        """Abandon the current decision; the worker forgets everything."""
        self._told.clear()
        self._games = KnownGames(self._max_games)
        self._thread.shutdown(wait=False)
        self._thread = ThreadPoolExecutor(1, "bots")

    def close(self) -> None:
        """Stop the worker."""
        self._thread.shutdown(wait=False)

    @property
    def pid(self) -> int | None:
        """The id of the worker's own process, if it has one."""
        return None


class ProcessWorker(Worker):
    """A process in which bots think, and the thread that talks to it.

    The operating system lets a process with a higher ``niceness`` give way to the others.
    """

    def __init__(self, max_games: int = MAX_GAMES, niceness: int = 0) -> None:
        super().__init__(max_games)
        self._niceness = niceness
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        # Start early, so that the first bot does not have to wait.
        self._thread.submit(self._start)

    @property
    def pid(self) -> int | None:
        """The id of the process, if it is running."""
        process = self._process
        return None if process is None else process.pid

    async def start(self) -> None:
        """Start the process if it is not running; return when it is ready."""
        await self._run(self._start)

    def abandon(self) -> None:
        """Kill the process; the thread, which is waiting for its answer, will notice."""
        self._told.clear()
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Stop the process and the thread."""
        self.abandon()
        self._thread.submit(self._stop)
        self._thread.shutdown()

    # Everything below runs in the thread, one thing at a time.

    def _start(self) -> None:
        if self._process is not None and self._process.is_alive():
            return
        self._stop()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        process = context.Process(
            target=bot_worker.run,
            args=[theirs, self._max_games, self._niceness],
            name="bots",
            daemon=True,
        )
        process.start()
        theirs.close()
        self._process = process
        with self._talking() as connection:
            if not connection.poll(START_SECONDS):
                raise EOFError
            connection.recv()

    def _answer(self, asked: Question | ReviewQuestion) -> Answer:
        with self._talking() as connection:
            connection.send(asked)
            answer: Answer = connection.recv()
        return answer

    @contextmanager
    def _talking(self) -> Iterator[Connection]:
        """Talk to the process; raise :class:`WorkerDied` if it is gone."""
        assert self._connection is not None
        try:
            yield self._connection
        except (EOFError, OSError):
            self._stop()
            raise WorkerDied from None

    def _stop(self) -> None:
        self._told.clear()
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
        if self._connection is not None:
            self._connection.close()
