"""Intervals from a bootstrap over blocks.

It is the Bayesian bootstrap: in each of many rounds every block gets a random weight, with the mean
1 and exponentially distributed, and the figures are computed anew from the weighted sums. That is
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
    """Return what draws the weight of half a block that nobody has played.

    Half a block won and half a block lost are added to what is counted in wins. For games that
    are independent the interval is then that of Jeffreys. Without dice the weight is its mean.
    """
    if dice is None:
        return lambda: 0.5
    return lambda: dice.gammavariate(0.5, 1.0)


def rounds(
    columns: Sequence[Sequence[float]], seed: int = 0, number: int = ROUNDS
) -> Iterator[tuple[list[float], Draw]]:
    """Yield for each round the weighted sums of columns that have a number for each block."""
    dice = random.Random(seed)
    blocks = len(columns[0]) if columns else 0
    for _ in range(number):
        weights = [dice.expovariate(1.0) for _ in range(blocks)]
        yield [sum(map(mul, weights, column)) for column in columns], pseudo_blocks(dice)


def interval(values: Sequence[float], estimate: float, level: float = LEVEL) -> Interval:
    """Return the middle part of the values, widened to hold the estimate; NaN if there are none."""
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
