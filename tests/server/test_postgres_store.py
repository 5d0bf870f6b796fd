"""What only a store in PostgreSQL has to do; what every store does is in its contract."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from fernzug.server.metrics import Metrics
from fernzug.server.store import Conflict, Store, StoreError, Unreachable
from fernzug.table import Change
from server.stores import Opener, new_database, skip_or_fail, use
from services import Missing, Postgres
from situations import BOARDS
from table.tabletop import Tabletop, here

postgres_store = pytest.importorskip("fernzug.server.postgres_store")
BOARD = BOARDS[0]


def said(seq: int) -> Change:
    return Change(seq, 0, "said", {"seat": 0, "text": "x"})


def opener_of(url: str) -> Opener:
    return lambda metrics: postgres_store.PostgresStore(url, metrics)


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A server that a test may kill."""
    try:
        running = Postgres()
    except Missing as missing:
        skip_or_fail(str(missing))
    with running:
        yield running


def test_two_processes_never_write_the_same_number(postgres: Postgres) -> None:
    url = new_database(postgres)
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        other = opener_of(url)(Metrics())
        await store.create(setup, [], "playing")
        wins = 0
        for seq in range(1, 101):
            results = await asyncio.gather(
                store.append("abc", [said(seq)], None),
                other.append("abc", [said(seq)], None),
                return_exceptions=True,
            )
            assert sorted(str(type(result)) for result in results) == sorted(
                [str(type(None)), str(Conflict)]
            )
            wins += results[0] is None
        assert len(await other.changes_after("abc", 0)) == 100
        await other.close()

    use(opener_of(url), work)


@pytest.mark.slow
@pytest.mark.parametrize("backend", [True, False], ids=["one process of it", "all of it"])
def test_a_database_that_is_killed_is_found_again(own_postgres: Postgres, backend: bool) -> None:
    import os
    import signal

    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [said(1)], "playing")
        if backend:
            # PostgreSQL then restarts all its processes, and reads its log.
            for pid in own_postgres.backends():
                os.kill(pid, signal.SIGKILL)
        else:
            own_postgres.kill()
            with pytest.raises(Unreachable):
                await store.append("abc", [said(2)], None)
            await asyncio.to_thread(own_postgres.start)
        while True:
            try:
                if await store.changes_after("abc", 1):
                    break
                await store.append("abc", [said(2)], None)
            except Unreachable:
                await asyncio.sleep(0.05)
        assert await store.changes_after("abc", 0) == [said(1), said(2)]

    use(opener_of(own_postgres.url), work)


def test_a_commit_waits_for_the_disk_whatever_the_database_prefers(postgres: Postgres) -> None:
    url = new_database(postgres)
    name = url.split("@/")[1].split("?")[0]
    postgres.run_sql(f"ALTER DATABASE {name} SET synchronous_commit = off")

    async def work(store: Store) -> None:
        async with store._connection() as connection:  # type: ignore[attr-defined]
            assert await connection.fetchval("SHOW synchronous_commit") == "on"

    use(opener_of(url), work)


def test_a_database_of_a_newer_version_is_refused(postgres: Postgres) -> None:
    url = new_database(postgres)

    async def work(store: Store) -> None:
        async with store._connection() as connection:  # type: ignore[attr-defined]
            await connection.execute("UPDATE fernzug.version SET schema = 99")

    use(opener_of(url), work)
    with pytest.raises(StoreError, match="newer version"):
        opener_of(url)(Metrics())


@pytest.mark.parametrize(
    ("database", "user", "words"),
    [("nowhere", "fernzug", "does not exist"), ("postgres", "nobody_at_all", "does not exist")],
)
def test_a_database_that_cannot_be_used_is_reported(
    postgres: Postgres, database: str, user: str, words: str
) -> None:
    url = postgres.url_of(database).replace("fernzug@", f"{user}@")
    with pytest.raises(StoreError, match=words):
        opener_of(url)(Metrics())


def test_a_database_that_is_not_there_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "START_SECONDS", 0.1)
    with pytest.raises(StoreError, match="cannot reach the database"):
        opener_of("postgresql://fernzug@127.0.0.1:1/fernzug")(Metrics())
