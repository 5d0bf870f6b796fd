"""Who can reach the server: this machine only or, if somebody on it says so, its network too."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request

from fernzug.server.gate import Gate
from fernzug.server.limits import is_this_machine
from fernzug.server.lobby_protocol import NetworkState
from fernzug.server.log import note
from fernzug.server.settings import Settings
from fernzug.table import Refused

AUTO = "auto"
OFF = "off"
PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers by which a proxy says that it is asking for somebody else."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address kept for documentation, so that it is in nobody's own network."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket to listen on, or fail with a message."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OverflowError:
        raise OSError(f"{port} is not a port") from None


def url_of(host: str, port: int) -> str:
    """Return the address of a page on a host, as it is typed into a browser."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def server_config(
    app: Starlette, settings: Settings, *, lifespan: Literal["on", "off"] = "on"
) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    gate: Gate = app.state.gate
    return uvicorn.Config(
        app,
        http=gate.http_protocol(),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.proxy is not None,
        forwarded_allow_ips=settings.proxy,
        lifespan=lifespan,
        ws_max_size=settings.limits.message_bytes,
        # Small messages gain little, and every connection would keep a window in memory.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
    )


def own_address() -> str | None:
    """Return this machine's address in its network; None if it is in none.

    Connecting a datagram socket only asks the routing table; nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if is_this_machine(found) else found


def is_private(address: str) -> bool:
    """Whether an address is in a private network, as at home, and not open to the Internet."""
    parsed = ipaddress.ip_address(address)
    return parsed.is_private and not (parsed.is_link_local or parsed.is_unspecified)


def passed_on(connection: HTTPConnection) -> bool:
    """Whether a proxy asks for somebody else."""
    return any(name in connection.headers for name in PROXY_HEADERS)


class Network:
    """Lets other machines in, and shuts them out again.

    A server that listens on the loopback interface gets a second listener, on the machine's address
    in its own network, while the switch is on. Only a page that this machine has loaded from the
    server itself can turn it on.
    """

    def __init__(self, host: str, port: int, settings: Settings) -> None:
        self._host = host
        self._port = port
        self._settings = settings
        only_here = is_this_machine(host)
        self._has_switch = only_here and settings.network != OFF and settings.proxy is None
        self._names = {f"{name}:{port}" for name in ("localhost", "127.0.0.1", "[::1]", host)}
        if port == 80:
            self._names |= {name.removesuffix(":80") for name in self._names}
        self._app: Starlette | None = None
        self._listener: _Listener | None = None
        self._url: str | None = None if only_here else self._address_for_others()
        self._changing = asyncio.Lock()

    def serve(self, app: Starlette) -> None:
        """Say what the second listener serves."""
        self._app = app

    def state(self, request: Request) -> NetworkState:
        """Return who can reach this server, as far as it concerns the page that asks."""
        if passed_on(request) or request.headers.get("host", "").lower() not in self._addresses():
            # The page came by a way that we do not know, such as a proxy; others can take it too.
            return {"open": True, "url": None, "switch": False}
        switch = self._comes_from_here(request)
        return {"open": self._url is not None, "url": self._url, "switch": switch}

    async def set_open(self, request: Request, open: bool) -> NetworkState:
        """Let others in or shut them out, if the request comes from a page on this machine."""
        if not self._is_own_page(request):
            raise Refused("origin", "only a page on the server's own machine can do this")
        async with self._changing:
            if open and self._listener is None:
                await self._open()
            elif not open:
                await self._close()
        return self.state(request)

    async def close(self) -> None:
        """Shut everybody out who came through the second listener."""
        async with self._changing:
            await self._close()

    # ------------------------------------------------------------------------ the second listener

    async def _open(self) -> None:
        assert self._app is not None
        wanted = self._settings.network
        address = own_address() if wanted == AUTO else wanted
        if address is None or (wanted == AUTO and not is_private(address)):
            # On an address that the whole Internet can reach, a click is not enough.
            raise Refused("no_network", "this machine is in no private network")
        try:
            bound = listen(address, self._port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise Refused("no_network", f"cannot listen on {address}: {reason}") from None
        self._listener = await _Listener.start(self._app, self._settings, bound)
        self._url = url_of(address, self._port)
        note("network_open", logging.WARNING, url=self._url)

    async def _close(self) -> None:
        if self._listener is None:
            return
        listener, self._listener, self._url = self._listener, None, None
        await listener.stop()
        note("network_closed", logging.WARNING)

    # ------------------------------------------------------------------------ who asks

    def _address_for_others(self) -> str | None:
        """Return the address of a server that listens for others from the start."""
        wanted = self._settings.network
        address: str | None = wanted
        if wanted in (AUTO, OFF):
            unspecified = self._host in ("0.0.0.0", "::")
            address = own_address() if unspecified else self._host
        return None if address is None else url_of(address, self._port)

    def _addresses(self) -> set[str]:
        """The names under which browsers can have loaded a page, if nothing is in between."""
        known = {self._url.split("/")[2]} if self._url else set()
        return self._names | known

    def _comes_from_here(self, request: Request) -> bool:
        """Whether this machine asks through the first listener, by one of its own names.

        Any other name in ``Host`` belongs to somebody who has made it lead to this machine.
        """
        server = request.scope.get("server") or ("", 0)
        return (
            self._has_switch
            and request.client is not None
            and is_this_machine(request.client.host)
            and (server[0], server[1]) == (self._host, self._port)
            and not passed_on(request)
            and request.headers.get("host", "").lower() in self._names
        )

    def _is_own_page(self, request: Request) -> bool:
        """Whether a page of this server asks, on this machine: programs have to say so, too."""
        headers = request.headers
        return (
            self._comes_from_here(request)
            and headers.get("origin", "").lower() == f"http://{headers['host'].lower()}"
            and headers.get("sec-fetch-site", "same-origin") == "same-origin"
        )


class _Server(uvicorn.Server):
    """A server beside the one that handles the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


class _Listener:
    """A second server of the same application, in the same event loop."""

    def __init__(self, server: _Server, task: asyncio.Task[None], bound: socket.socket) -> None:
        self._server = server
        self._task = task
        self._bound = bound

    @classmethod
    async def start(cls, app: Starlette, settings: Settings, bound: socket.socket) -> _Listener:
        """Serve on a socket that is already bound."""
        server = _Server(server_config(app, settings, lifespan="off"))
        task = asyncio.get_running_loop().create_task(server.serve([bound]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if task.done():
            task.result()
        return cls(server, task, bound)

    async def stop(self) -> None:
        """Stop listening, and close the connections that came this way."""
        self._server.should_exit = True
        await self._task
        self._bound.close()
