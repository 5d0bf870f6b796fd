"""Rewards: what a finished game is worth to each seat."""

from __future__ import annotations

from collections.abc import Sequence

from fernzug.engine.state import State
from fernzug.score import score_sheets

REWARDS = ("rank", "points", "margin")
"""``rank``: from 1 for the first to -1 for the last, seats that tie share; ``points``: the final
points; ``margin``: the points beyond those of the best other seat."""


def check_reward(reward: str) -> None:
    """Raise ``ValueError`` for a reward that does not exist."""
    if reward not in REWARDS:
        raise ValueError(f"a reward is one of {', '.join(REWARDS)}, not {reward!r}")


def rewards_of(s: State, reward: str) -> list[float]:
    """Return what a finished game is worth to each seat."""
    sheets = score_sheets(s)
    if reward == "rank":
        return rank_rewards([sheet.rank for sheet in sheets])
    points = [float(sheet.total) for sheet in sheets]
    if reward == "points":
        return points
    return [
        own - max(points[:seat] + points[seat + 1 :], default=0.0)
        for seat, own in enumerate(points)
    ]


def rank_rewards(ranks: Sequence[int]) -> list[float]:
    """Return rewards from 1 for the first to -1 for the last; their sum is 0."""
    last = max(len(ranks) - 1, 1)
    return [1 - (2 * (rank - 1) + ranks.count(rank) - 1) / last for rank in ranks]
