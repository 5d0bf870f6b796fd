"""Processes of a test: starting one, which others it has started, and whether they have ended."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

needs_list_of_processes = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="needs a list of processes"
)


@contextmanager
def started(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a process group of its own, which is killed at the end."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that are still running."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


def ended(pids: list[int]) -> bool:
    """Whether all of these processes end within twenty seconds."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        states = [Path(f"/proc/{pid}/stat") for pid in pids]
        living = [s for s in states if s.exists() and " Z " not in s.read_text()]
        if not living:
            return True
        time.sleep(0.05)
    return False
