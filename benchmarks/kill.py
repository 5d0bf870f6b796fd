"""Kill the server at random moments during play, and check that nothing was lost.

A few tables are played as fast as possible. At a random moment the server is killed (SIGKILL) and
restarted on the same folder. Every table must then be where it was: everything that was announced
or acknowledged is still there, and the command in flight was carried out once or not at all.

    python benchmarks/kill.py --kills 200
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import fernzug
from serving import Server, people

Json = dict[str, Any]


class Lost(Exception):
    """Something that was acknowledged is gone, or a table is broken."""


class KillTable:
    """One table, played by a client that remembers everything it was told."""

    def __init__(self, board: str, bots: int, rng: random.Random) -> None:
        self.board = board
        self.bots = bots
        self.rng = rng
        self.moves = 0
        self.games = 0
        self._number = 0
        self._forget()

    def _forget(self) -> None:
        """Start again at another table."""
        self.events: list[Json] = []
        self.acknowledged: dict[str, int] = {}
        self._made: Json | None = None
        self._pending: Json | None = None
        self._seq = 0
        self._views: list[Json] = []

    async def play(self, server: Server, stop: asyncio.Event) -> None:
        """Play until told to stop, or until the server is gone."""
        with contextlib.suppress(WebSocketException, HTTPException, OSError, EOFError):
            while not stop.is_set():
                await self._game(server, stop)

    async def _game(self, server: Server, stop: asyncio.Event) -> None:
        if self._made is None:
            seats = people(3 - self.bots) + [{"kind": "bot", "level": "novice"}] * self.bots
            new = {"board": self.board, "seats": seats}
            self._made = await asyncio.to_thread(server.post, "/api/tables", new)
            self.games += 1
        table: str = (self._made or {})["table"]
        url = server.socket_url(table)
        async with connect(url, compression=None, ping_interval=None, max_size=None) as socket:
            await self._arrive(socket)
            while not stop.is_set() and self._made is not None:
                await self._step(socket)

    async def _arrive(self, socket: ClientConnection) -> None:
        assert self._made is not None
        tokens = [each["token"] for each in self._made["tokens"]]
        await socket.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
        snapshot = json.loads(await socket.recv())
        if snapshot["type"] != "snapshot":
            raise Lost(f"the table is gone: {snapshot}")
        self._compare(snapshot)
        self._remember(snapshot)
        self.events = snapshot["events"]
        for id, seq in list(self.acknowledged.items())[-3:]:
            # Repeat the command: the server must know it, and must not carry it out twice.
            await socket.send(json.dumps(self._command("chat", id, text="again")))
            if (await self._answer(socket, id)).get("seq") != seq:
                raise Lost(f"command {id} was acknowledged as change {seq}, but is now unknown")
        if self._pending is not None:
            await self._finish(socket, self._pending)

    def _compare(self, snapshot: Json) -> None:
        if snapshot["seq"] < self._seq:
            raise Lost(
                f"change {self._seq} was announced, but the table is now at {snapshot['seq']}"
            )
        undoing = self._pending is not None and self._pending["type"] == "undo"
        if not undoing and snapshot["events"][: len(self.events)] != self.events:
            raise Lost("events that were announced are no longer in the game")

    def _remember(self, message: Json) -> None:
        self._seq = message["seq"]
        self._views = message["views"]

    def _command(self, kind: str, id: str, **fields: object) -> Json:
        return {"type": kind, "id": id, "seat": int(id.split()[0]), **fields}

    async def _step(self, socket: ClientConnection) -> None:
        """Send the next command, wait for the bots, or move on to another table."""
        if self._views[0]["view"]["phase"] == "over":
            self._forget()
            return
        able = [each for each in self._views if each["view"]["legal"]]
        if not able:
            self._take(json.loads(await socket.recv()))
            return
        self._number += 1
        undo = [each for each in self._views if each["undo"]]
        seat = (undo or able)[0]["seat"]
        id = f"{seat} {self.games} {self._number}"
        if undo and self.rng.random() < 0.2:
            command = self._command("undo", id, version=self._seq)
        else:
            each = self.rng.choice(able)
            id = f"{each['seat']} {self.games} {self._number}"
            action = self.rng.choice(each["view"]["legal"])
            command = self._command("play", id, version=self._seq, action=action)
        self._pending = command
        await self._finish(socket, command)

    async def _finish(self, socket: ClientConnection, command: Json) -> None:
        await socket.send(json.dumps(command))
        answer = await self._answer(socket, command["id"])
        self._pending = None
        if answer["type"] == "ack":
            self.acknowledged[command["id"]] = answer["seq"]
            self.moves += 1
        elif answer["code"] not in ("stale", "no_undo"):
            # A bot may have moved before the command arrived; nothing else explains a refusal.
            raise Lost(f"{command} was refused: {answer}")

    async def _answer(self, socket: ClientConnection, id: str) -> Json:
        while True:
            message: Json = json.loads(await socket.recv())
            if message["type"] in ("ack", "error") and message["id"] == id:
                return message
            self._take(message)

    def _take(self, message: Json) -> None:
        if message["type"] != "events":
            return
        self._remember(message)
        del self.events[len(self.events) - message["undone"] :]
        self.events += message["events"]


async def kill_once(server: Server, tables: list[KillTable], seconds: float) -> None:
    """Let the tables play, and kill the server while they do."""
    stop = asyncio.Event()
    playing = [asyncio.create_task(table.play(server, stop)) for table in tables]
    await asyncio.sleep(seconds)
    server.kill()
    stop.set()
    await asyncio.gather(*playing)


def run(kills: int, number: int, folder: Path, seed: int) -> Json:
    """Kill the server that many times and return the figures, or raise :class:`Lost`."""
    rng = random.Random(seed)
    boards = fernzug.boards()
    tables = [
        KillTable(boards[n % len(boards)], n % 2, random.Random(seed + n)) for n in range(number)
    ]
    options = ("--bot-pace", "0", "--bot-workers", "0", "--per-address", "1000", "--rate", "100000")
    # One more round, to check the tables after the last kill.
    for _ in range(kills + 1):
        server = Server(folder, *options)
        try:
            asyncio.run(kill_once(server, tables, rng.uniform(0.05, 0.8)))
        finally:
            server.kill()
    moves = sum(table.moves for table in tables)
    return {"kills": kills, "moves": moves, "games": sum(table.games for table in tables)}


def main() -> int:
    """Return 0 if nothing was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = run(args.kills, args.tables, Path(folder), args.seed)
        except Lost as loss:
            print(f"LOST: {loss}")
            return 1
    print(f"kills               {figures['kills']} in {time.perf_counter() - began:.0f} s")
    print(f"acknowledged moves  {figures['moves']} in {figures['games']} games")
    print("lost or broken      0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
