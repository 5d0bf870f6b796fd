"""Facts: the functions that change a state.

A fact is something that happened, with chance resolved. The rules decide which facts follow from an
action; :func:`fold` applies facts that were written down. Both call the same functions, so a state
is always the fold of its facts. If somebody is listening, each fact is added to the state's journal
as a tuple of ints, its kind first. The state's accessors are written out here: games spend
much of their time in these functions.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from fernzug.engine.bits import WORD, bit
from fernzug.engine.state import NONE, OVER, TURN, State
from fernzug.engine.tables import FACE_UP

SHUFFLED: Final = 0  # the cards of the new deck, next first
SHUFFLED_TICKETS: Final = 1  # the tickets, next first
DEALT: Final = 2  # seat, colour
TURNED_UP: Final = 3  # place, colour
SWEPT: Final = 4
RESHUFFLED: Final = 5  # the cards of the new deck, next first
OFFERED: Final = 6  # seat, tickets
KEPT: Final = 7  # seat, tickets
RETURNED: Final = 8  # seat, tickets
TOOK: Final = 9  # seat, place, colour
DREW: Final = 10  # seat, colour
CLAIMED: Final = 11  # seat, route, colour, cards of it, wild cards
# 12 and 13 belong to a bonus; the facts of further kinds of bonus take numbers from 32 on.
PASSED: Final = 14  # seat
LAST_ROUND: Final = 15  # seat
AWAITED: Final = 16  # phase, seat, turns left
ENDED: Final = 17


def _deck(s: State) -> list[int]:
    """Return the deck as facts tell it, the next card first."""
    return [int(s.deck[s.deck_size - 1 - i]) for i in range(s.deck_size)]


def shuffled(s: State, size: i64) -> None:
    """The first ``size`` cards of the state's deck vector are the deck (S1)."""
    s.deck_size = size
    if s.journal is not None:
        s.journal.append((SHUFFLED, *_deck(s)))


def reshuffled(s: State, size: i64) -> None:
    """The discards have become the deck that now lies in the deck vector (D6)."""
    s.deck_size = size
    s.discard_size = 0
    for color in range(s.tables.colors + 1):
        s.discard[color] = 0
    s.reshuffles += 1
    if s.journal is not None:
        s.journal.append((RESHUFFLED, *_deck(s)))


def shuffled_tickets(s: State, size: i64) -> None:
    """The first ``size`` tickets of the state's ring are the ticket deck (S2)."""
    s.ticket_top = 0
    s.ticket_count = size
    if s.journal is not None:
        s.journal.append((SHUFFLED_TICKETS, *[int(s.ticket_deck[i]) for i in range(size)]))


def dealt(s: State, seat: i64) -> None:
    """The next card of the deck is dealt to a seat (S1)."""
    s.deck_size -= 1
    color = s.deck[s.deck_size]
    s.hands[seat * (s.tables.colors + 1) + color] += 1
    if s.journal is not None:
        s.journal.append((DEALT, seat, color))


def turned_up(s: State, place: i64) -> None:
    """The next card of the deck is laid face up."""
    s.deck_size -= 1
    s.faceup[place] = s.deck[s.deck_size]
    if s.journal is not None:
        s.journal.append((TURNED_UP, place, s.faceup[place]))


def swept(s: State) -> None:
    """All face-up cards are discarded (D5)."""
    faceup = s.faceup
    for place in range(i64(FACE_UP)):
        if faceup[place] != NONE:
            s.discard[faceup[place]] += 1
            s.discard_size += 1
            faceup[place] = NONE
    if s.journal is not None:
        s.journal.append((SWEPT,))


def offered(s: State, seat: i64, number: i64) -> None:
    """The next tickets of the ticket deck are offered to a seat (S2, K1)."""
    offer = seat * (s.tables.offer_size + 1)
    s.offer[offer] = number
    for i in range(number):
        s.offer[offer + 1 + i] = s.ticket_deck[s.ticket_top]
        s.ticket_top += 1
        if s.ticket_top == s.tables.tickets:
            s.ticket_top = 0
        s.ticket_count -= 1
    s.choosing |= 1 << seat
    s.passes = 0
    if s.journal is not None:
        s.journal.append((OFFERED, seat, *[int(s.offer[offer + 1 + i]) for i in range(number)]))


def kept(s: State, seat: i64, places: i64) -> None:
    """A seat keeps the tickets at these places of its offer, as bits; the others wait there."""
    offer = seat * (s.tables.offer_size + 1)
    tickets: list[int] | None = None if s.journal is None else []
    left: i64 = 0
    for i in range(s.offer[offer]):
        ticket = s.offer[offer + 1 + i]
        if (places >> i) & 1:
            s.ticket_owner[ticket] = seat
            if tickets is not None:
                tickets.append(int(ticket))
        else:
            left += 1
            s.offer[offer + left] = ticket
            s.returned[ticket] |= 1 << seat
    s.offer[offer] = left
    s.choosing &= ~(1 << seat)
    if s.journal is not None and tickets is not None:
        s.journal.append((KEPT, seat, *tickets))


def returned(s: State, seat: i64) -> None:
    """What is left of a seat's offer goes under the ticket deck (S2, K1)."""
    offer = seat * (s.tables.offer_size + 1)
    number = s.offer[offer]
    for i in range(number):
        end = s.ticket_top + s.ticket_count
        if end >= s.tables.tickets:
            end -= s.tables.tickets
        s.ticket_deck[end] = s.offer[offer + 1 + i]
        s.ticket_count += 1
    s.offer[offer] = 0
    if s.journal is not None:
        s.journal.append((RETURNED, seat, *[int(s.offer[offer + 1 + i]) for i in range(number)]))


def took(s: State, seat: i64, place: i64) -> None:
    """A seat takes a face-up card (D1); everybody sees it."""
    color = s.faceup[place]
    s.faceup[place] = NONE
    hand = seat * (s.tables.colors + 1) + color
    s.hands[hand] += 1
    s.known[hand] += 1
    s.passes = 0
    if s.journal is not None:
        s.journal.append((TOOK, seat, place, color))


def drew(s: State, seat: i64) -> None:
    """A seat draws the next card of the deck (D1)."""
    s.deck_size -= 1
    color = s.deck[s.deck_size]
    s.hands[seat * (s.tables.colors + 1) + color] += 1
    s.passes = 0
    if s.journal is not None:
        s.journal.append((DREW, seat, color))


def _played(s: State, seat: i64, color: i64, cards: i64) -> None:
    """Cards go from a hand to the discards (C7)."""
    hand = seat * (s.tables.colors + 1) + color
    s.hands[hand] -= cards
    # Those played may be the ones that were seen: only what exceeds them is known for sure.
    s.known[hand] = max(s.known[hand] - cards, 0)
    s.discard[color] += cards
    s.discard_size += cards


def claimed(s: State, seat: i64, route: i64, color: i64, cards: i64, wilds: i64) -> None:
    """A seat pays for a route and builds it (C1, C7, C8, C9)."""
    t = s.tables
    if cards > 0:
        _played(s, seat, color, cards)
    if wilds > 0:
        _played(s, seat, t.wild, wilds)
    s.owner[route] = seat
    s.pieces[seat * t.kinds + t.route_kind[route]] -= t.route_pieces[route]
    if t.score_track:
        s.points[seat] += t.route_points[route]
    shut(s, seat, route)
    s.passes = 0
    if s.journal is not None:
        s.journal.append((CLAIMED, seat, route, color, cards, wilds))


def shut(s: State, seat: i64, route: i64) -> None:
    """A claimed route is open to nobody, its twin lane only to those who may still build it."""
    t = s.tables
    words = t.words
    taken = ~bit(route)
    for other in range(s.players):
        s.open_routes[other * words + route // WORD] &= taken
    twin = t.route_twin[route]
    if twin == NONE:
        return
    taken = ~bit(twin)
    if s.players <= t.single_lane_up_to:
        # C6: with few players the second lane is shut for all.
        for other in range(s.players):
            s.open_routes[other * words + twin // WORD] &= taken
    else:
        # C5: nobody claims both lanes.
        s.open_routes[seat * words + twin // WORD] &= taken


def passed(s: State, seat: i64) -> None:
    """A seat that can do nothing passes (T2)."""
    s.passes += 1
    if s.journal is not None:
        s.journal.append((PASSED, seat))


def last_round(s: State, seat: i64) -> None:
    """A seat has so few pieces left that everybody has one more turn (E1)."""
    s.turns_left = s.players
    if s.journal is not None:
        s.journal.append((LAST_ROUND, seat))


def awaited(s: State, phase: i64, seat: i64, turns_left: i64) -> None:
    """A seat's decision is awaited; a turn that is awaited has begun."""
    if phase == TURN:
        s.turn += 1
    s.phase = phase
    s.seat = seat
    s.turns_left = turns_left
    if s.journal is not None:
        s.journal.append((AWAITED, phase, seat, turns_left))


def ended(s: State) -> None:
    """The game is over."""
    s.phase = OVER
    s.seat = NONE
    s.turns_left = NONE
    if s.journal is not None:
        s.journal.append((ENDED,))
