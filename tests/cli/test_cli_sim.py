"""``fernzug sim`` as its users call it: tables, files, progress, and being stopped."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fernzug
from fernzug import cli
from fernzug.cli.progress import Progress, duration
from fernzug.sim import Simulation, chunk_size
from processes import children_of, ended, needs_list_of_processes, started

pytestmark = pytest.mark.slow

BOARD = fernzug.boards()[0]
COMMAND = [sys.executable, "-W", "error", "-m", "fernzug", "sim", "--board", BOARD]


def sim(*words: str, code: int = 0) -> tuple[str, str]:
    """Run a simulation in a process of its own; return both outputs."""
    done = subprocess.run(
        [*COMMAND, *words], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def test_the_table_is_the_same_for_any_number_of_workers() -> None:
    games = 18 * chunk_size(Simulation(fernzug.board(BOARD), 2, 1, 7))
    alone, told = sim("--games", str(games), "--seed", "7", "--workers", "1")
    crew, told_crew = sim("--games", str(games), "--seed", "7", "--workers", "2")
    assert alone == crew
    assert "(1 worker" in told
    assert "(2 workers" in told_crew
    speed = r" games in [\d.]+ s: [\d,]+ games and [\d,]+ decisions per second"
    assert re.search(f"{games:,}{speed}", told)
    lines = alone.splitlines()
    assert lines[0].endswith(f"· 2 random players · {games:,} games · seed 7")
    assert lines[2].split()[:7] == ["seat", "points", "sd", "min", "max", "won", "tickets"]
    assert [line.split()[0] for line in lines[3:5]] == ["0", "1"]
    assert "ended by passing" in alone
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("name", fernzug.boards())
def test_every_board_can_be_simulated(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    board = fernzug.board(name)
    for players in board.players:
        words = ["sim", "--board", name, "--players", str(players), "--games", "20"]
        assert cli.main([*words, "--seed", "1"]) == 0
        out = capsys.readouterr().out
        assert len(re.findall(r"^\d +-?\d", out, re.MULTILINE)) == players
        assert all(bonus.name_in("en").lower() in out for bonus in board.bonuses)


def test_csv_has_a_row_a_game_and_json_the_summary(tmp_path: Path) -> None:
    rows, summary = tmp_path / "rows.csv", tmp_path / "summary.json"
    out, _ = sim(
        "--games", "40", "--seed", "3", "--csv", str(rows), "--json", str(summary), "--per-game"
    )
    assert out.startswith(fernzug.board(BOARD).name)
    table = list(csv.DictReader(io.StringIO(rows.read_text(encoding="utf-8"))))
    assert [int(row["game"]) for row in table] == list(range(40))
    plan = Simulation(fernzug.board(BOARD), 2, 40, 3)
    assert [int(row["seed"]) for row in table] == [plan.game_seed(n) for n in range(40)]
    for row in table:
        assert float(row["seat0_won"]) + float(row["seat1_won"]) == 1
    data = json.loads(summary.read_text(encoding="utf-8"))
    assert data["games"] == 40
    points = [int(row["seat1_points"]) for row in table]
    assert data["seats"][1]["points"]["mean"] == pytest.approx(sum(points) / 40)
    assert data["seats"][1]["points"]["max"] == max(points)
    assert data["board_hash"] == fernzug.board(BOARD).hash
    assert [game["seed"] for game in data["per_game"]] == [int(row["seed"]) for row in table]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.csv", "summary.json"]


def test_a_dash_sends_a_file_to_the_output(tmp_path: Path) -> None:
    out, _ = sim("--games", "5", "--seed", "3", "--json", "-")
    assert json.loads(out)["seed"] == 3
    out, _ = sim("--games", "5", "--seed", "3", "--csv", "-")
    assert len(out.splitlines()) == 6


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--players", "9"], "players, not 9"),
        (["--games", "0"], "too small"),
        (["--games", "many"], "not a whole number"),
        (["--seed", str(1 << 62)], "a seed is"),
        (["--bots", "random", "random", "random", "--players", "2"], "3 bots cannot play 2 seats"),
        (["--bots", "nobody"], "there is no bot 'nobody'"),
        (["--json", "-", "--csv", "-"], "only one of"),
        (["--per-game"], "--per-game is for --json"),
        (["--games", str(1 << 33)], "a simulation has"),
    ],
)
def test_a_wrong_command_line_is_refused(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code: object
    try:
        code = cli.main(["sim", "--board", BOARD, *words])
    except SystemExit as left:
        code = left.code
    assert code == 2
    assert reason in capsys.readouterr().err


def test_a_board_must_be_named_and_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["sim"])
    assert cli.main(["sim", "--board", "atlantis"]) == 2
    assert "there is no board 'atlantis'" in capsys.readouterr().err


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text("as it was", encoding="utf-8")
    nowhere = tmp_path / "nowhere" / "rows.csv"
    _, error = sim("--games", "5", "--json", str(good), "--csv", str(nowhere), code=1)
    assert error == f"fernzug sim: cannot write '{nowhere}': No such file or directory\n"
    assert good.read_text(encoding="utf-8") == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == ["good.json"]
    _, error = sim("--games", "5", "--json", str(tmp_path), code=1)
    assert "cannot write" in error


FILES = ["--json", "--csv", "--parquet", "--records", "--decisions"]


@pytest.mark.parametrize("option", FILES)
def test_what_cannot_be_written_is_told_before_any_game(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody waits for all these games."""
    if option in ("--parquet", "--decisions"):
        pytest.importorskip("pyarrow")
    file, folder = tmp_path / "file", tmp_path / "folder.jsonl"
    file.write_text("as it was", encoding="utf-8")
    folder.mkdir()
    wrong = {file / "below": "Not a directory"}
    if option == "--decisions":
        wrong[file] = "Not a directory"
    else:
        wrong[folder] = "Is a directory"
    for path, reason in wrong.items():
        words = ["sim", "--board", BOARD, "--games", "4_000_000_000", option, str(path)]
        assert cli.main(words) == 1
        assert capsys.readouterr().err == f"fernzug sim: cannot write '{path}': {reason}\n"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder.jsonl"]
    assert file.read_text(encoding="utf-8") == "as it was"


@pytest.mark.parametrize("option", FILES)
def test_a_file_that_cannot_grow_is_named_and_leaves_nothing(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a full disk; the file that was there stays as it was."""
    resource = pytest.importorskip("resource")
    if option in ("--parquet", "--decisions"):
        pytest.importorskip("pyarrow")
    target = tmp_path / ("rows" if option == "--decisions" else "rows.jsonl")
    if option != "--decisions":
        target.write_text("as it was", encoding="utf-8")
    words = ["sim", "--board", BOARD, "--games", "600", "--workers", "1", option, str(target)]
    if option == "--json":
        words.append("--per-game")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        assert cli.main(words) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    error = capsys.readouterr().err
    assert error == f"fernzug sim: cannot write '{target}': File too large\n"
    assert [path.name for path in tmp_path.rglob("*")] == [target.name]
    if option != "--decisions":
        assert target.read_text(encoding="utf-8") == "as it was"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told() -> None:
    _, error = sim("--games", "5", "--csv", "/dev/full", code=1)
    assert error == "fernzug sim: cannot write '/dev/full': No space left on device\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    sim("--games", "5", "--json", str(link))
    assert link.is_symlink()
    assert json.loads(target.read_text(encoding="utf-8"))["games"] == 5


def test_records_of_all_games_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    sim("--games", "3", "--seed", "1", "--records", str(folder))
    assert sorted(path.name for path in folder.iterdir()) == [
        f"game-{number:06}.jsonl" for number in range(3)
    ]
    assert cli.main(["replay", str(folder / "game-000002.jsonl")]) == 0
    blocked = tmp_path / "file"
    blocked.touch()
    _, error = sim("--games", "3", "--records", str(blocked), code=1)
    assert str(blocked) in error


def test_bots_can_be_named() -> None:
    out, _ = sim("--games", "4", "--seed", "1", "--bots", "greedy", "random")
    assert re.search(r"^0 greedy +\S+", out, re.MULTILINE)
    assert re.search(r"^1 random +\S+", out, re.MULTILINE)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_breaking_off_prints_the_table_so_far(workers: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    words = ["--games", "1000000000", "--workers", workers, "--seed", "1", "--csv", str(file)]
    with started([*COMMAND, *words]) as process:
        # The draft grows when the first games are done.
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size > 100_000 for path in tmp_path.iterdir()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        # As from the keyboard: the whole group hears it, workers included.
        os.killpg(process.pid, signal.SIGINT)
        out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    broken = re.search(r"stopped after ([\d,]+) of 1,000,000,000 games\. No file", error)
    assert broken is not None, error
    assert "Traceback" not in error
    assert f"{broken[1]} games · seed 1" in out
    assert list(tmp_path.iterdir()) == []


@needs_list_of_processes
@pytest.mark.parametrize(
    ("how", "seconds"),
    # A bot that thinks in compiled code hears of nothing until it has decided; Ctrl-C ends it.
    [(signal.SIGINT, 60), (signal.SIGKILL, 1)],
)
def test_workers_end_with_their_parent_in_the_middle_of_a_game(
    how: signal.Signals, seconds: int
) -> None:
    words = ["--games", "100", "--workers", "2", "--bots", f"search:seconds={seconds}"]
    with started([*COMMAND, *words]) as process:
        # Two workers, and the process with which Python keeps track of what they share.
        deadline = time.monotonic() + 60
        while len(children := children_of(process.pid)) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if how == signal.SIGINT:
            os.killpg(process.pid, how)
        else:
            os.kill(process.pid, how)
        _, error = process.communicate(timeout=30)
        assert ended(children)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "Traceback" not in error
        assert "stopped after 0 of 100 games" in error


# ---------------------------------------------------------------------------- progress


class Terminal(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_progress_bar_tells_games_rate_and_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    stream = Terminal()
    bar = Progress(1000, stream)
    line = bar.line(250, 5.0)
    assert line == "[##########..............................] 250 of 1,000 games  50/s  15 s left"
    assert len(line) <= 80
    assert "? left" in bar.line(0, 0.0)
    bar.show(500)
    bar.show(501)
    assert stream.getvalue().count("\r") == 1
    bar.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_nobody_sees_a_progress_bar_in_a_file() -> None:
    stream = io.StringIO()
    bar = Progress(10, stream)
    bar.show(5)
    bar.clear()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (59, "59 s"), (61, "1 min 01 s"), (7260, "2 h 01 min")]
)
def test_durations_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
