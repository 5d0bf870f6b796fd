"""Elo-like ratings by the Bradley-Terry model.

A bot of strength r beats one of strength s with probability 1 / (1 + exp(s - r)). With more than
two players, every pair of seats in a game is a comparison, won by the better rank and halved if
they share one. Under the Plackett-Luce model of whole rankings, the ranks of any two players have
exactly this probability, so the ratings mean the same at tables of any size and shared ranks need
no special case. That the comparisons within a game depend on each other is taken care of by the
intervals, which come from whole blocks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

ELO = 400.0 / math.log(10.0)
"""Rating points per unit of strength: 400 points are odds of ten to one."""

Matrix = Sequence[Sequence[float]]

_MAX_STEPS = 100
_PRECISE = 1e-9


def strengths(wins: Matrix, anchor: int = 0, start: Sequence[float] | None = None) -> list[float]:
    """Return the most likely strengths, with the anchor at 0.

    ``wins[i][j]`` is how often i was better than j, in any non-negative amounts. The strength of a
    bot that no chain of wins and losses connects with the anchor is NaN; adding a little of both to
    every pair beforehand avoids that.
    """
    size = len(wins)
    joined = _joined(wins, anchor)
    free = [i for i in range(size) if joined[i] and i != anchor]
    known = [0.0] * size if start is None else [x if math.isfinite(x) else 0.0 for x in start]
    values = [value - known[anchor] for value in known]
    likely = _likelihood(wins, values, joined)
    for _ in range(_MAX_STEPS):
        step = _newton_step(wins, values, free, joined)
        longest = max((abs(x) for x in step), default=0.0)
        if longest < _PRECISE:
            break
        # Far from the maximum, Newton's step can be far too long.
        scale = min(1.0, 2.0 / longest)
        while True:
            trial = values.copy()
            for i, x in zip(free, step, strict=True):
                trial[i] += scale * x
            better = _likelihood(wins, trial, joined)
            if better >= likely - 1e-12 * abs(likely) or scale < 1e-6:
                break
            scale /= 2.0
        values, likely = trial, better
    return [value if joined[i] else math.nan for i, value in enumerate(values)]


def _joined(wins: Matrix, anchor: int) -> list[bool]:
    """Return which bots are connected with the anchor by comparisons."""
    joined = [i == anchor for i in range(len(wins))]
    reached = [anchor]
    while reached:
        i = reached.pop()
        for j in range(len(wins)):
            if not joined[j] and wins[i][j] + wins[j][i] > 0:
                joined[j] = True
                reached.append(j)
    return joined


def _chance(difference: float) -> float:
    if difference >= 0:
        return 1.0 / (1.0 + math.exp(-difference))
    power = math.exp(difference)
    return power / (1.0 + power)


def _likelihood(wins: Matrix, values: Sequence[float], joined: Sequence[bool]) -> float:
    total = 0.0
    for i, row in enumerate(wins):
        for j, won in enumerate(row):
            if i != j and joined[i] and won > 0:
                difference = values[i] - values[j]
                # The logarithm of the probability, without overflow.
                total -= won * (max(-difference, 0.0) + math.log1p(math.exp(-abs(difference))))
    return total


def _newton_step(
    wins: Matrix, values: Sequence[float], free: Sequence[int], joined: Sequence[bool]
) -> list[float]:
    """Return the Newton step of the free strengths towards the maximum of the likelihood."""
    place = {i: k for k, i in enumerate(free)}
    slope = [0.0] * len(free)
    bend = [[0.0] * len(free) for _ in free]
    for k, i in enumerate(free):
        for j in range(len(wins)):
            games = wins[i][j] + wins[j][i]
            if i != j and joined[j] and games > 0:
                chance = _chance(values[i] - values[j])
                slope[k] += wins[i][j] - games * chance
                weight = games * chance * (1.0 - chance)
                bend[k][k] += weight
                if j in place:
                    bend[k][place[j]] -= weight
    return _solve(bend, slope)


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve linear equations with a symmetric, positive definite matrix."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(size):
        pivot = max(rows[k][k], 1e-12)
        for i in range(k + 1, size):
            factor = rows[i][k] / pivot
            for j in range(k, size + 1):
                rows[i][j] -= factor * rows[k][j]
    result = [0.0] * size
    for k in range(size - 1, -1, -1):
        known = sum(rows[k][j] * result[j] for j in range(k + 1, size))
        result[k] = (rows[k][size] - known) / max(rows[k][k], 1e-12)
    return result
