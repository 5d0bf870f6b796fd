"""Nothing is lost when servers are killed or disks are full; hostile messages do no harm."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import attacks
import hostile
import kill
from server.live import Browser
from server.stores import skip_or_fail
from services import Missing
from serving import Server, people

pytestmark = pytest.mark.slow

RLIM_INFINITY = -1


def killed(store: str, kills: int, folder: Path, *, drain: bool = False) -> Any:
    """Kill processes while a few tables are being played; return the figures."""
    try:
        figures = kill.run(store, kills, 3, folder, seed=1, drain=drain)
    except Missing as missing:
        skip_or_fail(str(missing))
    assert sum(figures["killed"].values()) == kills
    assert figures["moves"] > 0
    return figures


def test_a_killed_server_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    killed("sqlite", 5, tmp_path)


def test_many_processes_lose_nothing_when_one_of_any_kind_is_killed(tmp_path: Path) -> None:
    pytest.importorskip("asyncpg")
    killed("postgresql", 6, tmp_path)


def test_a_server_that_is_told_to_stop_hands_its_people_over(tmp_path: Path) -> None:
    pytest.importorskip("asyncpg")
    killed("postgresql", 3, tmp_path, drain=True)


def test_hostile_messages_are_answered_and_harm_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        figures = asyncio.run(hostile.run(server, number=2_500, connections=5, seed=1))
    finally:
        assert server.stop() == 0
    assert figures["faults"] == []
    assert sum(figures["answers"].values()) == figures["sent"] >= 2_500
    assert "fernzug_faults" not in figures["metrics"]


@pytest.mark.parametrize("name", ["pings", "fragments", "half bodies", "codes", "long games"])
def test_the_honest_play_on_during_an_attack(tmp_path: Path, name: str) -> None:
    """How fast they play is for the benchmark to say, on a quiet machine."""
    figures = attacks.run(name, 3.0, tmp_path)
    assert figures["moves"]
    assert figures["done"]
    assert not figures["faults"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Start servers on the same folder; whatever happens, none of them is left behind."""
    with ExitStack() as stack:

        def start_one() -> Server:
            server = Server(tmp_path, "--bot-workers", "0")
            stack.callback(server.kill)
            return server

        yield start_one


def test_moves_are_refused_while_the_disk_is_full(
    tmp_path: Path, start: Callable[[], Server]
) -> None:
    """The system itself refuses to let the file grow: nothing is acknowledged, nothing is lost."""
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("the limits of another process cannot be set here")
    server = start()
    made = server.post("/api/tables", {"board": "london", "seats": people(2), "first_player": 0})
    tokens = [each["token"] for each in made["tokens"]]
    browser: Any = Browser(server, made["table"], tokens)
    for seat in (0, 1):
        assert browser.play(seat, browser.legal(seat)[-1])["type"] == "ack"
    before, seq = browser.views, browser.seq

    room_for = (tmp_path / "fernzug.db-wal").stat().st_size
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (room_for, RLIM_INFINITY))
    for _ in range(3):
        refused = browser.play(0, "draw deck", id="the move")
        assert (refused["type"], refused["code"]) == ("error", "storage")
        assert "not done" in refused["message"]
    with pytest.raises(RuntimeError, match="503"):
        server.post("/api/tables", {"board": "london", "seats": people(2)})
    other: Any = Browser(server, made["table"], tokens)
    assert (other.snapshot["seq"], other.snapshot["views"]) == (seq, before)
    other.close()

    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))
    assert browser.play(0, "draw deck", id="the move")["seq"] == seq + 1
    assert browser.play(0, "draw deck", id="the move")["seq"] == seq + 1
    assert browser.play(0, "draw deck")["seq"] == seq + 2
    after = browser.views
    server.kill()

    server = start()
    again: Any = Browser(server, made["table"], tokens)
    assert (again.snapshot["seq"], again.snapshot["views"]) == (seq + 2, after)
    again.close()
    assert server.stop() == 0
