"""One connection of a browser, with its outbox and its rate limit."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from fernzug.server.limits import Bucket, Limits
from fernzug.server.wire import Wire, text_frame
from fernzug.table.encoding import encode
from fernzug.table.protocol import ErrorCode, Refusal, ServerMessage

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

    As long as the receiver keeps up, messages are written at once and there is no outbox.
    """

    __slots__ = (
        "_close",
        "_limits",
        "_messages",
        "_outbox",
        "_waiting_bytes",
        "_wire",
        "_writing",
        "address",
        "audience",
        "host",
        "since",
        "strikes",
    )

    def __init__(self, wire: Wire, limits: Limits, address: str = "") -> None:
        now = time.monotonic()
        self.address = address
        self.since = now
        self.audience: tuple[int, ...] = ()
        self.host = False
        self.strikes = 0
        self._wire = wire
        self._limits = limits
        self._messages = Bucket(limits.messages, now)
        self._outbox: deque[bytes] | None = None
        self._waiting_bytes = 0
        self._writing: asyncio.Task[None] | None = None
        """Writes what waits, and closes the connection."""
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
        if self._close is not None or (self._outbox is None and self._wire.write(frame)):
            return
        if self._outbox is None:
            self._outbox = deque()
        self._outbox.append(frame)
        self._waiting_bytes += len(frame)
        limits = self._limits
        if len(self._outbox) > limits.outbox_messages or self._waiting_bytes > limits.outbox_bytes:
            self._outbox.clear()
            self.close(TOO_SLOW, "the connection is too slow")
        self._start_writing()

    def tell(self, message: ServerMessage) -> None:
        """Send a message that is only for this connection."""
        self.send(to_frame(message))

    def refuse(
        self, id: str | None, code: ErrorCode, message: str, reply: int | None = None
    ) -> None:
        """Tell the client that something was refused."""
        refusal: Refusal = {"type": "error", "id": id, "code": code, "message": message}
        if reply is not None:
            refusal["reply"] = reply
        self.tell(refusal)

    def close(self, code: int, reason: str) -> None:
        """Close the connection once everything has been sent."""
        if self._close is None:
            self._close = (code, reason)
            self._start_writing()

    async def closed(self) -> None:
        """Wait until everything has been sent and the connection is closed."""
        if self._writing is not None:
            await self._writing

    @property
    def closing(self) -> bool:
        """Whether the connection is closing, so that nothing more is read."""
        return self._close is not None

    def _start_writing(self) -> None:
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Write what is in the outbox, and close the connection if it is to be closed."""
        while self._outbox:
            if not await self._wire.drain():
                # The client is gone; the reader will notice, too.
                self._close = self._close or (1006, "")
                break
            self._write_waiting()
        self._outbox = None
        if self._close is not None:
            await self._wire.hang_up(*self._close)
        self._writing = None

    def _write_waiting(self) -> None:
        """Write what has waited, as long as there is room."""
        while self._outbox and self._wire.write(self._outbox[0]):
            self._waiting_bytes -= len(self._outbox.popleft())

    @property
    def has_more(self) -> bool:
        """Whether the next message has arrived already."""
        return self._wire.has_more

    async def read(self) -> str | bytes | None:
        """Return the next message; None if there are no more."""
        return await self._wire.read()
