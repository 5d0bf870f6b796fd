"""The games of a simulation, played in this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.board.model import Board
from fernzug.engine import batch, chance, playout
from fernzug.engine.chance import Stream
from fernzug.engine.state import State
from fernzug.game import Game
from fernzug.match import Match
from fernzug.score import score_sheets
from fernzug.sim.simulation import Simulation
from fernzug.start import Start, dealt


@dataclass(frozen=True)
class Part:
    """Some games of a simulation: their sums and, if wanted, their rows."""

    first: int
    games: int
    tally: list[int]
    rows: list[int] | None


class Simulator:
    """Plays games of one simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.blank = Start(simulation.board, simulation.players, seed=0, first_player=0).state()
        self.width = int(batch.width(self.blank))

    def play(self, first: int, games: int, with_rows: bool) -> Part:
        """Play some of the games, beginning with number ``first``."""
        rows = vec[i64]([0] * (self.width * games))
        simulation = self.simulation
        if simulation.at_random:
            tied = batch.play_batch(self.blank, simulation.seed, first, rows)
            for number, state in tied:
                self._settle(state, rows, number * self.width)
        for number in range(games):
            if not simulation.at_random:
                self._play_bots(first + number, rows, number * self.width)
            elif simulation.records is not None:
                self._record(self._random_game(first + number), first + number)
        tally = [int(value) for value in batch.add_up(rows, self.width)]
        return Part(first, games, tally, [int(value) for value in rows] if with_rows else None)

    def _settle(self, state: State, rows: vec[i64], at: int) -> None:
        """Write who has won, which the score sheets decide (E7)."""
        winners = sum(1 << sheet.seat for sheet in score_sheets(state) if sheet.rank == 1)
        batch.share_win(state, winners, rows, at)

    def _random_game(self, number: int) -> Game:
        """Play a random game again, this time with a journal."""
        simulation = self.simulation
        start = dealt(simulation.board, simulation.players, simulation.game_seed(number))
        state = start.begin()
        playout.play_out(state, Stream(start.seed, chance.PLAYERS))
        return Game.resumed(start, state, state.journal or [])

    def _play_bots(self, number: int, rows: vec[i64], at: int) -> None:
        simulation = self.simulation
        seed = simulation.game_seed(number)
        game, decisions = play_bots(simulation.board, simulation.bots, seed)
        batch.write_row(game.state, decisions, rows, at)
        self._settle(game.state, rows, at)
        if simulation.records is not None:
            self._record(game, number)

    def _record(self, game: Game, number: int) -> None:
        assert self.simulation.records is not None
        game.record().save(Path(self.simulation.records) / f"game-{number:06}.jsonl")


def play_bots(board: Board, specs: Sequence[str], seed: int) -> tuple[Game, int]:
    """Play one game between bots; return it with the number of decisions."""
    from fernzug import bots  # which random games can do without

    game = Game(board, len(specs), seed)
    with Match(game, bots.seated(dict(enumerate(specs)), board, seed)) as match:
        return game, match.play_out()
