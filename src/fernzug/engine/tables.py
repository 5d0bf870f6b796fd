"""A board as numbers: everything the rules look up, and the board's action table.

Colours are numbered in the order of the board file; the wild card comes after the last colour.
Every action has one number on a board, whatever the position::

    0                pass
    1                draw from the deck
    2 ...            draw a face-up card, a number for each colour and for wild
    then             draw tickets
    then             keep tickets: the places in the offer as bits
    then             claim: route by route, fewest wild cards first
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from fernzug.board.model import Board
from fernzug.engine.bits import WORD, bit
from fernzug.engine.bonus import Bonus, Terms, overrides
from fernzug.engine.network import Network

PASS: Final = 0
DRAW_DECK: Final = 1
DRAW_CARD: Final = 2

FACE_UP: Final = 5
"""How many cards lie face up (S1)."""


@final
class Tables:
    """What the rules look up on one board.

    ``kinds`` are the kinds of bonus by the word that board files use.
    """

    def __init__(self, board: Board, kinds: Mapping[str, type[Bonus]]) -> None:
        self.board = board
        self.colors: i64 = len(board.colors)
        self.wild: i64 = len(board.colors)
        self.cards = vec[i64](list(board.color_counts))
        self.cards = append(self.cards, board.wild_count)
        self.card_total: i64 = sum(board.color_counts) + board.wild_count

        self.deal_cards: i64 = board.deal_cards
        self.deal_tickets: i64 = board.deal_tickets
        self.deal_keep: i64 = board.deal_keep
        self.draw_tickets: i64 = board.draw_tickets
        self.draw_keep: i64 = board.draw_keep
        self.last_round_at: i64 = board.last_round_at
        self.single_lane_up_to: i64 = board.single_lane_up_to
        self.score_track = board.score_track

        self.kinds: i64 = len(board.pieces)
        self.kind_count = vec[i64](kind.count for kind in board.pieces)

        self._number_routes()
        self._number_tickets()
        self._number_bonuses(kinds)
        self._number_actions()
        self._sort_routes()

    def _number_routes(self) -> None:
        board = self.board
        kinds = [kind.id for kind in board.pieces]
        colors = {color: number for number, color in enumerate(board.colors)}
        place = {location.id: number for number, location in enumerate(board.locations)}
        number = {route.id: n for n, route in enumerate(board.routes)}
        routes = list(board.routes)
        self.routes: i64 = len(routes)
        self.words: i64 = (len(routes) + WORD - 1) // WORD
        self.network = Network(
            len(place),
            [place[route.a] for route in routes],
            [place[route.b] for route in routes],
            [route.pieces for route in routes],
        )
        # A gray route has the number after the last colour.
        self.route_color = vec[i64](colors.get(route.color, len(colors)) for route in routes)
        self.route_cost = vec[i64](route.cost for route in routes)
        self.route_pieces = vec[i64](route.pieces for route in routes)
        self.route_kind = vec[i64](kinds.index(route.piece) for route in routes)
        self.route_points = vec[i64](route.points for route in routes)
        self.route_twin = vec[i64](
            -1 if route.twin is None else number[route.twin] for route in routes
        )
        self.top_cost: i64 = max(route.cost for route in routes)
        self.top_pieces: i64 = max(route.pieces for route in routes)

    def _number_tickets(self) -> None:
        place = {location.id: number for number, location in enumerate(self.board.locations)}
        tickets = list(self.board.tickets)
        self.tickets: i64 = len(tickets)
        self.ticket_a = vec[i64](place[ticket.a] for ticket in tickets)
        self.ticket_b = vec[i64](place[ticket.b] for ticket in tickets)
        self.ticket_points = vec[i64](ticket.points for ticket in tickets)
        self.offer_size: i64 = max(self.board.deal_tickets, self.board.draw_tickets)

    def _number_bonuses(self, kinds: Mapping[str, type[Bonus]]) -> None:
        board = self.board
        places = {location.id: number for number, location in enumerate(board.locations)}
        colors = {color: number for number, color in enumerate(board.colors)}
        self.bonuses: list[Bonus] = []
        self.slots: i64 = 0  # how many numbers the bonuses keep for each seat
        # The options of a claim are counted from 1 over all bonuses; 0 is a claim without one.
        self.option_bonus: list[Bonus] = []
        self.option_words: list[str] = []
        for spec in board.bonuses:
            bonus = kinds[spec.kind](self.network, Terms(spec, places, colors))
            bonus.slot = self.slots
            self.slots += bonus.SLOTS
            bonus.first_option = len(self.option_bonus) + 1
            for word in bonus.OPTIONS:
                self.option_words.append(word)
                self.option_bonus.append(bonus)
            self.bonuses.append(bonus)
        # The bonuses that have something to do in play; on most boards there is none.
        self.settling: list[Bonus] = [b for b in self.bonuses if overrides(b, "is_due")]
        self.giving: list[Bonus] = [b for b in self.bonuses if overrides(b, "given")]

    def _number_actions(self) -> None:
        self.draw_tickets_action: i64 = DRAW_CARD + self.colors + 1
        self.keep: i64 = self.draw_tickets_action + 1  # plus the bits of the places kept
        self.claim: i64 = self.keep + (1 << self.offer_size)
        # A route's claims: for each number of wild cards `claim_step` of them, and one with wild
        # cards only. The number of a claim is claim_first + wilds * claim_step + choice, where the
        # choices are the colours, on a gray route all of them, and then the options of bonuses.
        first: list[int] = []
        step: list[int] = []
        route_of: list[int] = []
        color_of: list[int] = []
        wilds_of: list[int] = []
        option_of: list[int] = []
        for route in range(self.routes):
            gray = self.route_color[route] == self.colors
            paid = list(range(int(self.colors))) if gray else [int(self.route_color[route])]
            choices = [(color, 0) for color in paid]
            for option, bonus in enumerate(self.option_bonus, start=1):
                choices += [(color, option) for color in paid if bonus.offers(color, gray)]
            first.append(int(self.claim) + len(route_of))
            step.append(len(choices))
            for wilds in range(self.route_cost[route]):
                for color, option in choices:
                    route_of.append(route)
                    color_of.append(color)
                    wilds_of.append(wilds)
                    option_of.append(option)
            route_of.append(route)
            color_of.append(int(self.wild))
            wilds_of.append(int(self.route_cost[route]))
            option_of.append(0)
        self.claim_first = vec[i64](first)
        self.claim_step = vec[i64](step)
        self.claim_route = vec[i64](route_of)
        self.claim_color = vec[i64](color_of)
        self.claim_wilds = vec[i64](wilds_of)
        self.claim_option = vec[i64](option_of)
        self.actions: i64 = int(self.claim) + len(route_of)

    def claim_number(self, route: i64, color: i64, wilds: i64, option: i64) -> i64:
        """Return the number of a claim, or -1 if there is none with this payment and option.

        ``color`` is the wild card if only wild cards are played.
        """
        if wilds == self.route_cost[route]:
            fits = color == self.wild and option == 0
            return self.claim_first[route] + wilds * self.claim_step[route] if fits else -1
        first = self.claim_first[route] + wilds * self.claim_step[route]
        for number in range(first, first + self.claim_step[route]):
            i = number - self.claim
            if self.claim_color[i] == color and self.claim_option[i] == option:
                return number
        return -1

    def _sort_routes(self) -> None:
        """Lay out the sets of routes that can be paid or built, so that no route is scanned.

        ``payable`` has a set for each colour (gray last) and number of cards, ``fits`` for each
        kind of piece and number of pieces left; both count up to the longest route.
        """
        words = self.words
        costs = self.top_cost + 1
        fits = self.top_pieces + 1
        self.payable = vec[i64]([0] * int((self.colors + 1) * costs * words))
        self.fits = vec[i64]([0] * int(self.kinds * fits * words))
        for route in range(self.routes):
            word = route // WORD
            mask = bit(route)
            for cards in range(self.route_cost[route], costs):
                self.payable[(self.route_color[route] * costs + cards) * words + word] |= mask
            for left in range(self.route_pieces[route], fits):
                self.fits[(self.route_kind[route] * fits + left) * words + word] |= mask
