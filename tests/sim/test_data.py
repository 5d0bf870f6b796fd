"""Games and decisions as named columns: every row says what happened in the referee's game."""

import os
import signal
import sys
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i16

import fernzug
from fernzug import Board, cli
from fernzug.engine import rules
from fernzug.engine.decisions import legal_count
from fernzug.engine.observation import Observer
from fernzug.engine.state import filled
from fernzug.sim import Simulation, running, simulate
from fernzug.sim.columns import MissingPackage
from fernzug.sim.decisions import DecisionFolder
from fernzug.tables import tables_of
from situations import at_every_table_slowly

pytest.importorskip("pandas")
# Imported by name, so that types are checked in the same way with and without the package.
parquet: Any = pytest.importorskip("pyarrow.parquet")

BOARD = fernzug.board("london")


def decisions(folder: Path) -> list[dict[str, Any]]:
    """All rows of a folder, in the order of games and decisions."""
    rows: list[dict[str, Any]] = []
    for file in sorted(folder.iterdir()):
        assert not file.name.startswith("."), "no draft is left behind"
        rows += parquet.read_table(file).to_pylist()
    return sorted(rows, key=lambda row: (row["game"], row["decision"]))


def play(plan: Simulation, workers: int = 1) -> list[dict[str, Any]]:
    list(simulate(plan, workers))
    assert plan.decisions is not None
    return decisions(Path(plan.decisions))


@pytest.mark.parametrize("bots", [(), ("greedy",)], ids=["random", "bots"])
@at_every_table_slowly
def test_rows_tell_what_was_decided(
    board: Board, players: int, bots: tuple[str, ...], tmp_path: Path
) -> None:
    plan = Simulation(board, players, 3, 5, bots * players, decisions=str(tmp_path / "rows"))
    rows = play(plan)
    assert {row["game"] for row in rows} == {0, 1, 2}
    for number in range(3):
        mine = [row for row in rows if row["game"] == number]
        game = fernzug.Game(board, players, seed=plan.game_seed(number))
        routes = dict.fromkeys(range(players), 0)
        for count, row in enumerate(mine):
            state, seat = game.state, row["seat"]
            assert seat == game.seat
            chosen = next(a for a in game.legal() if a.number == row["action"])
            expected = {
                "game": number,
                "seed": plan.game_seed(number),
                "decision": count,
                "turn": game.view(None).turn,
                "seat": seat,
                "phase": game.phase,
                "action": chosen.number,
                "text": chosen.text,
                "legal": len(game.legal()),
                "pieces": sum(game.view(None).players[seat].pieces.values()),
            }
            assert {key: row[key] for key in expected} == expected
            given = sum(bonus.given(state, seat) for bonus in state.tables.bonuses)
            assert row["points"] == routes[seat] + given
            if chosen.route is not None:
                routes[seat] += board.routes[chosen.route].points
            game.play(chosen, seat=seat)
        assert game.over
        for row in mine:
            sheet = game.scores()[row["seat"]]
            assert (row["final_points"], row["rank"]) == (sheet.total, sheet.rank)


@at_every_table_slowly
def test_legal_actions_are_counted_as_they_are_listed(board: Board, players: int) -> None:
    """Also in states that random play with all payments reaches, and on boards with options."""
    game = fernzug.Game(board, players, seed=2)
    scratch = filled(game.state.tables.words, 0)
    step = 0
    while (seat := game.seat) is not None:
        legal = game.legal()
        assert legal_count(game.state, seat, scratch) == len(rules.legal(game.state, seat))
        step += 1
        game.play(legal[step * 7919 % len(legal)])


@pytest.mark.parametrize("bots", [(), ("greedy", "random")], ids=["random", "bots"])
def test_observations_are_those_of_the_seat_that_decides(
    bots: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Several groups, so that rows are written over older ones.
    monkeypatch.setattr("fernzug.sim.decisions.NUMBERS", 50_000)
    monkeypatch.setattr(running, "chunk_size", lambda _: 1)
    plan = Simulation(BOARD, 2, 6, 5, bots, decisions=str(tmp_path), observations=True)
    rows = play(plan)
    observer = Observer(tables_of(BOARD), 2)
    for number in range(6):
        game = fernzug.Game(BOARD, 2, seed=plan.game_seed(number))
        for row in [row for row in rows if row["game"] == number]:
            expected = vec[i16]([0] * int(observer.size))
            observer.write_known(game.view(row["seat"]).knowledge, expected, 0)
            assert row["observation"] == list(expected)
            game.play(row["text"], seat=row["seat"])
    with pytest.raises(ValueError, match="observations are a column of decisions"):
        Simulation(BOARD, 2, 6, 5, observations=True)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "chunk_size", lambda _: 3)


@pytest.mark.usefixtures("small_chunks")
def test_every_worker_writes_a_file_and_all_rows_are_there(tmp_path: Path) -> None:
    one = Simulation(BOARD, 2, 100, 5, decisions=str(tmp_path / "one"))
    two = Simulation(BOARD, 2, 100, 5, decisions=str(tmp_path / "two"))
    assert play(two, workers=2) == play(one)
    names = [file.name for file in sorted((tmp_path / "two").iterdir())]
    assert names == [f"decisions-0000000000-{number:03}.parquet" for number in range(2)]
    schema = parquet.read_schema(tmp_path / "two" / names[0])
    assert b'"board": "london"' in schema.metadata[b"fernzug"]


@pytest.mark.usefixtures("small_chunks")
def test_a_worker_that_dies_loses_no_row_and_none_is_written_twice(tmp_path: Path) -> None:
    plan = Simulation(BOARD, 2, 200, 5, decisions=str(tmp_path / "rows"))
    before = active_children()
    parts = simulate(plan, workers=2)
    tallies = [next(parts).tally for _ in range(10)]
    worker = next(process for process in active_children() if process not in before)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    tallies += [part.tally for part in parts]
    alone = Simulation(BOARD, 2, 200, 5, decisions=str(tmp_path / "alone"))
    assert tallies == [part.tally for part in simulate(alone)]
    assert decisions(tmp_path / "rows") == decisions(tmp_path / "alone")


def test_many_rows_are_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fernzug.sim.decisions.ROWS", 500)
    monkeypatch.setattr(running, "chunk_size", lambda _: 10)
    rows = play(Simulation(BOARD, 2, 40, 5, decisions=str(tmp_path)))
    (file,) = tmp_path.iterdir()
    assert parquet.read_metadata(file).num_row_groups == 4
    assert len(rows) == parquet.read_metadata(file).num_rows > 2000


def test_games_can_be_shared_out(tmp_path: Path) -> None:
    def rows(first: int, games: int) -> list[dict[str, Any]]:
        plan = Simulation(BOARD, 2, games, 5, first=first, decisions=str(tmp_path))
        table: list[dict[str, Any]] = simulate(plan).to_arrow().to_pylist()
        return table

    assert rows(0, 4) + rows(4, 6) == simulate(Simulation(BOARD, 2, 10, 5)).to_arrow().to_pylist()
    # Both machines may write to the same folder.
    assert {row["game"] for row in decisions(tmp_path)} == set(range(10))
    with pytest.raises(ValueError, match="cannot begin with number"):
        Simulation(BOARD, 2, 10, 5, first=(1 << 32) - 9)


def test_stopping_leaves_nothing_behind(tmp_path: Path) -> None:
    plan = Simulation(
        BOARD, 2, 10**6, 5, decisions=str(tmp_path / "rows"), records=str(tmp_path / "r.jsonl")
    )
    parts = simulate(plan)
    next(parts)
    parts.close()
    assert [path.name for path in tmp_path.rglob("*")] == ["rows"]


def test_a_worker_of_an_earlier_run_cannot_write_into_the_files_of_this_one(tmp_path: Path) -> None:
    plan = Simulation(BOARD, 2, 2, 5, decisions=str(tmp_path))
    earlier, later = DecisionFolder(plan), DecisionFolder(plan)
    assert earlier.new_file() != later.new_file()


def test_files_are_not_written_over(tmp_path: Path) -> None:
    plan = Simulation(BOARD, 2, 2, 5, decisions=str(tmp_path))
    play(plan)
    before = decisions(tmp_path)
    for wrong in (
        plan,
        replace(plan, first=1, games=5),
        replace(plan, seed=6, first=2),
        replace(plan, players=3, first=2),
        replace(plan, bots=("greedy", "greedy"), first=2),
        replace(plan, observations=True, first=2),
    ):
        same = wrong in (plan, replace(plan, first=1, games=5))
        told = "some of the same games" if same else "from another simulation"
        with pytest.raises(FileExistsError, match=f"{told}.*; name another folder"):
            list(simulate(wrong))
        assert decisions(tmp_path) == before
    assert {row["game"] for row in play(replace(plan, first=2))} == {0, 1, 2, 3}
    (tmp_path / "decisions-9.parquet").write_text("no table", encoding="utf-8")
    with pytest.raises(FileExistsError, match="from another simulation"):
        list(simulate(replace(plan, first=4)))


# ---------------------------------------------------------------------------- games


def test_games_have_named_columns() -> None:
    plan = Simulation(BOARD, 2, 20, 5)
    frame = simulate(plan).to_pandas()
    assert list(frame["game"]) == list(range(20))
    assert list(frame["seed"]) == [plan.game_seed(number) for number in range(20)]
    assert set(frame.columns) == {"game", "seed", *plan.columns} - {"first_player_won"}
    for number in (0, 19):
        seed = int(frame["seed"][number])
        assert fernzug.Game(BOARD, 2, seed).view(None).first_player == frame["first_player"][number]
    assert list(frame["seat0_won"] + frame["seat1_won"]) == [1.0] * 20
    parts = simulate(plan)
    next(parts)
    with pytest.raises(ValueError, match="played already"):
        parts.to_arrow()


def test_the_command_writes_games_and_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["sim", "--board", "london", "--games", "5", "--first", "10", "--seed", "5"]
    assert cli.main([*words, "--parquet", "games.parquet", "--decisions", "rows"]) == 0
    assert "5 games · seed 5 · from game 10" in capsys.readouterr().out
    table = parquet.read_table("games.parquet")
    assert table.column("game").to_pylist() == list(range(10, 15))
    assert {row["game"] for row in decisions(Path("rows"))} == set(range(10, 15))
    assert sum(table.column("decisions").to_pylist()) == len(decisions(Path("rows")))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.parquet", "rows"]
    assert cli.main([*words, "--decisions", "rows"]) == 1
    assert "some of the same games" in capsys.readouterr().err


def test_what_is_missing_is_told_before_any_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    words = ["sim", "--board", "london", "--games", "5"]
    for option in ("--parquet", "--decisions"):
        assert cli.main([*words, option, str(tmp_path / "x")]) == 1
        assert "need the package pyarrow" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"pip install 'fernzug\[data\]'"):
        simulate(Simulation(BOARD, 2, 2, 5)).to_pandas()
