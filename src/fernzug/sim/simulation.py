"""What is to be simulated."""

from __future__ import annotations

from dataclasses import dataclass

from fernzug.board.model import Board
from fernzug.engine import batch

RANDOM = "random"
MAX_GAMES = 1 << 32
"""The games of a simulation are numbered with 32 bits."""


@dataclass(frozen=True)
class Simulation:
    """Games to play on one board.

    ``bots`` names who plays each seat, as :func:`fernzug.bots.make` understands it; without bots
    everybody plays at random, at the full speed of the engine. ``records`` is a folder for the
    records of all games.
    """

    board: Board
    players: int
    games: int
    seed: int
    bots: tuple[str, ...] = ()
    records: str | None = None

    def __post_init__(self) -> None:
        if self.players not in self.board.players:
            raise ValueError(f"{self.players} players cannot play {self.board.name}")
        if self.bots and len(self.bots) != self.players:
            raise ValueError(f"{self.players} players need {self.players} bots")
        if not 0 < self.games <= MAX_GAMES:
            raise ValueError(f"a simulation has 1 to {MAX_GAMES} games, not {self.games}")

    @property
    def at_random(self) -> bool:
        """Whether everybody plays at random."""
        return all(bot == RANDOM for bot in self.bots)

    @property
    def columns(self) -> list[str]:
        """The names of the columns of a row."""
        names = list(batch.GAME_COLUMNS)
        bonuses = [bonus.kind for bonus in self.board.bonuses]
        for seat in range(self.players):
            names += [f"seat{seat}_{name}" for name in (*batch.SEAT_COLUMNS, *bonuses)]
        return names

    def game_seed(self, number: int) -> int:
        """The seed of one of the games."""
        return int(batch.game_seed(self.seed, number))
