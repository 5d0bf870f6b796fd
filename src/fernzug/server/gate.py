"""The gate: counts what arrives from the network before any request or message is understood.

uvicorn's protocols wait for headers, bodies and readers as long as they like, and handle as many
frames as somebody sends. The two protocols here are uvicorn's with deadlines and counters.
"""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fernzug.server.limits import Addresses, Bucket, Limits, address_of
from fernzug.server.metrics import Metrics
from fernzug.server.wire import SocketProtocol
from fernzug.table import Refused

PIECE = 1_024
"""What arrives is handled in pieces of this size, so that a flood is noticed before it is read."""
SPARE_FILES = 256
"""Open files that are kept for the store, the bots and everything else but connections."""
LINGER_SECONDS = 5.0
"""How long a client has to take the last bytes and hang up; then the connection is cut."""
SPILL = 4
"""How many times the largest body is read before a client that goes on is cut off: it should hear
the refusal first, which it may not read before it has sent everything."""
TOO_FAST = 4429
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def raise_open_files() -> None:
    """Allow this process as many open files as the system lets it have."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):
            # Some systems promise more than they give; the number of connections follows.
            return


def max_connections(limits: Limits) -> int:
    """Return how many connections there can be with the open files that are allowed."""
    if sys.platform == "win32":
        return limits.connections
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return limits.connections
    return max(1, min(limits.connections, soft - SPARE_FILES))


class Gate:
    """Decides which connections come in, and counts them."""

    def __init__(self, limits: Limits, metrics: Metrics, proxy: str | None = None) -> None:
        self.limits = limits
        self.metrics = metrics
        self.addresses = Addresses(limits)
        """The connections to this process; behind a proxy, they say nothing about people."""
        self.max_connections = max_connections(limits)
        self.connections = 0
        self._trusted = _networks(proxy)
        self._trusts_all = proxy == "*"
        metrics.gauges["connections"] = lambda: self.connections

    def address_of(self, host: str | None) -> str | None:
        """Return the address that counts; None for a trusted proxy, which speaks for many."""
        if host is None or self._trusts_all or self._is_trusted(host):
            return None
        return address_of(host)

    def _is_trusted(self, host: str) -> bool:
        if not self._trusted:
            return False
        address = ipaddress.ip_address(host)
        return any(address in network for network in self._trusted)

    @property
    def full(self) -> bool:
        """Whether there is no room for another connection."""
        return self.connections >= self.max_connections

    def enter(self, address: str | None) -> None:
        """Count a connection, or refuse it."""
        if self.full:
            raise Refused("limit", "the server has too many connections")
        if address is not None:
            self.addresses.take("connects", address)
            self.addresses.enter("connections", address)
        self.connections += 1

    def leave(self, address: str | None) -> None:
        """Stop counting a connection."""
        self.connections -= 1
        if address is not None:
            self.addresses.leave("connections", address)

    def request(self, address: str | None) -> None:
        """Count a request, or refuse it."""
        if address is not None:
            self.addresses.take("requests", address)

    def http_protocol(self) -> Any:
        """Return what makes the protocol of a new connection."""
        return partial(HttpProtocol, self)


def _networks(proxy: str | None) -> list[Network]:
    found: list[Network] = []
    for word in (proxy or "").split(","):
        try:
            found.append(ipaddress.ip_network(word.strip()))
        except ValueError:
            # Such as the path of a Unix socket, whose peers have no address.
            continue
    return found


def pieces(data: bytes) -> Iterator[bytes]:
    """Return data in pieces."""
    if len(data) <= PIECE:
        yield data
        return
    for start in range(0, len(data), PIECE):
        yield data[start : start + PIECE]


class Deadline:
    """Cuts a connection that has not got on in time."""

    def __init__(self, protocol: HttpProtocol | GatedWire) -> None:
        self._protocol = protocol
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float) -> None:
        """Replace the deadline."""
        self.clear()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._protocol.expire)

    def clear(self) -> None:
        """Let the connection be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HttpProtocol(HttpToolsProtocol):
    """HTTP with deadlines for headers, bodies and readers, and with limits on their size."""

    def __init__(self, gate: Gate, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._gate = gate
        self._limits = gate.limits
        self._deadline = Deadline(self)
        self._received = 0
        self._in_headers = True
        self._upgraded = False
        self._address: str | None = None
        self._counted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a connection in, or turn it away."""
        super().connection_made(transport)
        self._address = self._gate.address_of(self.client[0] if self.client else None)
        self._deadline.set(self._limits.header_seconds)
        try:
            self._gate.enter(self._address)
        except Refused as refusal:
            status = HTTPStatus.TOO_MANY_REQUESTS
            if self._gate.full:
                status = HTTPStatus.SERVICE_UNAVAILABLE
            self._turn_away(status, refusal.message)
            return
        self._counted = True
        self.ws_protocol_class = partial(  # type: ignore[assignment]
            GatedWire, self._gate, self._address
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self._deadline.clear()
        if self._counted:
            self._counted = False
            self._gate.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle what arrives in pieces, unless it is too much."""
        for piece in pieces(data):
            if self._upgraded or self.transport.is_closing():
                return
            self._received += len(piece)
            if self._in_headers and self._received > self._limits.header_bytes:
                status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                self._turn_away(status, "the headers are too large")
            elif self._received > self._limits.header_bytes + SPILL * self._limits.message_bytes:
                self._cut("spill")
            else:
                super().data_received(piece)

    def on_message_begin(self) -> None:
        """Count a request; nobody may send one more while another one waits."""
        if self.pipeline:
            raise ValueError("no browser sends three requests at once")
        self._received = 0
        self._in_headers = True
        self._deadline.set(self._limits.header_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Wait for the body."""
        self._in_headers = False
        try:
            self._gate.request(self._address)
        except Refused as refusal:
            self._turn_away(HTTPStatus.TOO_MANY_REQUESTS, refusal.message)
            raise
        self._deadline.set(self._limits.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for the answer to be made and read."""
        self._deadline.set(self._limits.answer_seconds)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._deadline.set(self._limits.header_seconds + self.timeout_keep_alive)
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, which counts on."""
        self._upgraded = True
        self._counted = False
        self._deadline.clear()
        super().handle_websocket_upgrade()
        # They hold this protocol as it holds them: without them, it is freed at once.
        del self.parser, self._deadline

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, unless it was answered already."""
        if not self.transport.is_closing():
            self._turn_away(HTTPStatus.BAD_REQUEST, "this is not a valid HTTP request")

    def expire(self) -> None:
        """Cut a connection whose time is up."""
        cycle = self.cycle
        waiting = cycle is None or cycle.response_complete or cycle.more_body
        if waiting and not self.transport.is_closing():
            self._turn_away(HTTPStatus.REQUEST_TIMEOUT, "the request did not arrive in time")
        else:
            self._cut("deadline")

    def _turn_away(self, status: HTTPStatus, words: str) -> None:
        """Answer without asking the application, and hang up."""
        self._gate.metrics.count("turned_away", str(status.value))
        head = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            "content-type: text/plain; charset=utf-8",
            f"content-length: {len(words) + 1}",
            "connection: close",
        ]
        self.transport.write("\r\n".join([*head, "", words + "\n"]).encode())
        self.transport.close()
        self._deadline.set(LINGER_SECONDS)

    def _cut(self, why: str) -> None:
        self._gate.metrics.count("cut", why)
        self.transport.abort()


class GatedWire(SocketProtocol):
    """A WebSocket that counts frames, and cuts off those who do not read."""

    def __init__(self, gate: Gate, address: str | None, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._gate = gate
        self._address = address
        self._frames = Bucket(gate.limits.frames, self.loop.time())
        self._deadline = Deadline(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self._deadline.clear()
        self._gate.leave(self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle what arrives in pieces, until it is too much."""
        if not self.handshake_initiated:
            self._shake_hands(data)
            return
        for piece in pieces(data):
            if self.transport.is_closing():
                return
            super().data_received(piece)

    def _shake_hands(self, data: bytes) -> None:
        """Handle the request, which the HTTP protocol has put together again."""
        self.conn.receive_data(data)
        try:
            self.handle_events()
        except ValueError:
            # Such as a path that is not ASCII.
            self.handshake_initiated = False
        if not self.handshake_initiated:
            self._gate.metrics.count("turned_away", "400")
            self.handshake_complete = True
            refusal = b"".join(self.conn.data_to_send())
            self.transport.write(refusal or BAD_REQUEST)
            self.transport.close()
            self._deadline.set(LINGER_SECONDS)

    def handle_events(self) -> None:
        """Handle frames, as long as there are not too many."""
        if not self._frames.take(self.loop.time(), len(self.conn.events)):
            self._gate.metrics.count("cut", "frames")
            self.conn.fail(TOO_FAST, "too many frames")
            self._hang_up()
            return
        super().handle_events()

    def handle_ping(self) -> None:
        """Answer a ping, unless nobody reads the answers."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > self._gate.limits.unread_bytes:
            self._gate.metrics.count("cut", "unread")
            self.transport.abort()
            return
        super().handle_ping()

    def keepalive_timeout(self) -> None:
        """Cut off somebody who has not answered a ping: they read nothing, not even a farewell."""
        super().keepalive_timeout()
        self._deadline.set(LINGER_SECONDS)

    async def run_asgi(self) -> None:
        """Serve the connection; whoever then does not hang up is cut off."""
        await super().run_asgi()
        if not self.disconnected:
            self._deadline.set(self.close_timeout + LINGER_SECONDS)

    def expire(self) -> None:
        """Cut a connection whose time is up."""
        self._gate.metrics.count("cut", "deadline")
        self.transport.abort()

    def _hang_up(self) -> None:
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self._deadline.set(LINGER_SECONDS)
