"""One game for environments: its observations and masks as numpy arrays of their own."""

from __future__ import annotations

import ctypes
import os
import secrets
from copy import copy
from typing import Any

import numpy as np
from librt.vecs import vec
from mypy_extensions import i16
from numpy.typing import NDArray

from fernzug.board.model import Board
from fernzug.engine import rules
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import FIRST_PLAYER, SEEDS, Stream
from fernzug.engine.knowledge import Knowledge
from fernzug.engine.observation import Observer, short_legal
from fernzug.engine.state import OVER, State, blank
from fernzug.errors import IllegalAction
from fernzug.position import position_of
from fernzug.position_reader import state_from
from fernzug.reasons import objection
from fernzug.rl.layout import Layout, checked_seed, is_short, layout
from fernzug.rl.text import text_of
from fernzug.tables import tables_of
from fernzug.view import view_of


class Eye:
    """Sees games of one board and number of players as arrays."""

    def __init__(self, shape: Layout) -> None:
        self.layout = shape
        self.tables = tables_of(shape.board)
        self.short = is_short(shape.action_table)
        self._observer = Observer(self.tables, shape.players)
        self._row = vec[i16]([0] * shape.size)
        # Numpy may only read a vector; to clear it, it needs the same memory by its address.
        address = np.asarray(self._row).ctypes.data
        memory = (ctypes.c_int16 * shape.size).from_address(address)
        self._array: NDArray[np.int16] = np.ctypeslib.as_array(memory)

    def observe(self, s: State, seat: int) -> NDArray[np.int16]:
        """Return what a seat may know of a state."""
        self._array.fill(0)
        self._observer.write(s, seat, self._row, 0)
        return self._array.copy()

    def observe_known(self, known: Knowledge) -> NDArray[np.int16]:
        """Return what a seat knows."""
        self._array.fill(0)
        self._observer.write_known(known, self._row, 0)
        return self._array.copy()

    def mask(self, s: State, seat: int) -> NDArray[np.int8]:
        """Return 1 for every action that a seat may take now, from a state or its knowledge."""
        mask = np.zeros(self.layout.actions, np.int8)
        mask[np.asarray(short_legal(s, seat) if self.short else rules.legal(s, seat))] = 1
        return mask

    def number(self, s: State, seat: int, action: int) -> int:
        """Return the number of an action in the board's action table."""
        if self.short and action >= self.tables.claim:
            return int(rules.canonical(s, seat, action - self.tables.claim))
        return action


class WrongRenderMode(ValueError, TypeError):
    """There is no such way of rendering.

    It is a ``TypeError`` as well because ``make_vec_env`` of Stable-Baselines3 tries ``rgb_array``
    first, and does without if it catches one.
    """


def check_render_mode(mode: str | None) -> None:
    """Raise :class:`WrongRenderMode` for a way of rendering that does not exist."""
    if mode not in (None, "ansi"):
        raise WrongRenderMode(f"the render mode is 'ansi' or None, not {mode!r}")


class OneGame:
    """A game that can be dealt again and again.

    A seed deals the game that it deals everywhere. Without one, the games that follow have the
    seeds of a simulation, and the first of all is different every time.
    """

    def __init__(self, board: str | os.PathLike[str] | Board, players: int, actions: str) -> None:
        self.layout = layout(board, players, actions=actions)
        self.eye = Eye(self.layout)
        self.players = self.layout.players
        self._blank = blank(self.eye.tables, self.players, 0)
        self._seed: int | None = None
        self._games = 0
        self.state = self._blank

    def __deepcopy__(self, memo: dict[int, Any]) -> OneGame:
        other = copy(self)
        other.state = self.state.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        shape = self.layout
        made = shape.board, shape.players, shape.action_table
        begun = self.state is not self._blank
        position = position_of(self.state, shape.board.id) if begun else None
        return _restored, (made, self._seed, self._games, position)

    def deal(self, seed: int | None = None) -> int:
        """Deal a game; return its seed."""
        if seed is not None:
            chosen = self._seed = checked_seed(self.layout, seed)
            self._games = 0
        else:
            if self._seed is None:
                self._seed = secrets.randbelow(SEEDS)
            chosen = int(game_seed(self._seed, self._games))
            self._games += 1
        s = self._blank.copy()
        s.seed = chosen
        s.first_player = Stream(chosen, FIRST_PLAYER).below(self.players)
        rules.set_up(s)
        self.state = s
        return chosen

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.phase == OVER)

    def observe(self, seat: int) -> NDArray[np.int16]:
        """Return what a seat may know."""
        return self.eye.observe(self.state, seat)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return 1 for every action that a seat may take now."""
        return self.eye.mask(self.state, seat)

    def text(self, seat: int | None) -> str:
        """Return what a seat, or a spectator, may know in words."""
        return text_of(view_of(self.state, seat, self.layout.board.id), legal=True)

    def play(self, action: int) -> None:
        """Take an action, known to be legal, for the seat to decide."""
        s = self.state
        rules.apply(s, s.seat, self.eye.number(s, int(s.seat), action))

    def refusal(self, action: int) -> IllegalAction:
        """Return the error that says why an action is not legal."""
        s = self.state
        position = position_of(s, self.layout.board.id)
        if self.eye.short or not 0 <= action < self.layout.actions:
            return IllegalAction(f"action {action} is not legal now", position)
        why = objection(s, int(s.seat), action)
        return IllegalAction(why.in_english(self.layout.board), position, why)


def _restored(
    made: tuple[Board, int, str], seed: int | None, games: int, position: dict[str, Any] | None
) -> OneGame:
    """Return a game as it was when it was pickled."""
    game = OneGame(*made)
    game._seed, game._games = seed, games
    if position is not None:
        game.state = state_from(position, game.layout.board)
    return game
