"""Files that bots need: classes in Python files, and what a parameter called ``file`` names.

A name can say which version of a file it means, by the first eight digits of the file's hash:
``mybot.py:Longest@1f0c33a9`` or ``policy:file=agent.npz@5be5f1d0``. The arena always does, so that
a bot and an improved version of it are two bots. A cluster sends the files along.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

VERSION = r"@(?P<version>[0-9a-f]{8})"
"""How a name says a version."""

_PINNED = re.compile(rf"(?P<file>.+){VERSION}")

_sent: dict[str, bytes] = {}
"""Files that another machine has sent along, by path."""


def read(file: str) -> bytes:
    """Return what is in a file, wherever it comes from; ``ValueError`` if it cannot be read."""
    if file in _sent:
        return _sent[file]
    try:
        return Path(file).expanduser().read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the bot's file '{file}': {error.strerror}") from None


def version(text: bytes) -> str:
    """Return the version of a file with this content."""
    return hashlib.sha256(text).hexdigest()[:8]


def version_of(file: str) -> str:
    """Return the version that a file has now."""
    if file in _sent:
        return version(_sent[file])
    try:
        found = Path(file).expanduser().stat()
    except OSError:
        return version(read(file))  # which says what is wrong
    return _version_at(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)
def _version_at(file: str, changed: int, size: int) -> str:
    """Return the version of a file that was last changed then: bots are made for every game."""
    return version(read(file))


def expect(file: str, wanted: str) -> None:
    """Raise ``ValueError`` if a file has another version by now."""
    now = version_of(file)
    if now != wanted:
        raise ValueError(f"'{file}' is not the file it was: its version is {now}, not {wanted}")


def pinned(name: str) -> str:
    """Return the name of a file with its version."""
    return name if _PINNED.fullmatch(name) else f"{name}@{version_of(name)}"


def unpinned(name: str) -> str:
    """Return the name of a file without its version, which must be the one it has now."""
    match = _PINNED.fullmatch(name)
    if match is None:
        return name
    expect(match["file"], match["version"])
    return match["file"]


def sent(file: str) -> bool:
    """Whether another machine has sent a file along."""
    return file in _sent


def provide(files: Mapping[str, bytes]) -> None:
    """Use these files, whatever is on this machine's disk."""
    _sent.update(files)
