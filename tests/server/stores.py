"""The kinds of stores, each opened on data of its own."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn

import pytest

from fernzug.server.metrics import Metrics
from fernzug.server.sqlite_store import SqliteStore
from fernzug.server.store import Store
from services import Postgres

Opener = Callable[[Metrics], Store]


def sqlite_opener(folder: Path) -> Opener:
    """Return what opens the store of a folder."""
    return lambda metrics: SqliteStore(folder, metrics)


def new_database(postgres: Postgres) -> str:
    """Create an empty database, and return its address."""
    name = f"test_{secrets.token_hex(8)}"
    postgres.run_sql(f"CREATE DATABASE {name}")
    return postgres.url_of(name)


def postgres_opener(postgres: Postgres) -> Opener:
    """Return what opens an empty database of a server."""
    url = new_database(postgres)

    def opener(metrics: Metrics) -> Store:
        from fernzug.server.postgres_store import PostgresStore

        return PostgresStore(url, metrics)

    return opener


def skip_or_fail(reason: str) -> NoReturn:
    """Leave a test out whose component is missing; in CI nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def use(
    opener: Opener, work: Callable[[Store], Awaitable[None]], metrics: Metrics | None = None
) -> None:
    """Open a store, work with it, and close it."""

    async def run() -> None:
        store = opener(metrics or Metrics())
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())
