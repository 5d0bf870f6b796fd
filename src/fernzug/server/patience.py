"""Waiting for a store that is away for a moment, for instance because it is being restarted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from fernzug.server.store import Unreachable

PATIENCE = 15.0
"""Seconds after which waiting is given up."""
PAUSE = 0.1

T = TypeVar("T")


class Patience:
    """How long somebody waits for a store."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._end = time.monotonic() + seconds

    async def wait(self, error: Unreachable) -> None:
        """Wait for a moment, or raise the error if it has lasted too long."""
        if time.monotonic() > self._end:
            raise error
        await asyncio.sleep(PAUSE)


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Do something that may be repeated until the store can be reached."""
    patience = Patience()
    while True:
        try:
            return await work()
        except Unreachable as error:
            await patience.wait(error)
