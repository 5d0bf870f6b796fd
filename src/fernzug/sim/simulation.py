"""What is to be simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from fernzug.board.files import at_hand
from fernzug.board.model import Board
from fernzug.engine import batch
from fernzug.errors import is_one_of, plain
from fernzug.start import checked

if TYPE_CHECKING:
    from fernzug.bots import Bot

RANDOM = "random"
MAX_GAMES = 1 << 32
"""The games of a simulation are numbered with 32 bits."""


@dataclass(frozen=True)
class Simulation:
    """Games to play on one board, which may be given by its id or path.

    ``bots`` says who plays each seat, as :func:`fernzug.bots.make` understands it; without bots
    everybody plays at random, at the full speed of the engine. ``first`` is the number of the first
    game: machines that play different games of the same seed can share a simulation. ``records``
    is a folder for the records of all games, or one file for all of them, ending in ``.jsonl`` or
    ``.jsonl.gz``; ``decisions`` is a folder for Parquet files with a row per decision, and
    ``observations`` adds to each row what the seat knew, for learning.
    """

    board: Board
    players: int
    games: int
    seed: int
    bots: Sequence[str | type[Bot]] = ()
    records: str | None = None
    first: int = 0
    decisions: str | None = None
    observations: bool = False

    def __post_init__(self) -> None:
        # Set in this way because nothing can change them afterwards.
        object.__setattr__(self, "board", at_hand(self.board))
        for name in ("players", "games", "seed", "first"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        checked(self.board, self.players, self.seed, first_player=0)
        if self.bots and len(self.bots) != self.players:
            raise ValueError(f"{self.players} players need {self.players} bots")
        if not is_one_of(self.games, range(1, MAX_GAMES + 1)):
            raise ValueError(f"a simulation has 1 to {MAX_GAMES} games, not {self.games!r}")
        if not is_one_of(self.first, range(MAX_GAMES - self.games + 1)):
            raise ValueError(
                f"games are numbered up to {MAX_GAMES - 1}, so {self.games} games cannot begin "
                f"with number {self.first!r}"
            )
        if self.observations and self.decisions is None:
            raise ValueError("observations are a column of decisions: name a folder for these")
        if not all(isinstance(bot, str) for bot in self.bots):
            from fernzug.bots import name_of  # which random games can do without

            object.__setattr__(self, "bots", tuple(map(name_of, self.bots)))

    @property
    def at_random(self) -> bool:
        """Whether everybody plays at random."""
        return all(bot == RANDOM for bot in self.bots)

    @property
    def names(self) -> Sequence[str]:
        """The names of the bots by seat."""
        return cast("Sequence[str]", self.bots)

    @property
    def one_file(self) -> bool:
        """Whether all records go to one file."""
        return self.records is not None and self.records.endswith((".jsonl", ".jsonl.gz"))

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
