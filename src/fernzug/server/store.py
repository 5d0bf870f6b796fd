"""The event store: every table as the list of its changes, in one SQLite file.

One thread owns the connection. Writes that arrive while it is busy are committed together, so
hundreds of moves share one wait for the disk. With ``synchronous=FULL``, what is acknowledged is
really on disk, not just handed to the operating system. If a write fails, for instance because the
disk is full, none of it is written; the others in its group are retried one by one.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from fernzug.server.metrics import Metrics
from fernzug.table import Change, TableSetup

FILE = "fernzug.db"
APPLICATION = 0x464E5A47
"""SQLite's application id, which distinguishes our files from those of other programs."""
SCHEMA = 2
"""The version of the tables below; :data:`UPGRADES` brings older files to it."""

TABLES = """
CREATE TABLE tables (
  id TEXT PRIMARY KEY,
  code TEXT NOT NULL,
  state TEXT NOT NULL,
  created INTEGER NOT NULL,
  setup TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_by_state ON tables (state, code);
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
}
"""For each schema, the statements that bring a file to the next one."""

INSERT_TABLE = "INSERT INTO tables (id, code, state, created, setup) VALUES (?, ?, ?, ?, ?)"
INSERT_CHANGE = "INSERT INTO changes (table_id, seq, at, change) VALUES (?, ?, ?, ?)"

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]


class StoreError(Exception):
    """The store cannot be used, or something could not be written, not even in part."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it was stored."""

    setup: TableSetup
    changes: list[Change]


class Store:
    """The file, and the thread that writes it."""

    def __init__(self, folder: Path, metrics: Metrics | None = None) -> None:
        self.path = folder / FILE
        self._metrics = metrics or Metrics()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(folder / "lock")
            try:
                self._connection = open_file(self.path)
            except BaseException:
                self._lock.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot use {self.path}: {error}") from error
        self._jobs: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store")
        self._thread.start()

    # ------------------------------------------------------------------------ asking

    async def create(self, setup: TableSetup, changes: Sequence[Change], state: str) -> None:
        """Write a new table with its first changes."""
        text = json.dumps(setup.to_json(), separators=(",", ":"))
        row = (setup.id, setup.code, state, setup.created, text)
        rows = [(setup.id, change.seq, change.at, change.to_text()) for change in changes]

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(INSERT_TABLE, row)
            connection.executemany(INSERT_CHANGE, rows)

        await self._run(job)

    async def append(
        self, table: str, changes: Sequence[Change], state: str | None, code: str | None = None
    ) -> None:
        """Write further changes of a table, and its state and its code if they have changed."""
        rows = [(table, change.seq, change.at, change.to_text()) for change in changes]

        def job(connection: sqlite3.Connection) -> None:
            connection.executemany(INSERT_CHANGE, rows)
            if state is not None:
                connection.execute("UPDATE tables SET state = ? WHERE id = ?", (state, table))
            if code is not None:
                connection.execute("UPDATE tables SET code = ? WHERE id = ?", (code, table))

        await self._run(job)

    async def load(self, table: str) -> Stored | None:
        """Return the table with this id, if there is one."""

        def job(connection: sqlite3.Connection) -> Stored | None:
            found = connection.execute("SELECT setup FROM tables WHERE id = ?", (table,)).fetchone()
            if found is None:
                return None
            rows = connection.execute(
                "SELECT seq, at, change FROM changes WHERE table_id = ? ORDER BY seq", (table,)
            )
            changes = [Change.from_text(*row) for row in rows]
            return Stored(TableSetup.from_json(json.loads(found[0])), changes)

        return await self._run(job)

    async def ping(self) -> None:
        """Return when the store has answered."""
        await self._run(lambda connection: connection.execute("SELECT 1").fetchone())

    async def codes(self) -> dict[str, str]:
        """Return the codes of all unfinished tables, with their ids."""

        def job(connection: sqlite3.Connection) -> dict[str, str]:
            rows = connection.execute("SELECT code, id FROM tables WHERE state != 'over'")
            return dict(rows.fetchall())

        return await self._run(job)

    async def delete_old(self, *, waiting_before: int, playing_before: int) -> int:
        """Delete unfinished tables without a change since then; return how many there were."""

        def job(connection: sqlite3.Connection) -> int:
            old = """
              SELECT id FROM tables t
              WHERE (state = 'waiting' AND coalesce(
                       (SELECT max(at) FROM changes WHERE table_id = t.id), created) < ?)
                 OR (state = 'playing' AND coalesce(
                       (SELECT max(at) FROM changes WHERE table_id = t.id), created) < ?)
            """
            ids = connection.execute(old, (waiting_before, playing_before)).fetchall()
            connection.executemany("DELETE FROM changes WHERE table_id = ?", ids)
            connection.executemany("DELETE FROM tables WHERE id = ?", ids)
            return len(ids)

        return await self._run(job)

    # ------------------------------------------------------------------------ the thread

    async def _run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        began = time.perf_counter()
        self._jobs.put(_Waiting(job, future, loop))
        result = await future
        self._metrics.time("commit", time.perf_counter() - began)
        return result

    def close(self) -> None:
        """Write everything that is waiting, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()
        self._lock.close()

    def _work(self) -> None:
        going = True
        while going:
            group: list[_Waiting] = []
            waiting = self._jobs.get()
            while waiting is not None:
                group.append(waiting)
                if self._jobs.empty():
                    break
                waiting = self._jobs.get()
            going = waiting is not None
            self._commit_group(group)

    def _commit_group(self, group: list[_Waiting]) -> None:
        if not group:
            return
        try:
            results = self._commit([waiting.job for waiting in group])
        except Exception as error:
            if len(group) > 1:
                for waiting in group:
                    self._commit_group([waiting])
            else:
                failure = StoreError(f"{type(error).__name__}: {error}")
                self._deliver([(group[0], None, failure)])
            return
        self._deliver([(w, result, None) for w, result in zip(group, results, strict=True)])

    def _deliver(self, answers: list[tuple[_Waiting, Any, StoreError | None]]) -> None:
        """Deliver all results at once, because waking the loop is the expensive part."""

        def tell() -> None:
            self._metrics.count("commits")
            for waiting, result, error in answers:
                if waiting.future.done():
                    continue
                if error is None:
                    waiting.future.set_result(result)
                else:
                    waiting.future.set_exception(error)

        loop = answers[0][0].loop
        # If the loop has been closed, nobody is waiting any more.
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell)

    def _commit(self, jobs: list[Job]) -> list[Any]:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            results = [job(connection) for job in jobs]
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return results


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A job, and the future that waits for it."""

    job: Job
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


def _lock(path: Path) -> Any:
    """Make sure that no other server uses the folder; the lock is released even after a kill."""
    file = path.open("w")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows: rely on SQLite's own lock.
        pass
    except OSError:
        file.close()
        raise StoreError(f"another server uses {path.parent}") from None
    return file


def open_file(path: Path) -> sqlite3.Connection:
    """Open, create or upgrade the file; refuse one that is not ours or is too new."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not empty and application != APPLICATION:
            raise StoreError(f"{path} is not a file of this program")
        if schema > SCHEMA:
            raise StoreError(
                f"{path} was written by a newer version of this program "
                f"(schema {schema}; this one knows up to {SCHEMA})"
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if empty:
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
