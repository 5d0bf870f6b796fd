"""Security headers, and the check of where a request comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = re.compile(r"[A-Za-z0-9.\-:\[\]]{1,255}")

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


class Security:
    """Middleware that checks origins and adds security headers."""

    def __init__(self, app: ASGIApp, origins: Iterable[str] = ()) -> None:
        self._app = app
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the origin of a request, and add the headers to its response."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
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
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": "origin"})
        return
    problem = {"code": "origin", "message": "this page does not belong to this server"}
    await JSONResponse(problem, 403)(scope, receive, send)
