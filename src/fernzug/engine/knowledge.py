"""Knowledge: what one seat may know, at the engine's speed.

It is built by naming what may be known, and holds a state in which everything else is blank: the
cards that the seat cannot place lie in the deck vector, sorted, and the tickets that it cannot
place in the ticket ring, sorted. So two states that differ only in what a seat may not know give
that seat equal knowledge, and whatever is computed from it is fair.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.chance import Stream
from fernzug.engine.state import NONE, OVER, State, filled

SPECTATOR: Final = -1
"""A viewer without a seat."""


@final
class Knowledge:
    """What one seat, or a spectator, may know of a game."""

    def __init__(
        self,
        seat: i64,
        state: State,
        hidden: vec[i64],
        hand_count: vec[i64],
        ticket_count: vec[i64],
        offer_count: vec[i64],
        unplaced: i64,
    ) -> None:
        self.seat = seat
        self.state = state  # blank where the seat may not look
        self.hidden = hidden  # by colour: the cards in the deck or unknown in others' hands
        self.hand_count = hand_count
        self.ticket_count = ticket_count
        self.offer_count = offer_count
        self.unplaced = unplaced  # how many tickets of the ring the seat cannot place


def knowledge_of(s: State, seat: i64) -> Knowledge:
    """Return what a seat may know; :data:`SPECTATOR` for a spectator."""
    t = s.tables
    players = s.players
    size = t.colors + 1
    hidden = filled(size, 0)
    hand_count = filled(players, 0)
    hands = filled(players * size, 0)
    for i in range(s.deck_size):
        hidden[s.deck[i]] += 1
    for other in range(players):
        for color in range(size):
            cards = s.hands[other * size + color]
            hand_count[other] += cards
            if other == seat:
                hands[other * size + color] = cards
            else:
                # Of the others' cards only those taken face up and not played since are known.
                hands[other * size + color] = s.known[other * size + color]
                hidden[color] += cards - s.known[other * size + color]
    deck = filled(t.card_total, 0)
    last: i64 = 0
    for color in range(size):
        for _ in range(hidden[color]):
            deck[last] = color
            last += 1
    owner = filled(t.tickets, NONE)
    ticket_count = filled(players, 0)
    returned = filled(t.tickets, 0)
    offer = filled(players * (t.offer_size + 1), 0)
    offer_count = filled(players, 0)
    placed = filled(t.tickets, 0)
    for ticket in range(t.tickets):
        holder = s.ticket_owner[ticket]
        if holder != NONE:
            ticket_count[holder] += 1
            if holder == seat or s.phase == OVER:  # K2: secret until the end
                owner[ticket] = holder
                placed[ticket] = 1
        if seat != SPECTATOR:
            returned[ticket] = s.returned[ticket] & (1 << seat)
    for other in range(players):
        first = s.offer_start(other)
        offer_count[other] = s.offer[first]
        if other == seat:
            for i in range(s.offer[first] + 1):
                offer[first + i] = s.offer[first + i]
                if i > 0:
                    placed[s.offer[first + i]] = 1
    ring = filled(t.tickets, 0)
    last = 0
    for ticket in range(t.tickets):
        if not placed[ticket]:
            ring[last] = ticket
            last += 1
    state = s.public()
    state.hands = hands
    state.deck = deck
    state.ticket_deck = ring
    state.ticket_owner = owner
    state.returned = returned
    state.offer = offer
    return Knowledge(seat, state, hidden, hand_count, ticket_count, offer_count, last)


def determinise(known: Knowledge, stream: Stream, beliefs: vec[i64] | None = None) -> State:
    """Return a complete state that agrees with what a seat knows, dealing hidden things at random.

    Tickets that the seat has given back lie under the ticket deck: they are dealt to others only
    when no other ticket is left. ``beliefs`` say how likely each seat is to hold each ticket, seat
    by seat, as weights above 0; without them all tickets are equally likely.
    """
    s = known.state.copy()
    t = s.tables
    size = t.colors + 1
    s.seed = (stream.next() << 29) ^ stream.next()
    cards: i64 = 0
    for color in range(size):
        cards += known.hidden[color]
    stream.shuffle(s.deck, cards)
    for other in range(s.players):
        if other != known.seat:
            missing = known.hand_count[other]
            for color in range(size):
                missing -= s.hands[other * size + color]
            for _ in range(missing):
                cards -= 1
                s.hands[other * size + s.deck[cards]] += 1
    s.deck_size = cards
    _deal_tickets(known, s, stream, beliefs)
    return s


def _deal_tickets(known: Knowledge, s: State, stream: Stream, beliefs: vec[i64] | None) -> None:
    t = s.tables
    stream.shuffle(s.ticket_deck, known.unplaced)
    # Sort those that the seat gave back to the end: others have drawn the rest before them.
    front: i64 = 0
    for i in range(known.unplaced):
        ticket = s.ticket_deck[i]
        if not s.returned[ticket]:
            s.ticket_deck[i] = s.ticket_deck[front]
            s.ticket_deck[front] = ticket
            front += 1
    top: i64 = 0
    for other in range(s.players):
        if other == known.seat:
            continue
        if s.phase != OVER:
            for _ in range(known.ticket_count[other]):
                if beliefs is not None and top < front:
                    _believe(s, stream, beliefs, other * t.tickets, top, front)
                s.ticket_owner[s.ticket_deck[top]] = other
                top += 1
        first = s.offer_start(other)
        s.offer[first] = known.offer_count[other]
        for i in range(known.offer_count[other]):
            s.offer[first + 1 + i] = s.ticket_deck[top]
            top += 1
    s.ticket_top = top
    if top == t.tickets:
        s.ticket_top = 0


def _believe(s: State, stream: Stream, beliefs: vec[i64], seat: i64, top: i64, front: i64) -> None:
    """Bring a ticket to the top of those that are left, each as likely as it is believed to be."""
    total: i64 = 0
    for i in range(top, front):
        total += beliefs[seat + s.ticket_deck[i]]
    choice = stream.below(total)
    i = top
    while choice >= beliefs[seat + s.ticket_deck[i]]:
        choice -= beliefs[seat + s.ticket_deck[i]]
        i += 1
    ticket = s.ticket_deck[i]
    s.ticket_deck[i] = s.ticket_deck[top]
    s.ticket_deck[top] = ticket
