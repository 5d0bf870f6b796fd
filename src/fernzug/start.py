"""How a game begins: dealt from a seed, or from a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fernzug.board.model import Board
from fernzug.engine import chance, rules
from fernzug.engine.chance import Stream
from fernzug.engine.state import State, blank
from fernzug.errors import is_one_of
from fernzug.position import position_of
from fernzug.position_reader import state_from
from fernzug.tables import tables_of


class Start(NamedTuple):
    """Everything needed to begin a game, or to begin the same game again.

    :func:`checked`, :func:`dealt` and :func:`from_position` make one from what a caller says.
    """

    board: Board
    players: int
    seed: int
    first_player: int
    position: dict[str, Any] | None = None
    """The position that the game begins from; None if it begins with the deal."""

    def state(self) -> State:
        """Return the state before the first fact."""
        if self.position is not None:
            return state_from(self.position, self.board)
        state = blank(tables_of(self.board), self.players, self.seed)
        state.first_player = self.first_player
        return state

    def begin(self) -> State:
        """Return the state at the first decision; its journal has the facts of the set-up."""
        state = self.state()
        state.journal = []
        if self.position is None:
            rules.set_up(state)
        return state


def checked(board: Board, players: int, seed: int, first_player: int) -> Start:
    """Return the start of a game that begins with the deal.

    ``ValueError`` says which of the numbers is wrong.
    """
    if not is_one_of(players, board.players):
        raise ValueError(
            f"{board.name} is for {board.min_players} to {board.max_players} "
            f"players, not {players!r}"
        )
    if not is_one_of(seed, range(chance.SEEDS)):
        raise ValueError(f"a seed is a whole number from 0 to {chance.SEEDS - 1}, not {seed!r}")
    if not is_one_of(first_player, range(players)):
        raise ValueError(f"there is no seat {first_player!r} among {players} players")
    return Start(board, players, seed, first_player)


def dealt(
    board: Board, players: int, seed: int | None = None, first_player: int | None = None
) -> Start:
    """Return the start of a game that begins with the deal.

    Without a ``seed`` one is drawn; without a ``first_player`` the seed decides who goes first.
    """
    if seed is None:
        import secrets  # takes as long to load as everything else here

        seed = secrets.randbelow(chance.SEEDS)
    if first_player is not None:
        return checked(board, players, seed, first_player)
    # Check the numbers before using chance, which takes only ints.
    start = checked(board, players, seed, first_player=0)
    return start._replace(first_player=int(Stream(seed, chance.FIRST_PLAYER).below(players)))


def from_position(board: Board, position: Mapping[str, Any], board_name: str) -> Start:
    """Return the start of a game that begins from a position, which may leave things open.

    ``board_name`` is the name of the board in the complete position. ``ValueError`` says why a
    position is impossible.
    """
    state = state_from(position, board)
    return Start(
        board,
        players=int(state.players),
        seed=int(state.seed),
        first_player=int(state.first_player),
        position=position_of(state, board_name),
    )
