"""The agent that the documentation tells of is as strong as it says."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from fernzug import rl  # noqa: E402
from fernzug.rl.policy import Network  # noqa: E402
from paths import ROOT  # noqa: E402

GAMES = 400


def test_the_trained_agent_beats_greedy() -> None:
    """In 400 games, 200 from each seat, at least 60 in 100; it wins clearly more."""
    agent = Network.load(ROOT / "examples" / "agent.npz")
    env = rl.vector_env(agent.board, agent.players, GAMES, seed=11, actions=agent.actions)
    observation, mask, seat = env.reset()
    own = np.arange(GAMES) % agent.players
    result = np.full(GAMES, np.nan)
    while np.isnan(result).any():
        values = np.where(mask, agent.values(observation), -np.inf)
        actions = np.where(seat == own, values.argmax(axis=1), env.advise("greedy", seat != own))
        observation, mask, seat, reward, done = env.step(actions)
        first = done & np.isnan(result)
        result[first] = (reward[np.arange(GAMES), own][first] + 1) / 2
    assert result.mean() >= 0.6
