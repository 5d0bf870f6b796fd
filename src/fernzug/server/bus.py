"""How the processes of a server reach each other; a process alone talks to nobody.

What goes over the bus may be lost: it only tells what the store has, or what nobody keeps. With
the store alone, everything is right, only later. :mod:`fernzug.server.redis_bus` is the bus of many
processes.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Protocol

MAX_REMEMBERED = 2_000


class Listener(Protocol):
    """Who hears what others send."""

    def heard(self, sender: str, message: Any) -> None:
        """Take a message from another process."""

    def reconnected(self) -> None:
        """Make up for what may have been missed."""


class Bus(Protocol):
    """What connects the processes of a server."""

    name: str
    """The name of this process; every process has another, also after a restart."""

    @property
    def connected(self) -> bool:
        """Whether messages arrive at the moment."""

    async def open(self, listener: Listener) -> None:
        """Begin to listen."""

    def send(self, receiver: str | None, message: Any) -> None:
        """Send a message to a process, or to all; it arrives soon, or never."""

    async def lease(self, name: str) -> bool:
        """Whether this process is the one to do something for the next few seconds.

        If nobody knows, every process is.
        """

    def release(self, name: str) -> None:
        """Let another process do it."""

    async def first(self, key: str, value: str) -> str:
        """Return the first value that was given for a key in the last minutes."""

    async def close(self) -> None:
        """Send what is waiting, and stop."""


class LocalBus:
    """The bus of a process that is alone."""

    name = "alone"
    connected = True

    def __init__(self) -> None:
        self._values: OrderedDict[str, str] = OrderedDict()

    async def open(self, listener: Listener) -> None:
        """There is nobody to listen to."""

    def send(self, receiver: str | None, message: Any) -> None:
        """There is nobody to tell."""

    async def lease(self, name: str) -> bool:
        """Return that there is nobody else."""
        return True

    def release(self, name: str) -> None:
        """There is nobody else."""

    async def first(self, key: str, value: str) -> str:
        """Return the first value that was given for a key, if it was among the latest."""
        found = self._values.setdefault(key, value)
        if len(self._values) > MAX_REMEMBERED:
            self._values.popitem(last=False)
        return found

    async def close(self) -> None:
        """There is nothing to send."""
