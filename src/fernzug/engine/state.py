"""The referee's state of one game, in flat vectors."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.bits import WORD, bit
from fernzug.engine.tables import FACE_UP, Tables

# Which decision is awaited.
SETUP: Final = 0
TURN: Final = 1
SECOND_CARD: Final = 2
KEEP: Final = 3
OVER: Final = 4

NONE: Final = -1
"""An empty face-up place, a free route, a ticket that nobody keeps, no seat, no last round."""


@final
class State:
    """Everything there is to know about a game at one moment.

    Vectors that belong to seats are laid out seat by seat; see :func:`blank` for their sizes.
    """

    # Class attributes, so that making a state costs only what is set; `blank` fills the vectors.
    seed: i64 = 0
    # The cards.
    hands: vec[i64] = vec[i64]()  # by colour, wild last
    known: vec[i64] = vec[i64]()  # of these, the cards that everybody has seen being taken
    deck: vec[i64] = vec[i64]()  # the next card is the last of the first `deck_size`
    deck_size: i64 = 0
    discard: vec[i64] = vec[i64]()  # by colour
    discard_size: i64 = 0
    reshuffles: i64 = 0
    faceup: vec[i64] = vec[i64]()
    # The board.
    owner: vec[i64] = vec[i64]()  # of each route
    open_routes: vec[i64] = vec[i64]()  # the routes that each seat may still claim, as bits
    pieces: vec[i64] = vec[i64]()  # left, by kind
    points: vec[i64] = vec[i64]()  # given so far
    bonus: vec[i64] = vec[i64]()  # what the bonuses keep for each seat
    # The tickets.
    ticket_deck: vec[i64] = vec[i64]()  # a ring: `ticket_count` tickets from `ticket_top` on
    ticket_top: i64 = 0
    ticket_count: i64 = 0
    ticket_owner: vec[i64] = vec[i64]()
    returned: vec[i64] = vec[i64]()  # of each ticket, the seats that gave it back, as bits
    offer: vec[i64] = vec[i64]()  # of each seat: how many tickets, then the tickets
    # The turn.
    phase: i64 = SETUP
    seat: i64 = 0
    first_player: i64 = 0
    choosing: i64 = 0  # the seats that have tickets to choose from, as bits
    turn: i64 = 0  # turns begun
    turns_left: i64 = NONE
    passes: i64 = 0  # in a row
    journal: list[tuple[int, ...]] | None = None  # facts, if somebody is listening
    # The orders of the next decks, as they will lie in their vectors, if chance is scripted.
    scripted_decks: list[list[int]] | None = None

    def __init__(self, tables: Tables, players: i64) -> None:
        self.tables = tables
        self.players = players

    # ------------------------------------------------------------------------ of a seat

    def hand_start(self, seat: i64) -> i64:
        """Return where a seat's cards begin in ``hands`` and ``known``."""
        return seat * (self.tables.colors + 1)

    def offer_start(self, seat: i64) -> i64:
        """Return where a seat's offer begins in ``offer``: first the number of its tickets."""
        return seat * (self.tables.offer_size + 1)

    def pieces_of(self, seat: i64, kind: i64) -> i64:
        """Return how many pieces of a kind a seat has left."""
        return self.pieces[seat * self.tables.kinds + kind]

    def pieces_left(self, seat: i64) -> i64:
        """Return how many pieces a seat has left, all kinds together."""
        pieces = self.pieces
        kinds = self.tables.kinds
        left: i64 = 0
        for kind in range(seat * kinds, (seat + 1) * kinds):
            left += pieces[kind]
        return left

    def is_open(self, seat: i64, route: i64) -> bool:
        """Whether a seat may still claim a route, cards and pieces aside (C3, C5, C6)."""
        word = self.open_routes[seat * self.tables.words + route // WORD]
        return word & bit(route) != 0

    # ------------------------------------------------------------------------ copies

    def public(self) -> State:
        """Return a new state with what everybody may know, and nothing else."""
        other = State(self.tables, self.players)
        other.known = self.known[:]
        other.deck_size = self.deck_size
        other.discard = self.discard[:]
        other.discard_size = self.discard_size
        other.reshuffles = self.reshuffles
        other.faceup = self.faceup[:]
        other.owner = self.owner[:]
        other.open_routes = self.open_routes[:]
        other.pieces = self.pieces[:]
        other.points = self.points[:]
        other.bonus = self.bonus[:]
        other.ticket_count = self.ticket_count
        other.phase = self.phase
        other.seat = self.seat
        other.first_player = self.first_player
        other.choosing = self.choosing
        other.turn = self.turn
        other.turns_left = self.turns_left
        other.passes = self.passes
        return other

    def copy(self) -> State:
        """Return an independent copy without a journal."""
        other = self.public()
        other.seed = self.seed
        other.hands = self.hands[:]
        other.deck = self.deck[:]
        other.ticket_deck = self.ticket_deck[:]
        other.ticket_top = self.ticket_top
        other.ticket_owner = self.ticket_owner[:]
        other.returned = self.returned[:]
        other.offer = self.offer[:]
        return other


def filled(size: i64, value: i64) -> vec[i64]:
    """Return a vector of equal numbers."""
    return vec[i64]([value] * size)


def blank(tables: Tables, players: i64, seed: i64) -> State:
    """Return a table with an empty board: no card dealt, no ticket laid out, all pieces in stock.

    All cards and tickets are still in the box; facts bring them into play.
    """
    every_route = filled(players * tables.words, 0)
    for route in range(tables.routes):
        for seat in range(players):
            every_route[seat * tables.words + route // WORD] |= bit(route)
    pieces = filled(players * tables.kinds, 0)
    for seat in range(players):
        for kind in range(tables.kinds):
            pieces[seat * tables.kinds + kind] = tables.kind_count[kind]
    hand = tables.colors + 1
    s = State(tables, players)
    s.seed = seed
    s.hands = filled(players * hand, 0)
    s.known = filled(players * hand, 0)
    s.deck = filled(tables.card_total, 0)
    s.discard = filled(hand, 0)
    s.faceup = filled(FACE_UP, NONE)
    s.owner = filled(tables.routes, NONE)
    s.open_routes = every_route
    s.pieces = pieces
    s.points = filled(players, 0)
    s.bonus = filled(players * tables.slots, 0)
    s.ticket_deck = filled(tables.tickets, 0)
    s.ticket_owner = filled(tables.tickets, NONE)
    s.returned = filled(tables.tickets, 0)
    s.offer = filled(players * (tables.offer_size + 1), 0)
    return s
