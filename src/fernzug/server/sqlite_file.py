"""The SQLite file itself: its schema, opening and upgrading it, and the lock of its folder."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fernzug.server.store import StoreError
from fernzug.table import Change, TableSetup

FILE = "fernzug.db"
APPLICATION = 0x464E5A47
"""SQLite's application id, which distinguishes our files from those of other programs."""
SCHEMA = 3
"""The version of the tables below; :data:`UPGRADES` brings older files to it."""

TABLES = """
CREATE TABLE tables (
  id TEXT PRIMARY KEY,
  code TEXT NOT NULL,
  state TEXT NOT NULL,
  created INTEGER NOT NULL,
  setup TEXT NOT NULL,
  idle_days INTEGER NOT NULL DEFAULT 0,
  idle_seq INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX tables_by_state ON tables (state, code);
CREATE TABLE days (
  counted INTEGER NOT NULL
);
CREATE TABLE changes (
  table_id TEXT NOT NULL REFERENCES tables (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
"""

UPGRADES = {
    # Drop the column "touched", which was written and never read. This copies the table, because
    # SQLite cannot drop a column before version 3.35.
    1: """
    CREATE TABLE upgraded (
      id TEXT PRIMARY KEY,
      code TEXT NOT NULL,
      state TEXT NOT NULL,
      created INTEGER NOT NULL,
      setup TEXT NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO upgraded (id, code, state, created, setup)
      SELECT id, code, state, created, setup FROM tables;
    DROP TABLE tables;
    ALTER TABLE upgraded RENAME TO tables;
    CREATE INDEX tables_by_state ON tables (state, code);
    """,
    # Count the days on which nothing has happened at a table, instead of trusting the clock.
    2: """
    ALTER TABLE tables ADD COLUMN idle_days INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN idle_seq INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE days (
      counted INTEGER NOT NULL
    );
    """,
}
"""For each schema, the statements that bring a file to the next one."""

INSERT_TABLE = "INSERT INTO tables (id, code, state, created, setup) VALUES (?, ?, ?, ?, ?)"
INSERT_CHANGE = "INSERT INTO changes (table_id, seq, at, change) VALUES (?, ?, ?, ?)"


def lock(folder: Path) -> Any:
    """Make sure that no other server uses the folder; the lock is released even after a kill."""
    file = (folder / "lock").open("w")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows: rely on SQLite's own lock.
        pass
    except OSError:
        file.close()
        raise StoreError(f"another server uses {folder}") from None
    return file


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that another process may be writing; refuse one that is not ours."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        _require_ours(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


Load = Callable[[], tuple[TableSetup, list[Change]]]


def stored_tables(connection: sqlite3.Connection) -> Iterator[tuple[str, str, Load]]:
    """Yield the id and the state of each table, and what reads the rest of it."""
    for id, state, setup in connection.execute("SELECT id, state, setup FROM tables"):

        def load(id: str = id, setup: str = setup) -> tuple[TableSetup, list[Change]]:
            rows = connection.execute(
                "SELECT seq, at, change FROM changes WHERE table_id = ? ORDER BY seq", (id,)
            )
            changes = [Change.from_text(*row) for row in rows]
            return TableSetup.from_json(json.loads(setup)), changes

        yield id, state, load


def _require_ours(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema of a file, or refuse it; 0 if it is empty."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return 0
    if application != APPLICATION:
        raise StoreError(f"{path} is not a file of this program")
    if schema > SCHEMA:
        raise StoreError(
            f"{path} was written by a newer version of this program "
            f"(schema {schema}; this one knows up to {SCHEMA})"
        )
    return schema


def open_file(path: Path) -> sqlite3.Connection:
    """Open, create or upgrade the file; refuse one that is not ours or is too new."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        schema = _require_ours(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if not schema:
            connection.executescript(
                f"BEGIN; {TABLES} PRAGMA application_id = {APPLICATION};"
                f" PRAGMA user_version = {SCHEMA}; COMMIT;"
            )
        else:
            for version in range(schema, SCHEMA):
                connection.executescript(
                    f"BEGIN; {UPGRADES[version]} PRAGMA user_version = {version + 1}; COMMIT;"
                )
    except BaseException:
        connection.close()
        raise
    return connection
