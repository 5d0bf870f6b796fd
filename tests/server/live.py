"""A real server on the loopback interface in its own thread, and browsers without a screen."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from changes import with_changes
from fernzug.server.app import create_app
from fernzug.server.limits import UNLIMITED, Limits
from fernzug.server.network import Network, listen, server_config
from fernzug.server.settings import Settings
from fernzug.table.authority import GameFactory, new_game

PATIENCE = 60.0
"""Seconds after which a test gives up; nothing takes that long, not even on a busy machine."""


def settings_for(data: Path, **changes: Any) -> Settings:
    """Return settings for tests: quick bots in threads."""
    # Tests play faster than people; those of the limits set their own.
    usual = {"messages": UNLIMITED, "frames": UNLIMITED, "messages_per_address": UNLIMITED}
    limits = replace(Limits(), **{**usual, **changes.pop("limits", {})})
    return replace(
        Settings(data=data, bot_pace=(0.0, 0.0), bot_workers=0, limits=limits), **changes
    )


class Listening(Protocol):
    """A server that listens on the loopback."""

    port: int


class LiveServer:
    """A server that really listens."""

    def __init__(self, settings: Settings, game_factory: GameFactory = new_game) -> None:
        self.settings = settings
        self._listener = listen("127.0.0.1", 0)
        self.port = self._listener.getsockname()[1]
        network = Network("127.0.0.1", self.port, settings)
        self.app = create_app(settings, network, game_factory)
        self._server = uvicorn.Server(server_config(self.app, settings))
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],))
        self._thread.start()
        wait_for(lambda: self._server.started)

    def __enter__(self) -> LiveServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listener.close()

    @property
    def site(self) -> Any:
        return self.app.state.site

    def ask(
        self, method: str, path: str, body: object = None, at: str = "127.0.0.1", **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        """Return status, body (JSON if it is that) and headers of an answer."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        sent = {"content-type": "application/json"} if body is not None else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(at, self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, data, sent)
            response = connection.getresponse()
            received = response.read()
        finally:
            connection.close()
        found = {name.lower(): value for name, value in response.getheaders()}
        plain = "content-encoding" not in found
        if plain and "json" in found.get("content-type", "") and "jsonl" not in path:
            return response.status, json.loads(received or b"null"), found
        return response.status, received, found

    def get(self, path: str) -> Any:
        status, body, _ = self.ask("GET", path)
        assert status == 200, body
        return body

    def post(self, path: str, body: object) -> Any:
        status, answer, _ = self.ask("POST", path, body)
        assert status == 201, answer
        return answer

    def make(self, *kinds: str, board: str = "london", **other: Any) -> Any:
        """Make a table; kinds are here, link, or the level of a bot."""
        seats = [
            {"kind": kind, "name": f"Player {number}"}
            if kind in ("here", "link")
            else {"kind": "bot", "level": kind}
            for number, kind in enumerate(kinds)
        ]
        return self.post("/api/tables", {"board": board, "seats": seats, **other})

    def visit(
        self,
        made: Any,
        *seats: int,
        seen: int | None = None,
        host: bool = False,
        max_queue: int | None = None,
    ) -> Browser:
        """Return a browser that has the tokens of some seats of a table.

        With ``max_queue`` it lets messages wait in the network unless it is asked for them.
        """
        tokens = [each["token"] for each in made["tokens"] if each["seat"] in seats]
        tokens += [made["host"]] if host else []
        return Browser(self, made["table"], tokens, seen, max_queue=max_queue)

    def call(self, work: Callable[[], object]) -> None:
        """Do something in the thread of the server, and wait until it is done."""
        done = threading.Event()

        def run() -> None:
            work()
            done.set()

        self.site.lobby._housekeeper.get_loop().call_soon_threadsafe(run)
        assert done.wait(PATIENCE)


class Browser:
    """A browser at a table: it remembers what it was told."""

    def __init__(
        self,
        server: Listening,
        table: str,
        tokens: list[str],
        seen: int | None = None,
        *,
        max_queue: int | None = None,
    ) -> None:
        self.table = table
        self.tokens = tokens
        self.seq = 0
        self.views: list[Any] = []
        self.info: Any = None
        self.heard: list[Any] = []
        self.bytes: list[bytes] = []
        self._number = 0
        self.socket = open_socket(server, table, max_queue=max_queue)
        self.send({"type": "hello", "tokens": tokens, "seen": seen})
        self.snapshot = self.until("snapshot")

    def send(self, message: object) -> None:
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def receive(self) -> Any:
        data = self.socket.recv(timeout=PATIENCE, decode=False)
        assert isinstance(data, bytes)
        self.bytes.append(data)
        message = json.loads(data)
        self.heard.append(message)
        self.seq = max(self.seq, message.get("seq", 0))
        if message["type"] == "snapshot":
            self.views = message["views"]
        elif message["type"] == "events":
            self.views = with_changes(self.views, message["views"])
        self.info = message.get("table", self.info)
        return message

    def until(self, kind: str, **fields: object) -> Any:
        """Return the next message of a kind, with certain fields."""
        while True:
            message = self.receive()
            if message["type"] == kind and fields.items() <= message.items():
                return message

    def command(self, kind: str, **fields: object) -> Any:
        """Send a command; return the answer to it."""
        self._number += 1
        fields.setdefault("id", f"{id(self)} {self._number}")
        self.send({"type": kind, **fields})
        return self.answer(str(fields["id"]))

    def answer(self, id: str) -> Any:
        while True:
            message = self.receive()
            if message["type"] in ("ack", "error") and message["id"] == id:
                return message

    def play(self, seat: int, action: str, **fields: object) -> Any:
        fields.setdefault("version", self.seq)
        return self.command("play", seat=seat, action=action, **fields)

    def view(self, seat: int | None) -> Any:
        return next(each for each in self.views if each["seat"] == seat)

    def legal(self, seat: int) -> list[str]:
        texts: list[str] = self.view(seat)["view"]["legal"]
        return texts

    def close(self) -> None:
        self.socket.close()

    def closed_with(self) -> int:
        """Read until the server closes the connection; return its code."""
        with pytest.raises(ConnectionClosed) as closed:
            self._read_all()
        assert closed.value.rcvd is not None
        return int(closed.value.rcvd.code)

    def _read_all(self) -> None:
        while True:
            self.receive()


def open_socket(server: Listening, table: str, **options: Any) -> ClientConnection:
    url = f"ws://127.0.0.1:{server.port}/ws?table={table}"
    # A browser that a test does not listen to must not keep the connection from closing.
    options = {"max_queue": None, **options, "compression": None, "max_size": None}
    opening = connect(url, open_timeout=PATIENCE, **options)
    opened: ClientConnection = opening.__enter__()
    return opened


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)
