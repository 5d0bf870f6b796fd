"""A small progress bar on standard error."""

from __future__ import annotations

import math
import shutil
import sys
import time
from typing import TextIO

from fernzug.terminal.style import can_move


class Progress:
    """Shows what is done and the time left, if standard error is a terminal."""

    def __init__(self, total: int, stream: TextIO | None = None, noun: str = "games") -> None:
        self.total = total
        self.noun = noun
        self.stream = sys.stderr if stream is None else stream
        self.watched = can_move(self.stream)
        self.started = time.monotonic()
        self._shown = 0.0

    @property
    def seconds(self) -> float:
        """The time since the start."""
        return time.monotonic() - self.started

    def show(self, done: int) -> None:
        """Redraw the bar, but no more often than the eye can follow."""
        now = time.monotonic()
        if not self.watched or (now - self._shown < 0.1 and done < self.total):
            return
        self._shown = now
        self.stream.write("\r" + self.line(done, self.seconds) + "\x1b[K")
        self.stream.flush()

    def line(self, done: int, seconds: float) -> str:
        """Return the bar as text."""
        rate = done / seconds if seconds > 0 else 0.0
        left = duration((self.total - done) / rate) if rate > 0 else "?"
        text = f" {done:,} of {self.total:,} {self.noun}  {rate:,.0f}/s  {left} left"
        room = shutil.get_terminal_size().columns - len(text) - 3
        size = max(min(room, 40), 0)
        full = size * done // self.total
        return f"[{'#' * full}{'.' * (size - full)}]{text}"

    def clear(self) -> None:
        """Remove the bar."""
        if self.watched:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def duration(seconds: float) -> str:
    """Return a time in words."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
