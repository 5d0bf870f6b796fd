"""A table with the people around it.

Commands are carried out one after the other. Each is decided, written down, applied and told, in
this order, so that nobody ever hears of anything that could still be lost.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fernzug.server.bot_pool import BotPool
from fernzug.server.connection import RESTART, SEAT_FREED, Connection, to_frame
from fernzug.server.log import note_error
from fernzug.server.metrics import Metrics
from fernzug.server.settings import Settings
from fernzug.server.store import Store, StoreError
from fernzug.table import Change, Moment, Refused, Table, protocol, telling
from fernzug.table.encoding import encode
from fernzug.table.manners import Manners, Reacting

Request = Callable[[Table, Moment], list[Change]]
T = TypeVar("T")
REACTION_SECONDS = (0.8, 1.8)
"""A bot needs about this long to react."""


def moment() -> Moment:
    """Return the current time."""
    return Moment(time.monotonic(), time.time_ns() // 1_000_000)


def _start_task(tasks: set[asyncio.Task[T]], work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a task and keep it in a set until it is done, because the loop itself does not."""
    task = asyncio.get_running_loop().create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    return task


class Room:
    """One table in memory."""

    def __init__(
        self,
        table: Table,
        *,
        store: Store,
        bot_pool: BotPool,
        settings: Settings,
        metrics: Metrics,
    ) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.rematching = asyncio.Lock()
        """Held while the table of the next game is created."""
        self.on_change: Callable[[Room], None] = lambda room: None
        self._store = store
        self._bot_pool = bot_pool
        self._settings = settings
        self._metrics = metrics
        self._lock = asyncio.Lock()
        self._commands: set[asyncio.Task[int]] = set()
        self._bot_turns: set[asyncio.Task[None]] = set()
        self._deciding: set[int] = set()
        """Seats for which a bot is deciding."""
        self._timer: asyncio.TimerHandle | None = None
        self._manners = Manners(random.Random())
        self._reaction: asyncio.TimerHandle | None = None
        """What a bot is about to show."""
        self._last_info = b""
        self._last_news = -math.inf
        self._news: asyncio.TimerHandle | None = None
        """When to tell who has come and gone."""

    @property
    def id(self) -> str:
        """The table's id."""
        return self.table.setup.id

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing is going on."""
        return not self.connections and not self._commands and not self._bot_turns

    @property
    def address(self) -> str:
        """The address whose share of the bots' time the table uses.

        It is that of whoever has been here longest, so nobody uses up somebody else's share by
        sitting down at their table.
        """
        seated = (connection for connection in self.connections if connection.audience)
        first = min(seated, key=lambda connection: connection.since, default=None)
        return "" if first is None else first.address

    # ------------------------------------------------------------------------ commands

    async def submit(self, request: Request, seat: int | None = None, id: str | None = None) -> int:
        """Carry out a request; return the number of its last change.

        A command whose ``id`` was accepted before is not carried out again. Once begun, a request
        is finished even if whoever sent it is gone.
        """
        return await asyncio.shield(_start_task(self._commands, self._submit(request, seat, id)))

    async def _submit(self, request: Request, seat: int | None, id: str | None) -> int:
        async with self._lock:
            if id is not None:
                before = self.table.accepted(seat, id)
                if before is not None:
                    return before
            if self.table.seq >= self._settings.limits.changes_per_table:
                raise Refused("limit", "too much has happened at this table")
            changes = request(self.table, moment())
            if changes:
                await self._write(changes)
                for change in changes:
                    self._apply_and_tell(change)
                self.refresh()
            return changes[-1].seq if changes else self.table.seq

    async def _write(self, changes: list[Change]) -> None:
        try:
            last = changes[-1]
            code = last.data["code"] if last.kind == "renewed" else None
            await self._store.append(self.id, changes, self._state_after(changes), code)
        except StoreError as error:
            self._metrics.count("storage_errors")
            note_error("change_not_written", table=self.id, reason=str(error))
            raise Refused(
                "storage", "this could not be written to disk, so it was not done"
            ) from None

    def _state_after(self, changes: list[Change]) -> protocol.TableState | None:
        """Return the state of the table after the changes, if they change it."""
        last = changes[-1]
        if last.kind == "started":
            return "playing"
        if last.game is not None and last.game.over:
            return "over"
        return None

    def _apply_and_tell(self, change: Change) -> None:
        now = time.monotonic()
        self.table.apply(change, now)
        self._metrics.count("changes", change.kind)
        if change.kind in ("freed", "filled"):
            self._dismiss(change.data["seat"], now)
        if change.kind == "started":
            # Everybody hears who plays before they hear what happens.
            self._tell_info(now)
        audiences = {connection.audience for connection in self.connections}
        messages = telling.change_messages(self.table, change, audiences, now)
        frames = {audience: to_frame(message) for audience, message in messages.items()}
        for connection in self.connections:
            frame = frames.get(connection.audience)
            if frame is not None:
                connection.send(frame)
                self._metrics.count("deliveries")
        self._react_later(self._manners.after_change(self.table, change, now))

    def _dismiss(self, seat: int, now: float) -> None:
        """Let those who had a seat only watch, until their connection is closed."""
        for connection in self.connections:
            if seat in connection.audience:
                self.table.seats.depart(connection.audience, now)
                connection.audience = ()
                self.table.seats.arrive((), now)
                connection.close(SEAT_FREED, "the seat is somebody else's now")

    # ------------------------------------------------------------------------ presence

    def arrive(self, connection: Connection, tokens: list[str], seen: int | None) -> None:
        """Add a connection, and send it everything."""
        now = moment()
        connection.audience, connection.host = self.table.seats.opened_by(tokens)
        self._require_place(connection)
        self.table.seats.arrive(connection.audience, now.monotonic)
        self.connections.add(connection)
        self.refresh(who_came=connection)
        message = telling.snapshot(
            self.table, connection.audience, host=connection.host, seen=seen, now=now
        )
        connection.tell(message)

    def _require_place(self, connection: Connection) -> None:
        """Refuse a spectator if there are too many; players and the host always have a place."""
        watches_only = not connection.audience and not connection.host
        if watches_only and self.table.seats.spectators >= self._settings.limits.spectators:
            raise Refused("limit", "there are too many spectators at this table")

    def depart(self, connection: Connection) -> None:
        """Remove a connection."""
        self.connections.discard(connection)
        self.table.seats.depart(connection.audience, time.monotonic())
        self.refresh(who_came=connection)

    def react(self, seat: int, reaction: protocol.Reaction) -> None:
        """Show a person's reaction to everybody; a bot may answer it."""
        self._show_reaction(seat, reaction)
        now = time.monotonic()
        self._react_later(self._manners.after_reaction(self.table, seat, reaction, now))

    def _react_later(self, reacting: Reacting | None) -> None:
        """Let a bot react after a moment, unless bots here play faster than anybody can watch."""
        slowest = self._settings.bot_pace[1]
        if reacting is None or not slowest or not self.connections:
            return
        if self._reaction is not None:
            self._reaction.cancel()
        self._reaction = asyncio.get_running_loop().call_later(
            random.uniform(*REACTION_SECONDS),
            self._show_reaction,
            reacting.seat,
            reacting.reaction,
        )

    def _show_reaction(self, seat: int, reaction: protocol.Reaction) -> None:
        """Tell everybody of a reaction; reactions are not kept."""
        message: protocol.Reacted = {"type": "reaction", "seat": seat, "reaction": reaction}
        frame = to_frame(message)
        for connection in self.connections:
            connection.send(frame)

    # ------------------------------------------------------------------------ consequences

    def refresh(self, who_came: Connection | None = None) -> None:
        """Tell what has changed about the table, let bots play, and set the timer.

        That somebody has come or gone can wait until it is told together with others.
        """
        now = time.monotonic()
        if who_came is None:
            self._tell_info(now)
        else:
            self._tell_news(now, who_came)
        for seat in self.table.bots_to_move(now):
            if seat not in self._deciding:
                self._deciding.add(seat)
                _start_task(self._bot_turns, self._play_bot(seat))
        self._set_timer(now)
        self.on_change(self)

    def _tell_news(self, now: float, except_for: Connection) -> None:
        """Tell who has come and gone, but not more often than anybody can follow."""
        if self._news is not None:
            return
        wait = self._last_news + self._settings.limits.news_seconds - now
        if wait <= 0:
            self._last_news = now
            self._tell_info(now, except_for)
        else:
            self._news = asyncio.get_running_loop().call_later(wait, self._tell_gathered)

    def _tell_gathered(self) -> None:
        self._news = None
        self._last_news = time.monotonic()
        self._tell_info(self._last_news)

    def _tell_info(self, now: float, except_for: Connection | None = None) -> None:
        """Send the table's public info if it has changed."""
        info = telling.table_info(self.table, now, invited=True)
        encoded = encode(info)
        if encoded == self._last_info:
            return
        self._last_info = encoded
        frames = {
            invited: to_frame(self._changed(now, invited=invited)) for invited in (False, True)
        }
        for connection in self.connections:
            if connection is not except_for:
                connection.send(frames[connection.invited])

    def _changed(self, now: float, *, invited: bool) -> protocol.TableChanged:
        return {
            "type": "table",
            "seq": self.table.seq,
            "table": telling.table_info(self.table, now, invited=invited),
            "clock": telling.clock_state(self.table, now),
        }

    def _set_timer(self, now: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        wait = self.table.next_stand_in(now)
        if wait is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(wait + 0.01, self.refresh)

    async def _play_bot(self, seat: int) -> None:
        """Let a bot decide for a seat, no faster than people can follow."""
        table = self.table
        began = time.monotonic()
        version = table.decision_since(seat)
        try:
            game = table.game
            if game is None:
                return
            level = table.seats.all[seat].level or self._settings.stand_in_level
            action = await self._bot_pool.decide(self.id, game, seat, level, self.address)
            pace = random.uniform(*self._settings.bot_pace)
            await asyncio.sleep(max(0.0, began + pace - time.monotonic()))

            def play(table: Table, now: Moment) -> list[Change]:
                # While the bot was thinking, the owner may have returned or everybody left.
                if seat not in table.bots_to_move(now.monotonic):
                    return []
                return table.play(seat, version, action, now=now, bot=True)

            # This very move may lead to the seat's next decision.
            self._deciding.discard(seat)
            await self.submit(play, seat)
        except Refused as refusal:
            if refusal.code == "storage":
                # If it tried again at once, a full disk would keep the processor busy.
                await asyncio.sleep(2.0)
            self._deciding.discard(seat)
            asyncio.get_running_loop().call_soon(self.refresh)
        except Exception:
            note_error("bot_turn_failed", table=self.id, seat=seat)
        finally:
            self._deciding.discard(seat)

    async def close(self) -> None:
        """Close all connections, and finish the commands that were begun."""
        for timer in (self._timer, self._reaction, self._news):
            if timer is not None:
                timer.cancel()
        for connection in self.connections:
            connection.close(RESTART, "the server is stopping")
        for turn in list(self._bot_turns):
            turn.cancel()
        await asyncio.gather(*self._bot_turns, *self._commands, return_exceptions=True)
