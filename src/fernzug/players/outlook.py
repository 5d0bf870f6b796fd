"""Outlook: what a board's numbers say about good play, worked out once for a board.

All values are hundredths of a point, all times hundredths of a turn.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.bonuses.districts import Districts
from fernzug.bonuses.longest_path import LongestPath
from fernzug.bonuses.sights import Sights
from fernzug.engine.state import filled
from fernzug.engine.tables import Tables

UNIT: Final = 100
FAR: Final = 1 << 30


class Outlook:
    """What planners look up on one board, and how they weigh it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        # Two cards are drawn in a turn, but not every card is one that is needed.
        self.card_time: i64 = 60
        # How far a ticket not yet kept is trusted to be completed, in hundredths.
        self.trust: i64 = 80
        # How much longer than thought a new ticket may take and still be in time, in hundredths.
        self.caution: i64 = 260
        # With fewer turns than this left no new tickets are drawn.
        self.too_late: i64 = 6 * UNIT
        # Two ordinary cards worth less than this together are given up for a face-up wild one.
        self.wild_worth: i64 = 60
        best: i64 = 0
        spaces: i64 = 0
        cost: i64 = 0
        for route in range(tables.routes):
            time = UNIT + tables.route_cost[route] * self.card_time
            best = max(best, tables.route_points[route] * UNIT * UNIT // time)
            spaces += tables.route_pieces[route]
            cost += tables.route_cost[route]
        # What a turn is worth: somewhat less than with the best route all the time.
        self.turn_value: i64 = best * 80 // 100
        # What a turn to spare in a plan is worth when tickets are chosen: things go wrong.
        self.ease: i64 = self.turn_value * 42 // 100
        # How many pieces a player builds in a turn, in hundredths.
        self.pace: i64 = UNIT * UNIT * spaces // (UNIT * tables.routes + cost * self.card_time)
        # Good players choose long routes, and some cards are there from the start.
        self.pace = self.pace * 150 // 100
        self.sight = filled(tables.network.places, 0)
        self.district: list[vec[i64]] = []
        self.district_value = vec[i64]()
        self.path_value: i64 = 0
        self._bonuses()

    def _bonuses(self) -> None:
        values: list[int] = []
        for bonus in self.tables.bonuses:
            if isinstance(bonus, Sights):
                for place in bonus.sights:
                    self.sight[place] += bonus.points * UNIT
            elif isinstance(bonus, Districts):
                for members, points in bonus.districts:
                    self.district.append(members)
                    values.append(points * UNIT)
            elif isinstance(bonus, LongestPath):
                self.path_value = bonus.points * UNIT
        self.district_value = vec[i64](values)
