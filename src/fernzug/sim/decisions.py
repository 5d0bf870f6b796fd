"""Parquet files with a row per decision; they need the package pyarrow.

Every worker writes a file of its own while it plays. The files have drafts with hidden names, and
appear in the folder together when all games have been played.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from fernzug.drafts import errors_naming, writable_folder
from fernzug.engine.decisions import Decisions
from fernzug.engine.observation import Observer
from fernzug.engine.state import State
from fernzug.events import PHASES
from fernzug.notation import notation_of
from fernzug.sim.columns import ABOUT, about, arrow, parquet
from fernzug.sim.simulation import MAX_GAMES, Simulation

ROWS = 1 << 20
"""Rows in a group, which is kept in memory until it is written."""

NUMBERS = 1 << 25
"""Numbers of observations in a group at most."""

DRAFT = ".part"


class DecisionFile:
    """The file of one worker."""

    def __init__(self, path: str, simulation: Simulation, start: State) -> None:
        self.path = path
        self.folder = Path(path).parent
        observer = None
        if simulation.observations:
            observer = Observer(start.tables, start.players)
        self.rows = Decisions(start, 1 << 12, observer)
        self.most = ROWS if observer is None else min(ROWS, NUMBERS // int(observer.size))
        self._pa = arrow()
        pa = self._pa
        self._texts = pa.array(_texts(simulation, start), pa.string())
        self._phases = pa.array(PHASES, pa.string())
        self._about = about(simulation)
        self._writer: Any = None

    def write_if_full(self) -> None:
        """Write the rows so far if they are enough for a group."""
        if self.rows.size >= self.most:
            self._write()

    def save(self) -> None:
        """Write the rest, and complete the file."""
        if self.rows.size or self._writer is None:
            self._write()
        with errors_naming(self.folder):
            self._writer.close()

    def _write(self) -> None:
        table = self._table()
        with errors_naming(self.folder):
            if self._writer is None:
                self._writer = parquet().ParquetWriter(
                    self.path, table.schema, compression="zstd", compression_level=1
                )
            self._writer.write_table(table, row_group_size=max(table.num_rows, 1))
        self.rows.clear()

    def _table(self) -> Any:
        """Return the rows as a table that sees the memory of the columns."""
        pa, rows = self._pa, self.rows
        long, short = pa.int64(), pa.int16()

        def column(values: Any, kind: Any) -> Any:
            return pa.Array.from_buffers(kind, int(rows.size), [None, pa.py_buffer(values)])

        action = column(rows.action, pa.int32())
        phase = column(rows.phase, short)
        columns = {
            "game": column(rows.game, long),
            "seed": column(rows.seed, long),
            "decision": column(rows.number, short),
            "turn": column(rows.turn, short),
            "seat": column(rows.seat, short),
            "phase": pa.DictionaryArray.from_arrays(phase, self._phases),
            "action": action,
            "text": pa.DictionaryArray.from_arrays(action, self._texts),
            "legal": column(rows.legal, short),
            "points": column(rows.points, short),
            "pieces": column(rows.pieces, short),
            "final_points": column(rows.final_points, short),
            "rank": column(rows.rank, short),
        }
        if rows.observed:
            numbers = int(rows.size * rows.observed)
            flat = pa.Array.from_buffers(short, numbers, [None, pa.py_buffer(rows.observation)])
            columns["observation"] = pa.FixedSizeListArray.from_arrays(flat, int(rows.observed))
        return pa.table(columns).replace_schema_metadata(self._about)


def _texts(simulation: Simulation, start: State) -> list[str]:
    """Return the texts of all actions by their number."""
    notation = notation_of(simulation.board)
    texts = []
    for number in range(int(start.tables.actions)):
        try:
            texts.append(notation.action(number).text)
        except ValueError:
            texts.append("")  # To keep no ticket has a number, but is no action.
    return texts


def _expect_others(path: Path, simulation: Simulation) -> None:
    """Make sure that a file in the folder has other games of the same simulation."""
    try:
        with errors_naming(path):
            schema = parquet().read_schema(path)
        there: dict[str, Any] = json.loads((schema.metadata or {}).get(ABOUT.encode(), b"{}"))
        observed = "observation" in schema.names
    except ValueError:  # It is damaged, or no Parquet file at all.
        there, observed = {}, False
    ours: dict[str, Any] = json.loads(about(simulation)[ABOUT])
    first, games = there.pop("first", 0), there.pop("games", MAX_GAMES)
    del ours["first"], ours["games"]
    if there != ours or observed != simulation.observations:
        raise FileExistsError(17, "it is from another simulation; name another folder", str(path))
    if first < simulation.first + simulation.games and simulation.first < first + games:
        raise FileExistsError(
            17, "it has some of the same games already; name another folder", str(path)
        )


class DecisionFolder:
    """The files of all workers, as the process sees them that has started the workers."""

    def __init__(self, simulation: Simulation) -> None:
        assert simulation.decisions is not None
        parquet()
        self.folder = writable_folder(simulation.decisions)
        self.stem = f"decisions-{simulation.first:010}"
        self._drafts: list[Path] = []
        self._number = 0
        # Drafts are of this run alone: a worker of an earlier one may still be writing its own.
        self._run = secrets.token_hex(4)
        for path in sorted(self.folder.glob("decisions-*.parquet")):
            _expect_others(path, simulation)

    def new_file(self) -> str:
        """Return the path of a draft for a worker."""
        draft = self.folder / f".{self.stem}-{self._run}-{self._number:03}.parquet{DRAFT}"
        self._number += 1
        self._drafts.append(draft)
        return str(draft)

    def forget(self, file: str) -> None:
        """Remove the draft of a worker that has died."""
        self._drafts = [draft for draft in self._drafts if str(draft) != file]
        Path(file).unlink(missing_ok=True)

    def publish(self) -> None:
        """Give the files their names."""
        missing = [draft for draft in self._drafts if not draft.exists()]
        if missing:
            raise FileNotFoundError(
                2,
                "the files of some workers are not here; the folder must be one that all machines "
                "share",
                str(self.folder),
            )
        for number, draft in enumerate(self._drafts):
            draft.replace(self.folder / f"{self.stem}-{number:03}.parquet")
        self._drafts = []

    def discard(self) -> None:
        """Remove all drafts."""
        for draft in list(self._drafts):
            self.forget(str(draft))
