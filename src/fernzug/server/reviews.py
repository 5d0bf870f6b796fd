"""Reviews of finished games: worked out step by step in the workers of the bots.

A review has its turn only while nobody waits for a bot, and the time is shared fairly between those
who have asked. What is done so far can be looked at; a complete review is kept with its table.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, cast

from fernzug.analysis import Review, Reviewer
from fernzug.analysis.reviewer import ITERATIONS, Judged
from fernzug.server.bot_pool import BotPool
from fernzug.server.limits import Addresses
from fernzug.server.lobby_protocol import ReviewData
from fernzug.server.log import note_error
from fernzug.server.room import Room
from fernzug.table import Refused
from fernzug.table.protocol import Advice

MAX_STOPPED = 20
"""How many unfinished reviews are kept in memory, to go on with."""

Keep = Callable[[str, ReviewData], Awaitable[None]]
NOTHING: ReviewData = {
    "state": "none",
    "done": 0,
    "total": 0,
    "win": [],
    "decisions": [],
    "chances": [],
    "seats": [],
}


class Job:
    """The review of one table, as far as it is worked out."""

    def __init__(self, table: str, reviewer: Reviewer) -> None:
        self.table = table
        self.reviewer = reviewer
        self.judged: dict[int, Judged] = {}
        self.reasons: dict[int, list[Advice]] = {}
        """By the event of the decision."""
        self.task: asyncio.Task[None] | None = None
        self._told: tuple[int, Review] | None = None

    @property
    def running(self) -> bool:
        """Whether somebody is at it."""
        return self.task is not None and not self.task.done()

    def data(self) -> ReviewData:
        """Return what is known by now."""
        if self._told is None or self._told[0] != len(self.judged):
            self._told = len(self.judged), self.reviewer.put_together(self.judged)
        found = self._told[1]
        complete = len(self.judged) == self.reviewer.number
        end = found.win[-1] if found.win else found.start
        return {
            "state": "done" if complete else "running" if self.running else "stopped",
            "done": len(self.judged),
            "total": self.reviewer.number,
            "win": [[round(chance, 4) for chance in row] for row in found.win],
            "decisions": [
                {
                    "event": each.event,
                    "seat": each.seat,
                    "action": each.action.text,
                    "best": each.best.text,
                    "loss": round(each.loss, 4),
                    "win": round(each.win, 4),
                    "verdict": each.verdict,
                    "reasons": self.reasons.get(each.event, []),
                }
                for each in found.decisions
            ],
            "chances": [
                {"event": each.event, "brought": [round(part, 4) for part in each.brought]}
                for each in found.chances
            ],
            "seats": [
                {
                    "score": found.score(seat),
                    "start": round(found.start[seat], 4),
                    "losses": round(-found.losses(seat), 4),
                    "gifts": round(found.gifts(seat), 4),
                    "luck": round(found.luck[seat], 4),
                    "end": round(end[seat], 4),
                    "turning_point": found.turning_point(seat),
                }
                for seat in range(found.players)
            ],
        }


class Reviews:
    """The reviews of one server that are not complete; those that are belong to their tables."""

    def __init__(self, bot_pool: BotPool, addresses: Addresses, most: int, keep: Keep) -> None:
        self._bot_pool = bot_pool
        self._addresses = addresses
        self._most = most
        self._keep = keep
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def look(self, room: Room) -> ReviewData:
        """Return the review of a finished game, as far as it is worked out."""
        if room.table.review is not None:
            return cast(ReviewData, room.table.review)
        job = self._jobs.get(room.id)
        return NOTHING if job is None else job.data()

    async def begin(self, room: Room, address: str) -> None:
        """Begin to review a finished game, or go on; the time is that of an address."""
        game = room.table.game
        if room.table.review is not None or game is None:
            return
        job = self._jobs.get(room.id)
        if job is not None and job.running:
            return
        if self._addresses.open["reviews"].total() >= self._most:
            raise Refused("busy", "too many games are being reviewed")
        # Counted before anything is waited for: otherwise many could begin at once.
        self._addresses.enter("reviews", address)
        begun = False
        try:
            if job is None:
                # The game is played back, which takes a while.
                reviewer = await asyncio.to_thread(Reviewer, game.record(), ITERATIONS)
                job = self._jobs.setdefault(room.id, Job(room.id, reviewer))
            if not job.running:
                job.task = asyncio.get_running_loop().create_task(self._work(job, address))
                job.task.add_done_callback(lambda _: self._addresses.leave("reviews", address))
                begun = True
        finally:
            if not begun:
                self._addresses.leave("reviews", address)
        self._forget()

    def stop(self, room: Room) -> None:
        """Stop a review; what is done stays."""
        job = self._jobs.get(room.id)
        if job is not None and job.task is not None:
            job.task.cancel()

    async def close(self) -> None:
        """Stop everything."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, job: Job, address: str) -> None:
        left = iter([step for step in range(job.reviewer.number) if step not in job.judged])

        async def judge() -> None:
            for step in left:
                answer = await self._bot_pool.judge(job.table, job.reviewer, step, address)
                assert answer.judged is not None
                if answer.judged.decision is not None:
                    reasons: list[Any] = [reason.to_json() for reason in answer.reasons]
                    job.reasons[answer.judged.decision.event] = reasons
                job.judged[step] = answer.judged

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._bot_pool.reviewers):
                    group.create_task(judge())
            await self._keep(job.table, job.data())
            self._jobs.pop(job.table, None)
        except Exception:
            # It stays where it is, and somebody may try to go on.
            note_error("review_failed", table=job.table)

    def _forget(self) -> None:
        """Forget the oldest unfinished reviews that nobody goes on with."""
        stopped = [table for table, job in self._jobs.items() if not job.running]
        for table in stopped[:-MAX_STOPPED]:
            del self._jobs[table]
