"""The end of the game: points and places (E2 to E7)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.state import State


def route_points(s: State, seat: i64) -> i64:
    """Return the points for a seat's routes: given in play, or counted from the board now (C8)."""
    points = points_so_far(s, seat)
    for bonus in s.tables.giving:
        points -= bonus.given(s, seat)
    return points


def points_so_far(s: State, seat: i64) -> i64:
    """Return the points for a seat's routes and those that bonuses gave in play."""
    t = s.tables
    points = s.points[seat]
    if not t.score_track:
        for route in range(t.routes):
            if s.owner[route] == seat:
                points += t.route_points[route]
    return points


def ticket_points(s: State, seat: i64) -> tuple[i64, i64, i64]:
    """Return the points won and lost with tickets, and the number of completed ones (E2, K3)."""
    t = s.tables
    label = t.network.join(s.owner, seat)
    won: i64 = 0
    lost: i64 = 0
    completed: i64 = 0
    for ticket in range(t.tickets):
        if s.ticket_owner[ticket] == seat:
            if label[t.ticket_a[ticket]] == label[t.ticket_b[ticket]]:
                won += t.ticket_points[ticket]
                completed += 1
            else:
                lost += t.ticket_points[ticket]
    return won, lost, completed


def totals(s: State) -> vec[i64]:
    """Return each seat's points if the game ended now."""
    points = vec[i64]([0] * int(s.players))
    for bonus in s.tables.bonuses:
        bonus.award(s, points)
    for seat in range(s.players):
        won, lost, _ = ticket_points(s, seat)
        points[seat] += points_so_far(s, seat) + won - lost
    return points


def winners(s: State) -> i64:
    """Return the seats that win if the game ends now, as bits: points, then tie-breaks (E7)."""
    t = s.tables
    ahead: i64 = (1 << s.players) - 1
    ahead = _most(ahead, totals(s))
    for word in t.board.tie_breaks:
        if ahead & (ahead - 1) == 0:
            break
        values = vec[i64]([0] * int(s.players))
        for bonus in t.bonuses:
            if bonus.kind == word:
                bonus.award(s, values)
                for seat in range(s.players):
                    values[seat] += bonus.given(s, seat)
        if word == "tickets":
            for seat in range(s.players):
                values[seat] = ticket_points(s, seat)[2]
        ahead = _most(ahead, values)
    return ahead


def _most(seats: i64, values: vec[i64]) -> i64:
    """Return those of the seats, as bits, that have the most."""
    found: i64 = 0
    most: i64 = 0
    for seat in range(i64(len(values))):
        if (seats >> seat) & 1:
            if found == 0 or values[seat] > most:
                found = 1 << seat
                most = values[seat]
            elif values[seat] == most:
                found |= 1 << seat
    return found
