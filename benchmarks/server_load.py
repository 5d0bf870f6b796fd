"""Measure how many tables one server process can handle.

Starts a server on one core and, on the other, a client with four sockets per table. Every table
plays one move per second; with --pace 0.3, 300 tables play 1,000. People also chat, lose their
connections and come back, others watch, and some tables play against bots; ``--plain`` leaves all
that out. Prints the times from sending a command until all four sockets of its table have received
the result, the CPU time of a move, and the memory of all processes.

    python benchmarks/server_load.py --tables 300 --seconds 60
    python benchmarks/server_load.py --plain --pace 0.3
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

import fernzug
from bot_sharing import Player, create
from serving import Server, busy_seconds, people

SEATS = 4
OPENING_AT_ONCE = 20
TOLD = re.compile(rb'\{"type":"(?:snapshot|events)","seq":(\d+)')
IDLE = b'"legal":[]'
CHAT, RECONNECT, WATCHED, WITH_BOTS = 0.05, 0.01, 0.2, 0.05
"""Shares of moves with a line of chat or a lost connection, and of tables watched or with bots."""
LATE = 5.0
"""Seconds after which a message counts as not delivered."""


class LoadTable:
    """Four sockets around one table."""

    def __init__(self, server: Server, board: str, rng: random.Random) -> None:
        self.board = board
        self.rng = rng
        self.times: list[float] = []
        self.refusals: list[str] = []
        self.received = 0
        self._server = server
        self._sockets: list[ClientConnection] = []
        self._texts = [b""] * SEATS
        self._seen = [0] * SEATS
        self._reached = asyncio.Event()
        self._target = 0
        self._readers: list[asyncio.Task[None]] = []
        self._moves = 0
        self._made: dict[str, Any] = {}
        self.lines = 0
        self.reconnects = 0

    async def open(self) -> None:
        """Create the table and connect its four sockets."""
        new = {"board": self.board, "seats": people(SEATS), "grace": None}
        made = await asyncio.to_thread(self._server.post, "/api/tables", new)
        self._made = made
        for seat in range(SEATS):
            socket = await self._connect([made["tokens"][seat]["token"]])
            self._take(seat, await socket.recv(decode=False))
            self._sockets.append(socket)
            self._readers.append(asyncio.create_task(self._read(seat, socket)))

    async def watch(self) -> None:
        """Let somebody watch."""
        socket = await self._connect([])
        self._sockets.append(socket)
        self._readers.append(asyncio.create_task(_ignore(socket)))

    async def _connect(self, tokens: list[str]) -> ClientConnection:
        url = self._server.socket_url(self._made["table"])
        socket = await connect(url, compression=None, ping_interval=None, max_size=None)
        await socket.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
        return socket

    async def _reconnect(self, seat: int) -> None:
        """Lose a connection, and come back."""
        self._readers[seat].cancel()
        await self._sockets[seat].close()
        self._sockets[seat] = await self._connect([self._made["tokens"][seat]["token"]])
        self._take(seat, await self._sockets[seat].recv(decode=False))
        self._readers[seat] = asyncio.create_task(self._read(seat, self._sockets[seat]))
        self.reconnects += 1

    async def _chat(self, seat: int) -> None:
        """Say something, at most as often as the limits allow."""
        self.lines += 1
        line = {"type": "chat", "id": f"c{self.lines}", "seat": seat, "text": "Nice move!"}
        await self._sockets[seat].send(json.dumps(line))

    async def close(self) -> None:
        """Leave the table."""
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*(socket.close() for socket in self._sockets))

    async def _read(self, seat: int, socket: ClientConnection) -> None:
        while True:
            self._take(seat, await socket.recv(decode=False))

    def _take(self, seat: int, text: bytes) -> None:
        """Note a message; to save time, parse it only if its seat has to move."""
        self.received += 1
        if text.startswith(b'{"type":"error"'):
            self.refusals.append(text.decode())
        told = TOLD.match(text)
        if told is not None:
            self._texts[seat] = text
            self._seen[seat] = int(told[1])
            if self._target and min(self._seen) >= self._target:
                self._reached.set()

    async def play(self, until: float, pace: float, *, plain: bool) -> None:
        """Play a move every ``pace`` seconds, beginning at a random moment within the first."""
        due = time.perf_counter() + self.rng.random() * pace
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not await self._move():
                return
            if not plain and self.rng.random() < CHAT:
                await self._chat(self.rng.randrange(SEATS))
            if not plain and self.rng.random() < RECONNECT:
                await self._reconnect(self.rng.randrange(SEATS))
            due += pace

    async def _move(self) -> bool:
        seat = next((s for s in range(SEATS) if IDLE not in self._texts[s]), None)
        if seat is None:
            return False
        view = json.loads(self._texts[seat])["views"][0]["view"]
        self._moves += 1
        command = {
            "type": "play",
            "id": f"m{self._moves}",
            "seat": seat,
            "version": self._seen[seat],
            "action": self._choose(view["legal"]),
        }
        self._reached.clear()
        self._target = self._seen[seat] + 1
        began = time.perf_counter()
        await self._sockets[seat].send(json.dumps(command))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._reached.wait(), LATE)
        self.times.append(time.perf_counter() - began)
        return True

    def _choose(self, legal: list[str]) -> str:
        """Choose roughly as people do: mostly cards, often routes, now and then tickets."""
        draws = [text for text in legal if text.startswith("draw")]
        return self.rng.choice(draws if draws and self.rng.random() < 0.6 else legal)


async def _ignore(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def run(server: Server, args: argparse.Namespace) -> dict[str, Any]:
    """Open the tables, play, and return the figures."""
    empty = server.memory()
    boards = fernzug.boards() if args.board == "all" else [args.board]
    tables = [
        LoadTable(server, boards[number % len(boards)], random.Random(number))
        for number in range(args.tables)
    ]
    gate = asyncio.Semaphore(OPENING_AT_ONCE)

    async def enter(table: LoadTable) -> None:
        async with gate:
            await table.open()
            if not args.plain and table.rng.random() < WATCHED:
                await table.watch()

    await asyncio.gather(*(enter(table) for table in tables))
    rivals = [
        Player(server, create(server, "novice", "regular", board="london"), "127.0.0.1")
        for _ in range(0 if args.plain else int(WITH_BOTS * args.tables))
    ]
    against_bots = [asyncio.create_task(rival.play()) for rival in rivals]
    # Keep the client's own garbage collection out of the figures.
    gc.disable()
    before, all_before = server.cpu_seconds(), busy_seconds()
    own_before = time.process_time()
    began = time.perf_counter()
    end = began + args.seconds
    await asyncio.gather(*(table.play(end, args.pace, plain=args.plain) for table in tables))
    took = time.perf_counter() - began
    figures = _figures(tables, took)
    figures["cpu"] = (server.cpu_seconds() - before) / took
    own = time.process_time() - own_before
    figures["others"] = (busy_seconds() - all_before - own) / took - figures["cpu"]
    figures["memory"] = server.memory()
    figures["per_table"] = (figures["memory"] - empty) / args.tables
    figures["bot_moves"] = sum(rival.bot_moves for rival in rivals)
    figures["lines"] = sum(table.lines for table in tables)
    figures["reconnects"] = sum(table.reconnects for table in tables)
    for task in against_bots:
        task.cancel()
    await asyncio.gather(*against_bots, return_exceptions=True)
    await asyncio.gather(*(table.close() for table in tables))
    return figures


def _figures(tables: list[LoadTable], took: float) -> dict[str, Any]:
    times = sorted(second for table in tables for second in table.times)
    return {
        "moves": len(times),
        "moves_per_second": len(times) / took,
        "median": _share(times, 0.50),
        "p99": _share(times, 0.99),
        "worst": times[-1],
        "late": sum(second >= LATE for second in times),
        "refusals": sum(len(table.refusals) for table in tables),
    }


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> int:
    """Run the benchmark; return 0 if the targets are met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between a table's moves")
    parser.add_argument("--board", default="all")
    parser.add_argument("--plain", action="store_true", help="only moves: nobody chats or leaves")
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        many = str(args.tables * SEATS + 100)
        server = Server(Path(folder), "--per-address", many, cores=cores[:1])
        if len(cores) > 1:
            os.sched_setaffinity(0, cores[1:])
        try:
            figures = asyncio.run(run(server, args))
        finally:
            server.stop()
    print(f"tables              {args.tables} ({args.tables * SEATS} sockets), {args.board} boards")
    print(f"moves               {figures['moves']} ({figures['moves_per_second']:.0f} per second)")
    print(f"command to all four {1000 * figures['median']:.1f} ms median")
    print(f"                    {1000 * figures['p99']:.1f} ms p99")
    print(f"                    {1000 * figures['worst']:.1f} ms worst")
    print(f"not delivered       {figures['late']}, refused {figures['refusals']}")
    if not args.plain:
        print(
            f"besides             {figures['lines']} lines of chat, {figures['reconnects']} "
            f"reconnects, {figures['bot_moves']} moves of bots, every fifth table watched"
        )
    print(f"CPU a move          {1000 * figures['cpu'] / figures['moves_per_second']:.2f} ms")
    print(f"memory a table      {figures['per_table'] / 1000:.0f} kB")
    print(f"server              {100 * figures['cpu']:.0f} % of one core")
    print(f"other programs      {100 * figures['others']:.0f} % of a core at the same time")
    print(f"memory              {figures['memory'] / 1e6:.0f} MB including the bots' processes")
    met = figures["p99"] < 0.1 and figures["memory"] < 500e6 and not figures["late"]
    print("targets met" if met else "targets MISSED (p99 100 ms, 500 MB)")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
