"""A server of its own for browser tests, which can be killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType


def free_port() -> int:
    """Return a port that nobody uses at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """``fernzug serve`` in a process of its own, with its data in a folder."""

    def __init__(self, data: Path, pace: float = 0.0) -> None:
        self.data = data
        self.pace = pace
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = [sys.executable, "-m", "fernzug.cli", "serve", "--port", str(self.port)]
        command += ["--data", str(self.data), "--bot-pace", str(self.pace), "--bot-workers", "1"]
        command += ["--per-address", "500", "--log", "warning"]
        # A process group of its own: bots think in children, which must go with their parent.
        self._process = subprocess.Popen(command, env=os.environ.copy(), start_new_session=True)
        for _ in range(150):
            if self._answers():
                return
            if self._process.poll() is not None:
                raise RuntimeError("the server did not start")
            time.sleep(0.1)
        raise RuntimeError("the server does not answer")

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self.url + "healthz", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """End the server without any warning, as a power cut would."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the server to stop."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        os.killpg(process.pid, number)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=5)

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
