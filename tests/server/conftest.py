"""The server that most tests of it use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.live import LiveServer, settings_for

# Small versions of the benchmarks run as tests.
sys.path.append(str(Path(__file__).parent.parent.parent / "benchmarks"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(settings_for(tmp_path)) as running:
        yield running
