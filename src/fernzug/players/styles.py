"""Styles: planners with other weights, who like something more than is good for them.

Each style changes a few of the weights in :mod:`fernzug.players.tuned`, on every board in the same
way: a weight is multiplied by hundredths, and something is added. ``benchmarks/styles.py`` measures
whether a style shows and what it costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fernzug.engine.tables import Tables
from fernzug.players.tuned import values_for
from fernzug.players.weights import Weights

STYLES: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = {
    # Builds long routes, for tickets or not, and is in a hurry to end the game.
    "sprinter": {
        "rush": (100, 120),
        "line": (0, 40),
        "spare_least": (50, 0),
        "spare_turn": (130, 0),
        "spare_card": (115, 0),
        "keep_confidence": (85, 0),
    },
    # Keeps more tickets, and draws new ones as long as there is any time left for them.
    "collector": {
        "ticket_turn": (0, -100),
        "too_late": (0, 200),
        "ticket_confidence": (0, 130),
        "safety_factor": (0, 110),
        "keep_confidence": (0, 140),
    },
    # Goes where others build, claims the contested routes first, and takes what they may need.
    "blocker": {
        "block": (150, 900),
        "rival_risk": (0, -300),
        "rival_urgency": (400, 0),
    },
    # Goes on building at a network that becomes longer and longer.
    "builder": {
        "line": (0, 60),
        "path_share": (800, 0),
        "path_piece": (100, 80),
        "spare_least": (60, 0),
    },
}


def styled(tables: Tables, style: str) -> Weights:
    """Return the weights for a board in a style."""
    values = values_for(tables)
    for name, (share, more) in STYLES[style].items():
        values[name] = values[name] * share // 100 + more
    return Weights(values)
