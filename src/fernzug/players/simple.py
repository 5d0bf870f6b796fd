"""Two simple players to compare others with: one is greedy, the other races to the end."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import bits, rules
from fernzug.engine.bits import WORD
from fernzug.engine.state import KEEP, NONE, SECOND_CARD, SETUP, State, filled
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS
from fernzug.players.outlook import FAR

NEARER: Final = 2
"""Extra points for a route that is on the way of a ticket."""


def greedy(s: State, seat: i64) -> i64:
    """Claim the best route as soon as one can be paid, else draw.

    Routes on the way of its tickets come first, and their colours and the wild cards are saved for
    them. Of the tickets it keeps the shortest, and it never draws new ones while there are cards.
    """
    if s.phase == SETUP or s.phase == KEEP:
        return s.tables.keep + shortest_tickets(s, seat)
    way = on_the_way(s, seat)
    draw = way_card(s, seat, way)
    if s.phase == SECOND_CARD:
        return draw
    routes = filled(s.tables.words, 0)
    rules.claimable(s, seat, routes)
    if s.turns_left == NONE:
        for w in range(s.tables.words):
            routes[w] &= way[w]
    route = best_route(s, routes, 1, way, NEARER)
    if route != NONE:
        return rules.canonical(s, seat, route)
    claim = spare_claim(s, seat, way)
    return claim if claim != PASS else draw_or(s, draw)


def spare_claim(s: State, seat: i64, way: vec[i64]) -> i64:
    """Return the best claim of a route that is not short, with cards the way does not need."""
    t = s.tables
    hand = s.hand_start(seat)
    held = s.hands[hand : hand + t.colors + 1]
    s.hands[hand + t.wild] = 0
    for route in bits.members(way):
        if t.route_color[route] < t.colors:
            s.hands[hand + t.route_color[route]] = 0
    routes = filled(t.words, 0)
    rules.claimable(s, seat, routes)
    # Claims of single spaces take a turn for next to nothing, unless all routes are short.
    route = best_route(s, routes, min(t.top_cost // 2, 2), way, 0)
    claim: i64 = PASS
    if route != NONE:
        claim = rules.canonical(s, seat, route)
    for color in range(t.colors + 1):
        s.hands[hand + color] = held[color]
    return claim


def way_card(s: State, seat: i64, way: vec[i64]) -> i64:
    """Draw a face-up colour that a route on the way still needs, or else what is held most."""
    t = s.tables
    colors = rules.shown(s)
    for route in bits.members(way):
        color = t.route_color[route]
        if color == t.colors or not (colors >> color) & 1:
            continue
        if s.hands[s.hand_start(seat) + color] < t.route_cost[route]:
            return DRAW_CARD + color
    return most_held(s, seat)


def racer(s: State, seat: i64) -> i64:
    """Collect cards for the longest routes and end the game early; tickets count only a little."""
    t = s.tables
    if s.phase == SETUP or s.phase == KEEP:
        return t.keep + shortest_tickets(s, seat)
    way = on_the_way(s, seat)
    target = race_target(s, seat, way)
    if s.phase == SECOND_CARD:
        return toward(s, seat, target)
    routes = filled(t.words, 0)
    rules.claimable(s, seat, routes)
    long = t.top_cost - 1 if target == NONE else min(t.route_cost[target], t.top_cost - 1)
    if s.turns_left != NONE:
        long = 1
    route = best_route(s, routes, long, way, NEARER)
    if route != NONE:
        return rules.canonical(s, seat, route)
    return draw_or(s, toward(s, seat, target))


def draw_or(s: State, draw: i64) -> i64:
    """Return the draw, or whatever is possible when no card can be drawn."""
    if draw != PASS:
        return draw
    if s.ticket_count > 0:
        return s.tables.draw_tickets_action
    legal = rules.legal(s, s.seat)
    return legal[0]


def shortest_tickets(s: State, seat: i64) -> i64:
    """Keep as few tickets of the offer as allowed, those with the fewest spaces to build."""
    t = s.tables
    offer = s.offer_start(seat)
    gaps = filled(s.offer[offer], 0)
    for i in range(s.offer[offer]):
        ticket = s.offer[offer + 1 + i]
        gaps[i] = spaces_from(s, seat, t.ticket_a[ticket])[t.ticket_b[ticket]]
    best: i64 = NONE
    least: i64 = 0
    for places in range(i64(1) << s.offer[offer]):
        if bits.count(places) == rules.keep_least(s, seat):
            gap: i64 = 0
            for i in range(s.offer[offer]):
                if (places >> i) & 1:
                    gap += gaps[i]
            # Tickets that cannot be completed any more are kept like others if they must be.
            if best == NONE or gap < least:
                least = gap
                best = places
    return best


def spaces_from(s: State, seat: i64, start: i64) -> vec[i64]:
    """Return for every place how many spaces the seat would still have to build from a start."""
    t = s.tables
    network = t.network
    gaps = filled(network.places, FAR)
    gaps[start] = 0
    shorter = True
    while shorter:
        shorter = False
        for route in range(t.routes):
            length: i64 = 0
            if s.owner[route] != seat:
                if not s.is_open(seat, route):
                    continue
                length = t.route_pieces[route]
            a = network.a[route]
            b = network.b[route]
            if gaps[a] + length < gaps[b]:
                gaps[b] = gaps[a] + length
                shorter = True
            elif gaps[b] + length < gaps[a]:
                gaps[a] = gaps[b] + length
                shorter = True
    return gaps


def on_the_way(s: State, seat: i64) -> vec[i64]:
    """Return the free routes on the shortest ways of the seat's tickets, as bits."""
    t = s.tables
    network = t.network
    way = filled(t.words, 0)
    for ticket in range(t.tickets):
        if s.ticket_owner[ticket] != seat:
            continue
        from_a = spaces_from(s, seat, t.ticket_a[ticket])
        gap = from_a[t.ticket_b[ticket]]
        if gap == 0 or gap >= FAR:
            continue
        from_b = spaces_from(s, seat, t.ticket_b[ticket])
        for route in range(t.routes):
            a = network.a[route]
            b = network.b[route]
            over = min(from_a[a] + from_b[b], from_a[b] + from_b[a]) + t.route_pieces[route]
            if over == gap and s.is_open(seat, route):
                way[route // WORD] |= bits.bit(route)
    return way


def best_route(s: State, routes: vec[i64], least: i64, way: vec[i64], extra: i64) -> i64:
    """Return the route of a set that scores most, among those that cost at least ``least``.

    Routes on the way score ``extra`` points more.
    """
    t = s.tables
    best: i64 = NONE
    most: i64 = -1
    for route in bits.members(routes):
        if t.route_cost[route] >= least:
            value = t.route_points[route]
            if bits.has(way, route):
                value += extra
            if value > most:
                most = value
                best = route
    return best


def most_held(s: State, seat: i64) -> i64:
    """Return the draw of the face-up colour that the hand has most of, or from the deck."""
    t = s.tables
    colors = rules.shown(s) & ~(1 << t.wild)
    best: i64 = NONE
    for color in range(t.colors):
        if (colors >> color) & 1:
            held = s.hands[s.hand_start(seat) + color]
            if best == NONE or held > s.hands[s.hand_start(seat) + best]:
                best = color
    if best != NONE and (s.hands[s.hand_start(seat) + best] > 0 or s.deck_size == 0):
        return DRAW_CARD + best
    if s.deck_size > 0:
        return DRAW_DECK
    if s.phase != SECOND_CARD and rules.shown(s):
        return DRAW_CARD + t.wild
    return PASS


def race_target(s: State, seat: i64, way: vec[i64]) -> i64:
    """Return the open route with the best points for the cards still missing."""
    t = s.tables
    best: i64 = NONE
    most: i64 = 0
    for route in range(t.routes):
        if not s.is_open(seat, route):
            continue
        if t.route_pieces[route] > s.pieces_of(seat, t.route_kind[route]):
            continue
        missing = t.route_cost[route] - min(held_for(s, seat, route), t.route_cost[route])
        points = t.route_points[route]
        if bits.has(way, route):
            points += NEARER
        value = points * 1000 // (2 + missing)
        if value > most:
            most = value
            best = route
    return best


def held_for(s: State, seat: i64, route: i64) -> i64:
    """Return how many cards of the hand could be played for a route, wild ones included."""
    t = s.tables
    hand = s.hand_start(seat)
    color = t.route_color[route]
    held: i64 = 0
    if color < t.colors:
        held = s.hands[hand + color]
    else:
        for c in range(t.colors):
            held = max(held, s.hands[hand + c])
    return held + s.hands[hand + t.wild]


def toward(s: State, seat: i64, target: i64) -> i64:
    """Return the draw that brings the seat closest to paying for a route."""
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
