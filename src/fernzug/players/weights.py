"""The numbers that planners weigh things with: what each of them means.

How large they are was found by playing and stands in :mod:`fernzug.players.tuned`. Values are
hundredths of a point, times hundredths of a turn, shares hundredths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from mypy_extensions import i64

from fernzug.engine.bonus import UNIT

MIN_WORLDS: Final = 16
"""A search that has seen fewer worlds proves nothing, and the planner's choice is kept."""

STEP: Final = 8
"""A search drops actions only after so many worlds, which several processes can share..."""

STEP_PLAYOUTS: Final = 64
"""... and after so many playouts, or sharing them would take longer than the playouts."""

FIRST_TURNS: Final = 6
"""How many turns of its seat a guided search first looks ahead: what a network thinks of a position
says little about the last action, and much about where some turns have led."""

WORLDS_PER_TURN: Final = 64
"""After so many worlds it looks ahead a turn further."""

SEARCH_TOO_LATE: Final = 3 * UNIT
"""With less time than this left a search does not try to draw tickets."""

WANTED_BONUS: Final = 5 * UNIT
"""How much a search prefers to try the claim of a route that the plan wants."""

RIVAL_BONUS: Final = 3 * UNIT
"""How much a search prefers to try the claim of a route that rivals may need."""

DAMAGE: Final = 64
"""What a payment is charged for each card that the plan misses afterwards, wild cards included."""

MAX_SURPLUS: Final = 32
"""Among equal payments the colour with most to spare is spent; more than this is not counted."""

MAX_DETOUR: Final = 20 * UNIT
"""A detour that costs more than this does not count as one."""


@final
class Weights:
    """One set of weights, by their names in :mod:`fernzug.players.tuned`."""

    def __init__(self, values: Mapping[str, int]) -> None:
        # ---------------------------------------------------------------- time
        # The time to get a card that is needed: two are drawn in a turn, not all of them needed.
        self.card_time: i64 = values["card_time"]
        # Players build faster than the average route suggests: they choose long ones.
        self.pace_share: i64 = values["pace_share"]
        # How much of the cards in hand counts as built when the time left is guessed.
        self.hand_share: i64 = values["hand_share"]
        # A turn is worth somewhat less than with the best route all the time.
        self.turn_share: i64 = values["turn_share"]
        # What a turn to spare in a plan is worth when tickets are chosen: things go wrong.
        self.spare_turn_share: i64 = values["spare_turn_share"]

        # ---------------------------------------------------------------- ways
        # What it costs a way that a rival builds at an end of one of its routes.
        self.rival_risk: i64 = values["rival_risk"]
        # The share of that which is left if there is a second lane.
        self.twin_risk: i64 = values["twin_risk"]
        # The least that a route costs: without it ways would take every long route there is.
        self.least_price: i64 = values["least_price"]
        # How much of the wild cards is counted for a route of a way.
        self.way_wilds: i64 = values["way_wilds"]
        # Whether each turn begins with a new plan.
        self.replan: i64 = values["replan"]
        # What a piece is worth where longer networks earn more, as a share of the bonus.
        self.path_piece: i64 = values["path_piece"]
        # How much of the bonuses of routes and of goals is counted.
        self.bonus_share: i64 = values["bonus_share"]
        self.goal_share: i64 = values["goal_share"]

        # ---------------------------------------------------------------- tickets
        # How likely a ticket that could be kept is to be completed, if it can be planned.
        self.keep_confidence: i64 = values["keep_confidence"]
        # How likely a ticket not yet kept is to be completed.
        self.ticket_confidence: i64 = values["ticket_confidence"]
        # How much longer than planned a new ticket may take and still be in time.
        self.safety_factor: i64 = values["safety_factor"]
        # With less time than this left no new tickets are drawn.
        self.too_late: i64 = values["too_late"]
        # How much of a turn's worth new tickets must promise.
        self.ticket_turn: i64 = values["ticket_turn"]

        # ---------------------------------------------------------------- claims
        # A claim that costs the plan as many cards as this waits, unless the game is nearly over.
        self.max_harm: i64 = values["max_harm"]
        self.nearly_over: i64 = values["nearly_over"]
        self.harm_cost: i64 = values["harm_cost"]
        # Short ways through where others build are lost first; long routes bring points.
        self.rival_urgency: i64 = values["rival_urgency"]
        self.point_urgency: i64 = values["point_urgency"]
        # A route is urgent if the way round it is long.
        self.detour_urgency: i64 = values["detour_urgency"]
        # Routes that the plan does not want are claimed if they bring more than this...
        self.spare_least: i64 = values["spare_least"]
        # ... after the share of a turn's worth that the claim costs, what each card is worth, and
        # what each card or wild card is worth that the plan misses afterwards.
        self.spare_turn: i64 = values["spare_turn"]
        self.spare_card: i64 = values["spare_card"]
        self.spare_harm: i64 = values["spare_harm"]
        # What a piece is worth that is built beside the plan: it brings the end nearer.
        self.rush: i64 = values["rush"]
        # What more it is worth to a seat that is ahead by ten points or more.
        self.lead_rush: i64 = values["lead_rush"]
        # What it is worth to take a route that joins places where others build.
        self.block: i64 = values["block"]
        # What a piece of a longer network is worth by itself, bonus or not.
        self.line: i64 = values["line"]
        # How much of what lengthens the network is counted beside the plan.
        self.path_share: i64 = values["path_share"]
        # How much of the wild cards is counted when a free route is chosen.
        self.wild_share: i64 = values["wild_share"]

        # ---------------------------------------------------------------- cards
        self.needed_card: i64 = values["needed_card"]
        self.wild_card: i64 = values["wild_card"]
        self.any_card: i64 = values["any_card"]
        # A card for a gray route that the plan wants, and what is added for each one held already.
        self.gray_card: i64 = values["gray_card"]
        self.gray_held: i64 = values["gray_held"]
        self.max_gray_held: i64 = values["max_gray_held"]
        # What is added for a needed card if it is the last of its colour, or the last but one.
        self.last_card: i64 = values["last_card"]
        # What is added for each card missing if none of its colour was left to come.
        self.scarcity: i64 = values["scarcity"]
        # What is added to a card nobody needs for each one held already.
        self.any_held: i64 = values["any_held"]
        # Two ordinary cards worth less than this together are given up for a face-up wild one.
        self.wild_worth: i64 = values["wild_worth"]
