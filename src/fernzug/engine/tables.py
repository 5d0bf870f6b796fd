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

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from fernzug.board.model import Board
from fernzug.bonuses import KINDS
from fernzug.bonuses.bonus import Bonus, Terms
from fernzug.bonuses.network import Network
from fernzug.engine.bits import WORD, bit

PASS: Final = 0
DRAW_DECK: Final = 1
DRAW_CARD: Final = 2

FACE_UP: Final = 5
"""How many cards lie face up (S1)."""


class Tables:
    """What the rules look up on one board."""

    def __init__(self, board: Board) -> None:
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
        self._number_bonuses()
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

    def _number_bonuses(self) -> None:
        board = self.board
        place = {location.id: number for number, location in enumerate(board.locations)}
        self.bonuses: list[Bonus] = []
        self.flag: i64 = 0  # the flag's colours as bits (E6); none without such a bonus
        self.flag_points: i64 = 0
        for bonus in board.bonuses:
            terms = Terms(
                bonus.kind,
                bonus.points,
                [place[location] for location in bonus.locations],
                [board.colors.index(color) for color in bonus.colors],
                [(g.points, [place[member] for member in g.locations]) for g in bonus.groups],
            )
            self.bonuses.append(KINDS[bonus.kind](self.network, terms))
            if bonus.kind == "flag":
                self.flag_points = bonus.points
                for color in terms.colors:
                    self.flag |= 1 << color

    def _number_actions(self) -> None:
        self.draw_tickets_action: i64 = DRAW_CARD + self.colors + 1
        self.keep: i64 = self.draw_tickets_action + 1  # plus the bits of the places kept
        self.claim: i64 = self.keep + (1 << self.offer_size)
        # A route's claims: for each number of wild cards `claim_step` of them, and one with wild
        # cards only. The number of a claim is claim_first + wilds * claim_step + choice, where the
        # choice is the colour on a gray route and whether to keep the card for a flag (E6).
        first: list[int] = []
        step: list[int] = []
        route_of: list[int] = []
        color_of: list[int] = []
        wilds_of: list[int] = []
        flag_of: list[int] = []
        for route in range(self.routes):
            color = self.route_color[route]
            cost = self.route_cost[route]
            if color == self.colors:
                choices = [(int(c), 0) for c in range(self.colors)]
            elif (self.flag >> color) & 1:
                choices = [(int(color), 0), (int(color), 1)]
            else:
                choices = [(int(color), 0)]
            first.append(int(self.claim) + len(route_of))
            step.append(len(choices))
            for wilds in range(cost):
                for c, flag in choices:
                    route_of.append(route)
                    color_of.append(c)
                    wilds_of.append(wilds)
                    flag_of.append(flag)
            route_of.append(route)
            color_of.append(int(self.wild))
            wilds_of.append(int(cost))
            flag_of.append(0)
        self.claim_first = vec[i64](first)
        self.claim_step = vec[i64](step)
        self.claim_route = vec[i64](route_of)
        self.claim_color = vec[i64](color_of)
        self.claim_wilds = vec[i64](wilds_of)
        self.claim_flag = vec[i64](flag_of)
        self.actions: i64 = int(self.claim) + len(route_of)

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
