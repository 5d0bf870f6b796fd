"""Learning environments at the engine's speed: vectors of games, PettingZoo, Gymnasium, OpenSpiel.

Nothing here is imported by ``import fernzug``. ``pip install "fernzug[rl]"`` installs numpy,
Gymnasium and PettingZoo, ``pip install "fernzug[openspiel]"`` installs OpenSpiel.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fernzug.board.model import Board
from fernzug.rl.layout import Field, Layout, layout
from fernzug.rl.rewards import REWARDS

if TYPE_CHECKING:
    from fernzug.rl.aec import AecEnv
    from fernzug.rl.opponents import Opponent
    from fernzug.rl.single import GymEnv
    from fernzug.rl.vector import VectorEnv


@contextlib.contextmanager
def _from_extra(extra: str) -> Iterator[None]:
    """Say how to install a library that is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = f'{error.name} is missing: pip install "fernzug[{extra}]"'
        raise ImportError(hint, name=error.name) from error


BoardLike = str | os.PathLike[str] | Board


def vector_env(
    board: BoardLike,
    players: int = 2,
    games: int = 256,
    seed: int = 0,
    *,
    actions: str = "all",
    reward: str = "rank",
) -> VectorEnv:
    """Return many games that are played in step, with numpy in and out."""
    with _from_extra("rl"):
        from fernzug.rl.vector import VectorEnv
    return VectorEnv(board, players, games, seed, actions=actions, reward=reward)


def aec_env(
    board: BoardLike,
    players: int = 2,
    *,
    actions: str = "all",
    reward: str = "rank",
    render_mode: str | None = None,
) -> AecEnv:
    """Return a PettingZoo environment, in which the agents decide one after the other."""
    with _from_extra("rl"):
        from fernzug.rl.aec import AecEnv
    return AecEnv(board, players, actions=actions, reward=reward, render_mode=render_mode)


def gym_env(
    board: BoardLike,
    players: int = 2,
    opponents: Sequence[Opponent] | None = None,
    *,
    seat: int | None = None,
    actions: str = "all",
    reward: str = "rank",
    illegal: float | None = -1.0,
    render_mode: str | None = None,
) -> GymEnv:
    """Return a Gymnasium environment for one learner against bots, ``random`` if not named."""
    with _from_extra("rl"):
        from fernzug.rl.single import GymEnv
    return GymEnv(
        board,
        players,
        opponents,
        seat=seat,
        actions=actions,
        reward=reward,
        illegal=illegal,
        render_mode=render_mode,
    )


def openspiel_game(
    board: BoardLike, players: int = 2, *, actions: str = "all", reward: str = "rank"
) -> Any:
    """Return an OpenSpiel game with explicit chance."""
    with _from_extra("openspiel"):
        from fernzug.rl.openspiel import load
    return load(board, players, actions=actions, reward=reward)


def register() -> None:
    """Register ``fernzug/BOARD-v0`` with Gymnasium for every board of the package.

    Importing this package does so if Gymnasium is installed.
    """
    import gymnasium

    from fernzug.board.files import boards

    for name in boards():
        word = f"fernzug/{name}-v0"
        if word not in gymnasium.registry:
            gymnasium.register(
                id=word, entry_point="fernzug.rl.single:GymEnv", kwargs={"board": name}
            )


# These libraries find a game by its name.
with contextlib.suppress(ImportError):
    register()
with contextlib.suppress(ImportError):
    import_module("fernzug.rl.openspiel")

__all__ = [
    "Field",
    "Layout",
    "REWARDS",
    "aec_env",
    "gym_env",
    "layout",
    "openspiel_game",
    "register",
    "vector_env",
]
