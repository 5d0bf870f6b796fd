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

    Vectors that belong to seats are laid out seat by seat; see :meth:`blank` for their sizes.
    """

    def __init__(
        self,
        tables: Tables,
        players: i64,
        hands: vec[i64],
        known: vec[i64],
        deck: vec[i64],
        discard: vec[i64],
        faceup: vec[i64],
        owner: vec[i64],
        open_routes: vec[i64],
        pieces: vec[i64],
        points: vec[i64],
        ticket_deck: vec[i64],
        ticket_owner: vec[i64],
        returned: vec[i64],
        offer: vec[i64],
        flags: vec[i64],
        seed: i64,
    ) -> None:
        self.tables = tables
        self.players = players
        self.hands = hands  # cards by colour, wild last
        self.known = known  # of these, the cards that everybody has seen being taken
        self.deck = deck  # the next card is the last of the first `deck_size`
        self.discard = discard  # by colour
        self.faceup = faceup
        self.owner = owner  # of each route
        self.open_routes = open_routes  # the routes that each seat may still claim, as bits
        self.pieces = pieces  # left, by kind
        self.points = points  # given so far
        self.ticket_deck = ticket_deck  # a ring: `ticket_count` tickets from `ticket_top` on
        self.ticket_owner = ticket_owner
        self.returned = returned  # of each ticket, the seats that gave it back, as bits
        self.offer = offer  # of each seat: how many tickets, then the tickets
        self.flags = flags  # of each seat: colours lying in front as bits, then completed sets
        self.seed = seed
        self.deck_size: i64 = 0
        self.discard_size: i64 = 0
        self.reshuffles: i64 = 0
        self.ticket_top: i64 = 0
        self.ticket_count: i64 = 0
        self.phase: i64 = SETUP
        self.seat: i64 = 0
        self.first_player: i64 = 0
        self.choosing: i64 = 0  # the seats that have tickets to choose from, as bits
        self.turn: i64 = 0  # turns begun
        self.turns_left: i64 = NONE
        self.passes: i64 = 0  # in a row
        self.journal: list[tuple[int, ...]] | None = None  # facts, if somebody listens
        # What chance will bring, if that is known: the next decks as they lie in their vectors.
        self.scripted_decks: list[list[int]] | None = None

    def copy(self) -> State:
        """Return an independent copy; nobody listens to it."""
        other = State(
            self.tables,
            self.players,
            self.hands[:],
            self.known[:],
            self.deck[:],
            self.discard[:],
            self.faceup[:],
            self.owner[:],
            self.open_routes[:],
            self.pieces[:],
            self.points[:],
            self.ticket_deck[:],
            self.ticket_owner[:],
            self.returned[:],
            self.offer[:],
            self.flags[:],
            self.seed,
        )
        other.deck_size = self.deck_size
        other.discard_size = self.discard_size
        other.reshuffles = self.reshuffles
        other.ticket_top = self.ticket_top
        other.ticket_count = self.ticket_count
        other.phase = self.phase
        other.seat = self.seat
        other.first_player = self.first_player
        other.choosing = self.choosing
        other.turn = self.turn
        other.turns_left = self.turns_left
        other.passes = self.passes
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
    return State(
        tables,
        players,
        filled(players * hand, 0),
        filled(players * hand, 0),
        filled(tables.card_total, 0),
        filled(hand, 0),
        filled(FACE_UP, NONE),
        filled(tables.routes, NONE),
        every_route,
        pieces,
        filled(players, 0),
        filled(tables.tickets, 0),
        filled(tables.tickets, NONE),
        filled(tables.tickets, 0),
        filled(players * (tables.offer_size + 1), 0),
        filled(players * 2, 0),
        seed,
    )
