"""How much planners weigh things: the numbers for :class:`fernzug.players.weights.Weights`.

They were found by SPSA, as in ``benchmarks/tune.py`` but also scored by the margin in points, in
some 1.4 million games of planners against each other. Boards differ, so there are three columns:
for small boards with short routes, for other small boards, and for large boards. Every board gets
a blend of them, by the mean cost of its routes and the number of pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64

from fernzug.engine.tables import Tables
from fernzug.players.weights import Weights

SHORT_COST: Final = 185
"""The mean cost of a board's routes, in hundredths of a card, up to which they are all short."""

USUAL_COST: Final = 200
"""The mean cost from which they are not."""

FEW_PIECES: Final = 20
"""The number of a player's pieces up to which a board is small."""

MANY_PIECES: Final = 45
"""The number from which it is large."""

TUNED: Final[Mapping[str, tuple[int, int, int]]] = {
    # name: short routes, small board, large board
    "card_time": (65, 35, 36),
    "pace_share": (139, 158, 193),
    "hand_share": (0, 10, 36),
    "turn_share": (133, 109, 107),
    "spare_turn_share": (1, 0, 0),
    "rival_risk": (49, 17, 93),
    "twin_risk": (84, 76, 87),
    "least_price": (86, 112, 66),
    "way_wilds": (11, 6, 5),
    "replan": (1, 0, 0),
    "path_piece": (2, 2, 1),
    "bonus_share": (88, 80, 125),
    "goal_share": (72, 104, 75),
    "keep_confidence": (114, 100, 101),
    "ticket_confidence": (74, 68, 114),
    "safety_factor": (424, 370, 234),
    "too_late": (336, 328, 1438),
    "ticket_turn": (153, 195, 276),
    "max_harm": (3, 1, 1),
    "nearly_over": (125, 294, 388),
    "harm_cost": (77, 2, 81),
    "rival_urgency": (77, 198, 156),
    "point_urgency": (10, 8, 6),
    "detour_urgency": (19, 4, 8),
    "spare_least": (85, 366, 582),
    "spare_turn": (153, 147, 87),
    "spare_card": (49, 34, 180),
    "spare_harm": (181, 145, 228),
    "rush": (1, 2, 42),
    "lead_rush": (19, 6, 5),
    "block": (233, 33, 38),
    "line": (0, 0, 0),
    "path_share": (99, 48, 139),
    "wild_share": (78, 42, 30),
    "needed_card": (162, 144, 64),
    "wild_card": (196, 154, 144),
    "any_card": (47, 50, 19),
    "gray_card": (99, 114, 6),
    "gray_held": (13, 16, 14),
    "max_gray_held": (6, 6, 6),
    "last_card": (9, 6, 36),
    "scarcity": (94, 142, 30),
    "any_held": (0, 2, 3),
    "wild_worth": (146, 138, 4),
}


def values_for(tables: Tables) -> dict[str, int]:
    """Return the weights for a board, by name."""
    cost: i64 = 0
    for route in range(tables.routes):
        cost += tables.route_cost[route]
    pieces: i64 = 0
    for kind in range(tables.kinds):
        pieces += tables.kind_count[kind]
    mean = cost * 100 // tables.routes
    usual = _part(mean, SHORT_COST, USUAL_COST)
    large = _part(pieces, FEW_PIECES, MANY_PIECES)
    return {
        name: int(_blend(_blend(row[0], row[1], usual), row[2], large))
        for name, row in TUNED.items()
    }


def weights_for(tables: Tables) -> Weights:
    """Return the weights for a board."""
    return Weights(values_for(tables))


def _part(value: i64, low: i64, high: i64) -> i64:
    """Return how far a value is on the way from low to high, in hundredths."""
    return max(min((value - low) * 100 // (high - low), 100), 0)


def _blend(one: i64, other: i64, part: i64) -> i64:
    return (one * (100 - part) + other * part + 50) // 100
