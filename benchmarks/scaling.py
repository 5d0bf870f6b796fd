"""What a move costs with PostgreSQL, Redis and three processes, compared with SQLite and one.

The same tables of four people, each with a socket of their own, are played at the same pace, first
with one process and a file, then with three processes; there, the people of a table are at two of
them. The CPU time of the server's processes is divided by the number of moves. That of PostgreSQL
and Redis is printed, too; SQLite's is part of its server's. Fails if the ratio is too high.

    python benchmarks/scaling.py
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
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from services import Postgres, Redis
from serving import Server, people

SEATS = 4
OPTIONS = ("--bot-workers", "0", "--per-address", "5000", "--rate", "100000", "--log", "error")


class Player:
    """Somebody on one seat."""

    def __init__(self, seat: int, socket: ClientConnection) -> None:
        self.seat = seat
        self.socket = socket
        self.seq = 0
        self.legal: list[str] = []

    async def take(self) -> None:
        """Read one message."""
        message = json.loads(await self.socket.recv())
        if message["type"] == "error":
            raise RuntimeError(str(message))
        self.seq = max(self.seq, message.get("seq") or 0)
        if message.get("views"):
            self.legal = message["views"][0]["view"]["legal"]


async def sit_down(servers: list[Server], place: int) -> list[Player]:
    """Create a table; return its players, who are at two processes if there are several."""
    new = {"board": "usa", "seats": people(SEATS), "seed": place}
    made: Any = await asyncio.to_thread(servers[place % len(servers)].post, "/api/tables", new)
    players = []
    for each in made["tokens"]:
        seat = each["seat"]
        server = servers[(place + seat % 2) % len(servers)]
        socket = await connect(
            server.socket_url(made["table"]), compression=None, ping_interval=None, max_size=None
        )
        hello = {"type": "hello", "tokens": [each["token"]], "seen": None}
        await socket.send(json.dumps(hello))
        player = Player(seat, socket)
        while not player.seq:
            await player.take()
        players.append(player)
    return players


async def play(players: list[Player], until: float, pace: float, rng: random.Random) -> list[float]:
    """Make moves until the time is up; return how long each took until all had heard of it."""
    times: list[float] = []
    await asyncio.sleep(rng.uniform(0, pace))
    while time.monotonic() < until:
        able = [player for player in players if player.legal]
        if not able:
            break
        player = rng.choice(able)
        before = player.seq
        command = {
            "type": "play",
            "id": f"{player.seat} {before}",
            "seat": player.seat,
            "version": before,
            "action": rng.choice(player.legal),
        }
        began = time.monotonic()
        await player.socket.send(json.dumps(command))
        for each in players:
            while each.seq <= before:
                await each.take()
        times.append(time.monotonic() - began)
        await asyncio.sleep(max(0.0, began + pace - time.monotonic()))
    return times


async def measure(
    servers: list[Server], others: list[Postgres | Redis], tables: int, seconds: float, pace: float
) -> tuple[list[float], float, float]:
    """Return how long the moves took, and the CPU time of the servers and of what they use."""
    all_players = [await sit_down(servers, place) for place in range(tables)]
    # What starting has left to do must not be counted.
    await asyncio.sleep(2)
    own = sum(server.cpu_seconds() for server in servers)
    theirs = sum(other.cpu_seconds() for other in others)
    until = time.monotonic() + seconds
    times = await asyncio.gather(
        *(play(players, until, pace, random.Random(n)) for n, players in enumerate(all_players))
    )
    own = sum(server.cpu_seconds() for server in servers) - own
    theirs = sum(other.cpu_seconds() for other in others) - theirs
    for players in all_players:
        for player in players:
            await player.socket.close()
    return sorted(time for table in times for time in table), own, theirs


def run(tables: int, seconds: float, pace: float) -> dict[str, float]:
    """Return the CPU time of a move in milliseconds: one process, three, and what these use."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        one = Server(folder, *OPTIONS)
        stack.callback(one.kill)
        times, own, _ = asyncio.run(measure([one], [], tables, seconds, pace))
        one.kill()
        sqlite = 1000 * own / len(times)
        postgres = stack.enter_context(Postgres())
        redis = stack.enter_context(Redis())
        servers = []
        for _ in range(3):
            words = (*OPTIONS, "--store", postgres.url, "--bus", redis.url)
            servers.append(Server(folder, *words))
            stack.callback(servers[-1].kill)
        shared_times, own, theirs = asyncio.run(
            measure(servers, [postgres, redis], tables, seconds, pace)
        )
    return {
        "moves": len(times),
        "shared_moves": len(shared_times),
        "sqlite": sqlite,
        "shared": 1000 * own / len(shared_times),
        "services": 1000 * theirs / len(shared_times),
        "median": 1000 * shared_times[len(shared_times) // 2],
        "p99": 1000 * shared_times[int(0.99 * (len(shared_times) - 1))],
    }


def main() -> int:
    """Return 0 if the ratio is below its bar."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between a table's moves")
    parser.add_argument("--bar", type=float, default=1.6)
    args = parser.parse_args()
    figures = run(args.tables, args.seconds, args.pace)
    ratio = figures["shared"] / figures["sqlite"]
    print(f"SQLite, one process    {figures['sqlite']:.2f} ms of CPU a move")
    print(f"three processes        {figures['shared']:.2f} ms of CPU a move, {ratio:.2f} times")
    print(f"PostgreSQL and Redis   {figures['services']:.2f} ms of CPU a move besides")
    print(f"three processes        {figures['median']:.0f} ms until all heard, ", end="")
    print(f"p99 {figures['p99']:.0f} ms")
    print(f"moves                  {figures['moves']:.0f} and {figures['shared_moves']:.0f}")
    return 0 if ratio <= args.bar else 1


if __name__ == "__main__":
    sys.exit(main())
