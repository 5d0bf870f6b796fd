"""Simulation: many games on one board, by one process or several, and what they come to.

The same board, players, seed and bots give the same rows and the same sums for any number of
workers: every game has a seed of its own, made from the simulation's seed and the game's number,
and whole numbers are added up.
"""

from __future__ import annotations

import math
import multiprocessing
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.engine import COMPILED, batch, chance, playout
from fernzug.engine.chance import Stream
from fernzug.engine.state import State
from fernzug.game import Game
from fernzug.match import Match
from fernzug.score import score_sheets
from fernzug.start import Start, dealt

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

RANDOM = "random"
MAX_GAMES = 1 << 32
"""The games of a simulation are numbered with 32 bits."""


class WorkerLost(RuntimeError):
    """A worker process has come to an end before its games did."""


@dataclass(frozen=True)
class Simulation:
    """What is to be simulated.

    ``bots`` names who plays each seat, as :func:`fernzug.bots.make` understands it; without bots
    all play at random, at the full speed of the engine. ``records`` is a folder for the records of
    all games.
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


@dataclass(frozen=True)
class Part:
    """Some games of a simulation: their sums, and their rows if they were asked for."""

    first: int
    games: int
    tally: list[int]
    rows: list[int] | None


@dataclass
class Totals:
    """The sums over all columns, as far as the games have got."""

    columns: Sequence[str]
    games: int = 0
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    least: list[int] = field(default_factory=list)
    most: list[int] = field(default_factory=list)

    def add(self, part: Part) -> None:
        """Add a part."""
        size = len(self.columns)
        sums, squares, least, most = (part.tally[i * size : (i + 1) * size] for i in range(4))
        if self.games == 0:
            self.sums, self.squares, self.least, self.most = sums, squares, least, most
        else:
            self.sums = [a + b for a, b in zip(self.sums, sums, strict=True)]
            self.squares = [a + b for a, b in zip(self.squares, squares, strict=True)]
            self.least = [min(pair) for pair in zip(self.least, least, strict=True)]
            self.most = [max(pair) for pair in zip(self.most, most, strict=True)]
        self.games += part.games

    def mean(self, column: str) -> float:
        """The average of a column."""
        return self.sums[self.columns.index(column)] / self.games

    def deviation(self, column: str) -> float:
        """The standard deviation of a column over the games; 0 for a single game."""
        i = self.columns.index(column)
        n = self.games
        if n < 2:
            return 0.0
        return math.sqrt((n * self.squares[i] - self.sums[i] ** 2) / (n * (n - 1)))

    def range(self, column: str) -> tuple[int, int]:
        """The least and the most in a column."""
        i = self.columns.index(column)
        return self.least[i], self.most[i]


# ---------------------------------------------------------------------------- playing


class Bench:
    """Plays games of one simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.start = Start(simulation.board, simulation.players, seed=0, first_player=0).state()
        self.width = int(batch.width(self.start))

    def play(self, first: int, games: int, with_rows: bool) -> Part:
        """Play so many games from the one of that number on."""
        rows = vec[i64]([0] * (self.width * games))
        simulation = self.simulation
        if simulation.at_random:
            tied = batch.play_batch(self.start, simulation.seed, first, rows)
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
        """Let the score sheets decide who has won (E7)."""
        winners = sum(1 << sheet.seat for sheet in score_sheets(state) if sheet.rank == 1)
        batch.share_win(state, winners, rows, at)

    def _random_game(self, number: int) -> Game:
        """Play a random game once more, and listen."""
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
    from fernzug import bots

    game = Game(board, len(specs), seed)
    with Match(game, bots.seated(dict(enumerate(specs)), board, seed)) as match:
        return game, match.play_out()


# ---------------------------------------------------------------------------- spreading


def chunk_size(simulation: Simulation) -> int:
    """Return how many games are played in one go: long enough to be worth it, short to wait for."""
    if not simulation.at_random or simulation.records is not None:
        return 2
    return 500 if COMPILED else 10


def crew_size(simulation: Simulation, workers: int) -> int:
    """Return how many of the workers are worth the time it takes to start them."""
    chunks = -(-simulation.games // chunk_size(simulation))
    return min(workers, chunks // 16 + 1 if simulation.at_random else chunks)


def simulate(simulation: Simulation, workers: int = 1, rows: bool = False) -> Iterator[Part]:
    """Yield the parts of a simulation in order.

    Worker processes are started anew (the method ``spawn``), so a script that asks for several
    must be safe to import. Closing the iterator ends them.
    """
    size = chunk_size(simulation)
    chunks = (
        (first, min(size, simulation.games - first)) for first in range(0, simulation.games, size)
    )
    workers = crew_size(simulation, workers)
    if workers > 1:
        yield from _spread(simulation, chunks, workers, rows)
        return
    bench = Bench(simulation)
    for first, games in chunks:
        yield bench.play(first, games, rows)


Spare = tuple[str, int, int, int, tuple[str, ...], str | None]
"""A simulation as it is sent to a worker; the board goes as the text of its file."""


def _spread(
    simulation: Simulation, chunks: Iterator[tuple[int, int]], workers: int, rows: bool
) -> Iterator[Part]:
    spare = (
        simulation.board.source,
        simulation.players,
        simulation.games,
        simulation.seed,
        simulation.bots,
        simulation.records,
    )
    crew: list[BaseProcess] = []
    busy: list[Connection] = []
    done: dict[int, Part] = {}
    expected = 0
    try:
        for _ in range(workers):
            process, connection = _hire(spare, rows)
            crew.append(process)
            busy.append(connection)
            connection.send(next(chunks))
        while busy:
            ready = wait(busy)
            for connection in [each for each in busy if each in ready]:
                part = _receive(connection)
                done[part.first] = part
                chunk = next(chunks, None)
                connection.send(chunk)
                if chunk is None:
                    busy.remove(connection)
            while expected in done:
                part = done.pop(expected)
                expected += part.games
                yield part
    finally:
        for process in crew:
            process.terminate()
        for process in crew:
            process.join()


def _hire(spare: Spare, rows: bool) -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, spare, rows), daemon=True)
    with interrupts_ignored():
        process.start()
    # With our copy closed, a worker that dies is noticed as the end of its connection.
    theirs.close()
    return process, ours


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Let a new process inherit that interrupts are not its business but its parent's."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _receive(connection: Connection) -> Part:
    try:
        answer = connection.recv()
    except (EOFError, ConnectionError):
        raise WorkerLost("a worker process has died") from None
    if isinstance(answer, Exception):
        raise answer
    assert isinstance(answer, Part)
    return answer


def _work(connection: Connection, spare: Spare, rows: bool) -> None:
    """Play the chunks that come through a connection until there are no more."""
    source, players, games, seed, bots, records = spare
    board = board_files.parse(source)
    bench = Bench(Simulation(board, players, games, seed, bots, records))
    try:
        while (chunk := connection.recv()) is not None:
            try:
                first, number = chunk
                connection.send(bench.play(first, number, rows))
            except (OSError, ValueError) as error:
                connection.send(error)
    except (EOFError, ConnectionError):
        # The parent has gone: there is nobody left to play for.
        return
