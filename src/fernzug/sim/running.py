"""Run a simulation with a crew, and collect what it plays."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from typing import IO, Any

from fernzug.drafts import draft_of, errors_naming, writable_folder
from fernzug.engine import COMPILED
from fernzug.sim.crew import Alone, Crew
from fernzug.sim.playing import Chunk, Part, Simulator
from fernzug.sim.simulation import Simulation


def chunk_size(simulation: Simulation) -> int:
    """Return how many games a worker plays in one go: worth sending, but not long to wait for."""
    if not simulation.at_random or simulation.records is not None:
        return 2
    return 500 if COMPILED else 10


def useful_workers(simulation: Simulation, workers: int) -> int:
    """Return how many workers are worth the time it takes to start them."""
    chunks = -(-simulation.games // chunk_size(simulation))
    return min(workers, chunks // 16 + 1 if simulation.at_random else chunks)


def simulate(
    simulation: Simulation, workers: int = 1, rows: bool = False, crew: Crew | None = None
) -> Parts:
    """Return the parts of a simulation, which are played as they are asked for, in order.

    Two or more workers are processes (started by ``spawn``), so a script that asks for them must be
    safe to import. ``crew`` may be another kind of crew, such as a cluster. Only with ``rows`` do
    the parts have a row for each game.
    """
    if crew is None:
        workers = useful_workers(simulation, workers)
        if workers > 1:
            from fernzug.sim.processes import Processes  # takes a while to load

            crew = Processes(workers)
        else:
            crew = Alone()
    return Parts(simulation, crew, rows)


class Parts(Iterator[Part]):
    """The parts of a simulation, in order; closing it stops the workers.

    Instead of going through the parts, ask for everything as a table with a row per game.
    """

    def __init__(self, simulation: Simulation, crew: Crew, rows: bool) -> None:
        self.simulation = simulation
        self.crew = crew
        self._rows = rows
        self._parts: Generator[Part, None, None] | None = None

    def __next__(self) -> Part:
        if self._parts is None:
            self._parts = _played(self.simulation, self.crew, self._rows)
        return next(self._parts)

    def close(self) -> None:
        """Stop playing."""
        if self._parts is not None:
            self._parts.close()

    def to_arrow(self) -> Any:
        """Play all games; return an Arrow table with a row per game."""
        from fernzug.sim.columns import arrow, games_table

        arrow("named columns")
        if self._parts is not None:
            raise ValueError("some games have been played already; simulate them anew")
        self._rows = True
        return games_table(self.simulation, self)

    def to_pandas(self) -> Any:
        """Play all games; return a pandas data frame with a row per game."""
        from fernzug.sim.columns import data_frame

        return data_frame(self.to_arrow())


def _played(simulation: Simulation, crew: Crew, rows: bool) -> Generator[Part, None, None]:
    with ExitStack() as files:
        records = _records_file(simulation, files)
        work = Simulator(simulation, rows)
        if simulation.decisions is not None:
            from fernzug.sim.decisions import DecisionFolder  # needs a package of its own

            work.folder = folder = DecisionFolder(simulation)
            files.callback(folder.discard)
        played = files.enter_context(_closing(crew.do_all(work, _chunks(simulation, crew))))
        waiting: dict[int, Part] = {}
        following = simulation.first
        for (first, _), part in played:
            waiting[first] = part
            while following in waiting:
                part = waiting.pop(following)
                following += part.games
                if records is not None and part.records is not None:
                    with errors_naming(str(simulation.records)):
                        records.write(part.records)
                yield part
        if records is not None:
            with errors_naming(str(simulation.records)):
                records.close()
        if work.folder is not None:
            work.folder.publish()


def _chunks(simulation: Simulation, crew: Crew) -> Iterator[Chunk]:
    size = chunk_size(simulation) * getattr(crew, "chunks", 1)
    end = simulation.first + simulation.games
    for first in range(simulation.first, end, size):
        yield first, min(size, end - first)


class _closing:
    def __init__(self, generator: Generator[Any, None, None]) -> None:
        self.generator = generator

    def __enter__(self) -> Generator[Any, None, None]:
        return self.generator

    def __exit__(self, *error: object) -> None:
        self.generator.close()


def _records_file(simulation: Simulation, files: ExitStack) -> IO[bytes] | None:
    """Make what records are written to; return the draft of the file for all, if there is one."""
    if simulation.records is None:
        return None
    if not simulation.one_file:
        writable_folder(simulation.records)
        return None
    draft = files.enter_context(draft_of(simulation.records))
    return files.enter_context(draft.open("wb"))
