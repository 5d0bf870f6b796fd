"""Several servers on one store and one bus, as if each were a process of its own."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from fernzug.server.settings import Settings
from server.live import Browser, LiveServer


class Cluster:
    """Servers that share everything; tests of what happens when processes die use real ones."""

    def __init__(self, settings: Settings, number: int) -> None:
        self._stack = ExitStack()
        with ExitStack() as stack:
            self.servers = [stack.enter_context(LiveServer(settings)) for _ in range(number)]
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def __getitem__(self, number: int) -> LiveServer:
        return self.servers[number]

    def lobby(self, number: int) -> Any:
        """Return the lobby of a server."""
        return self.servers[number].site.lobby


def exchange(*browsers: Browser) -> None:
    """Let all browsers hear everything that any of them has heard."""
    last = max(browser.seq for browser in browsers)
    for browser in browsers:
        while browser.seq < last:
            browser.receive()
