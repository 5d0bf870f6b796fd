"""Crews: processes that share the worlds of a search among them.

The processes are forked for each decision and so begin with all that the search knows; only numbers
go to and fro. What comes back does not depend on how many there are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, final

from mypy_extensions import i64

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Work = Callable[[list[int], int, int], list[float]]
"""What there is to do: actions are tried in a number of worlds from a first one on."""


@final
class Crew:
    """Processes that work for one decision at a time; one of them is this one."""

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ValueError(f"there must be a worker, not {workers}")
        self.helpers = workers - 1
        self.lines: list[Connection] = []
        self.work: Work | None = None

    def begin(self, work: Work) -> None:
        """Start the processes of a decision."""
        from multiprocessing import get_all_start_methods, get_context  # rarely needed

        self.end()
        self.work = work
        if "fork" not in get_all_start_methods():
            return  # This process does it all.
        context = get_context("fork")
        for _ in range(self.helpers):
            here, there = context.Pipe()
            # The helper must not keep the lines open that others wait on.
            process = context.Process(
                target=_serve, args=(there, [here, *self.lines], work), daemon=True
            )
            process.start()
            there.close()
            self.lines.append(here)

    def share(self, actions: list[int], first: i64, worlds: i64) -> list[float]:
        """Return what was found in each world, in their order."""
        work = self.work
        assert work is not None
        number = i64(len(self.lines)) + 1
        for i in range(i64(1), number):
            start = worlds * i // number
            with suppress(OSError):
                self.lines[i - 1].send((actions, first + start, worlds * (i + 1) // number - start))
        values = work(actions, first, worlds // number)
        for i in range(i64(1), number):
            start = worlds * i // number
            try:
                values += self.lines[i - 1].recv()
            except (OSError, EOFError):
                # A helper that has died is not missed.
                values += work(actions, first + start, worlds * (i + 1) // number - start)
        return values

    def end(self) -> None:
        """Let the processes end, which they do when nobody is on the line."""
        for line in self.lines:
            line.close()
        self.lines = []
        self.work = None


def _serve(line: Connection, others: list[Connection], work: Work) -> None:
    for other in others:
        other.close()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            actions, first, worlds = line.recv()
            line.send(work(actions, first, worlds))
