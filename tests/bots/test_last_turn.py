"""The last turn of a game, in which nothing is left to guess."""

import pytest

from fernzug import Board
from fernzug.engine import COMPILED, rules
from fernzug.engine.scoring import totals
from fernzug.engine.state import OVER, TURN, State, blank
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import decide
from fernzug.tables import tables_of
from situations import on_every_board

GAMES = 40 if COMPILED else 3


def margin(s: State, seat: int, action: int) -> int | None:
    """Return by how much a seat is ahead if an action ends the game; None if it does not."""
    after = s.copy()
    rules.apply(after, seat, action)
    if after.phase != OVER:
        return None
    points = list(totals(after))
    own = points.pop(seat)
    return own - max(points)


@on_every_board
@pytest.mark.parametrize("players", [2, 3])
def test_no_claim_is_better_than_the_planners_in_the_last_turn_of_all(
    board: Board, players: int
) -> None:
    t = tables_of(board)
    outlook = Outlook(t)
    compared = 0
    for seed in range(GAMES):
        s = blank(t, players, seed)
        s.first_player = seed % players
        rules.set_up(s)
        plans = [Plan(outlook, seat) for seat in range(players)]
        while s.phase != OVER:
            seat = s.seat
            action = decide(s, plans[seat])
            if s.phase == TURN and s.turns_left == 1:
                chosen = margin(s, seat, action)
                ends = [margin(s, seat, other) for other in rules.legal(s, seat)]
                known = [points for points in ends if points is not None]
                if chosen is not None:
                    compared += 1
                    assert chosen == max(known)
                elif known:
                    # It draws instead: then no claim brings anything, or tickets promise more.
                    assert action < t.keep
            rules.apply(s, seat, action)
    assert compared
