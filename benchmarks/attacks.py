"""Attack a server from one address in every way we know, and time an honest player at another.

The server has its real limits. The attacker (127.0.0.2, in a process of its own) sends pings and
empty fragments, opens silent and half-sent connections, reads nothing, reconnects, watches and
leaves, guesses codes, floods with messages and chat, asks for very long games and whatever else is
dear, and fills the server with hard bots. Meanwhile an honest player at 127.0.0.1 moves, and
another plays against a novice.

Fails if an honest move takes longer than 100 ms at p99 or 500 ms at worst, or the novice longer
than 3 seconds. Use a quiet machine: on a busy one, everybody waits, as the first line shows, which
is without any attack.

    python benchmarks/attacks.py --seconds 10
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bot_sharing import Player, create, keep_playing
from fernzug import board
from fernzug.server.sqlite_file import FILE, INSERT_CHANGE, INSERT_TABLE, open_file
from fernzug.table import Change, ClockSetup, Moment, Table, TableSetup
from fernzug.table.setup import SeatSetup
from hostile import CONTINUATION, PING, TEXT, Honest, frame
from serving import Door, Server, people

ATTACKER = "127.0.0.2"
P99, WORST, NOVICE = 0.1, 0.5, 3.0
"""The bars, in seconds."""
LONG_TABLES, LONG = 5, 19_900
"""Very long games in the store: how many, and how many changes each has."""
MASTERS = 47

Json = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """What the attacker knows."""

    port: int
    watched: str
    """A table to watch."""
    own: Json
    """A table of one's own."""
    until: float


# ---------------------------------------------------------------------------- bytes


def opened(target: Target) -> socket.socket:
    """Return a connection from the attacker's address."""
    made = socket.socket()
    made.bind((ATTACKER, 0))
    made.settimeout(2.0)
    made.connect(("127.0.0.1", target.port))
    return made


def joined(target: Target, table: str, tokens: list[str] | None = None) -> socket.socket:
    """Return a socket at a table that has said hello."""
    made = opened(target)
    made.sendall(
        f"GET /ws?table={table} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    if b" 101 " not in made.recv(4096):
        made.close()
        raise OSError("turned away")
    hello = {"type": "hello", "tokens": tokens or [], "seen": None}
    made.sendall(frame(TEXT, json.dumps(hello).encode()))
    return made


def asked(target: Target, head: str) -> int:
    """Send a request, and return the status of the answer."""
    with opened(target) as made:
        made.sendall(f"{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return int(made.recv(4096).split()[1])


# ---------------------------------------------------------------------------- attacks

Attack = Callable[[Target, Counter[str]], None]


def flood(block: bytes, number: int, opening: bytes = b"") -> Attack:
    """Return an attack that sends a block of frames until it is cut off, and begins again."""

    def attack(target: Target, done: Counter[str]) -> None:
        while time.time() < target.until:
            try:
                with joined(target, target.watched) as made:
                    made.sendall(opening)
                    while time.time() < target.until:
                        made.sendall(block)
                        done["frames"] += number
            except (OSError, ValueError):
                done["cut off"] += 1

    return attack


def hold(start: bytes) -> Attack:
    """Return an attack that opens as many connections as it can and says no more."""

    def attack(target: Target, done: Counter[str]) -> None:
        held: list[socket.socket] = []
        while time.time() < target.until:
            try:
                made = opened(target)
                made.sendall(start)
                held.append(made)
                done["opened"] += 1
            except OSError:
                done["turned away"] += 1
            if len(held) > 1_000:
                held.pop(0).close()
        for made in held:
            made.close()

    return attack


def visit(target: Target, done: Counter[str]) -> None:
    """Come as a spectator, and leave at once."""
    while time.time() < target.until:
        try:
            joined(target, target.watched).close()
            done["visits"] += 1
        except (OSError, ValueError):
            done["turned away"] += 1


def guess(target: Target, done: Counter[str]) -> None:
    """Guess codes, over HTTP and sockets in turn."""
    number = 0
    while time.time() < target.until:
        number += 1
        code = f"{number % 100_000:05}".translate(str.maketrans("0123456789", "ABCDEFGHJK"))
        try:
            if number % 2:
                done[f"HTTP {asked(target, f'GET /api/tables/{code}')}"] += 1
            else:
                joined(target, code).close()
                done["sockets"] += 1
        except (OSError, ValueError, IndexError):
            done["turned away"] += 1


def chat(target: Target, done: Counter[str]) -> None:
    """Talk without end at one's own table, with a new connection for every few lines."""
    tokens = [each["token"] for each in target.own["tokens"]]
    number = 0
    while time.time() < target.until:
        try:
            with joined(target, target.own["table"], tokens) as made:
                for _ in range(8):
                    number += 1
                    line = {"type": "chat", "id": f"c{number}", "seat": 0, "text": "x" * 100}
                    made.sendall(frame(TEXT, json.dumps(line).encode()))
                    done["lines"] += 1
        except (OSError, ValueError):
            done["turned away"] += 1


def long_games(target: Target, done: Counter[str]) -> None:
    """Ask for very long games."""
    while time.time() < target.until:
        for number in range(LONG_TABLES):
            try:
                done[f"HTTP {asked(target, f'GET /api/tables/longgame{number:04}')}"] += 1
                joined(target, f"longgame{number:04}").close()
            except TimeoutError:
                # The game is still being read, and goes on being read.
                done["unanswered"] += 1
            except (OSError, ValueError, IndexError):
                done["turned away"] += 1


def masters(target: Target, done: Counter[str]) -> None:
    """Keep as many tables of hard bots going as one address may have."""

    async def run() -> None:
        server = Door(target.port)
        # The tables are created from the attacker's address, so that they count for it.
        made = [_created(target) for _ in range(MASTERS)]
        tasks = [asyncio.create_task(Player(server, one, ATTACKER).play()) for one in made if one]
        done["tables"] += len(tasks)
        await asyncio.sleep(max(0.0, target.until - time.time()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())


def _created(target: Target) -> Json | None:
    seats = [{"kind": "here"}, *({"kind": "bot", "level": "master"} for _ in range(3))]
    body = json.dumps({"board": "usa", "seats": seats})
    with opened(target) as made:
        made.sendall(
            f"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        received = b""
        while part := made.recv(65_536):
            received += part
    created: Json | None = json.loads(received.partition(b"\r\n\r\n")[2])
    return created if b" 201 " in received[:20] else None


def rest(target: Target, done: Counter[str]) -> None:
    """Do nothing, so that one sees how long the honest wait on this machine anyway."""
    time.sleep(max(0.0, target.until - time.time()))


def amplify(target: Target, done: Counter[str]) -> None:
    """Ask for what costs much more to answer than to ask for, and wait for no answer."""
    day = date(2020, 1, 1)
    waiting: list[socket.socket] = []
    while time.time() < target.until:
        day += timedelta(days=1)
        for path in ("/api/tables", "/api/boards", f"/api/daily/{day}/usa"):
            with contextlib.suppress(OSError):
                waiting.append(opened(target))
                waiting[-1].sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                done["requests"] += 1
        while len(waiting) > 100:
            waiting.pop(0).close()
        time.sleep(0.01)
    for one in waiting:
        one.close()


MESSAGE = frame(TEXT, b'{"type":"ping"}')
NOISE = frame(TEXT, b"[" * 100)
ATTACKS: dict[str, Attack] = {
    "nothing": rest,
    "pings": flood(frame(PING) * 50, 50),
    "pings with data": flood(frame(PING, b"x" * 125) * 50, 50),
    "fragments": flood(frame(CONTINUATION, last=False) * 50, 50, frame(TEXT, last=False)),
    "messages": flood(MESSAGE * 50, 50),
    "noise": flood(NOISE * 50, 50),
    "silence": hold(b""),
    "half headers": hold(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "),
    "half bodies": hold(
        b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n{"
    ),
    "visits": visit,
    "codes": guess,
    "chat": chat,
    "long games": long_games,
    "dear requests": amplify,
    "masters": masters,
}


def _attack(name: str, target: Target, seconds: float, began: Any, results: Any) -> None:
    os.nice(5)
    done: Counter[str] = Counter()
    # Starting this process may take a while on a busy machine: time counts from here.
    target = replace(target, until=time.time() + seconds)
    began.set()
    with contextlib.suppress(KeyboardInterrupt):
        ATTACKS[name](target, done)
    results.put(dict(done))


# ---------------------------------------------------------------------------- the honest


def lay_long_games(folder: Path, number: int = LONG_TABLES, changes: int = LONG) -> None:
    """Write very long games into the store: a route claimed and given back, again and again."""
    london = board("london")
    connection = open_file(folder / FILE)
    rows: list[tuple[int, int, str]] = []
    setup = TableSetup(
        id="longgame",
        code="LONGG",
        board=london.id,
        board_hash=london.hash,
        seats=tuple(SeatSetup("here", name=f"P{seat}", token=str(seat)) for seat in range(2)),
        host="h",
        created=1,
        clock=ClockSetup("none"),
        grace=None,
        seed=1,
        first_player=0,
    )
    table = Table(setup)

    def take(made: list[Change]) -> None:
        for change in made:
            rows.append((change.seq, change.at, change.to_text()))
            table.apply(change, 0.0)

    now = Moment(0.0, 1)
    take(table.open(1))
    for seat in (0, 1):
        take(table.play(seat, table.seq, "keep 1 2", now=now))
    assert table.game is not None
    while table.seq < changes:
        seat = table.game.seat or 0
        legal = [action.text for action in table.game.legal(seat)]
        claim = next((text for text in legal if text.startswith("claim")), None)
        take(table.play(seat, table.seq, claim or "draw deck", now=now))
        if claim is not None:
            take(table.undo(seat, table.seq, id="u", at=1))
    connection.execute("BEGIN")
    for place in range(number):
        id = f"longgame{place:04}"
        text = json.dumps({**setup.to_json(), "id": id})
        connection.execute(INSERT_TABLE, (id, f"LNG{place:02}", "playing", 1, text))
        connection.executemany(INSERT_CHANGE, [(id, *row) for row in rows])
    connection.execute("COMMIT")
    connection.close()


async def honest(server: Server, seconds: float) -> tuple[list[float], list[float]]:
    """Play honestly; return how long the moves took, and the novice."""
    player = Honest()
    rival = Player(server, create(server, "novice", board="london"), "127.0.0.1")
    tasks = [
        asyncio.create_task(player.play(server, random.Random(1))),
        asyncio.create_task(keep_playing(server, rival, "novice", board="london")),
    ]
    await asyncio.sleep(seconds)
    with contextlib.suppress(TimeoutError):
        # On a very busy machine even the first move may take longer than all the attack.
        async with asyncio.timeout(60):
            while not player.times and not tasks[0].done():
                await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    return sorted(player.times), sorted(rival.waits)


def run(name: str, seconds: float, folder: Path) -> Json:
    """Attack a fresh server in one way, and return the figures of the honest."""
    if name == "long games":
        lay_long_games(folder)
    server = Server(folder)
    try:
        watched = server.post("/api/tables", {"board": "london", "seats": people(2)})["table"]
        own = server.post("/api/tables", {"board": "london", "seats": people(2)})
        target = Target(server.port, watched, own, until=0.0)
        context = multiprocessing.get_context("spawn")
        began, results = context.Event(), context.Queue()
        process = context.Process(target=_attack, args=(name, target, seconds + 1, began, results))
        process.start()
        try:
            if not began.wait(60):
                raise TimeoutError("the attacker's process does not start")
            time.sleep(0.5)
            moves, waits = asyncio.run(honest(server, seconds))
            done = results.get(timeout=60)
        finally:
            process.join(30)
            if process.is_alive():
                process.kill()
        faults = "fernzug_faults_total" in server.get("/metrics")
        memory = server.memory()
    finally:
        server.stop()
    return {"moves": moves, "waits": waits, "done": done, "faults": faults, "memory": memory}


def met(figures: Json) -> bool:
    """Whether the honest were within the bars."""
    moves, waits = figures["moves"], figures["waits"]
    if not moves or not waits or figures["faults"]:
        return False
    p99 = moves[int(0.99 * (len(moves) - 1))]
    return bool(p99 <= P99 and moves[-1] <= WORST and waits[-1] <= NOVICE)


def main() -> int:
    """Attack in every way; return 0 if the honest were always within the bars."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each attack")
    parser.add_argument("--only", choices=sorted(ATTACKS), action="append")
    args = parser.parse_args()
    good = True
    print(f"{'attack':<16} {'moves':>5} {'p99':>8} {'worst':>8} {'novice':>7} {'memory':>7}")
    for name in args.only or ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            figures = run(name, args.seconds, Path(folder))
        good &= met(figures)
        moves, waits = figures["moves"] or [0.0], figures["waits"] or [0.0]
        done = ", ".join(f"{what} {number:,}" for what, number in sorted(figures["done"].items()))
        print(
            f"{name:<16} {len(figures['moves']):>5} "
            f"{1000 * moves[int(0.99 * (len(moves) - 1))]:>5.0f} ms {1000 * moves[-1]:>5.0f} ms "
            f"{waits[-1]:>5.2f} s {figures['memory'] / 1e6:>4.0f} MB  "
            f"{'' if met(figures) else 'MISSED '}({done})",
            flush=True,
        )
    print("all within the bars" if good else "bars MISSED (p99 100 ms, worst 500 ms, novice 3 s)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
