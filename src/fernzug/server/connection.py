"""One connection of a browser, with its outbox and its rate limits."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fernzug.server.limits import Bucket
from fernzug.server.settings import Limits
from fernzug.table.protocol import ErrorCode, ServerMessage

NO_HELLO = 4401
NO_TABLE = 4404
TOO_SLOW = 4408
SEAT_FREED = 4409
TOO_FAST = 4429
RESTART = 1012


def to_text(message: object) -> str:
    """Return a message as the text that is sent."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Connection:
    """A socket with an outbox, so that a slow receiver does not delay anybody else."""

    def __init__(self, socket: WebSocket, limits: Limits) -> None:
        now = time.monotonic()
        self.audience: tuple[int, ...] = ()
        self.host = False
        self.strikes = 0
        self._socket = socket
        self._limits = limits
        self._messages = Bucket(limits.messages_per_second, limits.message_burst, now)
        self._talk = Bucket(limits.says_per_second, limits.say_burst, now)
        self._outbox: deque[str] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._close: tuple[int, str] | None = None

    def may_send(self, now: float) -> bool:
        """Whether another message from this connection is within the rate limit."""
        return self._messages.take(now)

    def may_say(self, now: float) -> bool:
        """Whether another line of chat or reaction is within the rate limit."""
        return self._talk.take(now)

    def send(self, text: str) -> None:
        """Put the text of a message into the outbox."""
        if self._close is not None:
            return
        self._outbox.append(text)
        self._waiting_bytes += len(text)
        limits = self._limits
        if len(self._outbox) > limits.outbox_messages or self._waiting_bytes > limits.outbox_bytes:
            self._outbox.clear()
            self.close(TOO_SLOW, "the connection is too slow")
        self._wake.set()

    def tell(self, message: ServerMessage) -> None:
        """Put a message that is only for this connection into the outbox."""
        self.send(to_text(message))

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
                while self._outbox:
                    text = self._outbox.popleft()
                    self._waiting_bytes -= len(text)
                    await socket.send_text(text)
                if self._close is not None:
                    await socket.close(*self._close)
                    return
                self._wake.clear()
                await self._wake.wait()
        except (WebSocketDisconnect, RuntimeError, OSError):
            # The client is gone; the reader will notice, too.
            self._close = self._close or (1006, "")

    async def read(self) -> str | bytes | None:
        """Return the next message; None if there are no more."""
        if self._socket.client_state != WebSocketState.CONNECTED:
            return None
        received = await self._socket.receive()
        if received["type"] != "websocket.receive":
            return None
        text: str | None = received.get("text")
        return received.get("bytes") or b"" if text is None else text
