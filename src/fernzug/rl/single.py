"""The Gymnasium environment: one learner against bots."""

from __future__ import annotations

import os
from collections.abc import Sequence
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from fernzug import bots
from fernzug.board.model import Board
from fernzug.errors import is_one_of, plain
from fernzug.rl.layout import Layout
from fernzug.rl.one import OneGame, check_render_mode
from fernzug.rl.opponents import Opponent, Opponents
from fernzug.rl.rewards import check_reward, rewards_of


def observation_box(layout: Layout) -> spaces.Box:
    """Return the space of observations, with the bounds of every number."""
    high = np.concatenate([np.full(field.size, field.high, np.int16) for field in layout.fields])
    return spaces.Box(np.zeros_like(high), high, dtype=np.int16)


class GymEnv(gymnasium.Env[NDArray[np.int16], np.int64]):
    """A game in which the learner has one seat and bots have the others.

    ``seat`` is the learner's; without it the seed decides anew for every game. The mask of legal
    actions is in the info and in :meth:`action_masks`. An action that is not legal ends the game
    with the reward ``illegal``; if that is None, it raises :class:`fernzug.IllegalAction`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as the base class has it

    def __init__(
        self,
        board: str | os.PathLike[str] | Board,
        players: int = 2,
        opponents: Sequence[Opponent] | None = None,
        *,
        seat: int | None = None,
        actions: str = "all",
        reward: str = "rank",
        illegal: float | None = -1.0,
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward)
        check_render_mode(render_mode)
        self._game = OneGame(board, players, actions)
        self.layout = self._game.layout
        self.players = players = self.layout.players
        if isinstance(opponents, str):
            raise ValueError(f"opponents are a list of bots: [{opponents!r}]")
        self.opponents = ["random"] * (players - 1) if opponents is None else list(opponents)
        if len(self.opponents) != players - 1:
            need = "1 opponent" if players == 2 else f"{players - 1} opponents"
            raise ValueError(f"{players} players need {need}, not {len(self.opponents)}")
        seat = plain(seat)
        if seat is not None and not is_one_of(seat, range(players)):
            raise ValueError(f"there is no seat {seat!r} among {players} players")
        for opponent in self.opponents:
            if isinstance(opponent, str):
                bots.check(opponent, self.layout.board, players)
            elif not callable(opponent):
                raise ValueError(f"an opponent is a bot's name or class, not {opponent!r}")
        self.learner = seat
        self.reward = reward
        self.illegal = illegal
        self.render_mode = render_mode
        self.observation_space = observation_box(self.layout)  # type: ignore[assignment]
        self.action_space = spaces.Discrete(self.layout.actions)
        self._seat = 0
        self._bots: Opponents | None = None
        self._mask = np.zeros(self.layout.actions, np.int8)

    def __getstate__(self) -> dict[str, Any]:
        if self._bots is not None:
            raise TypeError(
                "bots cannot be copied in the middle of a game: copy the environment before the "
                "first reset() or after close(), or use aec_env"
            )
        return self.__dict__

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        """Deal a game and let the bots play up to the learner's first decision."""
        super().reset(seed=seed)
        dealt = self._game.deal(seed)
        if self._bots is not None:
            self._bots.close()
        self._seat = dealt % self.players if self.learner is None else self.learner
        others = [seat for seat in range(self.players) if seat != self._seat]
        self._bots = Opponents(self.layout.board, others, self.opponents, dealt)
        if self._bots.watch:
            self._game.state.journal = []
        self._bots.play(self._game.state)
        return self._seen()

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        """Take an action for the learner, and let the bots play up to its next one."""
        number = index(action)
        if self._bots is None or not 0 <= number < self.layout.actions or not self._mask[number]:
            if self._bots is None:
                raise ValueError("call reset() before the first step")
            if self.illegal is None or self._game.over:
                raise self._game.refusal(number)
            observation, info = self._seen()
            return observation, self.illegal, True, False, {**info, "illegal": True}
        state = self._game.state
        self._game.play(number)
        if self._bots.watch:
            self._bots.tell(state)
        self._bots.play(state)
        observation, info = self._seen()
        if not self._game.over:
            return observation, 0.0, False, False, info
        rewards = rewards_of(state, self.reward)
        return observation, rewards[self._seat], True, False, info

    def _seen(self) -> tuple[NDArray[np.int16], dict[str, Any]]:
        seat, state, eye = self._seat, self._game.state, self._game.eye
        self._mask = eye.mask(state, seat)
        return eye.observe(state, seat), {"action_mask": self._mask, "seat": seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, as MaskablePPO of sb3-contrib asks for it."""
        return self._mask.view(np.bool_)

    def render(self) -> str | None:
        """Return what the learner sees in words, if the mode is ``ansi``."""
        return self._game.text(self._seat) if self.render_mode == "ansi" else None

    def action_text(self, action: int) -> str:
        """Return an action in words."""
        return self.layout.action_text(action)

    def close(self) -> None:
        """Close the bots."""
        if self._bots is not None:
            self._bots.close()
            self._bots = None
