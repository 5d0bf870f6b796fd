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
