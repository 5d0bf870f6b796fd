"""Games as named columns, for pandas, Arrow and Parquet files; needs the package pyarrow."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from fernzug.drafts import draft_of, errors_naming
from fernzug.engine.batch import WHOLE
from fernzug.sim.playing import Part
from fernzug.sim.simulation import Simulation

ABOUT = "fernzug"
"""The key of what a file says about its games."""

BATCH = 100_000
"""Games in a row group of a file."""


class MissingPackage(ImportError):
    """An optional package is not installed."""


def arrow(purpose: str = "Parquet files") -> Any:
    """Return the package pyarrow; :class:`MissingPackage` says what it is needed for."""
    # Imported by name, so that mypy works without the package.
    return _package("pyarrow", purpose)


def parquet() -> Any:
    """Return the part of pyarrow that writes files."""
    return _package("pyarrow.parquet", "Parquet files")


def _package(name: str, purpose: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise MissingPackage(
            f"{purpose} need the package {package}, which is not installed "
            "(pip install 'fernzug[data]'); --csv writes rows without it"
        ) from None


def about(simulation: Simulation) -> dict[str, str]:
    """Return what a file should say about the games in it."""
    board = simulation.board
    from fernzug import __version__

    told = {
        "version": __version__,
        "board": board.id,
        "board_hash": board.hash,
        "players": simulation.players,
        "seed": simulation.seed,
        "bots": list(simulation.names),
        "first": simulation.first,
        "games": simulation.games,
    }
    return {ABOUT: json.dumps(told)}


def games_table(simulation: Simulation, parts: Iterable[Part]) -> Any:
    """Return some games as an Arrow table, one row per game."""
    pa = arrow("named columns")
    names = simulation.columns
    width = len(names)
    numbers: list[int] = []
    rows = array("q")
    for part in parts:
        assert part.rows is not None
        numbers += range(part.first, part.first + part.games)
        rows += part.rows
    columns: dict[str, Any] = {
        "game": pa.array(numbers, pa.int64()),
        "seed": pa.array([simulation.game_seed(number) for number in numbers], pa.int64()),
    }
    for i, name in enumerate(names):
        if name == "first_player_won":
            continue
        column = pa.array(rows[i::width], pa.int64())
        if name.endswith("_won"):
            column = _package("pyarrow.compute", "named columns").divide(
                column.cast(pa.float64()), float(WHOLE)
            )
        else:
            column = column.cast(pa.int32())
        columns[name] = column
    return pa.table(columns).replace_schema_metadata(about(simulation))


def data_frame(table: Any) -> Any:
    """Return an Arrow table as a pandas data frame."""
    _package("pandas", "data frames")
    return table.to_pandas()


class GameFile:
    """A Parquet file with a row per game, while it is written."""

    def __init__(self, path: str, draft: Path, simulation: Simulation) -> None:
        self.path = path
        self.draft = draft
        self.simulation = simulation
        self._parts: list[Part] = []
        self._games = 0
        self._writer: Any = None

    def add(self, part: Part) -> None:
        """Add the rows of some games."""
        self._parts.append(part)
        self._games += part.games
        if self._games >= BATCH:
            self._write()

    def _write(self) -> None:
        table = games_table(self.simulation, self._parts)
        with errors_naming(self.path):
            if self._writer is None:
                self._writer = parquet().ParquetWriter(
                    self.draft, table.schema, compression="zstd", compression_level=1
                )
            self._writer.write_table(table)
        self._parts, self._games = [], 0

    def save(self) -> None:
        """Write the rest."""
        if self._games:
            self._write()

    def close(self) -> None:
        """Complete the file."""
        if self._writer is not None:
            with errors_naming(self.path):
                self._writer.close()


@contextmanager
def game_file(path: str, simulation: Simulation) -> Iterator[GameFile]:
    """Yield a Parquet file for games; it appears under its name only if all goes well."""
    parquet()
    with draft_of(path) as draft, closing(GameFile(path, draft, simulation)) as file:
        yield file
        file.save()
