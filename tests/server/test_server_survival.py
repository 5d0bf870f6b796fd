"""Small versions of the benchmarks: killed servers lose nothing, hostile messages harm nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import hostile
import kill
from serving import Server


def test_a_killed_server_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    figures = kill.run(kills=10, number=4, folder=tmp_path, seed=1)
    assert figures["kills"] == 10
    assert figures["moves"] > 0


def test_hostile_messages_are_answered_and_harm_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, "--rate", "1000000", "--per-address", "1000")
    try:
        figures = asyncio.run(hostile.run(server, number=2_500, connections=5, seed=1))
    finally:
        assert server.stop() == 0
    assert figures["faults"] == []
    assert sum(figures["answers"].values()) == 2_500
    assert "fernzug_faults" not in figures["metrics"]
