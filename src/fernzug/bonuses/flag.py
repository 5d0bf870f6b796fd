"""Flag: points in play for laying down one card of each colour of a flag (E6).

The cards are kept and the points given while the game goes on, so the mechanism is part of the
rules (:mod:`fernzug.engine.rules`); here is only the name that a board file asks for, and nothing
is awarded at the end.
"""

from __future__ import annotations

from fernzug.bonuses.bonus import Bonus


class Flag(Bonus):
    """Points in play for each complete set of the flag's colours; none at the end."""
