"""Weights of planners, the games they are tuned with, and the last turn."""

from __future__ import annotations

import pytest

import fernzug
from fernzug.engine import chance, rules
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import Stream
from fernzug.engine.scoring import totals
from fernzug.engine.state import NONE, OVER, TURN, State, blank
from fernzug.players.duel import GreedyOnes, Planners, duel
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import decide
from fernzug.players.tuned import TUNED, values_for
from fernzug.players.weights import Weights
from fernzug.tables import tables_of


@pytest.mark.parametrize("board", fernzug.boards())
def test_every_board_gets_every_weight_from_within_its_row(board: str) -> None:
    values = values_for(tables_of(fernzug.board(board)))
    assert values.keys() == TUNED.keys()
    for name, value in values.items():
        assert min(TUNED[name]) <= value <= max(TUNED[name])
        assert getattr(Weights(values), name) == value


def test_boards_of_different_sizes_get_different_weights() -> None:
    paris, london, usa = (
        values_for(tables_of(fernzug.board(board))) for board in ("paris", "london", "usa")
    )
    assert [paris["card_time"], london["card_time"], usa["card_time"]] == list(TUNED["card_time"])


def test_a_duel_of_equals_is_even_and_of_unequals_is_not() -> None:
    tables = tables_of(fernzug.board("london"))
    table = blank(tables, 2, 0)
    planners = Planners(Outlook(tables))
    won, margins = duel(table, planners, Planners(Outlook(tables)), 7, 0, 10)
    assert won == [0.5] * 10
    assert margins == [0.0] * 10
    won, _ = duel(table, planners, GreedyOnes(), 7, 0, 20)
    assert sum(won) / len(won) > 0.75


def test_a_duel_goes_on_where_another_has_ended() -> None:
    tables = tables_of(fernzug.board("paris"))
    table = blank(tables, 3, 0)
    sides = Planners(Outlook(tables)), GreedyOnes()
    whole = duel(table, *sides, 5, 0, 6)[0]
    assert duel(table, *sides, 5, 0, 2)[0] + duel(table, *sides, 5, 2, 4)[0] == whole


@pytest.mark.parametrize("board", ["usa", "london", "new_york", "paris"])
def test_the_last_claim_leaves_no_points_lying(board: str) -> None:
    tables = tables_of(fernzug.board(board))
    outlook = Outlook(tables)
    claims = 0
    for number in range(12):
        s = blank(tables, 2, 0)
        s.seed = game_seed(11, number)
        s.first_player = Stream(s.seed, chance.FIRST_PLAYER).below(2)
        rules.set_up(s)
        plans = [Plan(outlook, seat) for seat in range(2)]
        while s.phase != OVER:
            seat = s.seat
            before = s.copy()
            action = decide(s, plans[seat])
            if s.phase == TURN and s.turns_left != NONE and action >= tables.claim:
                claims += 1
                best = max(
                    _margin_after(before, seat, int(other))
                    for other in rules.legal(before, seat)
                    if other >= tables.claim
                )
                assert _margin_after(before, seat, int(action)) == best
            rules.apply(s, seat, action)
    assert claims > 10


def _margin_after(s: State, seat: int, action: int) -> int:
    after = s.copy()
    rules.apply(after, seat, action)
    points = totals(after)
    return int(points[seat] - points[1 - seat])
