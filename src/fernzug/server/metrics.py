"""Metrics of the running server, in the text format that monitoring programs read."""

from __future__ import annotations

import os
import sys
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HELP = {
    "bot_decision": "Time until a bot has decided, waiting included.",
    "bot_failures": "Bots that failed or took too long, by level.",
    "bot_hurries": "Decisions for which a bot had less than its usual time, by level.",
    "bot_moves": "Times that a bot was moved to an idle process.",
    "bot_questions": "Decisions of bots that are awaited.",
    "bot_wait": "Time until a process was free for a bot.",
    "bus_lost": "Messages for the other processes that did not reach the bus.",
    "build_info": "The version of the server.",
    "changes": "Changes of tables, by kind.",
    "commit": "Time until the store has answered.",
    "commits": "Transactions of the store.",
    "conflicts": "Changes that another process had written first.",
    "connections": "Open connections of all kinds.",
    "cut": "Connections that were cut, by reason.",
    "deliveries": "Messages about changes sent to sockets.",
    "faults": "Errors of the server itself.",
    "hints": "Time until a hint was found.",
    "message": "Time to handle a message of a browser.",
    "messages": "Messages of browsers that were accepted, by type.",
    "peers": "Other processes that serve the same tables.",
    "refusals": "Requests and messages that were refused, by code.",
    "review_wait": "Time until a process was free for a step of a review.",
    "sockets": "Open sockets.",
    "storage_errors": "Reads and writes that the store could not do.",
    "tables": "Tables in memory.",
    "tables_made": "Tables that were created, by board.",
    "turned_away": "Connections and requests turned away before they were understood, by status.",
}
"""What each metric tells; the process's own metrics have their usual names."""
UPPER_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of the buckets for durations, in seconds."""


class Durations:
    """A histogram of durations."""

    def __init__(self) -> None:
        self.counts = [0] * (len(UPPER_BOUNDS) + 1)
        """How many durations are in each bucket, without those in the buckets before it."""
        self.number = 0
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Add one duration."""
        self.number += 1
        self.total += seconds
        self.counts[bisect_left(UPPER_BOUNDS, seconds)] += 1


class Metrics:
    """All metrics of one server."""

    def __init__(self) -> None:
        self.counters: Counter[tuple[str, str]] = Counter()
        self.durations: defaultdict[str, Durations] = defaultdict(Durations)
        self.gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, label: str = "", number: int = 1) -> None:
        """Count something; ``label`` distinguishes its kinds."""
        self.counters[name, label] += number

    def time(self, name: str, seconds: float) -> None:
        """Add a duration."""
        self.durations[name].add(seconds)

    def text(self) -> str:
        """Return all metrics as text."""
        lines = [
            *_head("build_info", "", "gauge"),
            f'fernzug_build_info{{version="{_version()}"}} 1',
        ]
        for name, gauge in sorted(self.gauges.items()):
            lines += [*_head(name, "", "gauge"), f"fernzug_{name} {gauge():g}"]
        named = None
        for (name, label), number in sorted(self.counters.items()):
            if name != named:
                lines += _head(name, "_total", "counter")
                named = name
            kind = f'{{kind="{_escaped(label)}"}}' if label else ""
            lines.append(f"fernzug_{name}_total{kind} {number}")
        for name, durations in sorted(self.durations.items()):
            lines += _head(name, "_seconds", "histogram")
            lines += _histogram(f"fernzug_{name}_seconds", durations)
        return "\n".join([*lines, *_process()]) + "\n"


def _head(name: str, ending: str, kind: str) -> list[str]:
    full = f"fernzug_{name}{ending}"
    told = [f"# HELP {full} {HELP[name]}"] if name in HELP else []
    return [*told, f"# TYPE {full} {kind}"]


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _version() -> str:
    from fernzug import __version__

    return __version__


STARTED = time.time()


def _process() -> Iterator[str]:
    """Yield what every program tells of itself, under the usual names."""
    yield "# TYPE process_cpu_seconds_total counter"
    yield f"process_cpu_seconds_total {time.process_time():.2f}"
    yield "# TYPE process_start_time_seconds gauge"
    yield f"process_start_time_seconds {STARTED:.2f}"
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        yield "# TYPE process_resident_memory_bytes gauge"
        yield f"process_resident_memory_bytes {pages * os.sysconf('SC_PAGE_SIZE')}"
        yield "# TYPE process_open_fds gauge"
        yield f"process_open_fds {sum(1 for _ in Path('/proc/self/fd').iterdir())}"


def _histogram(name: str, durations: Durations) -> list[str]:
    lines: list[str] = []
    bounds = [*(f"{bound:g}" for bound in UPPER_BOUNDS), "+Inf"]
    for bound, number in zip(bounds, accumulate(durations.counts), strict=True):
        lines.append(f'{name}_bucket{{le="{bound}"}} {number}')
    return [*lines, f"{name}_sum {durations.total:.6f}", f"{name}_count {durations.number}"]
