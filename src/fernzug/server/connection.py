"""One connection of a browser, with its outbox and its rate limit."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fernzug.server.limits import Bucket, Limits
from fernzug.server.wire import EXTENSION, Wire, text_frame
from fernzug.table.encoding import encode
from fernzug.table.protocol import ErrorCode, ServerMessage

NO_HELLO = 4401
NO_TABLE = 4404
TOO_SLOW = 4408
SEAT_FREED = 4409
TOO_FAST = 4429
RESTART = 1012


def to_frame(message: object) -> bytes:
    """Return a message as it is sent over the wire."""
    return text_frame(encode(message))


class Connection:
    """A socket with an outbox, so that a slow receiver does not delay anybody else.

    As long as the receiver keeps up, messages are written at once and the outbox stays empty.
    """

    def __init__(self, socket: WebSocket, limits: Limits, address: str = "") -> None:
        now = time.monotonic()
        self.address = address
        self.since = now
        self.audience: tuple[int, ...] = ()
        self.host = False
        self.strikes = 0
        self._socket = socket
        self._wire: Wire = socket.scope["extensions"][EXTENSION]
        self._limits = limits
        self._messages = Bucket(limits.messages, now)
        self._outbox: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._close: tuple[int, str] | None = None

    @property
    def invited(self) -> bool:
        """Whether its people belong to the table, and may know its code."""
        return self.host or bool(self.audience)

    def may_send(self, now: float) -> bool:
        """Whether another message from this connection is within the rate limit."""
        return self._messages.take(now)

    def send(self, frame: bytes) -> None:
        """Write the frame of a message, or put it into the outbox until there is room."""
        if self._close is not None or (not self._outbox and self._wire.write(frame)):
            return
        self._outbox.append(frame)
        self._waiting_bytes += len(frame)
        limits = self._limits
        if len(self._outbox) > limits.outbox_messages or self._waiting_bytes > limits.outbox_bytes:
            self._outbox.clear()
            self.close(TOO_SLOW, "the connection is too slow")
        self._wake.set()

    def tell(self, message: ServerMessage) -> None:
        """Send a message that is only for this connection."""
        self.send(to_frame(message))

    def refuse(self, id: str | None, code: ErrorCode, message: str) -> None:
        """Tell the client that something was refused."""
        self.tell({"type": "error", "id": id, "code": code, "message": message})

    def close(self, code: int, reason: str) -> None:
        """Close the connection once everything has been sent."""
        if self._close is None:
            self._close = (code, reason)
        self._wake.set()

    @property
    def closing(self) -> bool:
        """Whether the connection is closing, so that nothing more is read."""
        return self._close is not None

    async def write(self) -> None:
        """Send whatever is put into the outbox until the connection closes."""
        socket = self._socket
        try:
            while True:
                while self._outbox and await self._wire.drain():
                    self._write_waiting()
                if self._close is not None:
                    await socket.close(*self._close)
                    return
                self._wake.clear()
                await self._wake.wait()
        except (WebSocketDisconnect, RuntimeError, OSError):
            # The client is gone; the reader will notice, too.
            self._close = self._close or (1006, "")

    def _write_waiting(self) -> None:
        """Write what has waited, as long as there is room."""
        while self._outbox and self._wire.write(self._outbox[0]):
            self._waiting_bytes -= len(self._outbox.popleft())

    async def read(self) -> str | bytes | None:
        """Return the next message; None if there are no more."""
        if self._socket.client_state != WebSocketState.CONNECTED:
            return None
        received = await self._socket.receive()
        if received["type"] != "websocket.receive":
            return None
        text: str | None = received.get("text")
        return received.get("bytes") or b"" if text is None else text
