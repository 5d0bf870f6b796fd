"""A program that answers lines with lines, and can block us neither by silence nor by noise."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from typing import IO, Any

from fernzug.bots.guard import BotError

MAX_LINE = 1 << 20
MAX_UNREAD = 1000
MAX_STDERR = 2000
"""How many characters of standard error are kept."""

EXIT_CODE_TIMEOUT = 1.0
"""Seconds to wait for the exit code after the end of a program's output."""

_running: set[Program] = set()


class Program:
    """A running program with its standard input, output and error.

    Separate threads read and write, so a program that does neither blocks nobody. It has its own
    process group, so everything it has started is killed with it.
    """

    def __init__(self, arguments: list[str]) -> None:
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name == "posix",
        )
        _running.add(self)
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=MAX_STDERR)
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._write, self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------------------ asking

    def ask(self, request: dict[str, Any], seconds: float) -> bytes:
        """Send a request and return the answer; :class:`BotError` if there is none in time."""
        if not self._lines.empty():
            line = self._lines.get()
            if line is None:
                raise self._ended()
            shown = line[:200].decode("utf-8", "replace").strip()
            raise BotError("nonsense", f"it wrote a line without being asked: {shown!r}")
        self.send(request)
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise BotError("timeout", f"no answer within {seconds:g} seconds") from None
        if line is None:
            raise self._ended()
        return line

    def send(self, request: dict[str, Any]) -> None:
        """Send a line without waiting for anything."""
        self._requests.put(json.dumps(request, separators=(",", ":")).encode() + b"\n")

    def errors(self) -> str:
        """Return the end of the program's standard error."""
        return "".join(self._errors).strip()

    def _ended(self) -> BotError:
        try:
            code = self._process.wait(EXIT_CODE_TIMEOUT)
        except subprocess.TimeoutExpired:
            return BotError("crash", "the program has closed its standard output")
        if code < 0:
            return BotError("crash", f"the program was killed by signal {-code}")
        return BotError("crash", f"the program exited with exit code {code}")

    # ------------------------------------------------------------------------ ending

    def close(self, patience: float) -> None:
        """Stop the program and everything it has started, after a chance to exit by itself."""
        if self not in _running:
            return
        self._requests.put(None)
        if patience > 0.0:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        self.kill()
        _running.discard(self)
        self._process.wait()
        deadline = time.monotonic() + 1.0
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        for thread, pipe in zip(self._threads, pipes, strict=True):
            # If another process still holds the pipe open, leave it to its thread.
            thread.join(max(deadline - time.monotonic(), 0.0))
            if pipe is not None and not thread.is_alive():
                with contextlib.suppress(OSError):
                    pipe.close()

    def kill(self) -> None:
        """Kill the program's whole process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    # ------------------------------------------------------------------------ threads

    def _write(self) -> None:
        pipe = _open(self._process.stdin)
        with contextlib.suppress(OSError, ValueError):
            while (line := self._requests.get()) is not None:
                pipe.write(line)
                pipe.flush()
            pipe.close()

    def _read(self) -> None:
        pipe = _open(self._process.stdout)
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline(MAX_LINE):
                self._lines.put(line)
                # Unasked lines are an error anyway; a flood of them must not fill the memory.
                if self._lines.qsize() > MAX_UNREAD:
                    return
        self._lines.put(None)

    def _read_errors(self) -> None:
        pipe = _open(self._process.stderr)
        with contextlib.suppress(OSError, ValueError):
            while piece := pipe.readline(MAX_STDERR):
                self._errors.extend(piece.decode("utf-8", "replace"))


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise AssertionError("all three pipes are open")
    return pipe


@atexit.register
def kill_all() -> None:
    """Kill all programs when the process exits."""
    for program in list(_running):
        program.kill()
