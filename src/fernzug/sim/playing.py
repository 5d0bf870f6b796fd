"""The games of a simulation, played in this process."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.board.model import Board
from fernzug.engine import batch, chance, playout
from fernzug.engine.chance import Stream
from fernzug.engine.decisions import Decisions, play_noted
from fernzug.engine.state import State
from fernzug.game import Game
from fernzug.match import Match
from fernzug.score import score_sheets
from fernzug.sim.crew import Work
from fernzug.sim.simulation import Simulation
from fernzug.start import Start, dealt

if TYPE_CHECKING:
    from fernzug.sim.decisions import DecisionFile, DecisionFolder

Chunk = tuple[int, int]
"""The number of the first game, and how many follow one after the other."""


@dataclass(frozen=True)
class Part:
    """Some games of a simulation: their sums and, if wanted, their rows and records."""

    first: int
    games: int
    tally: list[int]
    rows: array[int] | None
    records: bytes | None = None
    """The text of all records, if they go to one file; compressed if that file is."""


class Simulator(Work[Chunk, Part]):
    """Plays games of one simulation."""

    ahead = 2

    def __init__(
        self, simulation: Simulation, rows: bool = False, folder: DecisionFolder | None = None
    ) -> None:
        self.simulation = simulation
        self.rows = rows
        self.folder = folder
        self.bots = () if simulation.at_random else simulation.names
        # Absolute, because workers may be anywhere.
        self.records = None if simulation.records is None else Path(simulation.records).resolve()

    def begin(self) -> None:
        """Prepare a blank table."""
        simulation = self.simulation
        self.blank = Start(simulation.board, simulation.players, seed=0, first_player=0).state()
        self.width = int(batch.width(self.blank))
        self.file: DecisionFile | None = None

    def name(self, job: Chunk) -> str:
        """Describe a chunk of games."""
        return f"the games {job[0]} to {job[0] + job[1] - 1}"

    def do(self, job: Chunk) -> Part:
        """Play some of the games."""
        first, games = job
        rows = vec[i64]([0] * (self.width * games))
        simulation = self.simulation
        noted = None if self.file is None else self.file.rows
        texts: list[str] = []
        if simulation.at_random:
            if noted is None:
                tied = batch.play_batch(self.blank, simulation.seed, first, rows)
            else:
                tied = play_noted(self.blank, simulation.seed, first, rows, noted)
            for number, state in tied:
                self._settle(state, rows, number * self.width)
        for number in range(games):
            game: Game | None = None
            if not simulation.at_random:
                game = self._play_bots(first + number, rows, number * self.width, noted)
            elif simulation.records is not None:
                game = self._random_game(first + number)
            if game is not None and simulation.records is not None:
                texts += self._record(game, first + number)
        if self.file is not None:
            self.file.write_if_full()
        tally = [int(value) for value in batch.add_up(rows, self.width)]
        told: array[int] | None = None
        if self.rows:
            told = array("q")
            told.frombytes(memoryview(rows).cast("B"))
        return Part(first, games, tally, told, self._packed(texts))

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

    def _play_bots(self, number: int, rows: vec[i64], at: int, noted: Decisions | None) -> Game:
        simulation = self.simulation
        seed = simulation.game_seed(number)
        if noted is not None:
            noted.begin(number, seed)
        game, decisions = play_bots(simulation.board, simulation.names, seed, noted)
        batch.write_row(game.state, decisions, rows, at)
        self._settle(game.state, rows, at)
        if noted is not None:
            noted.end(game.state, rows, at)
        return game

    # ------------------------------------------------------------------------ files

    def _record(self, game: Game, number: int) -> list[str]:
        """Write a record to its own file, or return its text for the file of all."""
        assert self.records is not None
        if self.simulation.one_file:
            return [str(game.record())]
        game.record().save(self.records / f"game-{number:06}.jsonl")
        return []

    def _packed(self, texts: list[str]) -> bytes | None:
        if not self.simulation.one_file:
            return None
        data = "".join(texts).encode()
        assert self.records is not None
        if self.records.suffix == ".gz":
            # Files of several members are read as one; without a time they are always the same.
            return gzip.compress(data, compresslevel=6, mtime=0)
        return data

    def new_file(self) -> str | None:
        """Return the path of a draft for the decisions of a worker."""
        return None if self.folder is None else self.folder.new_file()

    def open(self, file: str | None) -> None:
        """Write decisions to this file from now on."""
        if file is not None:
            from fernzug.sim.decisions import DecisionFile  # needs a package of its own

            self.file = DecisionFile(file, self.simulation, self.blank)

    def save(self) -> None:
        """Complete the file of decisions."""
        if self.file is not None:
            self.file.save()
            self.file = None

    def forget(self, file: str) -> None:
        """Remove the file of a worker that has died."""
        if self.folder is not None:
            self.folder.forget(file)


def play_bots(
    board: Board, specs: Sequence[str], seed: int, noted: Decisions | None = None
) -> tuple[Game, int]:
    """Play one game between bots; return it with the number of decisions."""
    from fernzug import bots  # which random games can do without

    game = Game(board, len(specs), seed)
    with Match(game, bots.seated(dict(enumerate(specs)), board, seed)) as match:
        if noted is None:
            return game, match.play_out()
        rows = noted
        return game, match.play_out(lambda seat, action: rows.note(game.state, seat, action.number))
