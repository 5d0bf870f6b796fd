"""Many games in step, with numpy in and out; the games themselves stay in the compiled engine."""

from __future__ import annotations

import ctypes
import os
from typing import Any, NamedTuple

import numpy as np
from librt.vecs import vec
from mypy_extensions import i64
from numpy.typing import NDArray

from fernzug.board.model import Board
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.lockstep import Lockstep
from fernzug.engine.state import blank
from fernzug.errors import is_one_of, plain
from fernzug.players import advice
from fernzug.players.advice import Adviser
from fernzug.rl.layout import checked_seed, is_short, layout
from fernzug.rl.rewards import check_reward, rewards_of
from fernzug.tables import tables_of

ADVISERS = {"greedy": advice.GREEDY, "racer": advice.RACER, "planner": advice.PLANNER}
"""The bots that can be asked for advice in all games at once."""


MAX_GAMES = 1 << 20
"""How many games can be played in step."""


class Start(NamedTuple):
    """What :meth:`VectorEnv.reset` returns; see :class:`Step`."""

    observation: NDArray[np.int16]
    mask: NDArray[np.bool_]
    seat: NDArray[np.int64]


class Step(NamedTuple):
    """What a step returns, with a row for each game.

    ``observation`` and ``mask`` are those of ``seat``, which decides next. ``reward`` has a column
    for each seat and is 0 unless the game is ``done``; then the other arrays belong to the game
    that has taken its place.
    """

    observation: NDArray[np.int16]
    mask: NDArray[np.bool_]
    seat: NDArray[np.int64]
    reward: NDArray[np.float32]
    done: NDArray[np.bool_]


class VectorEnv:
    """``games`` games that take a decision each in every step; one that is over begins anew.

    The arrays are read-only windows on the engine's memory: the next step overwrites them, so copy
    what you keep. The k-th game that begins has the k-th seed of ``seed``, as in a simulation.
    """

    def __init__(
        self,
        board: str | os.PathLike[str] | Board,
        players: int = 2,
        games: int = 256,
        seed: int = 0,
        *,
        actions: str = "all",
        reward: str = "rank",
    ) -> None:
        check_reward(reward)
        games = plain(games)
        if not is_one_of(games, range(1, MAX_GAMES + 1)):
            raise ValueError(f"games is a whole number from 1 to {MAX_GAMES}, not {games!r}")
        self.layout = layout(board, players, actions=actions)
        self.players = players = self.layout.players
        self.games = games
        self.reward = reward
        self.seed = checked_seed(self.layout, seed)
        tables = tables_of(self.layout.board)
        self._games = Lockstep(blank(tables, players, 0), games, is_short(actions))
        self._advisers: dict[str, Adviser] = {}
        self._chosen = vec[i64]([0] * games)
        self._stream = Stream(self.seed, PLAYERS)
        shape = (games, self.layout.size)
        self._rows = np.asarray(self._games.observation).reshape(shape)
        self._mask = np.asarray(self._games.mask).view(np.bool_).reshape(games, self.layout.actions)
        self._seat = np.asarray(self._games.seat)
        self._done = np.asarray(self._games.done).view(np.bool_)
        self._points = np.asarray(self._games.points).reshape(games, players)
        self._rewards = np.zeros((games, players), np.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._games.states:
            raise TypeError(
                "games that have begun cannot be copied: make another vector_env with the same seed"
            )
        shape = self.layout
        given = shape.board, shape.players, self.games, self.seed, shape.action_table, self.reward
        return _made, given

    def reset(self, seed: int | None = None) -> Start:
        """Begin all games anew, by another seed if one is given."""
        if seed is not None:
            self.seed = checked_seed(self.layout, seed)
        self._stream = Stream(self.seed, PLAYERS)
        self._games.begin(self.seed)
        self._look()
        return Start(self._rows, self._mask, self._seat)

    def step(self, actions: NDArray[np.integer]) -> Step:
        """Take an action in every game; if one of them is not legal, nothing is changed."""
        self._expect_games()
        given = np.asarray(actions)
        if given.ndim != 1 or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are a row of whole numbers, not an array of {given.dtype} with the "
                f"shape {given.shape}"
            )
        if len(given) != self.games:
            raise ValueError(f"there are {self.games} games, but {len(given)} actions")
        numbers: list[int] = given.astype(np.int64).tolist()
        wrong = int(self._games.illegal(numbers))
        if wrong >= 0:
            raise ValueError(f"action {numbers[wrong]} is not legal in game {wrong}")
        tied = self._games.play(numbers)
        self._reward()
        for game, state in tied:
            self._rewards[game] = rewards_of(state, self.reward)
        self._look()
        return Step(self._rows, self._mask, self._seat, self._rewards, self._done)

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for every game, all equally likely."""
        self._expect_games()
        self._games.sample(self._stream, self._chosen)
        return np.array(self._chosen)

    def advise(self, bot: str, where: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Return what a bot would do in every game: ``greedy``, ``racer`` or ``planner``.

        ``where`` says which games are asked about; for the others the answer means nothing. A claim
        of the short action table is made with the canonical payment, whatever the bot would pay.
        """
        if bot not in ADVISERS:
            raise ValueError(f"there is advice of {', '.join(ADVISERS)}, not of {bot!r}")
        self._expect_games()
        asked = np.ones(self.games, np.bool_) if where is None else np.asarray(where, np.bool_)
        if asked.shape != (self.games,):
            raise ValueError(
                f"there are {self.games} games, but the array of those asked about has the shape "
                f"{asked.shape}"
            )
        if bot not in self._advisers:
            self._advisers[bot] = Adviser(self._games, ADVISERS[bot])
        self._advisers[bot].advise(asked.tolist(), self._chosen)
        return np.array(self._chosen)

    @property
    def points(self) -> NDArray[np.int64]:
        """The points of each seat in the games that the last step ended; else of earlier ones."""
        return self._points

    def _expect_games(self) -> None:
        if not self._games.states:
            raise ValueError("call reset() before the first step")

    def _look(self) -> None:
        # Only what is not 0 is written, and clearing a block of memory takes next to no time.
        ctypes.memset(self._rows.ctypes.data, 0, self._rows.nbytes)
        self._games.look()

    def _reward(self) -> None:
        """Write the rewards; those of tied ranks are written again from the score sheets."""
        self._rewards[:] = 0
        (over,) = self._done.nonzero()
        if not len(over):
            return
        points = self._points[over]
        if self.reward == "points":
            self._rewards[over] = points
        elif self.reward == "rank":
            better = (points[:, None, :] > points[:, :, None]).sum(axis=2)
            self._rewards[over] = 1 - 2 * better / max(self.players - 1, 1)
        else:
            others = np.repeat(points[:, None, :], self.players, axis=1)
            seats = np.arange(self.players)
            others[:, seats, seats] = np.iinfo(np.int64).min
            self._rewards[over] = points - others.max(axis=2)


def _made(
    board: Board, players: int, games: int, seed: int, actions: str, reward: str
) -> VectorEnv:
    return VectorEnv(board, players, games, seed, actions=actions, reward=reward)
