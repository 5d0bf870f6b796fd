"""Score sheets: what each seat has won and lost, and the ranks (E2 to E7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fernzug.engine import scoring
from fernzug.engine.state import State

if TYPE_CHECKING:
    from fernzug import json_types


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The points of one seat, as if the game ended now."""

    seat: int
    routes: int
    tickets_won: int
    tickets_lost: int
    """Points, as a number of at least 0; they are subtracted from the total."""
    tickets_completed: int
    """The number of completed tickets (K3)."""
    bonuses: Mapping[str, int]
    """Points by kind of bonus."""
    total: int
    rank: int
    """1 for the winner; seats that are still tied after the tie-breaks share a rank (E7)."""

    def to_json(self) -> json_types.ScoreSheet:
        """Return the sheet as a JSON object."""
        return {
            "seat": self.seat,
            "routes": self.routes,
            "tickets_won": self.tickets_won,
            "tickets_lost": self.tickets_lost,
            "tickets_completed": self.tickets_completed,
            "bonuses": dict(self.bonuses),
            "total": self.total,
            "rank": self.rank,
        }


def score_sheets(s: State) -> list[ScoreSheet]:
    """Return a score sheet for each seat."""
    seats = range(int(s.players))
    bonuses: list[dict[str, int]] = [{} for _ in seats]
    for bonus in s.tables.bonuses:
        points = scoring.bonus_points(s, bonus)
        for seat in seats:
            bonuses[seat][bonus.kind] = int(points[seat])
    ranks = scoring.ranks(s)
    sheets = []
    for seat in seats:
        won, lost, completed = (int(number) for number in scoring.ticket_points(s, seat))
        routes = int(scoring.route_points(s, seat))
        total = routes + won - lost + sum(bonuses[seat].values())
        rank = int(ranks[seat])
        sheets.append(
            ScoreSheet(seat, routes, won, lost, completed, bonuses[seat], total, rank=rank)
        )
    return sheets
