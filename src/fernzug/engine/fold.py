"""Apply facts that were written down to a state.

Neither rules nor chance are needed: the facts say everything. Each fact is only checked against the
state, so that tampering with a record is noticed at the fact in question.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import facts
from fernzug.engine.state import NONE, OVER, SETUP, State
from fernzug.engine.tables import FACE_UP

# Facts that concern no seat; all others name one.
TABLE_FACTS: Final = (
    facts.SHUFFLED,
    facts.SHUFFLED_TICKETS,
    facts.TURNED_UP,
    facts.SWEPT,
    facts.RESHUFFLED,
    facts.ENDED,
)


def fold(s: State, fact: tuple[int, ...]) -> None:
    """Apply one fact to the state; ``ValueError`` if it does not fit."""
    kind = fact[0]
    if kind not in TABLE_FACTS:
        _expect_seat(s, fact[2] if kind == facts.AWAITED else fact[1])
    if kind == facts.SHUFFLED:
        _expect(s.phase == SETUP and s.deck_size == 0, "the cards are dealt already")
        _expect_cards(fact, s.tables.cards, "the deck is not the cards of the box")
        facts.shuffled(s, _lay_deck(s, fact))
    elif kind == facts.SHUFFLED_TICKETS:
        _expect(s.phase == SETUP and s.ticket_count == 0, "the tickets are dealt already")
        _expect(sorted(fact[1:]) == list(range(s.tables.tickets)), "these are not all tickets")
        for i in range(1, len(fact)):
            s.ticket_deck[i - 1] = fact[i]
        facts.shuffled_tickets(s, len(fact) - 1)
    elif kind == facts.DEALT:
        _expect(_top(s) == fact[2], "the card dealt is not the next of the deck")
        facts.dealt(s, fact[1])
    elif kind == facts.TURNED_UP:
        _expect_place(fact[1])
        _expect(_top(s) == fact[2], "the card turned up is not the next of the deck")
        _expect(s.faceup[fact[1]] == NONE, "a card lies at that place already")
        facts.turned_up(s, fact[1])
    elif kind == facts.SWEPT:
        facts.swept(s)
    elif kind == facts.RESHUFFLED:
        _expect(s.deck_size == 0, "the deck is not empty")
        _expect_cards(fact, s.discard, "the new deck is not the discards")
        facts.reshuffled(s, _lay_deck(s, fact))
    elif kind == facts.OFFERED:
        _fold_offered(s, fact)
    elif kind == facts.KEPT:
        _fold_kept(s, fact)
    elif kind == facts.RETURNED:
        _fold_returned(s, fact)
    elif kind == facts.TOOK:
        _expect_place(fact[2])
        _expect(s.faceup[fact[2]] == fact[3], "that card does not lie at that place")
        facts.took(s, fact[1], fact[2])
    elif kind == facts.DREW:
        _expect(_top(s) == fact[2], "the card drawn is not the next of the deck")
        facts.drew(s, fact[1])
    elif kind == facts.CLAIMED:
        _fold_claimed(s, fact)
    elif kind == facts.PASSED:
        facts.passed(s, fact[1])
    elif kind == facts.LAST_ROUND:
        facts.last_round(s, fact[1])
    elif kind == facts.AWAITED:
        _expect(s.phase != OVER, "the game is over")
        _expect(NONE <= fact[3] <= s.players, "there are not so many turns left (E1)")
        facts.awaited(s, fact[1], fact[2], fact[3])
    elif kind == facts.ENDED:
        facts.ended(s)
    else:
        _fold_bonus(s, fact)


def _expect(fits: bool, otherwise: str) -> None:
    if not fits:
        raise ValueError(otherwise)


def _expect_seat(s: State, seat: i64) -> None:
    _expect(0 <= seat < s.players, f"there is no seat {seat}")


def _expect_place(place: i64) -> None:
    _expect(0 <= place < FACE_UP, f"there is no place {place + 1}")


def _expect_cards(fact: tuple[int, ...], counts: vec[i64], otherwise: str) -> None:
    """Check that a deck has exactly the cards that there are, colour by colour."""
    for color in range(i64(len(counts))):
        _expect(fact[1:].count(color) == counts[color], otherwise)


def _top(s: State) -> i64:
    return s.deck[s.deck_size - 1] if s.deck_size > 0 else NONE


def _lay_deck(s: State, fact: tuple[int, ...]) -> i64:
    size: i64 = len(fact) - 1
    for i in range(size):
        s.deck[size - 1 - i] = fact[i + 1]
    return size


def _fold_bonus(s: State, fact: tuple[int, ...]) -> None:
    for bonus in s.tables.bonuses:
        for known in bonus.FACTS:
            if known.number == fact[0]:
                bonus.fold(s, fact)
                return
    raise ValueError("there is no such fact")


def _fold_offered(s: State, fact: tuple[int, ...]) -> None:
    number: i64 = len(fact) - 2
    _expect(number <= s.ticket_count, "there are not so many tickets left")
    _expect(number <= s.tables.offer_size, "so many tickets are never offered")
    _expect(s.offer[s.offer_start(fact[1])] == 0, "the seat has tickets to choose from already")
    for i in range(number):
        place = (s.ticket_top + i) % s.tables.tickets
        _expect(s.ticket_deck[place] == fact[i + 2], "other tickets lie on the ticket deck")
    facts.offered(s, fact[1], number)


def _fold_returned(s: State, fact: tuple[int, ...]) -> None:
    offer = s.offer_start(fact[1])
    _expect(len(fact) - 2 == s.offer[offer], "other tickets are given back")
    for i in range(s.offer[offer]):
        _expect(s.offer[offer + 1 + i] == fact[i + 2], "other tickets are given back")
    facts.returned(s, fact[1])


def _fold_kept(s: State, fact: tuple[int, ...]) -> None:
    seat: i64 = fact[1]
    offer = s.offer_start(seat)
    places: i64 = 0
    for ticket in fact[2:]:
        for i in range(s.offer[offer]):
            if s.offer[offer + 1 + i] == ticket:
                places |= 1 << i
    facts.kept(s, seat, places)


def _fold_claimed(s: State, fact: tuple[int, ...]) -> None:
    seat: i64 = fact[1]
    hand = s.hand_start(seat)
    color: i64 = fact[3]
    _expect(s.owner[fact[2]] == NONE, "that route is taken")
    _expect(s.hands[hand + color] >= fact[4], "the hand does not hold these cards")
    _expect(s.hands[hand + s.tables.wild] >= fact[5], "the hand does not hold these cards")
    facts.claimed(s, seat, fact[2], color, fact[4], fact[5])
