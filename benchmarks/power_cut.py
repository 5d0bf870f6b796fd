"""Cut the power at random moments during play, and check that nothing was lost.

A kill leaves everything to the operating system that was written; a power failure does not. Here, a
small library (``power_cut.c``) is loaded into the server and keeps each file as it was when it was
last synced. At a random moment the server is killed, and the next one starts with those copies.
Whatever was acknowledged must be there. ``--forget`` checks the check itself: the store then
syncs too little, as it would with another setting, and this has to be noticed.

    python benchmarks/power_cut.py --cuts 50
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

import fernzug
from fernzug.server.connection import NO_TABLE
from serving import Server, people

Json = dict[str, Any]
SOURCE = Path(__file__).with_suffix(".c")
FORGETFUL = """
import sqlite3, sys
from fernzug.server import sqlite_file, sqlite_repair
opened = sqlite_file.open_file
def open_file(path):
    connection = opened(path)
    connection.execute("PRAGMA synchronous = {level}")
    return connection
sqlite_repair.open_file = open_file
from fernzug.cli import main
sys.exit(main())
"""
"""A server whose store hands changes to the operating system without waiting for the disk."""


class Lost(Exception):
    """Something that was acknowledged is gone."""


class Table:
    """A table, played by a client that remembers what was acknowledged."""

    def __init__(self, board: str, rng: random.Random) -> None:
        self.board = board
        self.rng = rng
        self.moves = 0
        self.acknowledged: dict[str, int] = {}
        self._made: Json | None = None
        self.moved = asyncio.Event()
        """Set when the client has moved since the server started, or has given up."""

    async def play(self, server: Server) -> None:
        """Check what was acknowledged before, and play until the server is gone."""
        try:
            with contextlib.suppress(WebSocketException, OSError, EOFError):
                while True:
                    if self._made is None:
                        new = {"board": self.board, "seats": people(2)}
                        self._made = await asyncio.to_thread(server.post, "/api/tables", new)
                    await self._visit(server, self._made or {})
                    # The game is over: the next one keeps the server writing until the cut.
                    self._made, self.acknowledged = None, {}
        finally:
            self.moved.set()

    async def _visit(self, server: Server, made: Json) -> None:
        url = server.socket_url(made["table"])
        async with connect(url, compression=None, ping_interval=None, max_size=None) as socket:
            tokens = [each["token"] for each in made["tokens"]]
            await socket.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
            last = max(self.acknowledged.values(), default=1)
            try:
                told = json.loads(await socket.recv())
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code == NO_TABLE:
                    raise Lost(f"a table was acknowledged and {last} changes, all gone") from None
                raise
            if told["type"] != "snapshot" or told["seq"] < last:
                raise Lost(f"change {last} was acknowledged; now there is {told.get('seq')}")
            while told["views"][0]["view"]["phase"] != "over":
                told = await self._move(socket, told)

    async def _move(self, socket: Any, told: Json) -> Json:
        able = next(each for each in told["views"] if each["view"]["legal"])
        id = f"move {self.moves}"
        command = {"type": "play", "id": id, "seat": able["seat"], "version": told["seq"]}
        action = self.rng.choice(able["view"]["legal"])
        await socket.send(json.dumps(command | {"action": action}))
        answered = False
        while not answered or told.get("type") != "events":
            message = json.loads(await socket.recv())
            if message["type"] == "events":
                told = message
            elif message["type"] == "ack":
                self.acknowledged[id] = message["seq"]
                self.moves += 1
                self.moved.set()
                answered = True
            elif message["type"] == "error":
                raise Lost(f"{command} was refused: {message}")
        return told


def build(folder: Path) -> Path:
    """Compile the library."""
    library = folder / "power_cut.so"
    command = ["cc", "-O1", "-Wall", "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True)
    return library


async def _cut(server: Server, tables: list[Table], seconds: float) -> None:
    for table in tables:
        table.moved = asyncio.Event()
    playing = [asyncio.create_task(table.play(server)) for table in tables]
    # On a busy machine the server may need longer than that for its first answer.
    for table in tables:
        await table.moved.wait()
    await asyncio.sleep(seconds)
    server.kill()
    await asyncio.gather(*playing)


def run(folder: Path, *, cuts: int, number: int, seed: int, forget: str = "") -> Json:
    """Cut the power that many times and return the figures, or raise :class:`Lost`."""
    rng = random.Random(seed)
    library = build(folder)
    boards = fernzug.boards()
    tables = [Table(boards[n % len(boards)], random.Random(seed + n)) for n in range(number)]
    program = ("-c", FORGETFUL.replace("{level}", forget)) if forget else ()
    data = folder / "0"
    data.mkdir()
    # One more round, to check the tables after the last cut.
    for cut in range(cuts + 1):
        synced = folder / str(cut + 1)
        synced.mkdir()
        for file in data.iterdir():
            # What was on disk before is on disk now.
            shutil.copy(file, synced)
        options = ("--bot-workers", "0", "--per-address", "1000", "--rate", "100000")
        environment = {
            "LD_PRELOAD": str(library),
            "POWER_FROM": str(data),
            "POWER_TO": str(synced),
        }
        server = Server(data, *options, environment=environment, program=program)
        try:
            asyncio.run(_cut(server, tables, rng.uniform(0.2, 1.0)))
        finally:
            server.kill()
        for draft in synced.glob("*.draft"):
            draft.unlink()
        shutil.rmtree(data)
        data = synced
    return {"cuts": cuts, "moves": sum(table.moves for table in tables)}


def main() -> int:
    """Return 0 if nothing was lost, or if what was lost on purpose was noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--forget", choices=["OFF", "NORMAL"], default="", help="let the store sync this little"
    )
    args = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            figures = run(
                Path(folder),
                cuts=args.cuts,
                number=args.tables,
                seed=args.seed,
                forget=args.forget,
            )
        except Lost as loss:
            print(f"LOST: {loss}")
            return 0 if args.forget else 1
    print(f"power cuts          {figures['cuts']} in {time.perf_counter() - began:.0f} s")
    print(f"acknowledged moves  {figures['moves']}")
    print("lost                0")
    return 1 if args.forget else 0


if __name__ == "__main__":
    sys.exit(main())
