"""The store of a single process: one SQLite file.

One thread owns the connection. Writes that arrive while it is busy, or within a few milliseconds
after a commit, are committed together, so hundreds of moves share one wait for the disk. With
``synchronous=FULL``, what is acknowledged is really on disk, not just handed to the operating
system. If a write fails, for instance because the disk is full, none of it is written; the others
in its group are retried one by one.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from fernzug.server.metrics import Metrics
from fernzug.server.sqlite_file import FILE, INSERT_CHANGE, INSERT_TABLE, lock
from fernzug.server.sqlite_repair import open_sound
from fernzug.server.store import CodeTaken, Conflict, Stored, StoreError
from fernzug.table import Change, TableSetup

GATHER_SECONDS = 0.010
"""From the end of a commit to the next at least: to commit every single move, with a fast disk,
costs as much as everything else about it. After a pause nobody waits."""
SAME_DAY = 20 * 3_600_000
"""Milliseconds within which a day is not counted again."""

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]


class SqliteStore:
    """The file, and the thread that writes it."""

    shared = False

    def __init__(self, folder: Path, metrics: Metrics | None = None) -> None:
        self.path = folder / FILE
        self._metrics = metrics or Metrics()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock(folder)
            try:
                self._connection = open_sound(self.path)
            except BaseException:
                self._lock.close()
                raise
        except (OSError, sqlite3.Error) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise StoreError(f"cannot use {self.path}: {reason}") from error
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
            _require_free_code(connection, setup.code)
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
                _require_free_code(connection, code)
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

    async def changes_after(self, table: str, seq: int) -> list[Change]:
        """Return the changes of a table after a certain one."""

        def job(connection: sqlite3.Connection) -> list[Change]:
            rows = connection.execute(
                "SELECT seq, at, change FROM changes WHERE table_id = ? AND seq > ? ORDER BY seq",
                (table, seq),
            )
            return [Change.from_text(*row) for row in rows]

        return await self._run(job)

    async def last_changes(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the numbers of the last changes of those tables that have any."""
        asked = list(tables)

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            last = "SELECT max(seq) FROM changes WHERE table_id = ?"
            found = {table: connection.execute(last, (table,)).fetchone()[0] for table in asked}
            return {table: seq for table, seq in found.items() if seq is not None}

        return await self._run(job)

    async def table_of_code(self, code: str) -> str | None:
        """Return the id of the unfinished table that has a code now, if there is one."""
        return await self._run(lambda connection: _table_of_code(connection, code))

    async def count_day(self, *, now: int, waiting_days: int, playing_days: int) -> int:
        """Count a day for unfinished tables, and delete those that were idle for too long."""

        def job(connection: sqlite3.Connection) -> int:
            counted = connection.execute("SELECT max(counted) FROM days").fetchone()[0]
            if counted is not None and abs(now - counted) < SAME_DAY:
                return 0
            connection.execute("DELETE FROM days")
            connection.execute("INSERT INTO days (counted) VALUES (?)", (now,))
            last = "(SELECT coalesce(max(seq), 0) FROM changes WHERE table_id = tables.id)"
            connection.execute(
                f"UPDATE tables SET idle_seq = {last},"
                f" idle_days = CASE WHEN idle_seq = {last} THEN idle_days + 1 ELSE 0 END"
                " WHERE state != 'over'"
            )
            idle = """
              SELECT id FROM tables
              WHERE (state = 'waiting' AND idle_days > ?) OR (state = 'playing' AND idle_days > ?)
            """
            ids = connection.execute(idle, (waiting_days, playing_days)).fetchall()
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

    async def close(self) -> None:
        """Write everything that is waiting, and close the file."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()
        self._lock.close()

    def _work(self) -> None:
        going = True
        rested = 0.0
        while going:
            group: list[_Waiting] = []
            waiting = self._jobs.get()
            pause = rested - time.monotonic()
            if pause > 0 and waiting is not None:
                time.sleep(pause)
            while waiting is not None:
                group.append(waiting)
                if self._jobs.empty():
                    break
                waiting = self._jobs.get()
            going = waiting is not None
            self._commit_group(group)
            rested = time.monotonic() + GATHER_SECONDS

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
                self._deliver([(group[0], None, _in_words(error))])
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


def _in_words(error: Exception) -> StoreError:
    if isinstance(error, StoreError):
        return error
    kind = Conflict if isinstance(error, sqlite3.IntegrityError) else StoreError
    return kind(f"{type(error).__name__}: {error}")


def _table_of_code(connection: sqlite3.Connection, code: str) -> str | None:
    found = connection.execute(
        "SELECT id FROM tables WHERE state IN ('waiting', 'playing') AND code = ?", (code,)
    ).fetchone()
    return None if found is None else str(found[0])


def _require_free_code(connection: sqlite3.Connection, code: str) -> None:
    if _table_of_code(connection, code) is not None:
        raise CodeTaken(f"another table has the code {code}")
