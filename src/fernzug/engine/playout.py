"""Random games at full speed, for measuring, searching and testing."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import bits
from fernzug.engine.bits import WORD
from fernzug.engine.chance import Stream
from fernzug.engine.rules import apply, canonical, claimable, keep_least, offer_count, shown
from fernzug.engine.state import KEEP, OVER, SECOND_CARD, SETUP, State
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS


def pick(s: State, seat: i64, stream: Stream, routes: vec[i64]) -> i64:
    """Return a random action of a seat whose decision is awaited, all equally likely.

    Of each route only the canonical claim is considered. ``routes`` is scratch space for a set of
    routes.
    """
    t = s.tables
    if s.phase == SETUP or s.phase == KEEP:
        return t.keep + _random_keep(s, seat, stream)
    deck: i64 = 1 if s.deck_size > 0 else 0
    colors = shown(s)
    cards = deck + bits.count(colors)
    if s.phase == SECOND_CARD:
        choice = stream.below(cards)
    else:
        tickets: i64 = 1 if s.ticket_count > 0 else 0
        claims = claimable(s, seat, routes)
        number = cards + tickets + claims
        if number == 0:
            return PASS
        choice = stream.below(number) - claims
        if choice < 0:
            return canonical(s, seat, _nth_route(routes, choice + claims))
        if choice == cards:
            return t.draw_tickets_action
    if choice < deck:
        return DRAW_DECK
    return DRAW_CARD + bits.nth(colors, choice - deck)


def _nth_route(routes: vec[i64], n: i64) -> i64:
    word: i64 = 0
    while True:
        inside = bits.count(routes[word])
        if n < inside:
            return word * WORD + bits.nth(routes[word], n)
        n -= inside
        word += 1


def _random_keep(s: State, seat: i64, stream: Stream) -> i64:
    least = keep_least(s, seat)
    subsets: i64 = 1 << offer_count(s, seat)
    while True:
        places = stream.below(subsets)
        if bits.count(places) >= least:
            return places


def play_out(s: State, stream: Stream) -> i64:
    """Play at random to the end; return the number of decisions."""
    routes = vec[i64]([0] * int(s.tables.words))
    decisions: i64 = 0
    while s.phase != OVER:
        apply(s, s.seat, pick(s, s.seat, stream, routes))
        decisions += 1
    return decisions
