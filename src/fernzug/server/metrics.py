"""Metrics of the running server, in the text format that monitoring programs read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

UPPER_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of the buckets for durations, in seconds."""


class Durations:
    """A histogram of durations."""

    def __init__(self) -> None:
        self.counts = [0] * len(UPPER_BOUNDS)
        self.number = 0
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Add one duration."""
        self.number += 1
        self.total += seconds
        for place, bound in enumerate(UPPER_BOUNDS):
            if seconds <= bound:
                self.counts[place] += 1


class Metrics:
    """All metrics of one server."""

    def __init__(self) -> None:
        self.counters: Counter[tuple[str, str]] = Counter()
        self.durations: dict[str, Durations] = {}
        self.gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, label: str = "", number: int = 1) -> None:
        """Count something; ``label`` distinguishes its kinds."""
        self.counters[name, label] += number

    def time(self, name: str, seconds: float) -> None:
        """Add a duration."""
        self.durations.setdefault(name, Durations()).add(seconds)

    def text(self) -> str:
        """Return all metrics as text."""
        lines = []
        for name, gauge in sorted(self.gauges.items()):
            lines += [f"# TYPE fernzug_{name} gauge", f"fernzug_{name} {gauge():g}"]
        named = None
        for (name, label), number in sorted(self.counters.items()):
            if name != named:
                lines.append(f"# TYPE fernzug_{name}_total counter")
                named = name
            kind = f'{{kind="{label}"}}' if label else ""
            lines.append(f"fernzug_{name}_total{kind} {number}")
        for name, durations in sorted(self.durations.items()):
            lines += _histogram(f"fernzug_{name}_seconds", durations)
        return "\n".join(lines) + "\n"


def _histogram(name: str, durations: Durations) -> list[str]:
    lines = [f"# TYPE {name} histogram"]
    for bound, number in zip(UPPER_BOUNDS, durations.counts, strict=True):
        lines.append(f'{name}_bucket{{le="{bound:g}"}} {number}')
    lines.append(f'{name}_bucket{{le="+Inf"}} {durations.number}')
    return [*lines, f"{name}_sum {durations.total:.6f}", f"{name}_count {durations.number}"]
