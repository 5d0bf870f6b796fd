"""The bots of a server: who lets them think, and what is played if that goes wrong.

Bots think in workers (:mod:`fernzug.server.bot_process`), so that the server's loop never waits. A
quarter of the workers, at least one, answers only for bots that decide at once: nobody's easy bot
waits for somebody else's hard one. Within each kind, the time is shared fairly between addresses
and tables (:mod:`fernzug.server.bot_lane`), and bots that can think for longer or shorter do so for
shorter when many are waiting.

A decision passes through :meth:`BotPool.decide`, which always returns a legal action, to
:meth:`~fernzug.server.bot_process.Worker.ask`, which tells a worker what is new, and there to
:meth:`~fernzug.server.bot_worker.KnownGames.answer`.
"""

from __future__ import annotations

import asyncio
import logging
import random

from fernzug import bots
from fernzug.analysis.hints import Hint
from fernzug.analysis.reviewer import Reviewer
from fernzug.game import Game
from fernzug.server.bot_lane import Lane
from fernzug.server.bot_process import ProcessWorker, Worker, WorkerDied
from fernzug.server.bot_worker import MAX_GAMES, Answer
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics
from fernzug.table import Refused

QUICK_WORKERS = 0.25
"""The share of the workers that only answer for quick bots; there is at least one."""
REVIEW_SECONDS = 60.0
"""No step of a review takes nearly as long."""
REVIEWER = -1
"""Reviews have no seat, and no worker in which they live."""
NICENESS = 10
"""Bots that think for long give way to the server, and to quick bots."""


class BotFailed(Exception):
    """A bot has failed; the text is what it raised."""


class BotPool:
    """The workers that decide for all bots of a server.

    ``workers`` is the number of processes, two at least, because there are two kinds of bots; with
    0, bots think in two threads. A bot has ``time_limit`` seconds for a decision. Its question
    waits for its own worker for ``patience`` seconds, and then goes to any that is idle.
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
        self._metrics = metrics
        quick = max(1, int(workers * QUICK_WORKERS))
        slow = max(1, workers - quick)
        self._quick = Lane(_workers(workers, quick, max_games, 0), metrics, patience)
        self._slow = Lane(_workers(workers, slow, max_games, NICENESS), metrics, patience)
        metrics.gauges["bot_questions"] = lambda: self.waiting

    @property
    def waiting(self) -> int:
        """The number of questions being answered or waiting."""
        return self._quick.questions + self._slow.questions

    @property
    def _workers(self) -> list[Worker]:
        return [*self._quick.workers, *self._slow.workers]

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    async def start(self) -> None:
        """Return when all workers are ready; they start by themselves, so this is optional."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def decide(self, table: str, game: Game, seat: int, level: str, address: str = "") -> str:
        """Return the action of a bot; if it fails or takes too long, a random one.

        ``address`` is that of the people for whose game the bot thinks; it shares the workers with
        other addresses.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            text = await self._action(table, game, seat, level, address)
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

    async def hints(self, table: str, game: Game, seat: int, address: str = "") -> tuple[Hint, ...]:
        """Return good actions for the person on a seat, from what that seat may know."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            answer = await self._ask(table, game, seat, None, address)
        except (WorkerDied, TimeoutError) as trouble:
            note("hints_lost", logging.WARNING, table=table, reason=type(trouble).__name__)
            raise Refused("busy", "there was no time to work out hints") from None
        if answer.fault:
            note("hints_failed", logging.ERROR, table=table, error=answer.fault)
            raise Refused("busy", "hints could not be worked out")
        self._metrics.time("hints", loop.time() - began)
        return answer.hints

    async def _action(self, table: str, game: Game, seat: int, level: str, address: str) -> str:
        try:
            answer = await self._ask(table, game, seat, level, address)
        except (WorkerDied, TimeoutError) as trouble:
            # The process may be to blame, and not the bot, so ask once more in a new one.
            note("bot_process_lost", logging.WARNING, bot=level, reason=type(trouble).__name__)
            answer = await self._ask(table, game, seat, level, address)
        if answer.fault:
            raise BotFailed(answer.fault)
        return answer.action

    async def _ask(
        self, table: str, game: Game, seat: int, level: str | None, address: str
    ) -> Answer:
        async with self._lane(level).turn(address, table, seat) as turn:
            worker = turn.worker
            await worker.start()
            if turn.time_share < 1:
                self._metrics.count("bot_hurries", level or "hints")
            try:
                async with asyncio.timeout(self.time_limit):
                    return await worker.ask(table, game, seat, level, turn.time_share)
            except BaseException:
                # Nobody is waiting for the answer any more.
                worker.abandon()
                raise

    @property
    def reviewers(self) -> int:
        """How many steps of a review can be judged at once."""
        return len(self._slow.workers)

    async def judge(self, table: str, reviewer: Reviewer, step: int, address: str = "") -> Answer:
        """Judge a step of a finished game while nobody waits for a bot that thinks for long."""
        async with self._slow.turn(address, table, REVIEWER, behind=True) as turn:
            worker = turn.worker
            await worker.start()
            try:
                async with asyncio.timeout(REVIEW_SECONDS):
                    answer = await worker.judge(table, reviewer, step)
            except BaseException:
                worker.abandon()
                raise
        if answer.fault:
            raise BotFailed(answer.fault)
        return answer

    def _lane(self, level: str | None) -> Lane:
        known = bots.OPPONENTS.get(level or "")
        return self._quick if known is not None and known.quick else self._slow

    def _random_action(self, game: Game, seat: int, level: str) -> str:
        self._metrics.count("bot_failures", level)
        return random.choice(game.legal(seat)).text

    def close(self) -> None:
        """Stop all workers."""
        for worker in self._workers:
            worker.close()


def _workers(workers: int, number: int, max_games: int, niceness: int) -> list[Worker]:
    """Return a number of processes; threads if there are to be no worker processes."""
    if not workers:
        return [Worker(max_games) for _ in range(number)]
    return [ProcessWorker(max_games, niceness) for _ in range(number)]
