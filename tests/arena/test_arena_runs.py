"""Contests: the same results for any number of workers, and after being stopped in any way."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fernzug
from fernzug.arena import Contest, Sprt, Store, StoreError, run, summaries
from fernzug.arena import store as store_module
from fernzug.arena.playing import GameResult, SeatResult, Task, play
from fernzug.arena.store import RAW_COLUMNS
from fernzug.bots import Budget
from fernzug.cli import main
from processes import children_of, ended, needs_list_of_processes, started

BOARD = fernzug.board("paris")
TIMES = {"seconds", "slowest"}


def rows(store: Store) -> list[dict[str, object]]:
    """Everything in a store but what a clock, or the order of writing, has made."""
    found = [dict(zip(RAW_COLUMNS, row, strict=True)) for row in store.rows()]
    return [{k: v for k, v in row.items() if k not in TIMES | {"game"}} for row in found]


def contest(games: int = 8, players: int = 2, bots: str = "random greedy planner") -> Contest:
    return Contest(BOARD, players, tuple(bots.split()), games, seed=1)


def results(games: int = 8, players: int = 2, bots: str = "random greedy planner") -> object:
    with Store(":memory:") as store:
        run(contest(games, players, bots), store)
        return rows(store)


# ---------------------------------------------------------------------------- playing


def test_a_game_is_told_in_full() -> None:
    task = Task(1, 0, 0, 99, ("planner", "random", "greedy"))
    result = play(task, BOARD, Budget())
    game_turns = sum(row.turns for row in result.seats)
    assert result.turns == game_turns > 10
    assert [row.bot for row in result.seats] == list(task.bots)
    assert min(row.rank for row in result.seats) == 1
    for row in result.seats:
        assert row.decisions >= row.turns > 0
        assert 0 <= row.tickets_completed <= row.tickets_kept
        assert row.tickets_kept >= BOARD.deal_keep
        assert 0 < row.slowest <= row.seconds
        assert row.failure is None


def test_a_bot_that_fails_does_not_stop_the_contest() -> None:
    bad = f"stdio:'{sys.executable}' -c 'import sys; sys.exit(9)'"
    with Store(":memory:") as store:
        outcome = run(Contest(BOARD, 2, ("random", bad), 4), store)
        assert outcome.played == 4
        (summary,) = summaries(store, rounds=20)
    row = next(row for row in summary.bots if row.bot == bad)
    assert row.failures == 4
    assert row.failure is not None
    assert "exit code 9" in row.failure


def test_the_luck_of_a_block_is_the_same_from_all_seats() -> None:
    with Store(":memory:") as store:
        run(contest(6, 3, "greedy planner"), store)
        seeds: dict[object, set[object]] = {}
        for row in rows(store):
            seeds.setdefault(row["block"], set()).add((row["seed"], row["first_player"]))
    assert all(len(found) == 1 for found in seeds.values())


# ---------------------------------------------------------------------------- workers


@pytest.mark.parametrize(("players", "bots"), [(2, "random greedy planner"), (3, "greedy planner")])
def test_the_number_of_workers_changes_nothing(players: int, bots: str, tmp_path: Path) -> None:
    with Store(tmp_path / "two.sqlite") as store:
        run(contest(8, players, bots), store, workers=2)
        assert rows(store) == results(8, players, bots)


def test_an_early_stop_decides_the_same_with_all_workers() -> None:
    # So many that the others cannot play all while one worker takes its time to start.
    games = contest(4000, 2, "planner random")
    verdicts = []
    for workers in (1, 3):
        with Store(":memory:") as store:
            outcome = run(games, store, workers, Sprt(0.5, 0.6))
            verdicts.append(outcome.verdicts)
            assert outcome.played < 4000
            # A second run has nothing left to do and makes the same decision.
            again = run(games, store, workers, Sprt(0.5, 0.6))
            assert again.verdicts == outcome.verdicts
            assert again.played == 0
    assert verdicts[0] == verdicts[1]
    (verdict,) = verdicts[0].values()
    assert verdict.accepted == "H1"


def test_an_early_stop_needs_one_against_the_rest() -> None:
    with Store(":memory:") as store, pytest.raises(ValueError, match="line-ups of two bots"):
        run(contest(8, 3, "random greedy planner"), store, sprt=Sprt(0.3, 0.4))


def test_a_worker_that_dies_is_replaced_and_at_last_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "deadly"
    package.mkdir()
    (package / "deadly_bots.py").write_text(
        "import os\nfrom pathlib import Path\nfrom fernzug.bots import Bot\n"
        "class Deadly(Bot):\n"
        "    def __init__(self, board, seed=0, lives=0):\n"
        "        super().__init__(board, seed)\n"
        "        self.lives = lives\n"
        "    def choose(self, view, legal):\n"
        f"        mark = Path({str(tmp_path)!r}) / 'deaths'\n"
        "        deaths = len(mark.read_text()) if mark.exists() else 0\n"
        "        if deaths < self.lives:\n"
        "            mark.write_text('x' * (deaths + 1))\n"
        "            os._exit(5)\n"
        "        return legal[0]\n"
    )
    info = package / "deadly_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[fernzug.bots]\ndeadly = deadly_bots:Deadly\n")
    monkeypatch.syspath_prepend(package)
    from fernzug import bots
    from fernzug.sim import WorkerLost

    bots._others.cache_clear()
    try:
        with Store(":memory:") as store:
            once = Contest(BOARD, 2, ("random", "deadly:lives=1"), 4)
            assert run(once, store, workers=2).played == 4
            (tmp_path / "deaths").unlink()
            often = Contest(BOARD, 2, ("random", "deadly:lives=99"), 2)
            with pytest.raises(WorkerLost, match=r"has died 2 times \(exit code 5\)"):
                run(often, store, workers=2)
    finally:
        bots._others.cache_clear()


# ---------------------------------------------------------------------------- resuming


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        assert run(contest(4), store).played == 12
    with Store(tmp_path / "a.sqlite") as store:
        assert run(contest(4), store).played == 0
        assert run(contest(8), store).played == 12
        assert rows(store) == results(8)
        # Another seed, board, budget or line-up is another series.
        other = Contest(BOARD, 2, ("random", "greedy"), 4, seed=2)
        assert run(other, store).played == 4
        other = Contest(BOARD, 2, ("random", "greedy"), 4, seed=1, budget=Budget(iterations=3))
        assert run(other, store).played == 4
        assert len(summaries(store, rounds=5)) == 2


class Stop(Exception):
    """Something that comes between."""


def test_a_contest_that_was_stopped_goes_on(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 7:
            raise Stop

    with Store(tmp_path / "a.sqlite") as store, pytest.raises(Stop):
        run(contest(), store, progress=stop)
    with Store(tmp_path / "a.sqlite") as store:
        seen = []
        assert run(contest(), store, progress=lambda *now: seen.append(now)).played == 24 - 7
        assert seen[0] == (0, 17)
        assert seen[-1] == (17, 17)
        assert rows(store) == results()


def games_in(path: Path) -> int:
    """The number of games in a file that another process is writing."""
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(path, timeout=5) as db:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # The tables are not there yet.
    finally:
        db.close()


@needs_list_of_processes
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_contest_that_was_killed_goes_on(how: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    script = tmp_path / "slow.py"
    # A program that is never in a hurry keeps the contest going until it is killed.
    script.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'ready'}), flush=True)\n"
        "    elif request['type'] == 'decide':\n"
        "        time.sleep(float(sys.argv[1]))\n"
        "        print(json.dumps({'type': 'action', 'action': request['legal'][0]}), flush=True)\n"
    )
    slow = f"stdio:'{sys.executable}' '{script}' 0.002"
    command = [sys.executable, "-m", "fernzug", "arena", "planner", slow, "--board", BOARD.id]
    command += ["--games", "12", "--seed", "1", "--workers", "2", "--db", str(path)]
    with started(command) as process:
        deadline = time.monotonic() + 60
        while games_in(path) < 3 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        workers = children_of(process.pid)
        programs = [pid for worker in workers for pid in children_of(worker)]
        os.kill(process.pid, how)
        _, error = process.communicate(timeout=60)
        assert workers
        # Nothing is left behind: no worker, and no program of a bot.
        assert ended(workers + programs)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "the same command carries on with" in error
    played = games_in(path)
    assert 3 <= played < 12
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert f"{12 - played} games played" in done.stderr
    with Store(path, create=False) as store, Store(":memory:") as fresh:
        run(Contest(BOARD, 2, ("planner", slow), 12, seed=1), fresh)
        assert rows(store) == rows(fresh)


# ---------------------------------------------------------------------------- the file


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_text("This is a letter to my aunt, and rather a long one at that. " * 20)
    with pytest.raises(StoreError, match="cannot be used: file is not a database"):
        Store(text)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE aunts (name TEXT)")
    db.close()
    with pytest.raises(StoreError, match="is not a file of the arena"):
        Store(other)
    with pytest.raises(StoreError, match="there is no file"):
        Store(tmp_path / "nothing.sqlite", create=False)
    with pytest.raises(StoreError, match="cannot be used: unable to open"):
        Store(tmp_path / "no" / "folder.sqlite")


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="has version 99, but this program needs version 1"):
        Store(path)


def test_games_of_different_builds_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        run(contest(2), store)
        monkeypatch.setattr("fernzug.arena.runner.build", lambda: "another")
        monkeypatch.setattr(store_module, "build", lambda: "another")
    with Store(tmp_path / "a.sqlite") as store:
        with pytest.raises(StoreError, match="another version of the engine or the bots"):
            run(contest(4), store)
        assert run(contest(4), store, mix=True).played == 6
        assert len(store.builds()) == 2


def test_a_game_is_written_once() -> None:
    task = Task(1, 0, 0, 5, ("random", "random"))
    result = GameResult(0, 3, [SeatResult("random", rank=1), SeatResult("random", rank=2)])
    with Store(":memory:") as store:
        store.series_of(contest(), ("random", "greedy"))
        store.add(task, result)
        store.add(task, result)
        assert len(rows(store)) == 2


def test_a_file_is_one_file_when_it_is_closed(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        run(contest(2), store)
    assert [path.name for path in tmp_path.iterdir()] == ["a.sqlite"]


def test_a_file_that_cannot_grow_is_told_and_keeps_its_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a full disk."""
    resource = pytest.importorskip("resource")
    path = str(tmp_path / "a.sqlite")
    words = ["arena", "random", "--board", BOARD.id, "--workers", "1", "--db", path]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 17, hard))
    try:
        assert main([*words, "--games", "2000"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"fernzug arena: '{path}' cannot be used: ")
    with Store(path, create=False) as store:
        played = len(rows(store))
    assert played > 0
    assert main(["arena", "report", path]) == 0
    Path(path).write_bytes(Path(path).read_bytes()[:9000])
    assert main(["arena", "report", path]) == 1
    assert "malformed" in capsys.readouterr().err


# ---------------------------------------------------------------------------- merging


def test_contests_of_several_machines_can_be_merged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        with Store(tmp_path / name) as store:
            run(Contest(BOARD, 2, ("random", "greedy"), 4, seed=seed), store)
    with Store(tmp_path / "b") as store:
        run(Contest(BOARD, 2, ("random", "greedy"), 2, seed=1), store)  # as in the other file
    words = ["arena", "merge", str(tmp_path / "a"), str(tmp_path / "b")]
    assert main([*words, "--db", str(tmp_path / "all")]) == 0
    told = capsys.readouterr()
    assert "paris · 2 players · 8 games in 4 blocks · seed 1, 2" in told.out
    assert [line[:8] for line in told.err.splitlines()] == ["4 games ", "4 games "]
    with Store(tmp_path / "all") as store, Store(":memory:") as fresh:
        for seed in (1, 2):
            contest = Contest(BOARD, 2, ("random", "greedy"), 4, seed=seed)
            assert run(contest, store).played == 0
            run(contest, fresh)
        assert rows(store) == rows(fresh)
    assert main([*words, "--db", str(tmp_path / "all")]) == 0
    assert "0 games added" in capsys.readouterr().err
    assert main(["arena", "merge", str(tmp_path / "no"), "--db", str(tmp_path / "new")]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    assert main(["arena", "merge", str(tmp_path / "a"), "--db", str(tmp_path / "a")]) == 2
    assert main(["arena", "merge"]) == 2


def test_contests_of_different_builds_are_not_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "a") as one:
        run(contest(2), one)
        monkeypatch.setattr("fernzug.arena.runner.build", lambda: "another")
        monkeypatch.setattr(store_module, "build", lambda: "another")
        with Store(tmp_path / "b") as two:
            run(Contest(BOARD, 2, ("random", "greedy"), 2, seed=9), two)
            with pytest.raises(StoreError, match="different versions of the engine or the bots"):
                one.merge(two)
            assert one.merge(two, mix=True) == 2
