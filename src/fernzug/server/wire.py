"""The wire to one browser: uvicorn's own, with a way to write a message without waiting.

A move is told to every socket of its table. To hand each message to a task of its connection, and
from there through the layers of the application, would cost more than the move itself. The
messages are the same for many, so each is framed once, and written wherever there is room.
"""

from __future__ import annotations

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

EXTENSION = "fernzug.wire"
"""Where the scope of a connection has its wire."""


def text_frame(data: bytes) -> bytes:
    """Return a text as it is sent over the wire: unmasked, and not compressed."""
    return Frame(Opcode.TEXT, data).serialize(mask=False)


class Wire(Protocol):
    """What a connection needs to know of its wire."""

    def write(self, frame: bytes) -> bool:
        """Write a frame, unless the receiver is slow; return whether that was done."""

    async def drain(self) -> bool:
        """Wait for room; return whether anybody is still there."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol for sockets, which lets its application have the wire."""

    async def run_asgi(self) -> None:
        """Serve the connection."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[EXTENSION] = self
        await super().run_asgi()

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
