"""The numbers that planners weigh things with; found by playing, the same on every board.

Values are hundredths of a point, times hundredths of a turn, shares hundredths.
"""

from __future__ import annotations

from typing import Final

from fernzug.engine.bonus import UNIT

# ---------------------------------------------------------------------------- time

CARD_TIME: Final = 60
"""The time to get a card that is needed: two are drawn in a turn, but not every one is needed."""

PACE_SHARE: Final = 150
"""Players build faster than the average route suggests: they choose long ones."""

TURN_SHARE: Final = 80
"""A turn is worth somewhat less than with the best route all the time."""

SPARE_TURN_SHARE: Final = 42
"""What a turn to spare in a plan is worth when tickets are chosen: things go wrong."""

# ---------------------------------------------------------------------------- tickets

TICKET_CONFIDENCE: Final = 80
"""How likely a ticket not yet kept is to be completed."""

SAFETY_FACTOR: Final = 260
"""How much longer than planned a new ticket may take and still be in time."""

TOO_LATE: Final = 6 * UNIT
"""With less time than this left no new tickets are drawn."""

SEARCH_TOO_LATE: Final = 3 * UNIT
"""With less time than this left a search does not try to draw tickets."""

# ---------------------------------------------------------------------------- claims

DAMAGE: Final = 64
"""What a payment is charged for each card that the plan misses afterwards, wild cards included."""

MAX_SURPLUS: Final = 32
"""Among equal payments the colour with most to spare is spent; more than this is not counted."""

MAX_HARM: Final = 2
"""A claim that costs the plan as many cards as this waits, unless the game is nearly over."""

NEARLY_OVER: Final = 4 * UNIT

HARM_COST: Final = 50
RIVAL_URGENCY: Final = 200
POINT_URGENCY: Final = 10
"""Short ways through where others build are lost first; long routes bring points."""

WANTED_BONUS: Final = 5 * UNIT
"""How much a search prefers to try the claim of a route that the plan wants."""

MIN_WORLDS: Final = 16
"""A search that has seen fewer worlds proves nothing, and the planner's choice is kept."""

# ---------------------------------------------------------------------------- cards

NEEDED_CARD: Final = 100
WILD_CARD: Final = 110
ANY_CARD: Final = 8
GRAY_CARD: Final = 40
"""A card for a gray route that the plan wants, and what is added for each one held already."""
GRAY_HELD: Final = 6
MAX_GRAY_HELD: Final = 6

WILD_WORTH: Final = 60
"""Two ordinary cards worth less than this together are given up for a face-up wild one."""
