"""The store of many processes: tables in PostgreSQL.

Changes that arrive while the database is busy are written together by one statement, so they share
the wait for the disk. A number that another process has taken violates the primary key. If the
connection is lost while something is being written, nobody knows whether it was: that is
:class:`~fernzug.server.store.Unreachable`, and whoever wrote it has to read on to find out.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple

import asyncpg

from fernzug.server.log import note
from fernzug.server.metrics import Metrics
from fernzug.server.store import CodeTaken, Conflict, Stored, StoreError, Unreachable
from fernzug.table import Change, TableSetup

SCHEMA = 1
"""The version of the tables below; :data:`UPGRADES` brings older databases to it."""
LOCK = 0x464E5A47
"""The number of the advisory lock under which the tables are created."""

TABLES = """
CREATE TABLE fernzug.tables (
  id TEXT COLLATE "C" PRIMARY KEY,
  code TEXT COLLATE "C" NOT NULL,
  state TEXT NOT NULL,
  created BIGINT NOT NULL,
  setup TEXT NOT NULL,
  idle_days INTEGER NOT NULL DEFAULT 0,
  idle_seq INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX tables_by_code ON fernzug.tables (code) WHERE state <> 'over';
CREATE TABLE fernzug.days (
  counted BIGINT NOT NULL
);
CREATE TABLE fernzug.changes (
  table_id TEXT COLLATE "C" NOT NULL,
  seq INTEGER NOT NULL,
  at BIGINT NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (table_id, seq)
);
"""
UPGRADES: dict[int, str] = {}
"""For each schema, the statements that bring a database to the next one."""

INSERT_TABLE = (
    "INSERT INTO fernzug.tables (id, code, state, created, setup) VALUES ($1, $2, $3, $4, $5)"
)
INSERT_CHANGE = "INSERT INTO fernzug.changes (table_id, seq, at, change) VALUES ($1, $2, $3, $4)"
INSERT_CHANGES = (
    "INSERT INTO fernzug.changes (table_id, seq, at, change)"
    " SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[])"
)
SELECT_CHANGES = (
    "SELECT seq, at, change FROM fernzug.changes WHERE table_id = $1 AND seq > $2 ORDER BY seq"
)
LAST_CHANGES = """
SELECT asked.id, last.seq FROM unnest($1::text[]) AS asked (id)
CROSS JOIN LATERAL (
  SELECT seq FROM fernzug.changes WHERE table_id = asked.id ORDER BY seq DESC LIMIT 1
) AS last
"""
COUNT_DAY = """
UPDATE fernzug.tables t SET
  idle_days = CASE WHEN t.idle_seq = last.seq THEN t.idle_days + 1 ELSE 0 END,
  idle_seq = last.seq
FROM (
  SELECT id, coalesce((SELECT max(seq) FROM fernzug.changes WHERE table_id = id), 0) AS seq
  FROM fernzug.tables
) AS last
WHERE last.id = t.id AND t.state <> 'over'
"""
SAME_DAY = 20 * 3_600_000
"""Milliseconds within which a day is not counted again."""

SERVER_SETTINGS = {"application_name": "fernzug", "synchronous_commit": "on", "jit": "off"}
"""Whatever the database's own settings say, a commit waits for the disk."""
MAX_CONNECTIONS = 3
"""For everything but the writing of changes, which has a connection of its own."""
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
GATHER_SECONDS = 0.040
"""From the end of a commit to the next at least, so that more changes share it, and their messages
share the way to the other processes and to the sockets. After a pause nobody waits."""
START_SECONDS = 20.0
"""How long a server that starts waits for a database that is not there yet."""

LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
"""Errors after which the database may be reached again, and after which nobody knows whether what
was being written has been."""


class Row(NamedTuple):
    """A change as it is stored."""

    table: str
    seq: int
    at: int
    change: str


class PostgresStore:
    """A database, and what waits to be written to it."""

    shared = True

    def __init__(self, url: str, metrics: Metrics | None = None) -> None:
        self._url = url
        self._metrics = metrics or Metrics()
        self._pool: asyncpg.Pool | None = None
        self._waiting: list[tuple[Row, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._own: Any = None
        """The connection over which changes are written; to borrow one would take longer."""
        self._rested = 0.0
        """From when on the next group may be written."""
        _prepare(url)

    # ------------------------------------------------------------------------ asking

    async def create(self, setup: TableSetup, changes: Sequence[Change], state: str) -> None:
        """Write a new table with its first changes."""
        text = json.dumps(setup.to_json(), separators=(",", ":"))
        async with self._transaction() as connection:
            await connection.execute(INSERT_TABLE, setup.id, setup.code, state, setup.created, text)
            await connection.executemany(INSERT_CHANGE, _rows(setup.id, changes))

    async def append(
        self, table: str, changes: Sequence[Change], state: str | None, code: str | None = None
    ) -> None:
        """Write further changes of a table, and its state and its code if they have changed."""
        rows = _rows(table, changes)
        if len(rows) == 1 and state is None and code is None:
            await self._write(rows[0])
            return
        async with self._transaction() as connection:
            await connection.executemany(INSERT_CHANGE, rows)
            if state is not None:
                await connection.execute(
                    "UPDATE fernzug.tables SET state = $2 WHERE id = $1", table, state
                )
            if code is not None:
                await connection.execute(
                    "UPDATE fernzug.tables SET code = $2 WHERE id = $1", table, code
                )

    async def load(self, table: str) -> Stored | None:
        """Return the table with this id, if there is one."""
        async with self._connection() as connection:
            setup = await connection.fetchval(
                "SELECT setup FROM fernzug.tables WHERE id = $1", table
            )
            if setup is None:
                return None
            rows = await connection.fetch(SELECT_CHANGES, table, 0)
        changes = [Change.from_text(*row) for row in rows]
        return Stored(TableSetup.from_json(json.loads(setup)), changes)

    async def changes_after(self, table: str, seq: int) -> list[Change]:
        """Return the changes of a table after a certain one."""
        async with self._connection() as connection:
            rows = await connection.fetch(SELECT_CHANGES, table, seq)
        return [Change.from_text(*row) for row in rows]

    async def last_changes(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the numbers of the last changes of those tables that have any."""
        async with self._connection() as connection:
            rows = await connection.fetch(LAST_CHANGES, list(tables))
        return {row[0]: row[1] for row in rows}

    async def table_of_code(self, code: str) -> str | None:
        """Return the id of the unfinished table that has a code now, if there is one."""
        async with self._connection() as connection:
            found: str | None = await connection.fetchval(
                "SELECT id FROM fernzug.tables WHERE code = $1 AND state <> 'over'", code
            )
        return found

    async def count_day(self, *, now: int, waiting_days: int, playing_days: int) -> int:
        """Count a day for unfinished tables, and delete those that were idle for too long."""
        async with self._transaction() as connection:
            # Processes that start at the same time count the day once.
            await connection.execute("LOCK TABLE fernzug.days IN EXCLUSIVE MODE")
            counted = await connection.fetchval("SELECT max(counted) FROM fernzug.days")
            if counted is not None and abs(now - counted) < SAME_DAY:
                return 0
            await connection.execute("DELETE FROM fernzug.days")
            await connection.execute("INSERT INTO fernzug.days (counted) VALUES ($1)", now)
            await connection.execute(COUNT_DAY)
            rows = await connection.fetch(
                "DELETE FROM fernzug.tables WHERE (state = 'waiting' AND idle_days > $1)"
                " OR (state = 'playing' AND idle_days > $2) RETURNING id",
                *(waiting_days, playing_days),
            )
            ids = [row[0] for row in rows]
            await connection.execute("DELETE FROM fernzug.changes WHERE table_id = ANY($1)", ids)
        return len(ids)

    async def ping(self) -> None:
        """Return when the store has answered."""
        async with self._connection() as connection:
            await connection.fetchval("SELECT 1")

    async def close(self) -> None:
        """Write everything that is waiting, and close the connections."""
        if self._writer is not None:
            await self._writer
        if self._own is not None:
            self._own.terminate()
        if self._pool is not None:
            try:
                await asyncio.wait_for(self._pool.close(), ANSWER_SECONDS)
            except LOST:
                self._pool.terminate()

    # ------------------------------------------------------------------------ writing together

    async def _write(self, row: Row) -> None:
        """Write a change, together with others that are waiting."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, future))
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write_all())
        began = time.perf_counter()
        await future
        self._metrics.time("commit", time.perf_counter() - began)

    async def _write_all(self) -> None:
        """Write until nothing is waiting any more."""
        try:
            while self._waiting:
                pause = self._rested - time.monotonic()
                if pause > 0:
                    await asyncio.sleep(pause)
                group, self._waiting = self._waiting, []
                await self._write_group(group)
                self._rested = time.monotonic() + GATHER_SECONDS
        finally:
            self._writer = None

    async def _write_group(self, group: list[tuple[Row, asyncio.Future[None]]]) -> None:
        try:
            with _in_words():
                if self._own is None or self._own.is_closed():
                    self._own = await _connect(self._url, ANSWER_SECONDS)
                if len(group) == 1:
                    await self._own.execute(INSERT_CHANGE, *group[0][0])
                else:
                    columns = zip(*(row for row, _ in group), strict=True)
                    await self._own.execute(INSERT_CHANGES, *columns)
            self._metrics.count("commits")
        except StoreError as error:
            if isinstance(error, Unreachable) and self._own is not None:
                # It may be stuck, or lead to a server that only reads.
                self._own.terminate()
                self._own = None
            if len(group) > 1 and not isinstance(error, Unreachable):
                # One of them has spoilt it for the others, so each is written by itself.
                for one in group:
                    await self._write_group([one])
                return
            for _, future in group:
                if not future.done():
                    future.set_exception(error)
            return
        for _, future in group:
            if not future.done():
                future.set_result(None)

    # ------------------------------------------------------------------------ connections

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        """Lend a connection; what goes wrong is told as the errors of a store."""
        if self._pool is None:
            self._pool = asyncpg.create_pool(
                self._url,
                min_size=0,
                max_size=MAX_CONNECTIONS,
                reset=_keep_as_it_is,
                timeout=CONNECT_SECONDS,
                command_timeout=ANSWER_SECONDS,
                server_settings=SERVER_SETTINGS,
            )
            await self._pool
        with _in_words():
            async with self._pool.acquire() as connection:
                yield connection

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Any]:
        """Lend a connection for statements that are carried out together or not at all."""
        began = time.perf_counter()
        async with self._connection() as connection, connection.transaction():
            yield connection
        self._metrics.count("commits")
        self._metrics.time("commit", time.perf_counter() - began)


@contextmanager
def _in_words() -> Iterator[None]:
    """Tell errors of the database as errors of a store."""
    try:
        yield
    except LOST as error:
        raise Unreachable(_words(error)) from error
    except asyncpg.UniqueViolationError as error:
        kind = CodeTaken if error.constraint_name == "tables_by_code" else Conflict
        raise kind(_words(error)) from error
    except asyncpg.PostgresError as error:
        raise StoreError(_words(error)) from error


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


async def _connect(url: str, answer_seconds: float) -> Any:
    return await asyncpg.connect(
        url,
        timeout=CONNECT_SECONDS,
        command_timeout=answer_seconds,
        server_settings=SERVER_SETTINGS,
    )


async def _keep_as_it_is(connection: object) -> None:
    """Return a connection to the pool: nothing here changes its settings."""


def _rows(table: str, changes: Sequence[Change]) -> list[Row]:
    return [Row(table, change.seq, change.at, change.to_text()) for change in changes]


# ------------------------------------------------------------------------ creating the tables


def _prepare(url: str) -> None:
    """Create or upgrade the tables, or say in words why the database cannot be used."""
    # The store may be opened inside a loop or outside of one, so it takes one of its own.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _prepare_within(url, START_SECONDS)).result()


async def _prepare_within(url: str, seconds: float) -> None:
    """Wait for a database that has not been started yet, but not for ever."""
    end = time.monotonic() + seconds
    while True:
        try:
            with _in_words():
                return await _prepare_now(url)
        except Unreachable as error:
            if time.monotonic() > end:
                raise StoreError(f"cannot reach the database: {error}") from None
            note("store_awaited", logging.WARNING, reason=str(error))
            await asyncio.sleep(0.5)
        except ValueError as error:
            raise StoreError(f"cannot use the database: {error}") from None


async def _prepare_now(url: str) -> None:
    connection = await _connect(url, 6 * ANSWER_SECONDS)
    try:
        if await connection.fetchval("SHOW fsync") == "off":
            note("store_does_not_wait_for_the_disk", logging.WARNING, setting="fsync")
        async with connection.transaction():
            # Processes that start at the same time create the tables once.
            await connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
            await _bring_up_to_date(connection)
    finally:
        await connection.close(timeout=CONNECT_SECONDS)


async def _bring_up_to_date(connection: Any) -> None:
    if await connection.fetchval("SELECT to_regclass('fernzug.version')") is None:
        await connection.execute("CREATE SCHEMA IF NOT EXISTS fernzug")
        await connection.execute("CREATE TABLE fernzug.version (schema INTEGER NOT NULL)")
        await connection.execute(f"INSERT INTO fernzug.version VALUES ({SCHEMA})")
        await connection.execute(TABLES)
        return
    schema = await connection.fetchval("SELECT max(schema) FROM fernzug.version")
    if schema > SCHEMA:
        raise StoreError(
            "the database was written by a newer version of this program "
            f"(schema {schema}; this one knows up to {SCHEMA})"
        )
    for version in range(schema, SCHEMA):
        await connection.execute(UPGRADES[version])
        await connection.execute(f"UPDATE fernzug.version SET schema = {version + 1}")
