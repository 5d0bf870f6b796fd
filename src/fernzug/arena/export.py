"""Export everything in a store for other programs, one row per seat."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TextIO

from fernzug.arena.store import RAW_COLUMNS, Store
from fernzug.sim import columns


def write_csv(store: Store, file: TextIO) -> None:
    """Write comma-separated values, beginning with the names of the columns."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(RAW_COLUMNS)
    writer.writerows(store.rows())


def write_parquet(store: Store, path: str | Path) -> None:
    """Write a Parquet file, which needs the package pyarrow."""
    pa = columns.arrow()
    values = list(zip(*store.rows(), strict=True)) or [() for _ in RAW_COLUMNS]
    named: dict[str, object] = dict(zip(RAW_COLUMNS, map(list, values), strict=True))
    # A file without failures should have the same types as one with them.
    named["failure"] = pa.array(named["failure"], "string")
    columns.parquet().write_table(pa.table(named), str(path))
