"""The wire to one browser: uvicorn's own, without what a connection no longer needs.

A move is told to every socket of its table. To hand each message to a task of its connection, and
from there through the layers of the application, would cost more than the move itself. The
messages are the same for many, so each is framed once, and written wherever there is room.

Most connections only wait, so what counts is what each of them holds. The application answers the
handshake like any other request; then its layers, the headers and uvicorn's queue are let go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from fernzug.server.log import note_error

EXTENSION = "fernzug.wire"
"""Where the scope of a connection has its wire."""
FINAL_TEXT = 0x81
"""The first byte of a text in one frame."""
OF_HANDSHAKE = frozenset(
    {
        *("app_state", "asgi_version", "default_headers", "request", "response", "root_path"),
        *("scheme", "scope", "server"),
    }
)
"""What uvicorn's protocol keeps of a handshake and does not need after it."""


def text_frame(data: bytes) -> bytes:
    """Return a text as it is sent over the wire: unmasked, and not compressed (RFC 6455, 5.2)."""
    length = len(data)
    if length < 126:
        return bytes((FINAL_TEXT, length)) + data
    if length < 1 << 16:
        return bytes((FINAL_TEXT, 126)) + length.to_bytes(2) + data
    return bytes((FINAL_TEXT, 127)) + length.to_bytes(8) + data


class Wire(Protocol):
    """What a connection needs to know of its wire."""

    def write(self, frame: bytes) -> bool:
        """Write a frame, unless the receiver is slow; return whether that was done."""

    async def drain(self) -> bool:
        """Wait for room; return whether anybody is still there."""

    @property
    def has_more(self) -> bool:
        """Whether the next message has arrived already."""

    async def read(self) -> str | bytes | None:
        """Return the next message; None if there are no more."""

    async def hang_up(self, code: int, reason: str) -> None:
        """Close the connection."""

    def hand_over(self, serve: Callable[[], Awaitable[None]]) -> None:
        """Let the connection be served, once the application has returned."""


class Flag:
    """An event to wait for, like asyncio's, which takes up ten times as much."""

    __slots__ = ("_set", "_waiting")

    def __init__(self, *, up: bool) -> None:
        self._set = up
        self._waiting: tuple[asyncio.Future[None], ...] = ()

    def is_set(self) -> bool:
        """Whether there is nothing to wait for."""
        return self._set

    def set(self) -> None:
        """Let everybody go on."""
        self._set = True
        waiting, self._waiting = self._waiting, ()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def clear(self) -> None:
        """Let everybody wait from now on."""
        self._set = False

    async def wait(self) -> None:
        """Wait until it is set."""
        while not self._set:
            future = asyncio.get_running_loop().create_future()
            self._waiting = (*self._waiting, future)
            await future


class Inbox:
    """Messages that have arrived: few, because no more is read before they are handled."""

    __slots__ = ("_arrived", "_messages")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._arrived = Flag(up=False)

    def empty(self) -> bool:
        """Whether nothing has arrived."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Take a message."""
        self._messages.append(message)
        self._arrived.set()

    async def get(self) -> Any:
        """Return the next message."""
        await self._arrived.wait()
        message = self._messages.pop(0)
        if not self._messages:
            self._arrived.clear()
        return message


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol for sockets, which is served without the application in the end."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.queue = Inbox()  # type: ignore[assignment]
        self.writable = Flag(up=True)  # type: ignore[assignment]
        self._serve: Callable[[], Awaitable[None]] | None = None

    async def run_asgi(self) -> None:
        """Let the application answer the handshake, and then serve the connection."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[EXTENSION] = self
        try:
            await self.app(self.scope, self.receive, self.send)
            if self._serve is not None:
                self._forget_handshake()
                await self._serve()
        except ClientDisconnected:
            pass
        except Exception:
            note_error("socket_failed")
            self.send_500_response()
        finally:
            self._serve = None
            if self.close_timer is None:
                self.transport.close()

    def _forget_handshake(self) -> None:
        # The parser holds the request as well.
        self.request.headers.clear()
        self.response.headers.clear()
        self.client = None
        # A dictionary becomes smaller only by being made anew.
        self.__dict__ = {k: v for k, v in vars(self).items() if k not in OF_HANDSHAKE}

    def hand_over(self, serve: Callable[[], Awaitable[None]]) -> None:
        """Let the connection be served, once the application has returned."""
        self._serve = serve

    def write(self, frame: bytes) -> bool:
        """Write a frame, unless the receiver is slow; return whether that was done."""
        if not self.writable.is_set():
            return False
        if self.handshake_complete and not self.close_sent and not self.disconnected:
            self.transport.write(frame)
        return True

    async def drain(self) -> bool:
        """Wait for room; return whether anybody is still there."""
        await self.writable.wait()
        return not (self.disconnected or self.close_sent)

    def send_receive_event_to_app(self) -> None:
        """Take a message; only if another one waits already, stop reading.

        uvicorn stops after every message and starts again when it is taken, which costs two system
        calls, and people send one message at a time.
        """
        paused, only_one = self.read_paused, self.queue.empty()
        self.read_paused = paused or only_one
        super().send_receive_event_to_app()
        if only_one:
            self.read_paused = paused

    @property
    def has_more(self) -> bool:
        """Whether the next message has arrived already."""
        return not self.queue.empty()

    async def read(self) -> str | bytes | None:
        """Return the next message; None if there are no more."""
        received: Any = await self.receive()
        if received["type"] != "websocket.receive":
            return None
        text: str | None = received.get("text")
        return received.get("bytes") or b"" if text is None else text

    async def hang_up(self, code: int, reason: str) -> None:
        """Close the connection."""
        if await self.drain():
            with suppress(ClientDisconnected):
                await self.send({"type": "websocket.close", "code": code, "reason": reason})
