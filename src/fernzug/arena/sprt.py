"""Decide a comparison early: a sequential probability ratio test on blocks.

The question is what share of its games a bot wins: at most ``low`` (H0) or at least ``high`` (H1).
The scores of the blocks, each the share won in one block, are taken as numbers with an unknown mean
and the variance that they show (the generalised test used for chess engines), so paired games need
no model of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

MIN_BLOCKS = 16
"""The first block after which a decision is possible; before that, the variance is unknown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the test has decided, and after how many blocks."""

    accepted: str
    """``H0`` or ``H1``."""
    blocks: int
    ratio: float
    """The logarithm of the likelihood ratio at that moment."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of two shares; ``error`` bounds the chance of either wrong decision."""

    low: float
    high: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0.0 <= self.low < self.high <= 1.0:
            raise ValueError(
                f"{self.low:g}:{self.high:g} must be two shares from 0 to 1, the lower one first"
            )
        if not 0.0 < self.error < 0.5:
            raise ValueError(f"an error of {self.error:g} is not between 0 and 0.5")

    @property
    def bound(self) -> float:
        """The absolute value of the log likelihood ratio at which the test ends."""
        return math.log((1.0 - self.error) / self.error)

    def ratio(self, blocks: int, total: float, squares: float) -> float:
        """Return the log likelihood ratio from the number, the sum and the squares of scores."""
        # One block lost and one block won are added to the variance, so that a run of equal scores
        # is not taken for certainty. In simulations of paired games this, together with the minimum
        # number of blocks, keeps wrong decisions at 0 to 6.5 % where 5 % is the target.
        number = blocks + 2.0
        mean = (total + 1.0) / number
        variance = (squares + 1.0) / number - mean * mean
        return (self.high - self.low) * (total - blocks * (self.low + self.high) / 2) / variance

    def decide(self, scores: Iterable[float]) -> Verdict | None:
        """Return the decision that the scores, taken in order, lead to, if any."""
        watch = Watch(self)
        for score in scores:
            watch.add(score)
        return watch.verdict


class Watch:
    """A test in progress."""

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.blocks = 0
        self.ratio = 0.0
        self.verdict: Verdict | None = None
        self._total = 0.0
        self._squares = 0.0

    def add(self, score: float) -> None:
        """Add the next block; a decision, once made, is final."""
        if self.verdict is not None:
            return
        self.blocks += 1
        self._total += score
        self._squares += score * score
        self.ratio = self.test.ratio(self.blocks, self._total, self._squares)
        if self.blocks >= MIN_BLOCKS and abs(self.ratio) >= self.test.bound:
            accepted = "H1" if self.ratio > 0 else "H0"
            self.verdict = Verdict(accepted, self.blocks, self.ratio)
