"""Security headers, and the check of where a request comes from."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

HOST = re.compile(r"([A-Za-z0-9._\-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
"""A name or an address, with or without a port."""
ORIGIN = re.compile(r"https?://([^/?#@\s]+)")

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Links contain ids and codes of tables, which are no other site's business.
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def policy(host: str) -> str:
    """Return the content security policy: own files only, and no inline scripts."""
    # Older browsers do not count a WebSocket to the same host as 'self'.
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            # Drawings position their parts with style attributes, which cannot run code.
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "media-src 'self'",
            "manifest-src 'self'",
            f"connect-src 'self'{sockets}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


def name_of(host: str) -> str | None:
    """Return the name or address in a ``Host`` header, without its port; None if it is neither."""
    found = HOST.fullmatch(host)
    return found[1].lower().rstrip(".") if found else None


def is_address(name: str) -> bool:
    """Whether this is an address, and no name that somebody could make lead here."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class Security:
    """Middleware that checks hosts and origins, and adds security headers."""

    def __init__(
        self, app: ASGIApp, origins: Iterable[str] = (), host_names: Iterable[str] = ()
    ) -> None:
        self._app = app
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        found = (ORIGIN.fullmatch(origin) for origin in self._origins)
        public = {name_of(origin[1]) for origin in found if origin}
        self._public = frozenset(name.lower().rstrip(".") for name in host_names)
        machine = socket.gethostname().lower()
        self._names = self._public | public | {"localhost", machine, f"{machine}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the origin of a request, and add the headers to its response."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        fault = self._host_fault(headers)
        if fault is not None:
            await _refuse(*fault, scope, receive, send)
            return
        if not self._from_here(scope, headers):
            await _turn_away(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                answer.setdefault("content-security-policy", policy(headers.get("host", "")))
            await send(message)

        await self._app(scope, receive, send_safely)

    def _host_fault(self, headers: Headers) -> tuple[int, str] | None:
        """Return why a request was not sent to this server, if it was not.

        A page of another site can make its own name lead to this machine, and would then count as
        one of ours. It cannot do that with an address, or with a name that is not its own.
        """
        hosts = headers.getlist("host")
        name = name_of(hosts[0]) if len(hosts) == 1 else None
        if name is None:
            return 400, "the Host header is missing or malformed"
        if name in self._names or name.endswith(".localhost") or is_address(name):
            return None
        return 421, (
            f"This server does not answer to the name {name}. "
            f"If it should, start it with --host-name {name}"
        )

    def _from_here(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request that can change something comes from a page of this server.

        Browsers always send the origin of such a request. A client that sends none is not a
        browser, and has no tokens that another page could misuse.
        """
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return True
        origin = headers.get("origin")
        if origin is None:
            return True
        if origin.lower() in self._origins:
            return True
        found = ORIGIN.fullmatch(origin.lower())
        if found is None:
            return False
        return found[1] == headers["host"].lower() or name_of(found[1]) in self._public


async def _refuse(status: int, words: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer in words: whoever reads them has no page of ours."""
    response = PlainTextResponse(words + "\n", status)
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).send_denial_response(response)
        return
    await response(scope, receive, send)


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "origin"})
        return
    problem = {"code": "origin", "message": "this page does not belong to this server"}
    await JSONResponse(problem, 403)(scope, receive, send)
