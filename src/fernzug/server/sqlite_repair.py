"""Find out what a damaged store still has, and write that into a new file.

A damaged page costs the rows on it. A table that has lost changes goes on from the last one before
the gap; what was lost is told in words, and the damaged file is kept.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fernzug.server.log import note
from fernzug.server.sqlite_file import INSERT_CHANGE, INSERT_TABLE, open_file, open_to_read
from fernzug.server.sqlite_pages import Cell, Pages, Row
from fernzug.server.store import StoreError
from fernzug.table import Change, TableSetup, restore
from fernzug.table.encoding import decode

STATES = ("waiting", "playing", "over")
Told = Callable[[int, int], None]
"""Is told how much is done, and how much there is."""


@dataclass(slots=True)
class Found:
    """A table as far as it was found."""

    id: str
    row: tuple[str, str, str, int, str]
    changes: list[tuple[int, int, str]]
    last: int
    """The number of the last change that is known to have been there."""
    doubtful: bool = False
    """Whether further changes may have been on a damaged page."""


@dataclass(slots=True)
class Survey:
    """What is left of a store."""

    tables: list[Found] = field(default_factory=list)
    set_back: dict[str, str] = field(default_factory=dict)
    """Tables that go on from an earlier change, each with words about it."""
    lost: dict[str, str] = field(default_factory=dict)
    """Tables that cannot go on, each with the reason."""
    damaged_pages: set[int] = field(default_factory=set)

    def lines(self) -> list[str]:
        """Return in words what was lost."""
        number = len(self.damaged_pages)
        pages = f"{number} damaged page{'s' if number != 1 else ''}"
        lines = [f"{pages}; tables: {len(self.tables)} readable, {len(self.lost)} lost"]
        lines += [f"  {id}: {why}" for id, why in sorted(self.set_back.items())]
        lines += [f"  {id}: lost, {why}" for id, why in sorted(self.lost.items())]
        return lines


def open_sound(path: Path) -> sqlite3.Connection:
    """Open, create or upgrade the file; if it is damaged, replace it by what is left of it.

    Whether a file is damaged can only be told by reading all of it.
    """
    connection = None
    try:
        connection = open_file(path)
        if is_sound(connection):
            return connection
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
    if connection is not None:
        connection.close()
    found, kept = repair(path)
    note("store_repaired", logging.WARNING, told=found.lines(), damaged_file=str(kept))
    return open_file(path)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error means that the file is damaged, or no database at all."""
    return bool(error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))


def is_sound(connection: sqlite3.Connection) -> bool:
    """Whether every page of a file can be read."""
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def reads(path: Path) -> int | None:
    """Return the number of tables in a file; None if it is damaged or not a store."""
    try:
        connection = open_to_read(path)
    except (sqlite3.Error, StoreError):
        return None
    try:
        if not is_sound(connection):
            return None
        return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])
    except sqlite3.DatabaseError:
        return None
    finally:
        connection.close()


class _Reader:
    """Collects the rows of a damaged file."""

    def __init__(self, pages: Pages) -> None:
        self.rows: dict[str, tuple[str, str, str, int, str]] = {}
        self.changes: dict[str, dict[int, tuple[int, str]]] = {}
        self.doubtful: set[str] = set()
        self.damaged: set[int] = set()
        self._pages = pages

    def read(self, told: Told) -> None:
        pages = self._pages
        roots = pages.roots()
        seen = {1}
        for name in ("tables", "changes"):
            if name in roots:
                self._take(pages.walk(roots[name], seen))
            else:
                self.damaged.add(1)
        if not self.damaged:
            return
        free = pages.free()
        for number in range(2, pages.number + 1):
            told(number, pages.number)
            if number not in seen and number not in free:
                cells = pages.stray(number)
                # What followed on the page that led here is unknown.
                self._take(iter([*cells, Cell(number, None)]), note=False)

    def _take(self, cells: Iterator[Cell], *, note: bool = True) -> None:
        """Remember rows that are not known yet; note which table comes before each hole."""
        before: str | None = None
        for cell in cells:
            change = None if cell.row is None else _change_of(cell.row)
            row = None if cell.row is None else _table_of(cell.row)
            if change is not None:
                before = change[0]
                self.changes.setdefault(before, {}).setdefault(change[1], change[2:])
            elif row is not None:
                self.rows.setdefault(row[0], row)
            elif cell.row is None or note:
                if note:
                    self.damaged.add(cell.page)
                if before is not None:
                    self.doubtful.add(before)


def _change_of(row: Row) -> tuple[str, int, int, str] | None:
    """Return a row of ``changes``, if it is one."""
    if len(row) != 4:
        return None
    table, seq, at, text = row
    if not (isinstance(table, str) and isinstance(seq, int) and isinstance(at, int)):
        return None
    if not isinstance(text, str) or not _is_object(text, "kind"):
        return None
    return table, seq, at, text


def _table_of(row: Row) -> tuple[str, str, str, int, str] | None:
    """Return a row of ``tables`` of any schema, if it is one."""
    if len(row) < 5 or row[2] not in STATES:
        return None
    id, code, state, created, *rest = row
    setup = next((value for value in rest if isinstance(value, str)), "")
    if not (isinstance(id, str) and isinstance(code, str) and isinstance(created, int)):
        return None
    return (id, code, str(state), created, setup) if _is_object(setup, "board") else None


def _is_object(text: str, key: str) -> bool:
    try:
        data = decode(text)
    except ValueError:
        return False
    return isinstance(data, dict) and key in data


def survey(path: Path, told: Told = lambda done, total: None) -> Survey:
    """Return what is left of a file."""
    reader = _Reader(Pages(path))
    reader.read(told)
    found = Survey(damaged_pages=reader.damaged)
    for id in reader.changes.keys() - reader.rows.keys():
        found.lost[id] = "its setup was on a damaged page"
    for id, row in sorted(reader.rows.items()):
        numbered = reader.changes.get(id, {})
        changes: list[tuple[int, int, str]] = []
        while len(changes) + 1 in numbered:
            seq = len(changes) + 1
            changes.append((seq, *numbered[seq]))
        table = Found(id, row, changes, max(numbered, default=0), id in reader.doubtful)
        _judge(table, found)
    return found


def _judge(table: Found, into: Survey) -> None:
    """Decide whether a table goes on, and from where."""
    kept = len(table.changes)
    if kept == table.last and not table.doubtful and (kept or table.row[2] == "waiting"):
        into.tables.append(table)
        return
    try:
        state = _state_after(table)
    except Exception:
        into.lost[table.id] = "what is left of it does not make a game"
        return
    if state == "over" and kept == table.last:
        into.tables.append(table)
        return
    if not kept and table.row[2] != "waiting":
        into.lost[table.id] = "all its changes were on a damaged page"
        return
    table.row = (*table.row[:2], state, *table.row[3:])
    into.tables.append(table)
    if kept < table.last:
        into.set_back[table.id] = f"goes on from change {kept} of {table.last} or more"
    else:
        into.set_back[table.id] = f"may lack what came after change {kept}"


def _state_after(table: Found) -> str:
    setup: dict[str, Any] = json.loads(table.row[4])
    changes = [Change.from_text(*change) for change in table.changes]
    return restore(TableSetup.from_json(setup), changes).state


def write(found: Survey, path: Path, told: Told = lambda done, total: None) -> None:
    """Write what is left into a new file."""
    connection = open_file(path)
    try:
        connection.execute("BEGIN")
        for number, table in enumerate(found.tables, start=1):
            connection.execute(INSERT_TABLE, table.row)
            rows = [(table.id, *change) for change in table.changes]
            connection.executemany(INSERT_CHANGE, rows)
            told(number, len(found.tables))
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def set_aside(path: Path, why: str) -> Path:
    """Rename a file, together with its log, so that another can take its place."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    target = path.with_name(f"{path.name}.{why}-{stamp}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.{why}-{stamp}-{number}")
    for ending in ("-wal", "-shm", ""):
        file = path.with_name(path.name + ending)
        if file.exists():
            file.rename(target.with_name(target.name + ending))
    return target


def repair(path: Path) -> tuple[Survey, Path]:
    """Replace a damaged file by what is left of it; return that, and where the old file is now."""
    found = survey(path)
    if not found.tables and not found.lost:
        raise StoreError(f"{path} is not a file of this program, or nothing of it can be read")
    fresh = path.with_name(path.name + ".repaired")
    for ending in ("", "-wal", "-shm"):
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
    write(found, fresh)
    kept = set_aside(path, "damaged")
    fresh.rename(path)
    return found, kept
