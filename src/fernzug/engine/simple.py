"""Two simple players without a plan, as yardsticks: the greedy one and the racer."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import bits, rules
from fernzug.engine.bits import WORD
from fernzug.engine.state import KEEP, NONE, SECOND_CARD, SETUP, State, filled
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS


def greedy(s: State, seat: i64) -> i64:
    """Claim the route worth most as soon as one can be paid, else draw what the hand has most of.

    Of the tickets it keeps the shortest, and it never draws new ones while there are cards.
    """
    if s.phase == SETUP or s.phase == KEEP:
        return s.tables.keep + cheapest_tickets(s, seat)
    if s.phase == SECOND_CARD:
        return most_held(s, seat)
    routes = filled(s.tables.words, 0)
    rules.claimable(s, seat, routes)
    route = best_route(s, routes, 1)
    if route != NONE:
        return rules.canonical(s, seat, route)
    return draw_or(s, most_held(s, seat))


def racer(s: State, seat: i64) -> i64:
    """Collect for the longest routes only, whatever the tickets say, and end the game early."""
    t = s.tables
    if s.phase == SETUP or s.phase == KEEP:
        return t.keep + cheapest_tickets(s, seat)
    target = race_target(s, seat)
    if s.phase == SECOND_CARD:
        return toward(s, seat, target)
    routes = filled(t.words, 0)
    rules.claimable(s, seat, routes)
    long = t.top_cost - 1 if target == NONE else min(t.route_cost[target], t.top_cost - 1)
    if s.turns_left != NONE:
        long = 1
    route = best_route(s, routes, long)
    if route != NONE:
        return rules.canonical(s, seat, route)
    return draw_or(s, toward(s, seat, target))


def draw_or(s: State, draw: i64) -> i64:
    """Return the draw, or what is left to do when no card can be drawn."""
    if draw != PASS:
        return draw
    if s.ticket_count > 0:
        return s.tables.draw_tickets_action
    legal = rules.legal(s, s.seat)
    return legal[0]


def cheapest_tickets(s: State, seat: i64) -> i64:
    """Return as few places of the offer as must be kept, those with the fewest points."""
    t = s.tables
    offer = seat * (t.offer_size + 1)
    best: i64 = 0
    least: i64 = 1 << 30
    for places in range(i64(1) << s.offer[offer]):
        if bits.count(places) == rules.keep_least(s, seat):
            points: i64 = 0
            for i in range(s.offer[offer]):
                if (places >> i) & 1:
                    points += t.ticket_points[s.offer[offer + 1 + i]]
            if points < least:
                least = points
                best = places
    return best


def best_route(s: State, routes: vec[i64], least: i64) -> i64:
    """Return the route of a set that brings most points, of those that cost at least so much."""
    t = s.tables
    best: i64 = NONE
    for route in bits.members(routes):
        if t.route_cost[route] >= least and (
            best == NONE or t.route_points[route] > t.route_points[best]
        ):
            best = route
    return best


def most_held(s: State, seat: i64) -> i64:
    """Return the draw of the face-up colour that the hand has most of, or from the deck."""
    t = s.tables
    colors = rules.shown(s) & ~(1 << t.wild)
    best: i64 = NONE
    for color in range(t.colors):
        if (colors >> color) & 1:
            held = s.hands[seat * (t.colors + 1) + color]
            if best == NONE or held > s.hands[seat * (t.colors + 1) + best]:
                best = color
    if best != NONE and (s.hands[seat * (t.colors + 1) + best] > 0 or s.deck_size == 0):
        return DRAW_CARD + best
    if s.deck_size > 0:
        return DRAW_DECK
    if s.phase != SECOND_CARD and rules.shown(s):
        return DRAW_CARD + t.wild
    return PASS


def race_target(s: State, seat: i64) -> i64:
    """Return the open route worth most for the cards still missing."""
    t = s.tables
    best: i64 = NONE
    most: i64 = 0
    for route in range(t.routes):
        if not s.open_routes[seat * t.words + route // WORD] & bits.bit(route):
            continue
        if t.route_pieces[route] > s.pieces[seat * t.kinds + t.route_kind[route]]:
            continue
        missing = t.route_cost[route] - min(held_for(s, seat, route), t.route_cost[route])
        value = t.route_points[route] * 1000 // (2 + missing)
        if value > most:
            most = value
            best = route
    return best


def held_for(s: State, seat: i64, route: i64) -> i64:
    """Return how many cards of the hand could be played for a route, wild ones included."""
    t = s.tables
    hand = seat * (t.colors + 1)
    color = t.route_color[route]
    held: i64 = 0
    if color < t.colors:
        held = s.hands[hand + color]
    else:
        for c in range(t.colors):
            held = max(held, s.hands[hand + c])
    return held + s.hands[hand + t.wild]


def toward(s: State, seat: i64, target: i64) -> i64:
    """Return the draw that helps most on the way to a route."""
    t = s.tables
    if target == NONE:
        return most_held(s, seat)
    color = t.route_color[target]
    colors = rules.shown(s)
    if color < t.colors and (colors >> color) & 1:
        return DRAW_CARD + color
    if s.phase != SECOND_CARD and (colors >> t.wild) & 1 and color < t.colors:
        missing = t.route_cost[target] - held_for(s, seat, target)
        if missing == 1:
            return DRAW_CARD + t.wild
    return most_held(s, seat)
