"""The PettingZoo environment: the agents decide one after the other."""

from __future__ import annotations

import os
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from fernzug.board.model import Board
from fernzug.engine.state import OVER
from fernzug.rl.one import OneGame, check_render_mode
from fernzug.rl.rewards import check_reward, rewards_of
from fernzug.rl.single import observation_box


class AecEnv(AECEnv):  # type: ignore[misc]  # it comes without types
    """A game in which every seat is an agent, ``seat_0`` and so on.

    The mask of legal actions is in the info of every agent, and empty unless the agent decides. An
    action that is not legal raises :class:`fernzug.IllegalAction` and changes nothing. Rewards are
    given at the end. A deep copy is a game of its own, to look ahead.
    """

    metadata = {"name": "fernzug_v0", "render_modes": ["ansi"]}  # noqa: RUF012  # as the base class has it

    def __init__(
        self,
        board: str | os.PathLike[str] | Board,
        players: int = 2,
        *,
        actions: str = "all",
        reward: str = "rank",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_reward(reward)
        check_render_mode(render_mode)
        self._game = OneGame(board, players, actions)
        self.layout = self._game.layout
        self.reward = reward
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.layout.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        box = observation_box(self.layout)
        self.observation_spaces = {
            agent: spaces.Box(box.low, box.high, dtype=np.int16) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self.layout.actions) for agent in self.possible_agents
        }
        nothing = np.zeros(self.layout.actions, np.int8)
        nothing.flags.writeable = False  # All agents share it.
        self._nothing = self._mask = nothing

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game."""
        self._game.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._wait()
        self._await(int(self._game.state.seat))

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the agent that decides is told."""
        if not self.agents:
            raise ValueError("call reset(): no game is under way")
        told: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return told

    def observe(self, agent: str) -> NDArray[np.int16]:
        """Return what an agent may know now."""
        return self._game.observe(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Take an action for the agent that decides; None for one whose game is over."""
        if not self.agents:
            raise ValueError("call reset() before the first step")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else index(action)
        if not 0 <= number < len(self._mask) or not self._mask[number]:
            raise self._game.refusal(number)
        self._game.play(number)
        state = self._game.state
        if state.phase == OVER:
            self._end(agent)
        else:
            self.infos[agent] = {"action_mask": self._nothing}
            self._await(int(state.seat))

    def _wait(self) -> None:
        """Let all agents wait, with nothing to decide."""
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._nothing} for agent in self.agents
        }

    def _await(self, seat: int) -> None:
        agent = self.possible_agents[seat]
        self.agent_selection = agent
        self._mask = self._game.mask(seat)
        self.infos[agent] = {"action_mask": self._mask}

    def _end(self, agent: str) -> None:
        values = rewards_of(self._game.state, self.reward)
        self.rewards = dict(zip(self.agents, values, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._wait()
        self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return what a spectator sees in words, if the mode is ``ansi``."""
        return self._game.text(None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is to be released."""
