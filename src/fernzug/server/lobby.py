"""All tables of one server: creating them, finding them, and dropping them from memory."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from dataclasses import replace

from fernzug import bots
from fernzug.board import files as board_files
from fernzug.server import lobby_protocol, memory
from fernzug.server.answers import Answers
from fernzug.server.bot_pool import BotPool
from fernzug.server.limits import Addresses
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics
from fernzug.server.names import clean_name
from fernzug.server.room import Room, moment
from fernzug.server.settings import Settings
from fernzug.server.store import Store, StoreError
from fernzug.table import (
    OVER,
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
from fernzug.table.seats import distinct_name
from fernzug.table.setup import BOT, BY_HOST, HERE, LINK, fault_of
from fernzug.table.tokens import CODE_LENGTH, hash_of, new_code, new_id, new_token

DAY = 86_400_000
WAITING_DAYS = 7
PLAYING_DAYS = 60
"""Days without a change after which a table is deleted."""


class Lobby:
    """The tables of one server."""

    def __init__(
        self,
        settings: Settings,
        *,
        store: Store,
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
        self.bot_pool = BotPool(settings.bot_workers, metrics, time_limit=settings.bot_seconds)
        self._game_factory = game_factory
        self._codes: dict[str, str] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._creators: dict[str, str] = {}
        """Tables that count for an address, with that address."""
        self._created: Answers[lobby_protocol.TableCreated] = Answers()
        self._joined: Answers[lobby_protocol.Joined] = Answers()
        self._housekeeper: asyncio.Task[None] | None = None
        metrics.gauges["tables"] = lambda: len(self.rooms)
        metrics.gauges["sockets"] = lambda: self.addresses.open["sockets"].total()

    async def open(self) -> None:
        """Read the codes of unfinished tables; each table is read when somebody returns to it."""
        await self._delete_old_tables()
        self._codes = await self.store.codes()
        self._housekeeper = asyncio.get_running_loop().create_task(self._keep_house())
        note("lobby_open", unfinished=len(self._codes))

    async def _delete_old_tables(self) -> None:
        """Delete the tables that nobody has returned to for a long time."""
        now = moment().wall
        deleted = await self.store.delete_old(
            waiting_before=now - WAITING_DAYS * DAY, playing_before=now - PLAYING_DAYS * DAY
        )
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
            try:
                await self._delete_old_tables()
                self._codes = await self.store.codes()
            except StoreError as error:
                # The disk may be full only for now, so the next round tries again.
                self.metrics.count("storage_errors")
                note_error("tables_not_deleted", reason=str(error))

    async def close(self) -> None:
        """Stop: close all connections, finish what was begun, and close the file."""
        self.stopping = True
        if self._housekeeper is not None:
            self._housekeeper.cancel()
        await asyncio.gather(*(room.close() for room in list(self.rooms.values())))
        await asyncio.to_thread(self.bot_pool.close)
        await asyncio.to_thread(self.store.close)
        note("lobby_closed")

    # ------------------------------------------------------------------------ creating

    async def create(
        self, new: lobby_protocol.NewTable, address: str
    ) -> lobby_protocol.TableCreated:
        """Create a table; the answer has the tokens of those who sit at the creator's screen."""
        earlier = self._created.find(address, new)
        if earlier is not None:
            return earlier
        self._require_capacity()
        host = new_token()
        tokens = {
            seat: new_token() for seat, wanted in enumerate(new["seats"]) if wanted["kind"] == HERE
        }
        setup = self._setup(new, host, tokens)
        await self._create(setup, address)
        answer: lobby_protocol.TableCreated = {
            "table": setup.id,
            "code": setup.code,
            "host": host,
            "tokens": [{"seat": seat, "token": token} for seat, token in tokens.items()],
        }
        self._created.keep(address, new, answer)
        return answer

    def _require_capacity(self) -> None:
        if self.stopping:
            raise Refused("stopping", "the server is about to stop")
        if len(self.rooms) >= self.settings.limits.tables:
            raise Refused("limit", "the server has too many tables")

    def _setup(self, new: lobby_protocol.NewTable, host: str, tokens: dict[int, str]) -> TableSetup:
        if new["board"] not in board_files.boards():
            raise Refused("not_found", "there is no such board")
        board = board_files.load(new["board"])
        clock: protocol.ClockSetting = new.get("clock") or {"kind": "none"}
        setup = TableSetup(
            id=new_id(),
            code=self._free_code(),
            board=board.id,
            board_hash=board.hash,
            seats=self._seats(new["seats"], tokens),
            host=hash_of(host),
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
        )
        together = setup.public or any(seat.kind == LINK for seat in setup.seats)
        if together and any(seat.kind == HERE and seat.name is None for seat in setup.seats):
            raise Refused("bad_name", "at a table that others can join, everybody needs a name")
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

    def _free_code(self) -> str:
        code = new_code()
        while code in self._codes:
            code = new_code()
        return code

    async def _create(self, setup: TableSetup, address: str) -> Room:
        table = Table(setup, self._game_factory)
        changes = table.open(setup.created)
        self.addresses.enter("tables", address)
        try:
            self.addresses.take("new_tables", address)
        except Refused:
            self.addresses.leave("tables", address)
            raise
        try:
            await self.store.create(setup, changes, "playing" if changes else WAITING)
        except StoreError as error:
            self.addresses.leave("tables", address)
            self.metrics.count("storage_errors")
            note_error("table_not_written", reason=str(error))
            raise Refused("storage", "the table could not be written to disk") from None
        for change in changes:
            table.apply(change, time.monotonic())
        self._codes[setup.code] = setup.id
        self._creators[setup.id] = address
        self.metrics.count("tables_made", setup.board)
        note("table_made", table=setup.id, board=setup.board, seats=len(setup.seats))
        return self._add_room(table)

    async def renew_code(self, room: Room, id: str) -> int:
        """Give a table another code."""
        code = self._free_code()
        self._codes[code] = room.id
        unused = {code}

        def renew(table: Table, now: Moment) -> list[Change]:
            unused.add(table.code)
            return table.renew_code(code, id=id, at=now.wall)

        try:
            return await room.submit(renew, id=id)
        finally:
            # Those who use one of the others in between are told that it is not valid.
            for one in unused - {room.table.code}:
                self._codes.pop(one, None)

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
            id=new_id(), code=self._free_code(), seats=seats, created=moment().wall
        )
        await self._create(setup, address)

        def ask(table: Table, now: Moment) -> list[Change]:
            if table.rematch is not None:
                return []
            return table.ask_rematch(setup.id, setup.code, id=id, at=now.wall)

        return await room.submit(ask)

    # ------------------------------------------------------------------------ finding

    def _add_room(self, table: Table) -> Room:
        room = Room(
            table,
            store=self.store,
            bot_pool=self.bot_pool,
            settings=self.settings,
            metrics=self.metrics,
        )
        room.on_change = self._changed
        self.rooms[room.id] = room
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
        if len(key) == CODE_LENGTH:
            return await self._room_of_code(key.upper())
        room = self.rooms.get(key)
        if room is not None:
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

    async def _room_of_code(self, code: str) -> Room:
        room = await self.room(self._codes.get(code, ""))
        if room.table.code != code:
            raise Refused("not_found", "this code is no longer valid")
        return room

    async def _load(self, id: str) -> Room:
        try:
            stored = await self.store.load(id)
        except StoreError:
            note_error("table_not_read", table=id)
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
        earlier = self._joined.find(address, wanted)
        if earlier is not None:
            return earlier
        name = self._clean_name(wanted["name"])
        # A code that comes with an id is looked up as well, so that guessing it is counted.
        key = wanted.get("code") or wanted.get("table")
        if key is None:
            raise Refused("bad_message", "a code or the id of a table is missing")
        room = await self.find(key, address)
        token = new_token()
        joined: dict[str, int] = {}

        def request(table: Table, now: Moment) -> list[Change]:
            if not table.setup.public and wanted.get("code", "").upper() != table.code:
                raise Refused("not_found", "a seat at this table is taken with its code")
            changes = table.join(name, hash_of(token), wanted.get("seat"), at=now.wall)
            joined["seat"] = changes[0].data["seat"]
            return changes

        await room.submit(request)
        setup = room.table.setup
        answer: lobby_protocol.Joined = {
            "table": setup.id,
            "code": room.table.code,
            "seat": joined["seat"],
            "token": token,
        }
        self._joined.keep(address, wanted, answer)
        return answer

    def open_tables(self) -> lobby_protocol.OpenTables:
        """Return the public tables with somebody connected: waiting ones first, then newest."""
        shown = [
            room.table
            for room in self.rooms.values()
            if room.table.setup.public and room.connections and room.table.state != OVER
        ]
        shown.sort(key=lambda table: (table.state != WAITING, -table.setup.created))
        return {"tables": [_open_table(table) for table in shown[:200]]}

    def info(self, room: Room, key: str = "") -> protocol.TableInfo:
        """Return what somebody may know about a table who found it by its id or its code."""
        invited = key.upper() == room.table.code
        return telling.table_info(room.table, time.monotonic(), invited=invited)

    # ------------------------------------------------------------------------ dropping from memory

    def _changed(self, room: Room) -> None:
        if room.table.state == OVER:
            self._finished(room)
        if not room.connections:
            self._drop_later(room)

    def _finished(self, room: Room) -> None:
        self._codes.pop(room.table.code, None)
        self._uncount(room)

    def _uncount(self, room: Room) -> None:
        """Stop counting a table for the address that created it."""
        address = self._creators.pop(room.id, None)
        if address is not None:
            self.addresses.leave("tables", address)

    def _drop_later(self, room: Room) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(self.settings.linger, self._drop, room)

    def _drop(self, room: Room) -> None:
        """Drop a table from memory if nobody has returned to it; the store has it."""
        if room.idle and self.rooms.get(room.id) is room:
            del self.rooms[room.id]
            self._uncount(room)


def known_level(level: str) -> str:
    """Return a level of bots, or refuse it."""
    if level not in bots.LEVELS:
        raise Refused("not_found", f"there is no such level; use one of {', '.join(bots.LEVELS)}")
    return level


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
        "seeded": setup.seed is not None,
        "created": setup.created,
    }
