"""The client's files, kept in memory and compressed once."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
PAGE = "index.html"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
COMPRESSED = {"br": ".br", "gzip": ".gz"}
"""Encodings, best first, and the suffix of files that are already compressed."""
WORTH_COMPRESSING = 600


@dataclass(frozen=True, slots=True)
class Content:
    """Something to send, plain and in other encodings."""

    plain: bytes
    encoded: dict[str, bytes]
    kind: str
    tag: str

    def respond(self, request: Request) -> Response:
        """Return the response to a request, as small as the browser can take it."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        accepted = request.headers.get("accept-encoding", "")
        for encoding in COMPRESSED:
            if encoding in self.encoded and encoding in accepted:
                headers["content-encoding"] = encoding
                return Response(self.encoded[encoding], headers=headers, media_type=self.kind)
        return Response(self.plain, headers=headers, media_type=self.kind)


def content(plain: bytes, kind: str, encoded: dict[str, bytes] | None = None) -> Content:
    """Return something to send, compressed if it is not yet and if that is worthwhile."""
    forms = dict(encoded or {})
    if "gzip" not in forms and len(plain) >= WORTH_COMPRESSING and not kind.startswith("font"):
        forms["gzip"] = gzip.compress(plain, 9, mtime=0)
    tag = hashlib.sha256(plain).hexdigest()[:20]
    return Content(plain, forms, kind, f'"{tag}"')


def load(folder: Path = FOLDER) -> dict[str, Content]:
    """Return all files in a folder by path."""
    found: dict[str, Content] = {}
    if not folder.is_dir():
        return found
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix in COMPRESSED.values():
            continue
        encoded = {
            encoding: other.read_bytes()
            for encoding, suffix in COMPRESSED.items()
            if (other := path.with_name(path.name + suffix)).is_file()
        }
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        name = path.relative_to(folder).as_posix()
        found[name] = content(path.read_bytes(), kind or "application/octet-stream", encoded)
    return found
