"""What the games of a simulation add up to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from fernzug.sim.playing import Part


@dataclass
class Totals:
    """The sums of all columns over the games played so far."""

    columns: Sequence[str]
    games: int = 0
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    lowest: list[int] = field(default_factory=list)
    highest: list[int] = field(default_factory=list)

    def add(self, part: Part) -> None:
        """Add a part."""
        size = len(self.columns)
        sums, squares, lowest, highest = (part.tally[i * size : (i + 1) * size] for i in range(4))
        if self.games == 0:
            self.sums, self.squares, self.lowest, self.highest = sums, squares, lowest, highest
        else:
            self.sums = [a + b for a, b in zip(self.sums, sums, strict=True)]
            self.squares = [a + b for a, b in zip(self.squares, squares, strict=True)]
            self.lowest = [min(pair) for pair in zip(self.lowest, lowest, strict=True)]
            self.highest = [max(pair) for pair in zip(self.highest, highest, strict=True)]
        self.games += part.games

    def mean(self, column: str) -> float:
        """The average of a column."""
        return self.sums[self.columns.index(column)] / self.games

    def deviation(self, column: str) -> float:
        """The standard deviation of a column over the games; 0 for a single game."""
        i = self.columns.index(column)
        n = self.games
        if n < 2:
            return 0.0
        return math.sqrt((n * self.squares[i] - self.sums[i] ** 2) / (n * (n - 1)))

    def range(self, column: str) -> tuple[int, int]:
        """The lowest and the highest value of a column."""
        i = self.columns.index(column)
        return self.lowest[i], self.highest[i]
