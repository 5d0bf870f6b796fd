"""Outlook: what a board's numbers say about good play, worked out once for a board.

All values are hundredths of a point, all times hundredths of a turn.
"""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from fernzug.engine.bonus import UNIT, Bonus, Goal, overrides
from fernzug.engine.tables import Tables
from fernzug.players.tuned import weights_for
from fernzug.players.weights import Weights

FAR: Final = 1 << 30


@final
class Outlook:
    """What planners look up on one board, worked out from its routes and bonuses."""

    def __init__(self, tables: Tables, weights: Weights | None = None) -> None:
        w = weights_for(tables) if weights is None else weights
        self.tables = tables
        self.weights = w
        best: i64 = 0
        spaces: i64 = 0
        cost: i64 = 0
        for route in range(tables.routes):
            time = UNIT + tables.route_cost[route] * w.card_time
            best = max(best, tables.route_points[route] * UNIT * UNIT // time)
            spaces += tables.route_pieces[route]
            cost += tables.route_cost[route]
        # What a turn is worth.
        self.turn_value: i64 = best * w.turn_share // 100
        self.spare_turn_value: i64 = self.turn_value * w.spare_turn_share // 100
        # How many pieces a player builds in a turn, in hundredths.
        self.pace: i64 = UNIT * UNIT * spaces // (UNIT * tables.routes + cost * w.card_time)
        self.pace = self.pace * w.pace_share // 100
        # The bonuses that make some routes, or places, worth more than others.
        bonuses = tables.bonuses
        self.claim_bonuses: list[Bonus] = [b for b in bonuses if overrides(b, "claim_value")]
        self.spare_bonuses: list[Bonus] = [b for b in bonuses if overrides(b, "spare_value")]
        # What a piece of the network is worth where longer ones earn more, or are liked.
        self.path_value: i64 = w.line * UNIT
        for bonus in self.spare_bonuses:
            self.path_value += bonus.points * w.path_piece
        # Those whose points are only known at the end.
        self.award_bonuses: list[Bonus] = [
            b for b in bonuses if overrides(b, "award") and not overrides(b, "claim_value")
        ]
        self.goals: list[Goal] = [goal for bonus in bonuses for goal in bonus.goals()]
