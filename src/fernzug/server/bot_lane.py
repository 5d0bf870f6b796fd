"""Workers that share the questions of one kind fairly."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from fernzug.server.bot_process import Worker
from fernzug.server.fair_queue import Entry, FairQueue
from fernzug.server.metrics import Metrics

MAX_HOMES = 10_000
FULL_TURNS = 2.0
"""A bot takes its usual time if the bots of its address, with the time that the other addresses
need beside them, are all answered after this many usual times."""
MIN_TIME_SHARE = 0.125
"""A bot that would have less of its usual time does not try out anything at all."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn of a bot to think."""

    worker: Worker
    time_share: float
    """The share of its usual time that the bot may take; 0 if it has to answer at once."""


@dataclass(eq=False, slots=True)
class Asked:
    """A bot that waits for its turn."""

    bot: tuple[str, int]
    home: Worker | None
    """The worker in which the bot lives."""
    moves_at: float
    """From then on, any worker will do."""
    turn: asyncio.Future[Turn]
    queue: FairQueue[Asked]
    """Where it waits."""


class Lane:
    """Workers that answer one kind of entry, each one at a time.

    A bot lives in one of them. If that one stays busy for ``patience`` seconds while another is
    idle, the bot moves.
    """

    def __init__(self, workers: Sequence[Worker], metrics: Metrics, patience: float) -> None:
        self.workers = workers
        self._metrics = metrics
        self._patience = patience
        self._idle = list(workers)
        self._queue: FairQueue[Asked] = FairQueue()
        self._behind: FairQueue[Asked] = FairQueue()
        """What is answered only while nobody waits in the queue proper."""
        self._homes: OrderedDict[tuple[str, int], Worker] = OrderedDict()
        self._mean_seconds = 0.0
        self.questions = 0
        """The number of questions that wait or are being answered."""

    @asynccontextmanager
    async def turn(
        self, address: str, table: str, seat: int, *, behind: bool = False
    ) -> AsyncIterator[Turn]:
        """Wait for the turn of a bot; it lasts as long as the context.

        What is asked ``behind`` the others has its turn only while none of them is waiting.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        bot = (table, seat)
        queue = self._behind if behind else self._queue
        home = self._homes.get(bot)
        asked = Asked(bot, home, began + self._patience, loop.create_future(), queue)
        entry = queue.put(address, table, asked)
        self.questions += 1
        timer = loop.call_later(self._patience, self._serve)
        try:
            self._serve()
            turn = await asked.turn
        except BaseException:
            self._give_up(entry)
            raise
        finally:
            timer.cancel()
        waited = loop.time() - began
        if behind:
            self._metrics.time("review_wait", waited)
        else:
            self._metrics.time("bot_wait", waited)
        began = loop.time()
        try:
            yield turn
        finally:
            self._end(entry, turn.worker, loop.time() - began)

    def _serve(self) -> None:
        """Give the idle workers something to do."""
        for worker in list(self._idle):
            suits = partial(self._suits, worker)
            entry = self._queue.take(self._mean_seconds, suits)
            if entry is None:
                entry = self._behind.take(self._mean_seconds, suits)
            if entry is None:
                continue
            self._idle.remove(worker)
            share = 1.0
            if entry.asked.queue is self._queue:
                self._settle(entry.asked.bot, worker)
                share = self._time_share(entry.address)
            entry.asked.turn.set_result(Turn(worker, share))

    def _suits(self, worker: Worker, asked: Asked) -> bool:
        if asked.turn.cancelled():
            return False
        late = asyncio.get_running_loop().time() >= asked.moves_at
        return asked.home is None or asked.home is worker or late

    def _settle(self, bot: tuple[str, int], worker: Worker) -> None:
        """Let a bot live in a worker from now on."""
        before = self._homes.pop(bot, worker)
        if before is not worker:
            self._metrics.count("bot_moves")
        self._homes[bot] = worker
        if len(self._homes) > MAX_HOMES:
            self._homes.popitem(last=False)

    def _time_share(self, address: str) -> float:
        """Return the share of its usual time that a bot of an address may take.

        It depends on how many bots the same address has, and on how many other addresses there
        are, but not on how many bots those have.
        """
        own = self._queue.questions(address)
        share = FULL_TURNS * len(self.workers) / (own * self._queue.addresses)
        return min(1.0, share) if share >= MIN_TIME_SHARE else 0.0

    def _give_up(self, entry: Entry[Asked]) -> None:
        turn = entry.asked.turn
        if turn.done() and not turn.cancelled():
            self._end(entry, turn.result().worker, 0.0)
        else:
            entry.asked.queue.withdraw(entry)
            self.questions -= 1

    def _end(self, entry: Entry[Asked], worker: Worker, seconds: float) -> None:
        entry.asked.queue.finish(entry, seconds)
        self.questions -= 1
        self._mean_seconds += 0.1 * (seconds - self._mean_seconds)
        self._idle.append(worker)
        self._serve()
