"""All tables of one server: creating them, finding them, and dropping them from memory."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from fernzug import bots
from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.lessons import lesson, lessons
from fernzug.lessons.model import PUPIL
from fernzug.server import lobby_protocol, memory
from fernzug.server.again import again_setup
from fernzug.server.answers import Answers, Plan
from fernzug.server.bot_pool import BotPool
from fernzug.server.bus import Bus
from fernzug.server.daily import bot_seats, requested_day, require_plain
from fernzug.server.limits import Addresses
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics
from fernzug.server.names import clean_name
from fernzug.server.patience import patiently
from fernzug.server.peers import Peers
from fernzug.server.reviews import Reviews
from fernzug.server.room import Room, moment
from fernzug.server.settings import Settings
from fernzug.server.store import CodeTaken, Conflict, Store, StoreError
from fernzug.table import (
    OVER,
    PLAYING,
    WAITING,
    Change,
    ClockSetup,
    Moment,
    Refused,
    SeatSetup,
    Table,
    TableSetup,
    protocol,
    restore,
    telling,
)
from fernzug.table.authority import GameFactory, new_game
from fernzug.table.characters import somebody
from fernzug.table.daily import seed_of
from fernzug.table.seats import distinct_name
from fernzug.table.setup import BOT, BY_HOST, HERE, LINK, fault_of
from fernzug.table.teaching import lesson_setup
from fernzug.table.tokens import CODE_LENGTH, hash_of, id_after, new_code, new_id, new_token

WAITING_DAYS = 7
PLAYING_DAYS = 60
"""Days without a change after which a table is deleted, as far as the server has run on them."""

NEWS_SECONDS = 0.25
"""How long news of other processes may be on its way."""
LIST_SHARE = 50
"""How many times as long as it took to put together, the list of public tables is used again: with
thousands of tables, whoever asks for it all the time would otherwise keep the loop busy."""


class Lobby:
    """The tables of one server."""

    def __init__(
        self,
        settings: Settings,
        *,
        store: Store,
        bus: Bus,
        metrics: Metrics,
        game_factory: GameFactory = new_game,
    ) -> None:
        self.settings = settings
        self.metrics = metrics
        self.addresses = Addresses(settings.limits)
        self.arriving = asyncio.Lock()
        """Held while somebody comes to a table, so that they come one by one."""
        self.rooms: dict[str, Room] = {}
        self.stopping = False
        self.store = store
        self.peers = Peers(bus, self.rooms, self.addresses, self._own_open_tables)
        self.bot_pool = BotPool(settings.bot_workers, metrics, time_limit=settings.bot_seconds)
        self.reviews = Reviews(
            self.bot_pool, self.addresses, settings.limits.running_reviews, self._keep_review
        )
        self._game_factory = game_factory
        self._restoring = asyncio.Lock()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._creators: dict[str, str] = {}
        """Tables that count for an address, with that address."""
        self._answers = Answers(bus)
        self._list: lobby_protocol.OpenTables = {"tables": []}
        self._list_valid_until = 0.0
        self._housekeeper: asyncio.Task[None] | None = None
        self._reader: asyncio.Task[None] | None = None
        metrics.gauges["peers"] = lambda: len(self.peers)
        metrics.gauges["tables"] = lambda: len(self.rooms)
        metrics.gauges["sockets"] = lambda: self.addresses.open["sockets"].total()

    async def open(self) -> None:
        """Open the lobby; each table is read when somebody returns to it."""
        await self._delete_old_tables()
        await self.peers.open()
        loop = asyncio.get_running_loop()
        self._housekeeper = loop.create_task(self._keep_house())
        if self.store.shared:
            self._reader = loop.create_task(self._keep_reading())
        note("lobby_open")

    async def _delete_old_tables(self) -> None:
        """Delete the tables that nobody has returned to for a long time."""
        try:
            deleted = await self.store.count_day(
                now=moment().wall, waiting_days=WAITING_DAYS, playing_days=PLAYING_DAYS
            )
        except StoreError as error:
            # The disk may be full only for now, so the next round tries again.
            self.metrics.count("storage_errors")
            note("tables_not_deleted", logging.ERROR, reason=str(error))
            return
        if deleted:
            note("tables_deleted", number=deleted)

    async def _keep_house(self) -> None:
        """Collect garbage and delete old tables from time to time, as long as the server runs."""
        settings = self.settings
        last_deletion = time.monotonic()
        while True:
            await asyncio.sleep(settings.collect_seconds)
            memory.collect()
            if time.monotonic() - last_deletion < settings.delete_seconds:
                continue
            last_deletion = time.monotonic()
            await self._delete_old_tables()

    async def _keep_reading(self) -> None:
        """Read on from time to time, in case that news of other processes got lost."""
        settings = self.settings
        missed = self.peers.missed
        while True:
            connected = self.peers.connected
            wait = settings.read_seconds if connected else settings.read_seconds_alone
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(missed.wait(), wait)
            # What has just been written elsewhere is on its way, unless something may be lost.
            patience = 0.0 if missed.is_set() or not connected else NEWS_SECONDS
            missed.clear()
            try:
                await self._read_on(patience)
            except Exception as error:
                # The next round tries again.
                note("tables_not_read", logging.WARNING, reason=str(error))

    async def _read_on(self, patience: float) -> None:
        """Let the tables read on at which others have written something that does not arrive."""
        busy = [id for id, room in self.rooms.items() if room.connections]
        if not busy:
            return
        last = await self.store.last_changes(busy)
        if patience and any(self._is_behind(id, seq) for id, seq in last.items()):
            await asyncio.sleep(patience)
        for id, seq in last.items():
            if self._is_behind(id, seq):
                await self.rooms[id].read_on()

    def _is_behind(self, id: str, seq: int) -> bool:
        room = self.rooms.get(id)
        return room is not None and room.seq < seq

    async def close(self) -> None:
        """Stop: close all connections, finish what was begun, and close the file."""
        self.stopping = True
        for task in (self._housekeeper, self._reader):
            if task is not None:
                task.cancel()
        await self.reviews.close()
        await asyncio.gather(*(room.close() for room in list(self.rooms.values())))
        await self.peers.close()
        await asyncio.to_thread(self.bot_pool.close)
        await self.store.close()
        note("lobby_closed")

    # ------------------------------------------------------------------------ creating

    async def create(
        self, new: lobby_protocol.NewTable, address: str
    ) -> lobby_protocol.TableCreated:
        """Create a table; the answer has the tokens of those who sit at the creator's screen."""
        fresh = _plan(seat for seat, one in enumerate(new["seats"]) if one["kind"] == HERE)
        plan = await self._answers.plan("create", address, new, fresh)
        return await self._carry_out(
            plan, address, again=plan is not fresh, setup=partial(self._setup, new, plan)
        )

    async def take_lesson(
        self, new: lobby_protocol.NewLesson, address: str
    ) -> lobby_protocol.TableCreated:
        """Open a table at which somebody takes a lesson."""
        if new["lesson"] not in lessons():
            raise Refused("not_found", "there is no such lesson")
        fresh = _plan([PUPIL])
        plan = await self._answers.plan("lesson", address, new, fresh)
        return await self._carry_out(
            plan, address, again=plan is not fresh, setup=partial(self._lesson_setup, new, plan)
        )

    async def try_again(
        self, room: Room, wanted: lobby_protocol.TryAgain, address: str
    ) -> lobby_protocol.TableCreated:
        """Open a table that begins before a decision of a finished game."""
        fresh = _plan([wanted["seat"]])
        plan = await self._answers.plan("again", address, wanted, fresh)
        # The game is played back, which takes a while.
        setup = await asyncio.to_thread(
            again_setup,
            room.table,
            wanted["event"],
            wanted["seat"],
            id=plan["id"],
            code=new_code(),
            host=hash_of(plan["host"]),
            token=hash_of(plan["tokens"][0]["token"]),
            created=moment().wall,
        )
        return await self._carry_out(plan, address, again=plan is not fresh, setup=lambda: setup)

    def _lesson_setup(self, new: lobby_protocol.NewLesson, plan: Plan) -> TableSetup:
        name = self._clean_name(new["name"]) if "name" in new else None
        return lesson_setup(
            lesson(new["lesson"]),
            id=plan["id"],
            code=new_code(),
            host=hash_of(plan["host"]),
            pupil=SeatSetup(HERE, name=name, token=hash_of(plan["tokens"][0]["token"])),
            created=moment().wall,
        )

    async def _carry_out(
        self, plan: Plan, address: str, *, again: bool, setup: Callable[[], TableSetup]
    ) -> lobby_protocol.TableCreated:
        """Create the table that was planned, unless it was created when the plan was made."""
        room = await self._room_if_any(plan["id"]) if again else None
        if room is None:
            self._require_capacity()
            room = await self._create(setup(), address)
        return {
            "table": room.id,
            "code": room.table.code,
            "host": plan["host"],
            "tokens": plan["tokens"],
        }

    async def _room_if_any(self, id: str) -> Room | None:
        try:
            return await self.room(id)
        except Refused as refusal:
            if refusal.code != "not_found":
                raise
            return None

    def _require_capacity(self) -> None:
        if self.stopping:
            raise Refused("stopping", "the server is about to stop")
        if len(self.rooms) >= self.settings.limits.tables:
            raise Refused("limit", "the server has too many tables")

    def _setup(self, new: lobby_protocol.NewTable, plan: Plan) -> TableSetup:
        if new["board"] not in board_files.boards():
            raise Refused("not_found", "there is no such board")
        board = board_files.load(new["board"])
        clock: protocol.ClockSetting = new.get("clock") or {"kind": "none"}
        setup = TableSetup(
            id=plan["id"],
            code=new_code(),
            board=board.id,
            board_hash=board.hash,
            seats=self._seats(
                new["seats"], {each["seat"]: each["token"] for each in plan["tokens"]}
            ),
            host=hash_of(plan["host"]),
            created=moment().wall,
            first_player=new.get("first_player"),
            start=new.get("start", BY_HOST),
            clock=ClockSetup(
                clock["kind"],
                seconds=clock.get("seconds", 0),
                increment=clock.get("increment", 0),
            ),
            grace=new.get("grace", self.settings.grace),
            seed=new.get("seed"),
            public=new.get("public", False),
            chat=new.get("chat", True),
            hints=new.get("hints", False),
        )
        together = setup.public or any(seat.kind == LINK for seat in setup.seats)
        if together and any(seat.kind == HERE and seat.name is None for seat in setup.seats):
            raise Refused("bad_name", "at a table that others can join, everybody needs a name")
        if "daily" in new:
            setup = _of_the_day(new, setup, board)
        fault = fault_of(setup, board)
        if fault is not None:
            raise Refused("bad_message", fault)
        return setup

    def _seats(
        self, wanted: list[lobby_protocol.NewSeat], tokens: dict[int, str]
    ) -> tuple[SeatSetup, ...]:
        seats: list[SeatSetup] = []
        for number, asked in enumerate(wanted):
            seat = self._seat(asked, tokens.get(number))
            if seat.name is not None:
                seat = replace(seat, name=distinct_name(seat.name, (one.name for one in seats)))
            seats.append(seat)
        for number, seat in enumerate(seats):
            if seat.level is not None:
                who = somebody(seat.level, seats, random.SystemRandom())
                seats[number] = replace(seat, name=seat.name or who.name, face=who.face)
        return tuple(seats)

    def _seat(self, wanted: lobby_protocol.NewSeat, token: str | None) -> SeatSetup:
        name = self._clean_name(wanted["name"]) if "name" in wanted else None
        if wanted["kind"] == BOT:
            level = known_level(wanted.get("level", bots.DEFAULT_LEVEL))
            return SeatSetup(BOT, name=name, level=level)
        if wanted["kind"] == HERE:
            assert token is not None
            return SeatSetup(HERE, name=name, token=hash_of(token))
        return SeatSetup(wanted["kind"])

    def _clean_name(self, text: str) -> str:
        return clean_name(text, self.settings.limits.name_length)

    async def _create(self, setup: TableSetup, address: str) -> Room:
        self.addresses.enter("tables", address)
        try:
            self.addresses.take("new_tables", address)
        except Refused:
            self.addresses.leave("tables", address)
            raise
        try:
            table = await patiently(lambda: self._write(setup))
        except Conflict:
            # The same request has arrived before, here or at another process.
            self.addresses.leave("tables", address)
            return await self.room(setup.id)
        except StoreError as error:
            self.addresses.leave("tables", address)
            self.metrics.count("storage_errors")
            note_error("table_not_written", reason=str(error))
            raise Refused("storage", "the table could not be written to disk") from None
        self._creators[setup.id] = address
        self.metrics.count("tables_made", setup.board)
        note("table_made", table=setup.id, board=setup.board, seats=len(setup.seats))
        return self._add_room(table)

    async def _write(self, setup: TableSetup) -> Table:
        """Write a new table to the store, and return it; if its code is taken, it gets another."""
        table = Table(setup, self._game_factory)
        changes = table.open(setup.created)
        try:
            await self.store.create(setup, changes, PLAYING if changes else WAITING)
        except CodeTaken:
            return await self._write(replace(setup, code=new_code()))
        for change in changes:
            table.apply(change, time.monotonic())
        return table

    async def renew_code(self, room: Room, id: str) -> int:
        """Give a table another code."""
        code = new_code()

        def renew(table: Table, now: Moment) -> list[Change]:
            return table.renew_code(code, id=id, at=now.wall)

        try:
            return await room.submit(renew, id=id)
        except CodeTaken:
            return await self.renew_code(room, id)

    async def rematch(self, room: Room, id: str, address: str) -> int:
        """Open a table for the next game, unless there already is one."""
        # Those who ask at the same time wait for the same table to be created once.
        async with room.rematching:
            return await self._rematch(room, id, address)

    async def _rematch(self, room: Room, id: str, address: str) -> int:
        table = room.table
        if table.state != OVER:
            raise Refused("not_over", "the game is not over yet")
        if table.rematch is not None:
            return table.seq
        self._require_capacity()
        seats = tuple(table.seats.all)
        setup = table.setup.for_rematch(
            id=id_after(room.id), code=new_code(), seats=seats, created=moment().wall
        )
        next_table = (await self._create(setup, address)).table

        def ask(table: Table, now: Moment) -> list[Change]:
            if table.rematch is not None:
                return []
            return table.ask_rematch(setup.id, next_table.code, id=id, at=now.wall)

        return await room.submit(ask)

    async def _keep_review(self, id: str, review: lobby_protocol.ReviewData) -> None:
        """Keep a complete review with its table."""
        room = await self.room(id)
        await room.submit(lambda table, now: table.keep_review(review, at=now.wall))

    # ------------------------------------------------------------------------ finding

    def _add_room(self, table: Table) -> Room:
        """Add a table, unless it was added in the meantime."""
        room = self.rooms.get(table.setup.id)
        if room is not None:
            return room
        room = Room(
            table,
            store=self.store,
            peers=self.peers,
            bot_pool=self.bot_pool,
            settings=self.settings,
            metrics=self.metrics,
        )
        room.on_change = self._changed
        self.rooms[room.id] = room
        room.others_changed(self.peers.present_at(room.id))
        self._drop_later(room)
        return room

    async def find(self, key: str, address: str) -> Room:
        """Return the table with an id or a code, unless too many wrong ones were tried."""
        self.addresses.require("wrong_codes", address)
        try:
            return await self.room(key)
        except Refused as refusal:
            if refusal.code == "not_found":
                self.addresses.take("wrong_codes", address)
            raise

    async def room(self, key: str) -> Room:
        """Return the table with an id or a code; it is read from the store if necessary."""
        if not key.isprintable():
            # Some stores cannot even be asked for it.
            raise Refused("not_found", "there is no such table")
        if len(key) == CODE_LENGTH:
            return await self._room_of_code(key.upper())
        room = self.rooms.get(key)
        if room is not None:
            await self._bring_up_to_date(room)
            return room
        if self.stopping:
            raise Refused("stopping", "the server is about to stop")
        # Requests that arrive at the same time wait for the same table to be read once.
        loading = self._loading.get(key)
        if loading is None:
            loading = asyncio.get_running_loop().create_task(self._load(key))
            self._loading[key] = loading
            loading.add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(loading)

    async def _bring_up_to_date(self, room: Room) -> None:
        """Let somebody who comes see everything that was written before."""
        try:
            await room.read_on()
        except StoreError:
            note_error("table_not_read", table=room.id)
            raise Refused("storage", "the table cannot be read at the moment") from None

    async def _room_of_code(self, code: str) -> Room:
        try:
            id = await patiently(lambda: self.store.table_of_code(code))
        except StoreError:
            note_error("code_not_read")
            raise Refused("storage", "the table cannot be read at the moment") from None
        if id is None:
            raise Refused("not_found", "there is no table with this code")
        room = await self.room(id)
        # It may have got another one in the meantime.
        if room.table.code != code:
            raise Refused("not_found", "this code is no longer valid")
        return room

    async def _load(self, id: str) -> Room:
        try:
            stored = await patiently(lambda: self.store.load(id))
        except StoreError as error:
            self.metrics.count("storage_errors")
            note("table_not_read", logging.ERROR, table=id, reason=str(error))
            raise Refused("storage", "the table cannot be read at the moment") from None
        if stored is None:
            raise Refused("not_found", "there is no such table")
        if stored.setup.board not in board_files.boards():
            note("table_of_no_board", logging.WARNING, table=id, board=stored.setup.board)
            raise Refused("not_found", "this server does not offer the board of this table")
        if board_files.load(stored.setup.board).hash != stored.setup.board_hash:
            note("table_of_other_board", logging.WARNING, table=id, board=stored.setup.board)
            raise Refused("not_found", "the board of this table has changed since then")
        try:
            # A long game takes a while, and the loop belongs to everybody.
            # Threads take turns, so several at once would keep it waiting several times as long.
            async with self._restoring:
                table = await asyncio.to_thread(
                    restore, stored.setup, stored.changes, self._game_factory
                )
        except Exception:
            note_error("table_damaged", table=id)
            raise Refused("storage", "the stored data of this table is damaged") from None
        note("table_read", table=id, changes=len(stored.changes))
        return self._add_room(table)

    async def join(self, wanted: lobby_protocol.Join, address: str) -> lobby_protocol.Joined:
        """Take a free seat at a table."""
        name = self._clean_name(wanted["name"])
        # A code that comes with an id is looked up as well, so that guessing it is counted.
        key = wanted.get("code") or wanted.get("table")
        if key is None:
            raise Refused("bad_message", "a code or the id of a table is missing")
        room = await self.find(key, address)
        plan = await self._answers.plan("join", address, wanted, {"token": new_token()})
        token: str = plan["token"]
        joined: dict[str, int] = {}

        def request(table: Table, now: Moment) -> list[Change]:
            seats, _ = table.seats.opened_by([token])
            if seats:
                # The same request has arrived before, here or at another process.
                joined["seat"] = seats[0]
                return []
            if not table.setup.public and wanted.get("code", "").upper() != table.code:
                raise Refused("not_found", "a seat at this table is taken with its code")
            changes = table.join(name, hash_of(token), wanted.get("seat"), at=now.wall)
            joined["seat"] = changes[0].data["seat"]
            return changes

        await room.submit(request)
        return {
            "table": room.id,
            "code": room.table.code,
            "seat": joined["seat"],
            "token": token,
        }

    def open_tables(self) -> lobby_protocol.OpenTables:
        """Return the public tables with somebody connected: waiting ones first, then newest."""
        began = time.monotonic()
        if began >= self._list_valid_until:
            own = {table["id"]: table for table in self._own_open_tables()}
            self._list = {"tables": _first_of([*(self.peers.open_tables | own).values()])}
            now = time.monotonic()
            self._list_valid_until = now + LIST_SHARE * (now - began)
        return self._list

    def _own_open_tables(self) -> list[protocol.OpenTable]:
        shown = [
            _open_table(room.table)
            for room in self.rooms.values()
            if room.public and room.connections and room.table.state != OVER
        ]
        return _first_of(shown)

    def info(self, room: Room, key: str = "") -> protocol.TableInfo:
        """Return what somebody may know about a table who found it by its id or its code."""
        invited = key.upper() == room.table.code
        return telling.table_info(room.table, time.monotonic(), invited=invited)

    # ------------------------------------------------------------------------ dropping from memory

    def _changed(self, room: Room) -> None:
        if room.table.state == OVER:
            self._uncount(room)
        if not room.connections:
            self._drop_later(room)

    def _uncount(self, room: Room) -> None:
        """Stop counting a table for the address that created it."""
        address = self._creators.pop(room.id, None)
        if address is not None:
            self.addresses.leave("tables", address)

    def _drop_later(self, room: Room) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(self.settings.linger, self._drop, room)

    def kept(self, room: Room) -> Room:
        """Return the table for somebody who has waited since it was found.

        It may have been dropped from memory in the meantime, and even been read again; two of it
        would not hear of each other.
        """
        return self.rooms.setdefault(room.id, room)

    def _drop(self, room: Room) -> None:
        """Drop a table from memory if nobody has returned to it; the store has it."""
        if room.idle and self.rooms.get(room.id) is room:
            del self.rooms[room.id]
            self._uncount(room)


def known_level(level: str) -> str:
    """Return a level or personality of bots, or refuse it."""
    if level not in bots.OPPONENTS:
        raise Refused(
            "not_found", f"there is no such level; use one of {', '.join(bots.OPPONENTS)}"
        )
    return level


def _plan(here: Iterable[int]) -> Plan:
    """Return the plan for a table, with people on some seats at the creator's screen."""
    return {
        "id": new_id(),
        "host": new_token(),
        "tokens": [{"seat": seat, "token": new_token()} for seat in here],
    }


def _first_of(tables: list[protocol.OpenTable]) -> list[protocol.OpenTable]:
    """Return the tables that are shown, in their order."""
    return sorted(tables, key=lambda table: (table["state"] != WAITING, -table["created"]))[:200]


def _of_the_day(new: lobby_protocol.NewTable, setup: TableSetup, board: Board) -> TableSetup:
    """Return the setup of a game of the day, in which only the person differs."""
    require_plain(new)
    day = requested_day(new["daily"])
    seats = (*setup.seats, *bot_seats(day, board, setup.seats[0]))
    return replace(setup, seats=seats, seed=seed_of(day, board.id), daily=day.isoformat())


def _open_table(table: Table) -> protocol.OpenTable:
    setup = table.setup
    seats = range(table.seats.count)
    return {
        "id": setup.id,
        "code": table.code,
        "board": setup.board,
        "state": table.state,
        "names": [seat.name for seat in table.seats.all],
        "bots": sum(table.seats.is_bot(seat) for seat in seats),
        "free": len(table.seats.free),
        "clock": setup.clock.to_json(),
        "seeded": setup.seeded,
        "created": setup.created,
    }
