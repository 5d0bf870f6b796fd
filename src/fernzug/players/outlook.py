"""Outlook: what a board's numbers say about good play, worked out once for a board.

All values are hundredths of a point, all times hundredths of a turn.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from fernzug.engine.bonus import UNIT, Bonus, Goal, overrides
from fernzug.engine.tables import Tables
from fernzug.players.weights import CARD_TIME, PACE_SHARE, SPARE_TURN_SHARE, TURN_SHARE

FAR: Final = 1 << 30


@final
class Outlook:
    """What planners look up on one board, worked out from its routes and bonuses."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        best: i64 = 0
        spaces: i64 = 0
        cost: i64 = 0
        for route in range(tables.routes):
            time = UNIT + tables.route_cost[route] * CARD_TIME
            best = max(best, tables.route_points[route] * UNIT * UNIT // time)
            spaces += tables.route_pieces[route]
            cost += tables.route_cost[route]
        # What a turn is worth.
        self.turn_value: i64 = best * TURN_SHARE // 100
        self.spare_turn_value: i64 = self.turn_value * SPARE_TURN_SHARE // 100
        # How many pieces a player builds in a turn, in hundredths.
        self.pace: i64 = UNIT * UNIT * spaces // (UNIT * tables.routes + cost * CARD_TIME)
        self.pace = self.pace * PACE_SHARE // 100
        # The bonuses that make some routes, or places, worth more than others.
        bonuses = tables.bonuses
        self.claim_bonuses: list[Bonus] = [b for b in bonuses if overrides(b, "claim_value")]
        self.spare_bonuses: list[Bonus] = [b for b in bonuses if overrides(b, "spare_value")]
        self.goals: list[Goal] = [goal for bonus in bonuses for goal in bonus.goals()]
