"""Kill processes at random moments during play, and check that nothing was lost.

A few tables are played as fast as possible, each person by a client of their own. At random moments
a process is killed (SIGKILL) and started again on the same data. Whoever reconnects must find
everything that was announced or acknowledged; the command in flight was carried out once or not at
all. In the end every table must go on, and the store is audited: no change is missing, no command
is in it twice, each acknowledged one is where the acknowledgement said, and whoever found fewer
events than before had been told what the store says, before and after.

With --store sqlite there is one process. With --store postgresql there are three, with PostgreSQL
and Redis, and those are killed as well; the people of a table are at different processes. With
--drain, servers are told to stop (SIGTERM) instead of being killed.

    python benchmarks/kill.py --store postgresql --kills 200
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from http.client import HTTPException
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import fernzug
from fernzug.server.metrics import Metrics
from fernzug.server.sqlite_store import SqliteStore
from fernzug.server.store import Store, Stored
from fernzug.table import Moment, restore, telling
from fernzug.table.encoding import decode, encode
from services import Postgres, Redis
from serving import Server, people

Json = dict[str, Any]
AWAY = (WebSocketException, HTTPException, OSError, EOFError, TimeoutError, RuntimeError)
"""What happens to those who talk to a process that is gone."""
OPTIONS = ("--bot-pace", "0", "--bot-workers", "0", "--per-address", "1000", "--rate", "100000")
PATIENCE = 90.0
"""Seconds after which a table that does not go on counts as stuck."""
SERVERS = 3


class Lost(Exception):
    """Something that was acknowledged is gone, or a table is broken."""


class Again(Exception):
    """The server could not say whether a command was carried out, so it is sent again."""


class Processes:
    """The processes that may be killed."""

    def __init__(self, store: str, folder: Path, drain: bool) -> None:
        self._folder = folder
        self._drain = drain
        self.killed: Counter[str] = Counter()
        self._stack = contextlib.ExitStack()
        self.postgres: Postgres | None = None
        self.redis: Redis | None = None
        options: tuple[str, ...] = ()
        number = 1
        if store == "postgresql":
            self.postgres = self._stack.enter_context(Postgres())
            self.redis = self._stack.enter_context(Redis())
            options = ("--store", self.postgres.url, "--bus", self.redis.url)
            number = SERVERS
        self._options = (*OPTIONS, *options)
        self.servers: list[Server | None] = []
        try:
            for _ in range(number):
                self.servers.append(self._start())
        except BaseException:
            self.close()
            raise

    def _start(self) -> Server:
        return Server(self._folder, *self._options)

    def close(self) -> None:
        """Stop everything."""
        for server in self.servers:
            if server is not None:
                server.kill()
        self._stack.close()

    def open_store(self) -> Store:
        """Open the store, after the servers have stopped."""
        if self.postgres is None:
            return SqliteStore(self._folder, Metrics())
        from fernzug.server.postgres_store import PostgresStore

        return PostgresStore(self.postgres.url)

    def stop_servers(self) -> None:
        """Tell the servers to stop."""
        for place, server in enumerate(self.servers):
            if server is not None:
                server.stop()
                self.servers[place] = None

    def server(self, wish: int) -> Server:
        """Return a server that is running, the one wished for if possible."""
        running = [server for server in self.servers if server is not None]
        if not running:
            raise OSError("no server is running")
        wished = self.servers[wish % len(self.servers)]
        return wished or running[wish % len(running)]

    async def kill_one(self, rng: random.Random) -> None:
        """Kill a process of any kind, and start it again."""
        kinds = ["server"] * len(self.servers)
        if self.postgres is not None and not self._drain:
            kinds += ["postgres", "backend of postgres", "redis"]
        kind = rng.choice(kinds)
        self.killed[kind] += 1
        if kind == "server":
            await self._kill_server(rng.randrange(len(self.servers)))
        elif kind == "redis":
            assert self.redis is not None
            self.redis.kill()
            await asyncio.to_thread(self.redis.start)
        else:
            assert self.postgres is not None
            backends = self.postgres.backends() if kind != "postgres" else []
            if backends:
                # PostgreSQL then ends all its processes, and recovers.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rng.choice(backends), signal.SIGKILL)
            else:
                self.postgres.kill()
                await asyncio.to_thread(self.postgres.start)

    async def _kill_server(self, place: int) -> None:
        server, self.servers[place] = self.servers[place], None
        assert server is not None
        if not self._drain:
            server.kill()
        elif await asyncio.to_thread(server.stop) != 0:
            raise Lost("a server that was told to stop did not do so in good order")
        self.servers[place] = await asyncio.to_thread(self._start)


class Table:
    """One table after the other, played by people who remember everything they were told."""

    def __init__(self, place: int, processes: Processes, rng: random.Random) -> None:
        boards = fernzug.boards()
        self.board = boards[place % len(boards)]
        self.bots = place % 2
        self.processes = processes
        self.rng = rng
        self.place = place
        self.games = 0
        self.moves = 0
        self.played: list[tuple[str, list[Person]]] = []

    async def play(self, stop: asyncio.Event) -> None:
        """Play games until told to stop."""
        while not stop.is_set():
            made = await self._make()
            self.games += 1
            people = [
                Person(self, made["table"], each["seat"], each["token"]) for each in made["tokens"]
            ]
            self.played.append((made["table"], people))
            await asyncio.gather(*(person.play(stop) for person in people))

    async def _make(self) -> Json:
        seats = people(3 - self.bots) + [{"kind": "bot", "level": "novice"}] * self.bots
        id = f"{self.place} {self.games}"
        new = {"board": self.board, "seats": seats, "id": id}
        while True:
            with contextlib.suppress(*AWAY):
                server = self.processes.server(self.rng.randrange(SERVERS))
                made: Json = await asyncio.to_thread(server.post, "/api/tables", new)
                return made
            await asyncio.sleep(0.1)


class Person:
    """Somebody on one seat, with a connection of their own."""

    def __init__(self, table: Table, id: str, seat: int, token: str) -> None:
        self.acknowledged: dict[str, int] = {}
        self.seq = 0
        self.doubts: list[tuple[int, list[Json]]] = []
        """Numbers of changes with the events so far, where some of them were gone afterwards."""
        self.seat = seat
        self._table = table
        self._id = id
        self._token = token
        self._events: list[Json] = []
        self._view: Json = {}
        self._pending: Json | None = None
        self._number = 0

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._view) and self._view["view"]["phase"] == "over"

    async def play(self, stop: asyncio.Event) -> None:
        """Play until the game is over; reconnect whenever the connection is lost."""
        while not self.over and not stop.is_set():
            with contextlib.suppress(*AWAY, Again):
                await self._visit(stop)
            await asyncio.sleep(0.05)

    async def _visit(self, stop: asyncio.Event) -> None:
        # Those at one table are at different processes, and after a loss maybe at another one.
        server = self._table.processes.server(self.seat + self._table.rng.choice((0, 0, 0, 1)))
        url = server.socket_url(self._id)
        async with connect(
            url, compression=None, ping_interval=None, max_size=None, open_timeout=20
        ) as socket:
            hello = {"type": "hello", "tokens": [self._token], "seen": None}
            await socket.send(json.dumps(hello))
            self._arrive(await self._receive(socket))
            await self._repeat(socket)
            while not self.over and not stop.is_set():
                await self._step(socket)

    async def _receive(self, socket: ClientConnection) -> Json:
        message: Json = json.loads(await asyncio.wait_for(socket.recv(), 20))
        return message

    def _arrive(self, snapshot: Json) -> None:
        while snapshot["type"] != "snapshot":
            if snapshot["type"] == "error" and snapshot["code"] not in ("storage", "stopping"):
                raise Lost(f"the table is gone: {snapshot}")
            raise Again
        if snapshot["seq"] < self.seq:
            raise Lost(f"change {self.seq} was announced, but the table is at {snapshot['seq']}")
        if snapshot["events"][: len(self._events)] != self._events:
            # An action was taken back, or something was lost: the audit will tell.
            self.doubts.append((self.seq, list(self._events)))
            self.doubts.append((snapshot["seq"], list(snapshot["events"])))
        self._events = snapshot["events"]
        self._remember(snapshot)

    def _remember(self, message: Json) -> None:
        self.seq = message["seq"]
        self._view = message["views"][0]

    async def _repeat(self, socket: ClientConnection) -> None:
        """Send the last commands again: the server must know them, and not do them twice."""
        for id, seq in list(self.acknowledged.items())[-2:]:
            chat = {"type": "chat", "id": id, "seat": self.seat, "text": "again"}
            await socket.send(json.dumps(chat))
            answer = await self._answer(socket, id)
            if answer.get("code") == "storage":
                raise Again
            if answer.get("seq") != seq:
                raise Lost(f"command {id} was acknowledged as change {seq}, but now: {answer}")
        if self._pending is not None:
            await self._finish(socket, self._pending)

    async def _step(self, socket: ClientConnection) -> None:
        """Send the next command, or wait for the others."""
        legal = self._view["view"]["legal"]
        if not legal:
            self._take(await self._receive(socket))
            return
        self._number += 1
        id = f"{self.seat} {self._number}"
        command: Json = {"type": "play", "id": id, "seat": self.seat, "version": self.seq}
        if self._view["undo"] and self._table.rng.random() < 0.3:
            command["type"] = "undo"
        else:
            command["action"] = self._table.rng.choice(legal)
        self._pending = command
        await self._finish(socket, command)

    async def _finish(self, socket: ClientConnection, command: Json) -> None:
        await socket.send(json.dumps(command))
        answer = await self._answer(socket, command["id"])
        if answer.get("code") == "storage":
            raise Again
        self._pending = None
        if answer["type"] == "ack":
            self.acknowledged[command["id"]] = answer["seq"]
            self._table.moves += 1
        elif answer["code"] not in ("stale", "no_undo"):
            # Somebody may have moved before the command arrived; nothing else explains a refusal.
            raise Lost(f"{command} was refused: {answer}")

    async def _answer(self, socket: ClientConnection, id: str) -> Json:
        while True:
            message = await self._receive(socket)
            if message["type"] in ("ack", "error") and message["id"] == id:
                return message
            self._take(message)

    def _take(self, message: Json) -> None:
        if message["type"] != "events":
            return
        if message["seq"] <= self.seq:
            raise Lost(f"change {message['seq']} was told again after change {self.seq}")
        del self._events[len(self._events) - message["undone"] :]
        self._events += message["events"]
        self._remember(message)


async def _until_all_move(tables: list[Table]) -> None:
    """Wait until every table has gone on, or raise :class:`Lost`."""
    before = [table.moves for table in tables]
    end = time.monotonic() + PATIENCE
    while stuck := [t.place for t, n in zip(tables, before, strict=True) if t.moves < n + 3]:
        if time.monotonic() > end:
            raise Lost(f"tables {stuck} are stuck")
        await asyncio.sleep(0.1)


async def _play_and_kill(
    processes: Processes, tables: list[Table], kills: int, rng: random.Random
) -> None:
    stop = asyncio.Event()
    playing = [asyncio.create_task(table.play(stop)) for table in tables]

    async def kill_all() -> None:
        for number in range(kills):
            await asyncio.sleep(rng.uniform(0.05, 0.8))
            await processes.kill_one(rng)
            if sys.stderr.isatty():
                print(f"\rkilled {number + 1} of {kills}", end="", file=sys.stderr, flush=True)
        await _until_all_move(tables)

    killing = asyncio.create_task(kill_all())
    done, _ = await asyncio.wait([killing, *playing], return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    for task in done:
        task.result()
    await asyncio.gather(*playing)


async def _audit(store: Store, tables: list[Table]) -> int:
    """Compare what is stored with what was acknowledged; return the number of changes."""
    changes = 0
    try:
        for id, persons in [game for table in tables for game in table.played]:
            stored = await store.load(id)
            if stored is None:
                raise Lost(f"table {id} is gone")
            numbers = [change.seq for change in stored.changes]
            if numbers != list(range(1, len(numbers) + 1)):
                raise Lost(f"the changes of table {id} have gaps")
            changes += len(numbers)
            found: dict[str, int] = {}
            for change in stored.changes:
                command = change.data.get("id")
                if command in found:
                    raise Lost(f"command {command} was carried out twice at table {id}")
                if command is not None:
                    found[command] = change.seq
            for person in persons:
                if person.seq > len(numbers):
                    raise Lost(f"change {person.seq} of table {id} was announced and is gone")
                for command, seq in person.acknowledged.items():
                    if found.get(command) != seq:
                        raise Lost(f"command {command} of table {id} was acknowledged and is gone")
                for seq, events in person.doubts:
                    if _events_of(stored, seq, person.seat) != events:
                        raise Lost(f"events of table {id} at change {seq} were announced wrongly")
    finally:
        await store.close()
    return changes


def _events_of(stored: Stored, seq: int, seat: int) -> list[Json]:
    """Return the events up to a change as a seat is told them, from what is stored."""
    table = restore(stored.setup, stored.changes[:seq])
    now = Moment(0.0, 0)
    told = telling.snapshot(table, (seat,), host=False, seen=None, now=now)
    events: list[Json] = decode(encode(told["events"]))
    return events


def run(
    store: str, kills: int, number: int, folder: Path, seed: int, *, drain: bool = False
) -> Json:
    """Kill that many processes and return the figures, or raise :class:`Lost`."""
    rng = random.Random(seed)
    processes = Processes(store, folder, drain)
    try:
        tables = [Table(n, processes, random.Random(seed + n)) for n in range(number)]
        asyncio.run(_play_and_kill(processes, tables, kills, rng))
        processes.stop_servers()
        changes = asyncio.run(_audit(processes.open_store(), tables))
    finally:
        processes.close()
    return {
        "killed": dict(processes.killed),
        "moves": sum(table.moves for table in tables),
        "games": sum(table.games for table in tables),
        "changes": changes,
    }


def main() -> int:
    """Return 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drain", action="store_true", help="tell servers to stop instead")
    args = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = run(
                args.store, args.kills, args.tables, Path(folder), args.seed, drain=args.drain
            )
        except Lost as loss:
            print(f"LOST: {loss}")
            return 1
    killed = ", ".join(f"{number} {kind}" for kind, number in sorted(figures["killed"].items()))
    word = "told to stop" if args.drain else "killed"
    print(f"{word:<19} {killed} in {time.perf_counter() - began:.0f} s")
    print(f"acknowledged moves  {figures['moves']} in {figures['games']} games")
    print(f"changes in store    {figures['changes']}")
    print("lost, doubled, stuck 0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
