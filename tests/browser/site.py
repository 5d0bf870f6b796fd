"""A server of its own for browser tests, which can be killed and started again."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from paths import ROOT

# The benchmarks start servers as these tests do.
sys.path.append(str(ROOT / "benchmarks"))

from serving import Server

# No other test uses this address, so the server finds its port free there.
NETWORK = "127.0.0.3"


class Site:
    """``fernzug serve`` in a process of its own, with its data in a folder."""

    def __init__(self, data: Path, *options: str, pace: float = 0.0) -> None:
        self.data = data
        self.pace = pace
        self._options = options
        self.url = ""
        self.port = 0
        self._server: Server | None = None

    def start(self) -> None:
        """Start the server, where it was before, and wait until it answers."""
        # Nothing leaves this machine: another address of its own stands for the network's.
        usual = ("--bot-pace", str(self.pace), "--bot-workers", "1", "--network", NETWORK)
        limits = ("--per-address", "500", "--rate", "1000000")
        self._server = Server(self.data, *usual, *limits, *self._options, port=self.port)
        self.port = self._server.port
        self.url = f"http://127.0.0.1:{self.port}/"

    def post(self, path: str, body: object) -> Any:
        """Send a request that a page would send; return its answer."""
        assert self._server is not None
        return self._server.post(path, body)

    def kill(self) -> None:
        """End the server without any warning, as a power cut would."""
        if self._server is not None:
            self._server.kill()

    def stop(self) -> None:
        """Ask the server to stop."""
        if self._server is not None:
            self._server.stop()

    def __enter__(self) -> Site:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
