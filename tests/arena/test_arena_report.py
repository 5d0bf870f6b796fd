"""The arena's output: tables, a page, files for other programs, and the command line."""

import csv
import io
import math
import re
import sys
import types
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fernzug
from fernzug.arena import Contest, Store, Summary, export, page, report, run, summaries
from fernzug.arena.playing import GameResult, SeatResult, Task
from fernzug.arena.ratings import ELO
from fernzug.arena.store import RAW_COLUMNS
from fernzug.bots import Budget
from fernzug.cli import main
from fernzug.sim.columns import MissingPackage

BOARD = fernzug.board("new_york")


def seat(bot: str, rank: int, points: int = 10) -> SeatResult:
    return SeatResult(bot, points, rank, 1, 2, 10, 20, 0.5, 0.1)


def stored(wins: int, draws: int, losses: int) -> Store:
    """A store with blocks of two equal games between a and b, as a saw them."""
    store = Store(":memory:")
    contest = Contest(BOARD, 2, ("a", "b"), 2 * (wins + draws + losses))
    series = store.series_of(contest, ("a", "b"))
    places = [(1, 2)] * wins + [(1, 1)] * draws + [(2, 1)] * losses
    for block, (mine, yours) in enumerate(places):
        first, second = seat("a", mine, 30), seat("b", yours, 20)
        store.add(Task(series, block, 0, block, ("a", "b")), GameResult(0, 20, [first, second]))
        store.add(Task(series, block, 1, block, ("b", "a")), GameResult(0, 20, [second, first]))
    return store


# ---------------------------------------------------------------------------- summaries


def test_figures_in_closed_form() -> None:
    with stored(wins=60, draws=10, losses=30) as store:
        (summary,) = summaries(store)
    assert (summary.games, summary.blocks, summary.left_out) == (200, 100, 0)
    (line,) = summary.lines
    assert line.won.value == pytest.approx(0.65)
    assert line.even == 0.5
    # Blocks are what counts: the interval is that of 100 of them, not of 200 games.
    width = 2 * 1.96 * math.sqrt((60 * 0.35**2 + 10 * 0.15**2 + 30 * 0.65**2) / 100 / 100)
    assert line.won.high - line.won.low == pytest.approx(width, rel=0.1)
    first, second = summary.bots
    assert (first.bot, second.bot) == ("a", "b")
    assert summary.anchor == "a"
    # Half a block, one game here, is added to either side; draws are half won.
    assert second.rating.value == pytest.approx(ELO * math.log((70 + 1) / (130 + 1)))
    assert second.rating.low < second.rating.value < second.rating.high < 0
    assert first.points.value == 30
    assert first.tickets.value == 0.5
    assert (first.turns, first.seats) == (10, 200)
    assert first.seconds == pytest.approx(0.025)
    assert summary.pairs["a", "b"].value == pytest.approx(0.65)


def test_a_perfect_record_has_a_finite_rating_and_a_wide_interval() -> None:
    with stored(wins=50, draws=0, losses=0) as store:
        (summary,) = summaries(store)
    rating = summary.bots[1].rating
    assert rating.value == pytest.approx(-ELO * math.log(101))
    assert rating.low < rating.value - 200
    assert rating.high < -500
    assert summary.lines[0].won.low == pytest.approx(0.951, abs=0.015)
    assert summary.lines[0].won.high == 1.0


def test_blocks_that_are_not_complete_are_left_out() -> None:
    with stored(wins=3, draws=0, losses=0) as store:
        series = store.all_series()[0].id
        task = Task(series, 77, 1, 9, ("b", "a"))
        store.add(task, GameResult(0, 20, [seat("b", 1), seat("a", 2)]))
        (summary,) = summaries(store, rounds=10)
        assert (summary.games, summary.left_out) == (6, 1)
        assert summary.lines[0].won.value == 1.0
        assert "1 game in an incomplete block is left out." in report.notes(summary)


def test_an_empty_store_has_no_summary() -> None:
    with Store(":memory:") as store:
        assert summaries(store) == []
        store.series_of(Contest(BOARD, 2, ("a", "b"), 2), ("a", "b"))
        assert summaries(store) == []


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a round robin for two and a contest for three."""
    path = tmp_path_factory.mktemp("arena") / "results.sqlite"
    with Store(path) as store:
        run(Contest(BOARD, 2, ("random", "greedy", "planner"), 20), store)
        run(Contest(BOARD, 3, ("greedy", "planner"), 12, budget=Budget(5)), store)
        run(Contest(BOARD, 2, ("planner",), 10, budget=Budget(seconds=0.5)), store)
    return path


def summaries_of(path: Path) -> list[Summary]:
    with Store(path, create=False) as store:
        return summaries(store, rounds=100)


def test_pools_are_kept_apart(played: Path) -> None:
    two, three, alone = summaries_of(played)
    assert (two.players, three.players, alone.players) == (2, 3, 2)
    assert [row.bot for row in two.bots] == ["planner", "greedy", "random"]
    assert (two.anchor, three.anchor) == ("random", "greedy")
    assert [line.line_up for line in three.lines] == [
        ("greedy", "planner", "planner"),
        ("planner", "greedy", "greedy"),
    ]
    assert [line.even for line in three.lines] == pytest.approx([1 / 3, 1 / 3])
    assert alone.lines == ()
    # What is won is won by somebody.
    for summary in (two, three, alone):
        won = sum(row.won.value * row.seats for row in summary.bots)
        assert won == pytest.approx(summary.games)


def test_the_bootstrap_is_the_same_every_time(played: Path) -> None:
    assert summaries_of(played) == summaries_of(played)


# ---------------------------------------------------------------------------- telling


def test_the_tables_are_even(played: Path) -> None:
    for summary in summaries_of(played):
        for table in (report.bot_table(summary), report.line_table(summary)):
            if table is not None:
                assert {len(row) for row in table.rows} == {len(table.align)}


def test_the_page_needs_nothing_from_outside(played: Path) -> None:
    text = page.page(summaries_of(played))
    assert not re.search(r"<script|<link|<img|@import|url\(|https?:", text)
    plots = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(plots) == 5
    for plot in plots:
        tree = ElementTree.fromstring(plot)
        width = float(tree.attrib["viewBox"].split()[2])
        for mark in tree.iter("circle"):
            assert 0 <= float(mark.attrib["cx"]) <= width
    assert "nan" not in text


def test_names_on_the_page_are_harmless() -> None:
    with Store(":memory:") as store:
        bad = "<script>alert(1)</script>&"
        series = store.series_of(Contest(BOARD, 2, (bad, "b"), 2), (bad, "b"))
        for rotation in range(2):
            task = Task(series, 0, rotation, 1, (bad, "b"))
            store.add(task, GameResult(0, 9, [seat(bad, 1), seat("b", 2)]))
        text = page.page(summaries(store, rounds=5))
    assert "<script" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    ("values", "low", "high"), [([0.0], 0.0, 1.0), ([3, 97], 0, 100), ([-812, 5], -1000, 200)]
)
def test_scales_are_round_and_wide_enough(values: list[float], low: float, high: float) -> None:
    scale = page.Scale(values)
    assert (scale.low, scale.high) == (low, high)


def test_rows_for_other_programs(played: Path) -> None:
    with Store(played, create=False) as store:
        file = io.StringIO()
        export.write_csv(store, file)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert tuple(rows[0]) == RAW_COLUMNS
    assert len(rows) == (20 * 3) * 2 + (12 * 2) * 3 + 10 * 2
    assert {row["bot"] for row in rows} == {"random", "greedy", "planner"}


def test_parquet_needs_a_package(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with (
        Store(played, create=False) as store,
        pytest.raises(MissingPackage, match="need the package pyarrow"),
    ):
        export.write_parquet(store, "x.parquet")


def test_parquet_gets_every_column(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[dict[str, list[object]], str]] = []
    arrow = types.ModuleType("pyarrow")
    parquet = types.ModuleType("pyarrow.parquet")
    arrow.table = lambda columns: columns  # type: ignore[attr-defined]
    parquet.write_table = lambda *what: written.append(what)  # type: ignore[attr-defined]
    arrow.array = lambda values, _: values  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    with Store(played, create=False) as store:
        export.write_parquet(store, "x.parquet")
    (columns, path), *_ = written
    assert tuple(columns) == RAW_COLUMNS
    assert len({len(column) for column in columns.values()}) == 1
    assert path == "x.parquet"


# ---------------------------------------------------------------------------- command line


def command(*words: str | Path) -> int:
    return main(["arena", *map(str, words)])


def test_a_contest_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, html, table = tmp_path / "a.sqlite", tmp_path / "a.html", tmp_path / "a.csv"
    words = ("greedy", "random", "--board", BOARD.id, "--games", "6", "--workers", "1")
    assert command(*words, "--db", db, "--html", html, "--csv", table) == 0
    told = capsys.readouterr()
    assert f"{BOARD.id} · 2 players · 6 games in 3 blocks · seed 0" in told.out
    assert "Ratings are Elo-like, random = 0." in told.out
    assert "6 games played" in told.err
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(table.read_text().splitlines()) == 13
    assert command("report", db) == 0
    assert capsys.readouterr().out == told.out
    assert command(*words, "--db", db, "--csv", "-") == 0
    told = capsys.readouterr()
    assert told.out == table.read_text()
    assert "0 games played" in told.err


def test_an_early_stop_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("planner", "random", "--board", BOARD.id, "--players", "3", "--games", "300")
    more = ("--workers", "1", "--sprt", "0.33:0.45", "--db", tmp_path / "a.sqlite")
    assert command(*words, *more) == 0
    told = capsys.readouterr()
    assert "H1: planner wins at least 45 %" in told.err
    assert "1 \N{MULTIPLICATION SIGN} planner, 2 \N{MULTIPLICATION SIGN} random" in told.out


def test_failures_are_told_but_not_over_and_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = f"stdio:'{sys.executable}' -c pass"
    words = ("random", bad, "--board", BOARD.id, "--games", "8", "--workers", "1")
    assert command(*words, "--db", tmp_path / "a.sqlite") == 0
    told = capsys.readouterr()
    assert told.err.count("has failed") == 3
    assert "further failures are not shown" in told.err
    assert "failed in 8 of 8 games and was replaced by a random player" in told.out


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ("random", 2, "choose a board"),
        ("random --board nowhere", 2, "there is no board 'nowhere'"),
        ("random --board BOARD --players 9", 2, "not 9"),
        ("nobody --board BOARD", 2, "there is no bot 'nobody'"),
        ("random random --board BOARD", 2, "'random' is given twice"),
        ("a b c --board BOARD --players 3 --sprt 0.3:0.4", 2, "there is no bot 'a'"),
        ("report nothing.sqlite", 1, "there is no file 'nothing.sqlite'"),
        ("report a b", 2, "'report' takes one file"),
    ],
)
def test_what_is_wrong_is_told_in_words(
    words: str,
    code: int,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(*words.replace("BOARD", BOARD.id).split()) == code
    told = capsys.readouterr()
    assert text in told.err
    assert told.out == ""


@pytest.mark.parametrize("option", ["--html", "--csv", "--parquet"])
def test_what_cannot_be_written_is_told_before_any_game(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody waits for all these games."""
    if option == "--parquet":
        pytest.importorskip("pyarrow")
    target = tmp_path / "nowhere" / "report"
    words = ("random", "--board", BOARD.id, "--games", "1_000_000_000", option, target)
    assert command(*words, "--db", tmp_path / "a.sqlite") == 1
    told = capsys.readouterr().err
    assert told == f"fernzug arena: cannot write '{target}': No such file or directory\n"


@pytest.mark.parametrize(
    "words",
    [
        "--budget soon",
        "--budget 0",
        "--budget 0s",
        "--sprt 0.5",
        "--sprt 0.6:0.5",
        "--sprt 1:2:3:4",
    ],
)
def test_arguments_that_cannot_be_read_are_refused(words: str) -> None:
    with pytest.raises(SystemExit) as error:
        command("random", *words.split())
    assert error.value.code == 2


def test_an_empty_file_has_nothing_to_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store(tmp_path / "a.sqlite").close()
    assert command("report", tmp_path / "a.sqlite") == 1
    assert "has no complete block" in capsys.readouterr().err


def test_a_file_of_another_build_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("random", "--board", BOARD.id, "--workers", "1", "--db", tmp_path / "a.sqlite")
    assert command(*words, "--games", "2") == 0
    monkeypatch.setattr("fernzug.arena.runner.build", lambda: "another")
    assert command(*words, "--games", "4") == 1
    assert "(--mix)" in capsys.readouterr().err
    assert command(*words, "--games", "4", "--mix") == 0
