"""Simulations: the games are the referee's games, and the sums are right."""

import os
import signal
import statistics
from collections.abc import Iterator, Sequence
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, ClassVar

import pytest

import fernzug
from fernzug import Action, Board, Event, View, bots
from fernzug.arena import Contest
from fernzug.bots import Bot
from fernzug.engine import COMPILED
from fernzug.engine.batch import WHOLE
from fernzug.events import as_seen
from fernzug.sim import (
    Part,
    Simulation,
    Totals,
    WorkerLost,
    chunk_size,
    running,
    simulate,
    useful_workers,
)
from situations import at_every_table_slowly


def simulation(name: str, players: int, games: int, **more: object) -> Simulation:
    return Simulation(fernzug.board(name), players, games, seed=11, **more)  # type: ignore[arg-type]


def rows_of(plan: Simulation, workers: int = 1) -> list[dict[str, int]]:
    columns = plan.columns
    rows = []
    for part in simulate(plan, workers, rows=True):
        assert part.rows is not None
        for i in range(part.games):
            values = part.rows[i * len(columns) : (i + 1) * len(columns)]
            rows.append(dict(zip(columns, values, strict=True)))
    return rows


@at_every_table_slowly
def test_rows_are_what_the_score_sheets_say(board: Board, players: int, tmp_path: Path) -> None:
    plan = simulation(board.id, players, 12, records=str(tmp_path))
    for number, row in enumerate(rows_of(plan)):
        game = fernzug.replay(tmp_path / f"game-{number:06}.jsonl")
        assert game.over
        # Whoever wants to see a game again starts it with its seed.
        fresh = fernzug.Game(board, players, seed=plan.game_seed(number))
        assert game.facts[: len(fresh.facts)] == fresh.facts
        sheets = game.scores()
        winners = [sheet.seat for sheet in sheets if sheet.rank == 1]
        for sheet in sheets:
            mine = {key: row[f"seat{sheet.seat}_{key}"] for key in
                    ("points", "won", "routes", "route_points", "tickets_completed",
                     "tickets_failed", "ticket_points", *sheet.bonuses)}  # fmt: skip
            tickets = game.view(sheet.seat).players[sheet.seat].tickets or ()
            assert mine == {
                "points": sheet.total,
                "won": WHOLE // len(winners) if sheet.seat in winners else 0,
                "routes": sum(owner == sheet.seat for owner in game.view(None).routes.values()),
                "route_points": sheet.routes,
                "tickets_completed": sheet.tickets_completed,
                "tickets_failed": len(tickets) - sheet.tickets_completed,
                "ticket_points": sheet.tickets_won - sheet.tickets_lost,
                **sheet.bonuses,
            }
        first = game.view(None).first_player
        assert row["first_player"] == first
        assert row["first_player_won"] == row[f"seat{first}_won"]
        assert row["turns"] == game.view(None).turn
        kinds = [event.kind for event in game.events]
        assert row["passed_out"] == ("last_round" not in kinds)
        decisions = sum(kinds.count(kind) for kind in ("took", "drew", "claimed", "passed", "kept"))
        offers = kinds.count("offered") - players
        assert row["decisions"] == decisions + offers


def test_sums_are_those_of_the_rows() -> None:
    games = 700 if COMPILED else 70
    plan = simulation(fernzug.boards()[0], 2, games)
    totals = Totals(plan.columns)
    for part in simulate(plan):
        totals.add(part)
    rows = rows_of(plan)
    assert totals.games == len(rows) == games
    for column in plan.columns:
        values = [row[column] for row in rows]
        assert totals.mean(column) == pytest.approx(statistics.fmean(values))
        assert totals.deviation(column) == pytest.approx(statistics.stdev(values))
        assert totals.range(column) == (min(values), max(values))


def test_a_single_game_has_no_deviation() -> None:
    plan = simulation(fernzug.boards()[0], 2, 1)
    totals = Totals(plan.columns)
    totals.add(next(simulate(plan)))
    assert totals.deviation("turns") == 0.0


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few games keep several workers busy."""
    monkeypatch.setattr(running, "chunk_size", lambda _: 3)


@pytest.mark.usefixtures("small_chunks")
def test_any_number_of_workers_plays_the_same_games() -> None:
    plan = simulation(fernzug.boards()[0], 3, 100)
    alone = rows_of(plan)
    assert useful_workers(plan, 3) == 3
    assert rows_of(plan, workers=3) == alone


def test_another_seed_plays_other_games() -> None:
    board = fernzug.board(fernzug.boards()[0])
    seeds = [
        Simulation(board, 2, 50, seed).game_seed(number) for seed in (1, 2) for number in range(50)
    ]
    assert len(set(seeds)) == 100


def test_bots_play_and_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    name = fernzug.boards()[0]
    plan = simulation(name, 2, 6, bots=("greedy", "random"), records=str(tmp_path))
    rows = rows_of(plan)
    assert rows == rows_of(plan, workers=2)
    assert fernzug.replay(tmp_path / "game-000005.jsonl").over


class Listener(Bot):
    """A bot that keeps what it hears."""

    heard: ClassVar[dict[int, list[Event]]]

    def __init__(self, board: Board, seed: int = 0) -> None:
        super().__init__(board, seed)
        self.events: list[Event] = []

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        assert view.viewer is not None
        self.heard[view.viewer] = self.events
        return legal[len(self.events) % len(legal)]

    def watch(self, events: Sequence[Event]) -> None:
        self.events += events


def test_bots_hear_the_whole_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The set-up is part of it, and each seat hears what it may know."""
    monkeypatch.setattr(bots, "_others", lambda: {"listener": Listener})
    Listener.heard = {}
    plan = simulation("london", 2, 1, bots=("listener", "listener"), records=str(tmp_path))
    list(simulate(plan))
    events = fernzug.replay(tmp_path / "game-000000.jsonl").events
    assert Listener.heard == {seat: as_seen(events, seat) for seat in range(2)}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"board": "atlantis"}, "there is no board 'atlantis'"),
        ({"players": 9}, "is for 2 to . players, not 9"),
        ({"players": "2"}, "players, not '2'"),
        ({"games": 0}, "a simulation has 1 to 4294967296 games, not 0"),
        ({"games": 1 << 33}, "a simulation has 1 to 4294967296 games"),
        ({"games": 2.5}, r"a simulation has 1 to 4294967296 games, not 2\.5"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"first": -1}, "cannot begin with number -1"),
        ({"first": 1 << 32}, "cannot begin with number 4294967296"),
        ({"bots": ("random",)}, "2 players need 2 bots"),
        ({"observations": True}, "name a folder"),
    ],
)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, Any], reason: str) -> None:
    plan: dict[str, Any] = {"board": fernzug.boards()[0], "players": 2, "games": 1, "seed": 0}
    with pytest.raises(ValueError, match=reason):
        Simulation(**{**plan, **wrong})


def test_a_board_may_be_named_and_numbers_be_those_of_numpy() -> None:
    np = pytest.importorskip("numpy")
    name = fernzug.boards()[0]
    number = np.int64(2)
    named: Any = name
    plan = Simulation(named, number, number, number, first=number)
    assert plan == Simulation(fernzug.board(name), 2, 2, 2, first=2)
    assert list(simulate(plan)) == list(simulate(Simulation(fernzug.board(name), 2, 2, 2, first=2)))
    contest = Contest(named, number, ["random"], number, number)
    assert contest == Contest(fernzug.board(name), 2, ["random"], 2, 2)


def workers_of(parts: Iterator[Part]) -> list[BaseProcess]:
    """Begin a simulation and return its workers."""
    before = active_children()
    next(parts)
    return [process for process in active_children() if process not in before]


@pytest.mark.usefixtures("small_chunks")
def test_a_worker_that_dies_is_replaced() -> None:
    plan = simulation(fernzug.boards()[0], 2, 300)
    parts = simulate(plan, workers=2)
    workers = workers_of(parts)
    assert workers[0].pid is not None
    os.kill(workers[0].pid, signal.SIGKILL)
    rest = list(parts)
    assert rest == list(simulate(plan))[1:]
    assert not any(process.is_alive() for process in workers)


DEADLY = """
import os
from fernzug.bots import Bot

class Deadly(Bot):
    def choose(self, view, legal):
        os._exit(5)
"""


def test_games_that_kill_their_worker_again_and_again_are_told(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY, encoding="utf-8")
    deadly = str(tmp_path / "deadly.py")
    plan = simulation(fernzug.boards()[0], 2, 8, bots=(deadly, "random"))
    with pytest.raises(WorkerLost, match=r"the games \d to \d has died 2 times \(exit code 5\)"):
        list(simulate(plan, workers=2))


def test_what_goes_wrong_in_a_worker_is_told(tmp_path: Path) -> None:
    in_the_way = tmp_path / "game-000003.jsonl"
    in_the_way.mkdir()
    plan = simulation(fernzug.boards()[0], 2, 200, records=str(tmp_path))
    with pytest.raises(IsADirectoryError, match=in_the_way.name):
        list(simulate(plan, workers=2))


def test_a_folder_for_records_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "records"
    list(simulate(simulation(fernzug.boards()[0], 2, 3, records=str(folder))))
    assert len(list(folder.iterdir())) == 3


def test_parts_come_in_order() -> None:
    size = chunk_size(simulation(fernzug.boards()[0], 2, 1))
    parts: list[Part] = list(simulate(simulation(fernzug.boards()[0], 2, 2 * size + 1)))
    assert [(part.first, part.games) for part in parts] == [(0, size), (size, size), (2 * size, 1)]
