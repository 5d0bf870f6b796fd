"""A table with the people around it.

Commands are carried out one after the other. Each is decided, written down, applied and told, in
this order, so that nobody ever hears of anything that could still be lost.

Other processes may have the same table. Whoever is first writes the next change; the others are
refused by the store, read on, and decide again.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

from fernzug.engine import facts
from fernzug.server.bot_pool import BotPool
from fernzug.server.connection import RESTART, SEAT_FREED, Connection, to_frame
from fernzug.server.log import note_error
from fernzug.server.metrics import Metrics
from fernzug.server.patience import Patience, patiently
from fernzug.server.peers import Peers, Present, Told
from fernzug.server.settings import Settings
from fernzug.server.store import CodeTaken, Conflict, Store, StoreError, Unreachable
from fernzug.server.wire import text_frame
from fernzug.table import Change, Moment, Refused, Table, protocol, telling
from fernzug.table.clock import TableTime
from fernzug.table.encoding import encode
from fernzug.table.manners import Manners, Reacting

Request = Callable[[Table, Moment], list[Change]]
T = TypeVar("T")
REACTION_SECONDS = (0.8, 1.8)
"""A bot needs about this long to react."""
DICE = random.Random()
"""Decides how bots react; every table with a generator of its own would take kilobytes."""
MAX_UNAPPLIED = 16
"""How many moves of people elsewhere a table may be behind, of which nobody here asks for it."""
LEASE_CHECK_SECONDS = 1.0
"""How often a process asks whether the bots of a table are still another one's."""


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
        peers: Peers,
        bot_pool: BotPool,
        settings: Settings,
        metrics: Metrics,
    ) -> None:
        self._table = table
        self._unapplied: list[tuple[Change, float]] = []
        """Moves of people elsewhere that were told here, with the time at which they were heard."""
        self.connections: set[Connection] = set()
        self.rematching = asyncio.Lock()
        """Held while the table of the next game is created."""
        self.on_change: Callable[[Room], None] = lambda room: None
        self._store = store
        self._peers = peers
        self._others: Present = Counter()
        """Who is connected to other processes."""
        self._heard: list[tuple[Change, Told]] = []
        """Changes that others have written while a command was being carried out."""
        self._time_told = False
        self._bot_pool = bot_pool
        self._settings = settings
        self._metrics = metrics
        self._lock = asyncio.Lock()
        self._commands: set[asyncio.Task[int]] = set()
        self._bot_turns: set[asyncio.Task[None]] = set()
        self._readings: set[asyncio.Task[None]] = set()
        self._hint_turns: set[asyncio.Task[Any]] = set()
        self._hints: dict[int, tuple[int, asyncio.Task[list[protocol.Hint]]]] = {}
        """By seat: the change since which it has had its decision, and the hints for it."""
        self._deciding: set[int] = set()
        """Seats for which a bot is deciding."""
        self._timer: asyncio.TimerHandle | None = None
        self._manners = Manners(DICE)
        self._reaction: asyncio.TimerHandle | None = None
        """What a bot is about to show."""
        self._last_info: tuple[object, ...] = ()
        self._last_news = -math.inf
        self._news: asyncio.TimerHandle | None = None
        """When to tell who has come and gone."""

    @property
    def table(self) -> Table:
        """The table after everything that has been heard of it."""
        if self._unapplied:
            unapplied, self._unapplied = self._unapplied, []
            for change, heard in unapplied:
                self._table.apply(change, heard)
        return self._table

    @property
    def id(self) -> str:
        """The table's id."""
        return self._table.setup.id

    @property
    def public(self) -> bool:
        """Whether the table is in the list of public tables."""
        return self._table.setup.public

    @property
    def seq(self) -> int:
        """The number of the last change that has been heard of."""
        return self._table.seq + self.behind

    @property
    def behind(self) -> int:
        """How many changes that were heard of are still to be applied."""
        return len(self._unapplied)

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing is going on."""
        working = self._commands or self._bot_turns or self._hint_turns
        return not self.connections and not working

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

        Once begun, it is finished even if whoever waits for it is cancelled.
        """
        return await asyncio.shield(_start_task(self._commands, self.carry_out(request, seat, id)))

    async def carry_out(
        self, request: Request, seat: int | None = None, id: str | None = None
    ) -> int:
        """Carry out a request; return the number of its last change.

        A command whose ``id`` was accepted before is not carried out again. If this is cancelled
        on the way, the store may have the changes; the room then finds them there.
        """
        async with self._lock:
            try:
                return await self._try_until_done(request, seat, id)
            except CodeTaken:
                raise
            except StoreError as error:
                self._metrics.count("storage_errors")
                note_error("change_not_written", table=self.id, reason=str(error))
                raise Refused(
                    "storage", "this could not be written to disk, so it was not done"
                ) from None
            finally:
                self._take_heard()

    async def _try_until_done(self, request: Request, seat: int | None, id: str | None) -> int:
        """Carry out a request, again and again if others write first or the store is away."""
        patience = Patience()
        while True:
            try:
                return await self._try(request, seat, id)
            except Conflict:
                self._metrics.count("conflicts")
                # Another process was first, or another copy of the table in this one.
                if not await self._read_what_follows():
                    raise
            except Unreachable as error:
                # It may have been written. If it was, it is found among what is read now.
                await patience.wait(error)
                if await self._read_on():
                    self._tell_state()

    async def _try(self, request: Request, seat: int | None, id: str | None) -> int:
        """Carry out a request if nobody else has written anything in between."""
        if id is not None:
            before = self.table.accepted(seat, id)
            if before is not None:
                return before
        if self.table.seq >= self._settings.limits.changes_per_table:
            raise Refused("limit", "too much has happened at this table")
        try:
            changes = request(self.table, moment())
        except Refused:
            # It may be right after what others have written.
            if await self._read_on():
                return await self._try(request, seat, id)
            raise
        if not changes:
            return self.table.seq
        await self._write(changes)
        for change in changes:
            self._apply_and_tell(change)
        self.refresh()
        return changes[-1].seq

    async def _write(self, changes: list[Change]) -> None:
        last = changes[-1]
        code = last.data["code"] if last.kind == "renewed" else None
        await self._store.append(self.id, changes, self._state_after(changes), code)

    # ------------------------------------------------------------------------ other processes

    async def read_on(self) -> None:
        """Apply what other processes have written."""
        if self._store.shared:
            async with self._lock:
                await self._read_on()
                self._take_heard()

    async def _read_on(self) -> bool:
        """Apply what others have written; return whether there was anything."""
        return self._store.shared and await self._read_what_follows()

    async def _read_what_follows(self) -> bool:
        seq = self.table.seq
        changes = await patiently(lambda: self._store.changes_after(self.id, seq))
        for change in changes:
            self._apply_and_tell(change, {})
        if changes:
            self.refresh()
        return bool(changes)

    def heard_change(self, change: Change, told: Told) -> None:
        """Take a change that another process has written, with what it told its people."""
        self._heard.append((change, told))
        if not self._lock.locked():
            self._take_heard()

    def _take_heard(self) -> None:
        heard, self._heard = self._heard, []
        for change, told in heard:
            if change.seq > self.seq + 1:
                self._start_reading()
            elif change.seq == self.seq + 1:
                if self._may_wait(change, told):
                    self._hand_on(change, told)
                else:
                    self._apply_and_tell(change, told)
                    self.refresh()

    def _may_wait(self, change: Change, told: Told) -> bool:
        """Whether a change can be applied later, because nothing here follows from it.

        So it is with a move if everybody is there, has all the time they want, and is told by the
        process that has written it.
        """
        table = self._table
        return (
            change.kind == "played"
            and table.seats.all_here
            and not table.clock.used
            and table.course is None
            and [facts.ENDED] not in change.data["facts"]
            and len(self._unapplied) < MAX_UNAPPLIED
            and all(connection.audience in told for connection in self.connections)
        )

    def _hand_on(self, change: Change, told: Told) -> None:
        """Tell a change that is applied as soon as anybody asks for the table."""
        self._unapplied.append((change, time.monotonic()))
        self._metrics.count("changes", change.kind)
        self._send_texts(told)

    def _start_reading(self) -> None:
        _start_task(self._readings, self._read_quietly())

    async def _read_quietly(self) -> None:
        try:
            await self.read_on()
        except StoreError as error:
            note_error("table_not_read", table=self.id, reason=str(error))

    def heard_state(self, seq: int, time_there: TableTime | None) -> None:
        """Take note of the last change, and the time, that another process knows."""
        if seq > self.seq:
            self._start_reading()
        if time_there is not None and not self._time_told:
            self._time_told = True
            now = time.monotonic()
            self.table.set_time(seq, time_there, now)
            self.refresh()

    def newcomer(self, process: str) -> None:
        """Tell another process about the table, to which it has somebody connected now."""
        time_here = self.table.time(time.monotonic())
        self._peers.tell_state(self.id, self.table.seq, time_here, process)

    def _tell_state(self) -> None:
        """Tell the other processes at the table to read on."""
        for process in self._peers.at_table(self.id):
            self._peers.tell_state(self.id, self.seq, None, process)

    def heard_reaction(self, seat: int, reaction: protocol.Reaction) -> None:
        """Show a reaction of somebody at another process."""
        self._manners.saw(self.table, seat, time.monotonic())
        self._show_reaction(seat, reaction)

    @property
    def present(self) -> Present:
        """Who is connected to this process."""
        return Counter(connection.audience for connection in self.connections)

    def others_changed(self, present: Present) -> None:
        """Take note of who is connected to other processes."""
        now = time.monotonic()
        before, self._others = self._others, present
        # Time must not stand still in between, so those who have come are counted first.
        for audience in (present - before).elements():
            self.table.seats.arrive(audience, now)
        for audience in (before - present).elements():
            self.table.seats.depart(audience, now)
        if self.connections:
            self.refresh(gathered=True)

    def _state_after(self, changes: list[Change]) -> protocol.TableState | None:
        """Return the state of the table after the changes, if they change it."""
        last = changes[-1]
        if last.kind in ("started", "stepped"):
            return "playing"
        if last.game is not None and last.game.over:
            return "over"
        return None

    def _apply_and_tell(self, change: Change, told: Told | None = None) -> None:
        """Apply a change and tell it.

        If another process has written it, ``told`` is what that one told its people: each message
        is worked out once.
        """
        now = time.monotonic()
        self.table.apply(change, now)
        self._metrics.count("changes", change.kind)
        if change.kind in ("freed", "filled"):
            self._dismiss(change.data["seat"], now)
        if change.kind == "started":
            # Everybody hears who plays before they hear what happens.
            self._tell_info(now)
        audiences = {connection.audience for connection in self.connections}
        wanted = audiences | self._others.keys() if told is None else audiences - told.keys()
        messages = telling.change_messages(self.table, change, wanted, now) if wanted else {}
        texts = {audience: encode(message) for audience, message in messages.items()}
        if told is None:
            self._peers.tell_change(self.id, change, texts)
        else:
            texts |= told
        self._send_texts(texts)
        if told is None:
            self._react_later(self._manners.after_change(self.table, change, now))

    def _send_texts(self, texts: Told) -> None:
        """Send what those with certain seats are told to all who have them."""
        frames: dict[telling.Audience, bytes] = {}
        deliveries = 0
        for connection in self.connections:
            audience = connection.audience
            if audience in texts:
                if audience not in frames:
                    frames[audience] = text_frame(texts[audience])
                connection.send(frames[audience])
                deliveries += 1
        if deliveries:
            self._metrics.count("deliveries", number=deliveries)

    def _dismiss(self, seat: int, now: float) -> None:
        """Let those who had a seat only watch, until their connection is closed."""
        for connection in self.connections:
            if seat in connection.audience:
                self.table.seats.depart(connection.audience, now)
                connection.audience = ()
                self.table.seats.arrive((), now)
                self._peers.tell_presence(self.id)
                connection.close(SEAT_FREED, "the seat is somebody else's now")

    # ------------------------------------------------------------------------ presence

    def arrive(self, connection: Connection, tokens: list[str], seen: int | None) -> None:
        """Add a connection, and send it everything."""
        now = moment()
        connection.audience, connection.host = self.table.seats.opened_by(tokens)
        self._require_place(connection)
        self.table.seats.arrive(connection.audience, now.monotonic)
        if not self.connections:
            self._time_told = False
        self.connections.add(connection)
        self._peers.tell_presence(self.id)
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
        self._peers.tell_presence(self.id)
        if not self.connections:
            self._peers.release(self.id)
        self.refresh(who_came=connection)

    def react(self, seat: int, reaction: protocol.Reaction) -> None:
        """Show a person's reaction to everybody; a bot may answer it."""
        self._spread_reaction(seat, reaction)
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
            self._spread_reaction,
            reacting.seat,
            reacting.reaction,
        )

    def _spread_reaction(self, seat: int, reaction: protocol.Reaction) -> None:
        """Tell everybody of a reaction; reactions are not kept."""
        self._peers.tell_reaction(self.id, seat, reaction)
        self._show_reaction(seat, reaction)

    def _show_reaction(self, seat: int, reaction: protocol.Reaction) -> None:
        message: protocol.Reacted = {"type": "reaction", "seat": seat, "reaction": reaction}
        frame = to_frame(message)
        for connection in self.connections:
            connection.send(frame)

    # ------------------------------------------------------------------------ hints

    def give_hints(self, connection: Connection, asked: protocol.AskHint) -> None:
        """Send hints to whoever asks for them, once they are worked out."""
        _start_task(self._hint_turns, self._give_hints(connection, asked))

    async def _give_hints(self, connection: Connection, asked: protocol.AskHint) -> None:
        seat = asked["seat"]
        try:
            # Nobody may ask what the table would refuse.
            self.table.hint(seat, asked["version"], id=asked["id"], at=0)
            since = self.table.decision_since(seat)
            known, finding = self._hints.get(seat, (-1, None))
            if finding is None or known != since or (finding.done() and finding.exception()):
                finding = _start_task(self._hint_turns, self._find_hints(asked))
                self._hints[seat] = since, finding
            found = await asyncio.shield(finding)
        except Refused as refusal:
            self._metrics.count("refusals", refusal.code)
            connection.refuse(asked["id"], refusal.code, refusal.message)
            return
        if seat in connection.audience:
            connection.tell({"type": "ack", "id": asked["id"], "seq": self.table.seq})
            connection.tell({"type": "hints", "seat": seat, "version": since, "hints": found})

    async def _find_hints(self, asked: protocol.AskHint) -> list[protocol.Hint]:
        """Work out the hints for a decision, and count them before anybody sees them."""
        seat, version, id = asked["seat"], asked["version"], asked["id"]
        game = self.table.game
        assert game is not None
        found = await self._bot_pool.hints(self.id, game, seat, self.address)
        await self.submit(lambda table, now: table.hint(seat, version, id=id, at=now.wall), seat)
        return [cast(protocol.Hint, hint.to_json()) for hint in found]

    # ------------------------------------------------------------------------ consequences

    def refresh(self, who_came: Connection | None = None, *, gathered: bool = False) -> None:
        """Tell what has changed about the table, let bots play, and set the timer.

        That somebody has come or gone can wait until it is ``gathered`` with others.
        """
        now = time.monotonic()
        if gathered or who_came is not None:
            self._tell_news(now, who_came)
        else:
            self._tell_info(now)
        for seat in self.table.bots_to_move(now):
            # Without anybody here, it is the business of another process.
            if self.connections and seat not in self._deciding:
                self._deciding.add(seat)
                _start_task(self._bot_turns, self._play_bot(seat))
        self._set_timer(now)
        self.on_change(self)

    def _tell_news(self, now: float, except_for: Connection | None) -> None:
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
        info = telling.changing_info(self.table, now)
        if info == self._last_info:
            return
        self._last_info = info
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
        loop = asyncio.get_running_loop()
        try:
            if not await self._peers.lease(self.id):
                loop.call_later(LEASE_CHECK_SECONDS, self.refresh)
                return
            game, version = table.game, table.decision_since(seat)
            if game is None or seat not in table.bots_to_move(began):
                # Another process has played for it in the meantime.
                return
            if table.course is not None:
                action = table.course.scripted(game)
            else:
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
            loop.call_soon(self.refresh)
        except Exception:
            note_error("bot_turn_failed", table=self.id, seat=seat)
            loop.call_later(2.0, self.refresh)
        finally:
            self._deciding.discard(seat)

    async def close(self) -> None:
        """Close all connections, and finish the commands that were begun."""
        for timer in (self._timer, self._reaction, self._news):
            if timer is not None:
                timer.cancel()
        for connection in self.connections:
            connection.close(RESTART, "the server is stopping")
        thinking = [*self._bot_turns, *self._hint_turns]
        for turn in thinking:
            turn.cancel()
        going_on = (*thinking, *self._commands, *self._readings)
        await asyncio.gather(*going_on, return_exceptions=True)
