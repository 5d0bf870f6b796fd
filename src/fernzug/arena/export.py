"""Export everything in a store for other programs, one row per seat."""

from __future__ import annotations

import csv
from importlib import import_module
from typing import TextIO

from fernzug.arena.store import RAW_COLUMNS, Store


class MissingPackage(Exception):
    """An optional package is not installed."""


def write_csv(store: Store, file: TextIO) -> None:
    """Write comma-separated values, beginning with the names of the columns."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(RAW_COLUMNS)
    writer.writerows(store.rows())


def check_parquet() -> None:
    """Raise :class:`MissingPackage` if Parquet files cannot be written here."""
    try:
        import_module("pyarrow")
    except ImportError:
        raise MissingPackage(
            "Parquet files need the package pyarrow, which is not installed "
            "(pip install pyarrow); --csv writes the same rows without it"
        ) from None


def write_parquet(store: Store, path: str) -> None:
    """Write a Parquet file, which needs the package pyarrow."""
    check_parquet()
    # Imported by name, so that mypy works without the package.
    arrow = import_module("pyarrow")
    parquet = import_module("pyarrow.parquet")
    columns = list(zip(*store.rows(), strict=True)) or [() for _ in RAW_COLUMNS]
    named: dict[str, object] = dict(zip(RAW_COLUMNS, map(list, columns), strict=True))
    # A file without failures should have the same types as one with them.
    named["failure"] = arrow.array(named["failure"], "string")
    parquet.write_table(arrow.table(named), path)
