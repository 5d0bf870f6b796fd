"""Let one address fill the server with hard bots, and time the easy bots of another.

The attacker keeps as many tables of ``master`` bots going as an address may have, each with a
person who plays the first legal action. An honest person at another address plays against a
``novice``. The server must answer for the novice within the target every time.

    python benchmarks/bot_sharing.py --tables 47 --seconds 30
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from serving import Server

TARGET = 3.0
"""Seconds within which a novice answers."""
ATTACKER, HONEST = "127.0.0.2", "127.0.0.1"
"""The addresses from which the two connect; all of 127.0.0.0/8 is this machine."""
Json = dict[str, Any]


class Reached(Protocol):
    """A server, as far as a player has to know it."""

    def socket_url(self, table: str) -> str:
        """Return the address of a table's socket."""


class Player:
    """A person on the first seat of a table who plays the first legal action at once."""

    def __init__(self, server: Reached, made: Json, address: str) -> None:
        self._url = server.socket_url(made["table"])
        self._token = made["tokens"][0]["token"]
        self._address = address
        self._sent = 0
        self.bot_moves = 0
        self.waits: list[float] = []
        """How long the bots took, from the moment their decision was awaited."""

    async def play(self) -> None:
        """Play until the game is over or the server is gone."""
        async with connect(
            self._url, local_addr=(self._address, 0), compression=None, max_size=None
        ) as socket:
            hello = {"type": "hello", "tokens": [self._token], "seen": None}
            await socket.send(json.dumps(hello))
            await self._listen(socket)

    async def _listen(self, socket: ClientConnection) -> None:
        since: float | None = None
        async for text in socket:
            message = json.loads(text)
            if message["type"] not in ("snapshot", "events"):
                continue
            if since is not None and message.get("bot"):
                self.waits.append(time.monotonic() - since)
                self.bot_moves += 1
            view = message["views"][0]["view"]
            if view["scores"] is not None:
                return
            since = time.monotonic()
            if view["legal"]:
                since = None if view["seat"] == 0 else since
                self._sent += 1
                await socket.send(
                    json.dumps(
                        {
                            "type": "play",
                            "id": f"{self._sent}",
                            "seat": 0,
                            "version": message["seq"],
                            "action": view["legal"][0],
                        }
                    )
                )


def create(server: Server, *levels: str, board: str) -> Json:
    """Create a table for one person and some bots."""
    seats = [{"kind": "here"}, *({"kind": "bot", "level": level} for level in levels)]
    made: Json = server.post("/api/tables", {"board": board, "seats": seats})
    return made


async def keep_playing(server: Server, player: Player, *levels: str, board: str) -> None:
    """Play one game after the other on the same account."""
    while True:
        await player.play()
        player = _again(player, Player(server, create(server, *levels, board=board), HONEST))


def _again(before: Player, after: Player) -> Player:
    after.waits = before.waits
    return after


async def measure(server: Server, tables: int, seconds: float) -> tuple[list[float], int]:
    """Return how long the honest novice took each time, and the moves of the attacker's bots."""
    crowd = [
        Player(server, create(server, "master", "master", "master", board="usa"), ATTACKER)
        for _ in range(tables)
    ]
    honest = Player(server, create(server, "novice", board="london"), HONEST)
    tasks = [asyncio.create_task(player.play()) for player in crowd]
    await asyncio.sleep(2.0)
    tasks.append(asyncio.create_task(keep_playing(server, honest, "novice", board="london")))
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception) and not isinstance(result, ConnectionClosed):
            raise result
    return honest.waits, sum(player.bot_moves for player in crowd)


def main() -> int:
    """Attack, print the waiting times, and say whether they are within the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=47)
    parser.add_argument("--seconds", type=float, default=30.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            waits, moves = asyncio.run(measure(server, args.tables, args.seconds))
        finally:
            server.stop()
    if not waits:
        print("the honest novice did not move at all")
        return 1
    waits.sort()
    print(
        f"{args.tables} tables of three masters each at one address, {moves} moves of their bots "
        f"in {args.seconds:g} s"
    )
    print(
        f"a novice at another address: {len(waits)} moves, median {waits[len(waits) // 2]:.2f} s, "
        f"p99 {waits[int(0.99 * (len(waits) - 1))]:.2f} s, at most {waits[-1]:.2f} s "
        f"(target {TARGET:g} s; a bot takes 0.6 to 1.2 s at least)"
    )
    return 0 if waits[-1] <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
