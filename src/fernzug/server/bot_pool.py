"""Bots think here: in processes of their own, never on the server's loop.

Each bot lives in one of the processes, which remembers it (:mod:`fernzug.server.bot_worker`) and
is told only what is new. A process that dies, or in which a bot thinks for too long, is replaced:
its bots are made again, from the whole game, when they are asked next.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import random
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from fernzug.game import Game
from fernzug.match import Fact
from fernzug.server.bot_worker import KEPT, Answer, Minds, Question, question, think
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics

PATIENCE = 1.0
"""Seconds that a bot's question waits for its own process; then the least busy one has to do."""
START_SECONDS = 60.0
REMEMBERED_HOMES = 10_000

T = TypeVar("T")


class Died(Exception):
    """The process in which a bot was thinking is gone."""


class Failed(Exception):
    """A bot has failed; the text is what it raised."""


class Worker:
    """A thread in which bots think, one at a time."""

    def __init__(self) -> None:
        self.waiting = 0
        """How many questions are being answered here, or wait for it."""
        self._busy = asyncio.Lock()
        self._told: OrderedDict[str, list[Fact]] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "bots")
        self._minds = Minds()

    async def claim(self, seconds: float | None) -> bool:
        """Wait until it is one's turn, so long at most; return whether it is."""
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
        """Let the next one have a turn."""
        self.waiting -= 1
        self._busy.release()

    async def start(self) -> None:
        """Be ready to think."""

    async def choose(self, table: str, game: Game, seat: int, level: str) -> Answer:
        """Return what the bot on a seat decides, after telling it what it has not heard yet."""
        told = self._told.pop(table, [])
        facts = list(game.facts)
        # What was told may have been taken back since: then all is told again.
        known = len(told) if facts[: len(told)] == told else 0
        answer = await self._run(self._ask, question(table, game, seat, level, known))
        if answer.forgotten:
            answer = await self._run(self._ask, question(table, game, seat, level))
        self._told[table] = facts
        if len(self._told) > KEPT:
            self._told.popitem(last=False)
        return answer

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _ask(self, asked: Question) -> Answer:
        return self._minds.answer(asked)

    def abandon(self) -> None:
        """Give up whatever is being thought; what was remembered is lost."""
        self._told.clear()
        self._minds = Minds()
        self._thread.shutdown(wait=False)
        self._thread = ThreadPoolExecutor(1, "bots")

    def close(self) -> None:
        """Stop thinking."""
        self._thread.shutdown(wait=False)


class ProcessWorker(Worker):
    """A process in which bots think, and the thread that talks to it."""

    def __init__(self) -> None:
        super().__init__()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        # The first bot need not wait for it.
        self._thread.submit(self._start)

    async def start(self) -> None:
        """Start the process if it does not run; return when it is ready."""
        await self._run(self._start)

    def abandon(self) -> None:
        """End the process; the thread, which waits for its answer, notices that."""
        self._told.clear()
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process and the thread."""
        self.abandon()
        self._thread.submit(self._stop)
        self._thread.shutdown()

    # What follows runs in the thread, one thing after the other.

    def _start(self) -> None:
        if self._process is not None and self._process.is_alive():
            return
        self._stop()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        process = context.Process(target=think, args=[theirs], name="bots", daemon=True)
        process.start()
        theirs.close()
        self._process = process
        self._exchange(None)

    def _ask(self, asked: Question) -> Answer:
        return self._exchange(asked)

    def _exchange(self, asked: Question | None) -> Answer:
        """Send a question, if there is one, and return what comes back."""
        assert self._connection is not None
        try:
            if asked is not None:
                self._connection.send(asked)
            elif not self._connection.poll(START_SECONDS):
                raise EOFError
            answer: Answer = self._connection.recv()
        except (EOFError, OSError):
            self._stop()
            raise Died from None
        return answer

    def _stop(self) -> None:
        self._told.clear()
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
        if self._connection is not None:
            self._connection.close()


class Thinkers:
    """The processes in which bots think."""

    def __init__(self, workers: int, seconds: float, metrics: Metrics) -> None:
        self._seconds = seconds
        self._metrics = metrics
        processes: list[Worker] = [ProcessWorker() for _ in range(workers)]
        self._workers = processes or [Worker()]
        self._homes: OrderedDict[tuple[str, int], Worker] = OrderedDict()

    async def choose(self, table: str, game: Game, seat: int, level: str) -> str:
        """Return the action of a bot; one that fails or takes too long is replaced by chance."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            text = await self._decide(table, game, seat, level)
            if not any(action.text == text for action in game.legal(seat)):
                raise Failed(f"'{text}' is not legal here")
        except TimeoutError:
            note("bot_too_slow", logging.WARNING, bot=level, seconds=self._seconds)
            text = self._anything(game, seat, level)
        except Exception:
            note_error("bot_failed", bot=level)
            text = self._anything(game, seat, level)
        self._metrics.time("bot_decision", loop.time() - began)
        return text

    async def _decide(self, table: str, game: Game, seat: int, level: str) -> str:
        try:
            answer = await self._ask(table, game, seat, level)
        except Died:
            # Whatever the reason was, it need not be this bot's.
            note("bot_process_died", logging.WARNING, bot=level)
            answer = await self._ask(table, game, seat, level)
        if answer.fault:
            raise Failed(answer.fault)
        return answer.action

    async def _ask(self, table: str, game: Game, seat: int, level: str) -> Answer:
        async with self._worker(table, seat) as worker:
            await worker.start()
            try:
                async with asyncio.timeout(self._seconds):
                    return await worker.choose(table, game, seat, level)
            except BaseException:
                # Nobody is there any more to hear the answer.
                worker.abandon()
                raise

    @asynccontextmanager
    async def _worker(self, table: str, seat: int) -> AsyncIterator[Worker]:
        """Wait for the process in which a bot lives; it moves rather than wait for long."""
        worker = self._homes.pop((table, seat), None) or self._least_busy()
        self._homes[table, seat] = worker
        if len(self._homes) > REMEMBERED_HOMES:
            self._homes.popitem(last=False)
        if not await worker.claim(PATIENCE):
            worker = self._homes[table, seat] = self._least_busy()
            await worker.claim(None)
        try:
            yield worker
        finally:
            worker.release()

    def _least_busy(self) -> Worker:
        return min(self._workers, key=lambda worker: worker.waiting)

    def _anything(self, game: Game, seat: int, level: str) -> str:
        self._metrics.count("bot_failures", level)
        return random.choice(game.legal(seat)).text

    def close(self) -> None:
        """Stop thinking."""
        for worker in self._workers:
            worker.close()
