"""The workers that decide for bots: separate processes, so that the server's loop never waits.

Each bot lives in one of the workers, which remembers it (:mod:`fernzug.server.bot_worker`) and is
told only what is new. A process that dies, or in which a bot thinks for too long, is replaced; its
bots are recreated from the whole game the next time they have to decide.

A decision passes through :meth:`BotPool.decide`, which always returns a legal action, to
:meth:`Worker.ask`, which tells a worker what is new, and there to
:meth:`~fernzug.server.bot_worker.KnownGames.answer`.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import random
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from fernzug.game import Game
from fernzug.match import Fact
from fernzug.server import bot_worker
from fernzug.server.bot_worker import MAX_GAMES, Answer, KnownGames, Question, question
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics

START_SECONDS = 60.0
MAX_HOMES = 10_000

T = TypeVar("T")


class WorkerDied(Exception):
    """The process in which a bot was thinking is gone."""


class BotFailed(Exception):
    """A bot has failed; the text is what it raised."""


class Worker:
    """A thread in which bots think, one at a time."""

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        self.waiting = 0
        """The number of questions being answered or waiting here."""
        self._max_games = max_games
        self._games = KnownGames(max_games)
        self._told: OrderedDict[str, list[Fact]] = OrderedDict()
        self._busy = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "bots")

    async def claim(self, seconds: float | None) -> bool:
        """Wait for a turn, at most this long; return whether it has come."""
        self.waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await self._busy.acquire()
        except TimeoutError:
            self.waiting -= 1
            return False
        except BaseException:
            self.waiting -= 1
            raise
        return True

    def release(self) -> None:
        """Let the next question have its turn."""
        self.waiting -= 1
        self._busy.release()

    async def start(self) -> None:
        """Return when the worker is ready."""

    async def ask(self, table: str, game: Game, seat: int, level: str) -> Answer:
        """Return the decision of the bot on a seat, after telling it what it has not heard yet."""
        told = self._told.pop(table, [])
        facts = list(game.facts)
        # If something it was told has been taken back since, tell it everything again.
        known = len(told) if facts[: len(told)] == told else 0
        answer = await self._run(self._answer, question(table, game, seat, level, known))
        if answer.forgotten:
            answer = await self._run(self._answer, question(table, game, seat, level))
        self._told[table] = facts
        if len(self._told) > MAX_GAMES:
            self._told.popitem(last=False)
        return answer

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _answer(self, asked: Question) -> Answer:
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
    """A process in which bots think, and the thread that talks to it."""

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        super().__init__(max_games)
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
            target=bot_worker.run, args=[theirs, self._max_games], name="bots", daemon=True
        )
        process.start()
        theirs.close()
        self._process = process
        with self._talking() as connection:
            if not connection.poll(START_SECONDS):
                raise EOFError
            connection.recv()

    def _answer(self, asked: Question) -> Answer:
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


class BotPool:
    """The workers that decide for all bots of a server.

    ``workers`` is the number of processes; with 0, bots think in a thread. A bot has
    ``time_limit`` seconds. Its question waits for its own worker for ``patience`` seconds, and
    then goes to the least busy one.
    """

    def __init__(
        self,
        workers: int,
        metrics: Metrics,
        *,
        time_limit: float,
        patience: float = 1.0,
        max_games: int = MAX_GAMES,
    ) -> None:
        self.time_limit = time_limit
        self._patience = patience
        self._metrics = metrics
        processes: list[Worker] = [ProcessWorker(max_games) for _ in range(workers)]
        self._workers = processes or [Worker(max_games)]
        self._homes: OrderedDict[tuple[str, int], Worker] = OrderedDict()
        metrics.gauges["bot_questions"] = lambda: self.waiting

    @property
    def waiting(self) -> int:
        """The number of questions being answered or waiting."""
        return sum(worker.waiting for worker in self._workers)

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    async def start(self) -> None:
        """Return when all workers are ready; they start by themselves, so this is optional."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def decide(self, table: str, game: Game, seat: int, level: str) -> str:
        """Return the action of a bot; if it fails or takes too long, a random one."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            text = await self._action(table, game, seat, level)
            if not any(action.text == text for action in game.legal(seat)):
                raise BotFailed(f"'{text}' is not legal here")
        except TimeoutError:
            note("bot_too_slow", logging.WARNING, bot=level, seconds=self.time_limit)
            text = self._random_action(game, seat, level)
        except Exception:
            note_error("bot_failed", bot=level)
            text = self._random_action(game, seat, level)
        self._metrics.time("bot_decision", loop.time() - began)
        return text

    async def _action(self, table: str, game: Game, seat: int, level: str) -> str:
        try:
            answer = await self._ask_worker(table, game, seat, level)
        except WorkerDied:
            # Another bot may have been the cause, so ask this one again.
            note("bot_process_died", logging.WARNING, bot=level)
            answer = await self._ask_worker(table, game, seat, level)
        if answer.fault:
            raise BotFailed(answer.fault)
        return answer.action

    async def _ask_worker(self, table: str, game: Game, seat: int, level: str) -> Answer:
        async with self._worker(table, seat) as worker:
            await worker.start()
            try:
                async with asyncio.timeout(self.time_limit):
                    return await worker.ask(table, game, seat, level)
            except BaseException:
                # Nobody is waiting for the answer any more.
                worker.abandon()
                raise

    @asynccontextmanager
    async def _worker(self, table: str, seat: int) -> AsyncIterator[Worker]:
        """Wait for the worker in which a bot lives; if that takes too long, move the bot."""
        worker = self._homes.pop((table, seat), None) or self._least_busy()
        self._homes[table, seat] = worker
        if len(self._homes) > MAX_HOMES:
            self._homes.popitem(last=False)
        if not await worker.claim(self._patience):
            self._metrics.count("bot_moves")
            worker = self._homes[table, seat] = self._least_busy()
            await worker.claim(None)
        try:
            yield worker
        finally:
            worker.release()

    def _least_busy(self) -> Worker:
        return min(self._workers, key=lambda worker: worker.waiting)

    def _random_action(self, game: Game, seat: int, level: str) -> str:
        self._metrics.count("bot_failures", level)
        return random.choice(game.legal(seat)).text

    def close(self) -> None:
        """Stop all workers."""
        for worker in self._workers:
            worker.close()
