"""Intervals from a bootstrap over blocks.

It is the Bayesian bootstrap: in each of many rounds, every block gets a random weight from an
exponential distribution with mean 1, and the figures are recomputed from the weighted sums. That is
smoother than drawing blocks with replacement, and a bot that has won or lost everything still gets
an honest interval: see :func:`pseudo_blocks`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from operator import mul

ROUNDS = 1000
LEVEL = 0.95

Interval = tuple[float, float]
Draw = Callable[[], float]


def pseudo_blocks(dice: random.Random | None) -> Draw:
    """Return a function that draws the weight of half an imaginary block.

    Half a block won and half a block lost are added to anything counted in wins. For independent
    games this gives the Jeffreys interval. Without dice the weight is its mean.
    """
    if dice is None:
        return lambda: 0.5
    return lambda: dice.gammavariate(0.5, 1.0)


def rounds(
    columns: Sequence[Sequence[float]], seed: int = 0, number: int = ROUNDS
) -> Iterator[tuple[list[float], Draw]]:
    """Yield the weighted sums of the columns, which have a number per block, for each round."""
    dice = random.Random(seed)
    blocks = len(columns[0]) if columns else 0
    for _ in range(number):
        weights = [dice.expovariate(1.0) for _ in range(blocks)]
        yield [sum(map(mul, weights, column)) for column in columns], pseudo_blocks(dice)


def interval(values: Sequence[float], estimate: float, level: float = LEVEL) -> Interval:
    """Return the central part of the values, widened to include the estimate; NaN if empty."""
    good = sorted(value for value in values if math.isfinite(value))
    if not good:
        return math.nan, math.nan
    tail = (1.0 - level) / 2.0
    return min(quantile(good, tail), estimate), max(quantile(good, 1.0 - tail), estimate)


def quantile(ordered: Sequence[float], part: float) -> float:
    """Return a quantile of sorted values."""
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
