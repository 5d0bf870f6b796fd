"""A real cluster of several nodes on one machine: the same games, also when a node dies.

Starting the nodes takes most of the time, so one test does everything that needs them.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import pickle
import re
import runpy
import signal
import socket
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import fernzug
from fernzug import cli
from fernzug.arena import Contest, Store, run
from fernzug.arena.store import RAW_COLUMNS
from fernzug.engine import COMPILED
from fernzug.sim import Part, Simulation, WorkerLost, cluster, running, simulate
from fernzug.sim.cluster import Cluster, NoCluster
from processes import children_of, needs_list_of_processes

BOARD = fernzug.board("london")
EXAMPLE = Path(__file__).parents[2] / "examples" / "distributed_training.py"

PATIENCE = 600
"""Seconds that a node has to start."""

BOT = """
import os
from fernzug.bots import Bot

class Own(Bot):
    def __init__(self, board, seed=0, deadly=False):
        super().__init__(board, seed)
        self.deadly = deadly

    def choose(self, view, legal):
        if self.deadly:
            os._exit(5)
        return legal[self.seed % len(legal)]
"""


class Nodes:
    """Nodes with one processor each, which only this machine can reach."""

    def __init__(self, utils: Any) -> None:
        self.cluster: Any = utils.Cluster()
        self.number = 1
        self.add(
            include_dashboard=False,
            _system_config={"health_check_period_ms": 1000, "health_check_failure_threshold": 6},
        )

    def add(self, **more: Any) -> None:
        # Every node has a loopback address of its own; Ray would replace the usual one.
        self.number += 1
        address = f"127.0.0.{self.number}"
        self.cluster.add_node(
            num_cpus=1, object_store_memory=80_000_000, node_ip_address=address, **more
        )

    def kill_one(self) -> None:
        """Kill all processes of a node at once, as if somebody had pulled its plug.

        Those that play would otherwise go on for a while without their node.
        """
        node = next(iter(self.cluster.worker_nodes))
        raylet = node.all_processes["raylet"][0].process.pid
        players = children_of(raylet)
        for pid in (raylet, *players):
            os.kill(pid, signal.SIGKILL)
        self.cluster.remove_node(node, allow_graceful=False)


def patiently(get_node: Callable[..., Any], *arguments: object, **named: object) -> Any:
    """Ask for a node of Ray's until it is there."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return get_node(*arguments, **named)
        except RuntimeError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


@contextmanager
def three_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    ray: Any = pytest.importorskip("ray")
    utils: Any = pytest.importorskip("ray.cluster_utils")
    # A node that is not there after half a minute gives up, which is not long on a busy machine.
    services: Any = import_module("ray._private.services")
    monkeypatch.setattr(services, "get_node", functools.partial(patiently, services.get_node))
    nodes = Nodes(utils)
    try:
        nodes.add()
        nodes.add()
        ray.init(
            address=nodes.cluster.address,
            _node_ip_address="127.0.0.2",
            log_to_driver=False,
            logging_level="ERROR",
        )
        nodes.cluster.wait_for_nodes(PATIENCE)
        yield nodes
    finally:
        ray.shutdown()
        nodes.cluster.shutdown()


def contest_rows(store: Store) -> list[dict[str, object]]:
    """Everything in a store but what a clock, or the order of writing, has made."""
    found = [dict(zip(RAW_COLUMNS, row, strict=True)) for row in store.rows()]
    made = {"seconds", "slowest", "game"}
    return [{key: value for key, value in row.items() if key not in made} for row in found]


def decision_rows(folder: Path) -> Any:
    """All rows of a folder as a table, in the order of games and decisions."""
    arrow: Any = pytest.importorskip("pyarrow")
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    files = [parquet.read_table(file) for file in sorted(folder.iterdir())]
    columns = ["game", "decision", "seat", "action", "legal", "points", "final_points", "rank"]
    every = arrow.concat_tables([file.select(columns) for file in files])
    return every.sort_by([("game", "ascending"), ("decision", "ascending")]).combine_chunks()


class Watcher:
    """Lets no actor work before three are ready, and counts those that are lost."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ready = 0
        self.lost = 0
        hear, lose, feed = cluster._Run._hear, cluster._Run._lose, cluster._Run._feed

        def feed_later(run: Any, actor: Any, jobs: Any) -> None:
            if self.ready >= 3:
                feed(run, actor, jobs)

        def note_ready(run: Any, actor: Any, value: Any) -> None:
            self.ready += not actor.ready
            hear(run, actor, value)

        def note_loss(run: Any, actor: Any, error: Exception) -> None:
            self.lost += 1
            lose(run, actor, error)

        monkeypatch.setattr(cluster._Run, "_feed", feed_later)
        monkeypatch.setattr(cluster._Run, "_hear", note_ready)
        monkeypatch.setattr(cluster._Run, "_lose", note_loss)


@pytest.mark.skipif(not COMPILED, reason="a cluster does not care which engine it runs")
@needs_list_of_processes
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own warnings are not ours.
def test_a_cluster_plays_the_same_games_even_if_a_node_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "chunk_size", lambda _: 2)
    monkeypatch.setattr(cluster, "SAVE_EVERY", 20)
    watcher = Watcher(monkeypatch)
    Path("own.py").write_text(BOT, encoding="utf-8")
    with three_nodes(monkeypatch) as nodes:
        crew = Cluster()
        assert crew.workers >= 3
        _a_simulation_loses_a_node(nodes, crew, tmp_path)
        assert watcher.lost >= 1
        nodes.add()
        watcher.ready = watcher.lost = 0
        _a_contest_loses_a_node(nodes, crew, watcher)
        assert watcher.lost >= 1
        _the_commands_use_it(capsys)
        _the_example_trains(monkeypatch, capsys)
        deadly = Simulation(BOARD, 2, 4, 5, ["own.py:Own:deadly=1", "random"])
        with pytest.raises(WorkerLost, match=r"the games 0 to 3 has died 4 times"):
            list(simulate(deadly, crew=crew))
        monkeypatch.setattr(cluster, "build", lambda: "another")
        with pytest.raises(NoCluster, match="has another version of Fernzug"):
            list(simulate(Simulation(BOARD, 2, 4, 5), crew=crew))
        # The connection is ours, not the crew's.
        crew.close()
        assert crew.workers >= 1


def _a_simulation_loses_a_node(nodes: Nodes, crew: Cluster, folder: Path) -> None:
    plan = Simulation(BOARD, 2, 4_000, 5, decisions=str(folder / "cluster"))
    parts = simulate(plan, rows=True, crew=crew)
    found = [next(parts) for _ in range(30)]
    nodes.kill_one()
    found += list(parts)
    alone = Simulation(BOARD, 2, 4_000, 5, decisions=str(folder / "alone"))
    assert columns_of(found) == columns_of(list(simulate(alone, rows=True)))
    assert decision_rows(folder / "cluster") == decision_rows(folder / "alone")
    assert len(list((folder / "cluster").iterdir())) > 3, "files are saved now and then"


def columns_of(parts: list[Part]) -> array[int]:
    rows = array("q")
    for part in parts:
        assert part.rows is not None
        rows += part.rows
    return rows


def _a_contest_loses_a_node(nodes: Nodes, crew: Cluster, watcher: Watcher) -> None:
    """It is stopped as well, and resumed; one of the bots is in a file that is sent along."""
    contest = Contest(BOARD, 2, ["own.py:Own", "greedy"], games=60, seed=3)

    def stop(done: int, total: int) -> None:
        if done == 12:
            raise KeyboardInterrupt

    def kill(done: int, total: int) -> None:
        if done == 5:
            nodes.kill_one()

    with Store(":memory:") as store, Store(":memory:") as fresh:
        with pytest.raises(KeyboardInterrupt):
            run(contest, store, progress=stop, crew=crew)
        watcher.ready = 0
        assert run(contest, store, progress=kill, crew=crew).played == 48
        run(contest, fresh)
        assert contest_rows(store) == contest_rows(fresh)


def _the_commands_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", "--board", "london", "--games", "20", "--seed", "5"]
    assert cli.main([*words, "--cluster", "auto"]) == 0
    there = capsys.readouterr().out
    assert cli.main(words) == 0
    assert there.endswith(capsys.readouterr().out), "Ray may have said something before"
    words = ["arena", "greedy", "random", "--board", "london", "--games", "4", "--db", "a.sqlite"]
    assert cli.main([*words, "--cluster", "auto"]) == 0
    assert "4 games in 2 blocks" in capsys.readouterr().out


def _the_example_trains(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if find_spec("torch") is None:
        return  # which another test reports
    words = ["--shards", "2", "--games", "8", "--rounds", "1", "--steps", "100"]
    monkeypatch.setattr(sys, "argv", [EXAMPLE.name, *words])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    told = re.search(r"^round 1: (\d+) decisions, wins \d+%", capsys.readouterr().out, re.MULTILINE)
    assert told is not None
    assert int(told[1]) > 500


def test_what_a_cluster_needs_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoCluster, match=r"pip install 'fernzug\[cluster\]'"):
        Cluster()
    assert cli.main(["sim", "--board", "london", "--games", "2", "--cluster", "local"]) == 1
    assert "a cluster needs the package ray" in capsys.readouterr().err


class Lost(Exception):
    """What Ray raises for an answer that has died with its machine."""


@dataclasses.dataclass(eq=False)
class Answer:
    """What an actor has answered."""

    value: Any = None
    lost: bool = False


class RayInOneProcess:
    """As much of Ray as a run needs, so that an actor can be made to die at a chosen moment.

    Actors do at once what they are asked for. The first one dies while it saves its file, which is
    noticed only when everybody else has finished.
    """

    exceptions = SimpleNamespace(
        RayActorError=KeyError,
        NodeDiedError=KeyError,
        OutOfMemoryError=KeyError,
        ObjectLostError=Lost,
        RayTaskError=KeyError,
    )

    def __init__(self) -> None:
        self.actors = 0

    def put(self, value: Any) -> Any:
        return value

    def remote(self, **options: object) -> Any:
        return lambda kind: SimpleNamespace(remote=functools.partial(self._start, kind))

    def _start(self, kind: Any, given: Any) -> Any:
        self.actors += 1
        worker = kind(pickle.loads(pickle.dumps(given)))
        dies = self.actors == 1

        def ask(name: str, argument: Any) -> Answer:
            if dies and name == "save":
                return Answer(lost=True)
            return Answer(getattr(worker, name)(argument))

        names = ("ready", "do", "save")
        asked = {name: SimpleNamespace(remote=functools.partial(ask, name)) for name in names}
        return SimpleNamespace(**asked)

    def wait(self, answers: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        answers = sorted(answers, key=lambda answer: bool(answer.lost))
        return answers[:num_returns], answers[num_returns:]

    def get(self, answer: Any) -> Any:
        if answer.lost:
            raise Lost
        return answer.value

    def kill(self, handle: Any) -> None:
        pass


def test_what_an_actor_has_not_saved_is_written_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(running, "chunk_size", lambda _: 2)
    monkeypatch.setattr(cluster, "SAVE_EVERY", 3)
    crew = Cluster.__new__(Cluster)
    crew.ray, crew._wanted = RayInOneProcess(), 2
    plan = Simulation(BOARD, 2, 260, 5, decisions=str(tmp_path / "cluster"))
    list(simulate(plan, crew=crew))
    list(simulate(dataclasses.replace(plan, decisions=str(tmp_path / "alone"))))
    assert crew.ray.actors > 2, "one has died and was replaced"
    assert decision_rows(tmp_path / "cluster") == decision_rows(tmp_path / "alone")


class FakeRay:
    """As much of Ray as it takes to find no cluster."""

    def is_initialized(self) -> bool:
        return False

    def init(self, **options: object) -> None:
        raise ConnectionError("nobody answers")


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay())
    with pytest.raises(NoCluster, match="there is no cluster at 'nowhere': nobody answers"):
        Cluster("nowhere")
    with socket.socket() as unused:  # bound, but nobody listens
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        for name in (address, f"ray://{address}"):
            with pytest.raises(NoCluster, match=f"no cluster at '{name}': Connection refused"):
                Cluster(name)
