"""Styles of planners: they show in how somebody plays."""

from collections import Counter

import pytest

import fernzug
from fernzug import Board, bots
from fernzug.engine import COMPILED, bits, rules
from fernzug.engine.state import OVER, blank
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import decide
from fernzug.players.styles import STYLES, styled
from fernzug.players.tuned import TUNED
from fernzug.tables import tables_of
from situations import on_every_board

GAMES = 60

pytestmark = pytest.mark.skipif(not COMPILED, reason="it takes many games to see")


def habits(board: Board, style: str | None) -> Counter[str]:
    """Return what somebody did in some games against a plain planner."""
    t = tables_of(board)
    plain = Outlook(t)
    outlook = Outlook(t, styled(t, style)) if style else plain
    did = Counter[str]()
    for seed in range(GAMES):
        s = blank(t, 2, seed)
        s.first_player = seed % 2
        rules.set_up(s)
        own, other = Plan(outlook, 0), Plan(plain, 1)
        while s.phase != OVER:
            seat, last, before = s.seat, s.turns_left, list(s.owner)
            action = decide(s, own if seat == 0 else other)
            rules.apply(s, seat, action)
            if seat == 0:
                did["tickets"] += action == t.draw_tickets_action
                did["ended"] += last != s.turns_left and last < 0
                for route in range(t.routes):
                    if s.owner[route] != before[route]:
                        did["taken"] += bits.has(other.wanted, route)
    return did


def test_styles_change_weights_that_exist() -> None:
    assert {name for style in STYLES.values() for name in style} <= set(TUNED)
    assert list(STYLES) == list(bots.PERSONALITIES)


@on_every_board
def test_a_collector_draws_more_tickets(board: Board) -> None:
    assert habits(board, "collector")["tickets"] > habits(board, None)["tickets"] + GAMES // 4


@pytest.mark.parametrize("name", ["london", "new_york", "usa"])
def test_a_blocker_takes_what_others_had_planned(name: str) -> None:
    board = fernzug.board(name)
    assert habits(board, "blocker")["taken"] > habits(board, None)["taken"]
