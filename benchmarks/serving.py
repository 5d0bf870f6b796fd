"""Start a server and send it requests; shared by the benchmarks and some tests."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

START_SECONDS = 60


class Door:
    """Where a server is reached: all that its visitors have to know, also in other processes."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str) -> Any:
        """Return the JSON or text at a path."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: object) -> Any:
        """Post a JSON body and return the answer."""
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, {"content-type": "application/json"})
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {text}")
        is_json = "json" in response.headers.get("content-type", "")
        return json.loads(text) if is_json else text

    def socket_url(self, table: str) -> str:
        """Return the address of a table's socket."""
        return f"ws://127.0.0.1:{self.port}/ws?table={table}"


class Server(Door):
    """A server process on the loopback interface, on any free port unless one is given."""

    def __init__(
        self,
        data: Path,
        *options: str,
        port: int = 0,
        cores: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
        program: Sequence[str] = (),
    ) -> None:
        command = [
            *(sys.executable, *(program or ("-m", "fernzug.cli")), "serve", "--port", str(port)),
            *("--data", str(data), "--log", "warning", *options),
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
        )
        if cores:
            os.sched_setaffinity(self.process.pid, cores)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if "http://" not in line:
            raise RuntimeError(f"the server did not start: {line!r}")
        super().__init__(int(line.split("http://")[1].split("/")[0].rpartition(":")[2]))
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self.get("/healthz")
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("the server does not answer")

    def memory(self) -> int:
        """Return the resident memory of the server and its bots' processes, in bytes."""
        return sum(_resident(pid) for pid in [self.process.pid, *_children(self.process.pid)])

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server process itself."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """Kill the server without warning."""
        if self.process.poll() is None:
            self.process.kill()
            self._gone()

    def stop(self) -> int:
        """Ask the server to stop, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        code = self.process.wait(START_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def _resident(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def busy_seconds() -> float:
    """Return the CPU time of all cores together since the machine was started."""
    user, nice, system, _, _, irq, softirq, *_ = (
        int(word) for word in Path("/proc/stat").read_text().split()[1:11]
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def people(number: int) -> list[dict[str, str]]:
    """Return the seats of a table for that many people at one screen."""
    return [{"kind": "here", "name": f"Player {seat + 1}"} for seat in range(number)]
