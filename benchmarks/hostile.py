"""Send a server messages that no honest browser sends, and check that it copes.

Malformed JSON, wrong types, actions out of turn, for other seats, for old versions; then frames
that are broken, too large or too many. The server has its real limits, so all this comes from a
thousand addresses. Every message must be answered with the right code, or the connection closed
with the code that ``docs/limits.md`` names, and the table under attack must not change. All this
is done by a process of its own. Meanwhile an honest player in another one plays, whose p99 and
worst move have bars.

    python benchmarks/hostile.py --messages 100000
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import queue
import random
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from serving import Door, Server, people

Json = dict[str, Any]
BATCH = 40
"""The number of messages sent over one connection before something that closes it."""
P99, WORST = 0.1, 0.5
"""The bars for an honest player, in seconds."""
START_SECONDS = 60.0
"""How long the attackers' process may take to start."""
TEXT, PING, CONTINUATION, RESERVED = 1, 9, 0, 3
JUNK: list[Any] = [
    *(None, True, -1, 0, 1.5, 2**70, 1e308, "", "x", "\u0000", "\ud800", "💥" * 50, "../../etc"),
    *([], [[]], {}, {"a": {"b": []}}, [None] * 100, "claim", "draw deck", "__class__", "'; DROP"),
]


@dataclass
class Attack:
    """What the attacker knows, and what the attack has led to."""

    table: str
    seat: int
    token: str
    rng: random.Random
    sent: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def message(self) -> tuple[str | bytes, set[str]]:
        """Return a random message that no honest browser sends, and how it may be refused."""
        kinds: list[tuple[Callable[[], str | bytes], set[str]]] = [
            (self._noise, {"bad_message"}),
            (self._cut, {"bad_message"}),
            (self._nested, {"bad_message"}),
            (self._junk, {"bad_message"}),
            (self._junk_field, {"bad_message", "illegal", "stale", "not_yours"}),
            (self._surplus, {"bad_message"}),
            (self._incomplete, {"bad_message"}),
            (self._other_seat, {"not_yours", "bad_message"}),
            (self._out_of_turn, {"not_yours"}),
            (self._old_version, {"stale", "illegal"}),
            (self._illegal, {"illegal"}),
            (self._second_hello, {"bad_message"}),
            (self._host_only, {"not_host"}),
            (self._bytes, {"bad_message"}),
        ]
        make, codes = self.rng.choice(kinds)
        return make(), codes

    def ending(self) -> tuple[list[bytes], int]:
        """Return frames that close the connection, and the code with which it is closed."""
        return self.rng.choice(
            [
                ([frame(TEXT, b"x" * self.rng.randrange(16_385, 60_000))], 1009),
                ([frame(TEXT, b"\xff\xfe\xc0")], 1007),
                ([frame(RESERVED)], 1002),
                ([frame(CONTINUATION)], 1002),
                ([b"\x81\x02{}"], 1002),
                ([frame(PING)] * 320, 4429),
                ([frame(TEXT, last=False), *[frame(CONTINUATION, last=False)] * 320], 4429),
                ([frame(TEXT, b'{"type":"ping"}')] * 320, 4429),
            ]
        )

    def _noise(self) -> str:
        return "".join(chr(self.rng.randrange(32, 0x2FF)) for _ in range(self.rng.randrange(200)))

    def _cut(self) -> str:
        text = json.dumps(self._play())
        return text[: self.rng.randrange(len(text) - 1)]

    def _nested(self) -> str:
        return self.rng.choice(["[", '{"a":', "[{}, "]) * self.rng.randrange(1, 3000)

    def _junk(self) -> str:
        return json.dumps(self.rng.choice(JUNK))

    def _junk_field(self) -> str:
        message = self._play(version=0)
        message[self.rng.choice(list(message))] = self.rng.choice(JUNK)
        return json.dumps(message)

    def _surplus(self) -> str:
        return json.dumps(self._play() | {self.rng.choice(["admin", "type2", "__proto__"]): 1})

    def _incomplete(self) -> str:
        message = self._play()
        del message[self.rng.choice(list(message))]
        return json.dumps(message)

    def _other_seat(self) -> str:
        seat = self.rng.choice([s for s in range(16) if s != self.seat])
        kind = self.rng.choice(["play", "undo", "chat", "leave", "takeover", "react"])
        fields: dict[str, Json] = {
            "play": {"version": 3, "action": "draw deck"},
            "undo": {"version": 3},
            "chat": {"text": "hello"},
            "react": {"reaction": "bravo"},
        }
        message = {"type": kind, "id": self._id(), "seat": seat, **fields.get(kind, {})}
        if kind == "react":
            del message["id"]
        return json.dumps(message)

    def _out_of_turn(self) -> str:
        action = self.rng.choice(["draw deck", "tickets", "keep 1", "pass", "draw wild"])
        return json.dumps(self._play(action=action, version=3) | {"seat": 1 - self.seat})

    def _old_version(self) -> str:
        version = self.rng.choice([0, 1, 2, 10_000, 2**53])
        return json.dumps(self._play(action="draw deck", version=version))

    def _illegal(self) -> str:
        words = [
            "claim",
            "draw",
            "keep",
            "pass",
            "tickets",
            "a-b",
            "blue*2",
            "wild*99",
            "flag",
            "9",
        ]
        text = " ".join(self.rng.choices(words, k=self.rng.randrange(2, 6)))
        return json.dumps(self._play(action="claim " + text, version=3))

    def _second_hello(self) -> str:
        return json.dumps({"type": "hello", "tokens": [self.token], "seen": None})

    def _host_only(self) -> str:
        kind = self.rng.choice(["fill", "remove", "start", "renew_code"])
        fields = {"seat": self.rng.randrange(4)} if kind in ("fill", "remove") else {}
        level = {"level": "novice"} if kind in ("fill", "start") else {}
        return json.dumps({"type": kind, "id": self._id(), **fields, **level})

    def _bytes(self) -> bytes:
        return self.rng.randbytes(self.rng.randrange(100))

    def _id(self) -> str:
        return f"attack {self.rng.randrange(10**9)}"

    def _play(self, **fields: object) -> Json:
        message = {"type": "play", "id": self._id(), "seat": self.seat, "version": 0}
        return message | {"action": "draw deck", **fields}


def frame(kind: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """Return a frame as a client sends it."""
    head = bytes([(0x80 if last else 0) | kind])
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    # A mask of zeros leaves the data as it is.
    return head + size + bytes(4) + data


def addresses(first: int, step: int) -> Iterator[str]:
    """Yield addresses of this machine, one after the other, from a thousand of them."""
    for number in itertools.count(first, step):
        yield f"127.0.{1 + number // 250 % 4}.{1 + number % 250}"


async def attack(server: Door, plan: Attack, number: int, own: Iterator[str]) -> None:
    """Send that many messages and frames over one connection after another."""
    while plan.sent < number:
        async with connect(
            server.socket_url(plan.table),
            local_addr=(next(own), 0),
            compression=None,
            ping_interval=None,
            max_size=None,
        ) as socket:
            await socket.send(json.dumps({"type": "hello", "tokens": [plan.token], "seen": 3}))
            while json.loads(await socket.recv())["type"] != "snapshot":
                pass
            await _batch(socket, plan, BATCH)
            await _end(socket, plan)


async def _batch(socket: ClientConnection, plan: Attack, number: int) -> None:
    """Send a batch; every message must be answered with the right error."""
    messages = [plan.message() for _ in range(number)]
    for message, _ in messages:
        await socket.send(message)
    for message, codes in messages:
        answer = await _next(socket)
        if answer["type"] != "error" or not answer["message"] or answer["code"] not in codes:
            plan.faults.append(f"{message!r:.200} was answered with {answer}, not with {codes}")
        plan.answers[str(answer.get("code", answer["type"]))] += 1
    plan.sent += number


async def _next(socket: ClientConnection) -> Json:
    while True:
        message: Json = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if message["type"] != "table":
            return message


async def _end(socket: ClientConnection, plan: Attack) -> None:
    """Send what closes the connection; it must be closed with the documented code."""
    frames, code = plan.ending()
    socket.transport.write(b"".join(frames))
    plan.sent += len(frames)
    try:
        while True:
            await asyncio.wait_for(socket.recv(), 20)
    except ConnectionClosed as closed:
        told = closed.rcvd.code if closed.rcvd else 0
        # Whoever floods may be cut off before the farewell has arrived.
        if told != code and not (told == 0 and code == 4429):
            plan.faults.append(f"{frames[0]!r:.60} … closed the connection with {told}, not {code}")
        plan.answers[f"closed {told}"] += len(frames)


class Honest:
    """An honest player."""

    def __init__(self) -> None:
        self.moves = 0
        self.times: list[float] = []

    async def play(self, server: Door, rng: random.Random) -> None:
        """Play games at a brisk pace until cancelled."""
        while True:
            new = {"board": "paris", "seats": people(2)}
            made = await asyncio.to_thread(server.post, "/api/tables", new)
            url = server.socket_url(made["table"])
            async with connect(url, compression=None, max_size=None) as socket:
                tokens = [each["token"] for each in made["tokens"]]
                await socket.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
                await self._game(socket, rng)

    async def _game(self, socket: ClientConnection, rng: random.Random) -> None:
        told = json.loads(await socket.recv())
        while told["views"][0]["view"]["phase"] != "over":
            able = next(each for each in told["views"] if each["view"]["legal"])
            self.moves += 1
            command = {"type": "play", "id": f"m{self.moves}", "seat": able["seat"]}
            action = rng.choice(able["view"]["legal"])
            began = time.perf_counter()
            await socket.send(json.dumps(command | {"version": told["seq"], "action": action}))
            told = json.loads(await socket.recv())
            while told["type"] != "events":
                told = json.loads(await socket.recv())
            self.times.append(time.perf_counter() - began)
            await asyncio.sleep(0.05)


async def attack_all(port: int, plans: list[Attack], number: int) -> None:
    """Carry out all plans at the same time."""
    await asyncio.gather(
        *(
            attack(Door(port), plan, number, addresses(n, len(plans)))
            for n, plan in enumerate(plans)
        )
    )


def _attack(port: int, plans: list[Attack], number: int, going: Any, results: Any) -> None:
    """Attack from a process of one's own, over which the honest have priority as elsewhere."""
    os.nice(5)
    going.set()
    began = time.perf_counter()
    try:
        asyncio.run(attack_all(port, plans, number))
    except Exception as error:
        plans[0].faults.append(f"the attack was stopped by {error!r}")
    results.put((plans, time.perf_counter() - began))


def _result(process: Any, results: Any) -> tuple[list[Attack], float]:
    """Return the plans when they have been carried out, and how long that took."""
    while True:
        try:
            carried_out: tuple[list[Attack], float] = results.get(timeout=1.0)
            return carried_out
        except queue.Empty:
            if not process.is_alive():
                raise RuntimeError("the attackers' process has died") from None


async def run(server: Server, number: int, connections: int, seed: int) -> Json:
    """Attack the server and return the figures."""
    made = server.post("/api/tables", {"board": "usa", "seats": people(2), "first_player": 0})
    before = await _prepare(server, made)
    plans = [
        Attack(made["table"], n % 2, made["tokens"][n % 2]["token"], random.Random(seed + n))
        for n in range(connections)
    ]
    context = multiprocessing.get_context("spawn")
    going, results = context.Event(), context.Queue()
    arguments = (server.port, plans, number // connections, going, results)
    process = context.Process(target=_attack, args=arguments)
    process.start()
    honest = Honest()
    try:
        if not await asyncio.to_thread(going.wait, START_SECONDS):
            raise TimeoutError("the attackers' process does not start")
        playing = asyncio.create_task(honest.play(server, random.Random(seed)))
        plans, took = await asyncio.to_thread(_result, process, results)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    finally:
        process.kill()
        process.join()
    answers = sum((plan.answers for plan in plans), Counter[str]())
    faults = [fault for plan in plans for fault in plan.faults]
    if await _views(server, made) != before:
        faults.append("the table under attack has changed")
    return {
        "answers": answers,
        "faults": faults,
        "seconds": took,
        "moves": honest.moves,
        "sent": sum(plan.sent for plan in plans),
        "p99": sorted(honest.times)[int(0.99 * (len(honest.times) - 1))] if honest.times else 0.0,
        "slowest": max(honest.times, default=0.0),
        "metrics": server.get("/metrics"),
    }


async def _prepare(server: Door, made: Json) -> Any:
    """Bring the table under attack to its first turn, and return its views."""
    async with connect(server.socket_url(made["table"]), compression=None) as socket:
        tokens = [each["token"] for each in made["tokens"]]
        await socket.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
        for seat in (0, 1):
            command = {"type": "play", "id": f"keep {seat}", "seat": seat, "version": 1}
            await socket.send(json.dumps(command | {"action": "keep 1 2 3"}))
        while json.loads(await socket.recv()) != {"type": "ack", "id": "keep 1", "seq": 3}:
            pass
    return await _views(server, made)


async def _views(server: Door, made: Json) -> Any:
    async with connect(server.socket_url(made["table"]), compression=None) as socket:
        tokens = [each["token"] for each in made["tokens"]]
        await socket.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
        snapshot = json.loads(await socket.recv())
        return snapshot["seq"], snapshot["views"], snapshot["chat"]


def main() -> int:
    """Return 0 if every message was answered and nothing was harmed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--p99", type=float, default=P99, help="the bar, in seconds (%(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            figures = asyncio.run(run(server, args.messages, args.connections, args.seed))
        finally:
            code = server.stop()
    print(f"messages and frames {figures['sent']:,} in {figures['seconds']:.0f} s")
    for answer, number in figures["answers"].most_common():
        print(f"  {answer:<17} {number}")
    print(f"honest moves        {figures['moves']} meanwhile, ", end="")
    print(f"p99 {1000 * figures['p99']:.0f} ms, slowest {1000 * figures['slowest']:.0f} ms")
    faults = figures["faults"] + ["the server has logged faults"] * (
        "fernzug_faults" in figures["metrics"]
    )
    faults += ["the server did not stop cleanly"] * (code != 0)
    if not figures["moves"] or figures["p99"] > args.p99:
        faults.append(f"the honest player had to wait longer than {1000 * args.p99:.0f} ms at p99")
    if figures["slowest"] > WORST:
        faults.append(f"the honest player had to wait longer than {1000 * WORST:.0f} ms once")
    for fault in faults[:20]:
        print(f"FAULT: {fault}")
    print("all answered, nothing harmed" if not faults else f"{len(faults)} faults")
    return 0 if not faults else 1


if __name__ == "__main__":
    sys.exit(main())
