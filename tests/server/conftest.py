"""The server that most tests of it use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from paths import ROOT
from server.live import LiveServer, settings_for

# Small versions of the benchmarks run as tests.
sys.path.append(str(ROOT / "benchmarks"))

from server.stores import skip_or_fail
from services import Missing, Postgres, Redis


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server for all tests that only play at tables of their own."""
    # All tests together come from one address, which is not a fault here.
    settings = settings_for(tmp_path_factory.mktemp("server"))
    crowded = replace(settings, limits=settings.limits.for_crowds(10**6))
    with LiveServer(crowded) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LiveServer]:
    """A server of its own, for a test that changes it or counts what it has done."""
    with LiveServer(settings_for(tmp_path)) as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, on which every test has a database of its own."""
    pytest.importorskip("asyncpg")
    try:
        running = Postgres(fsync=False)
    except Missing as missing:
        skip_or_fail(str(missing))
    with running:
        yield running


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis server."""
    pytest.importorskip("redis")
    try:
        running = Redis()
    except Missing as missing:
        skip_or_fail(str(missing))
    with running:
        yield running
