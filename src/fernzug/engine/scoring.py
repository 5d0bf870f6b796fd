"""The end of the game: points and places (E2 to E7)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.bonus import Bonus
from fernzug.engine.state import State, filled


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


def ranks(s: State) -> vec[i64]:
    """Return each seat's rank if the game ends now: points, then the board's tie-breaks (E7)."""
    places = _refined(filled(s.players, 1), totals(s))
    for word in s.tables.board.tie_breaks:
        if not _tied(places):
            break
        places = _refined(places, _tie_break(s, word))
    return places


def winners(s: State) -> i64:
    """Return the seats that win if the game ends now, as bits."""
    places = ranks(s)
    found: i64 = 0
    for seat in range(s.players):
        if places[seat] == 1:
            found |= 1 << seat
    return found


def bonus_points(s: State, bonus: Bonus) -> vec[i64]:
    """Return what each seat has from a bonus: given in play, and awarded at the end."""
    points = filled(s.players, 0)
    bonus.award(s, points)
    for seat in range(s.players):
        points[seat] += bonus.given(s, seat)
    return points


def _tie_break(s: State, word: str) -> vec[i64]:
    """Return what a tie-break counts for each seat: completed tickets, or a bonus by its kind."""
    for bonus in s.tables.bonuses:
        if bonus.kind == word:
            return bonus_points(s, bonus)
    values = filled(s.players, 0)
    for seat in range(s.players):
        values[seat] = ticket_points(s, seat)[2]
    return values


def _refined(places: vec[i64], values: vec[i64]) -> vec[i64]:
    """Return the ranks after seats of equal rank have been told apart by values."""
    refined = places[:]
    for seat in range(i64(len(places))):
        for other in range(i64(len(places))):
            if places[other] == places[seat] and values[other] > values[seat]:
                refined[seat] += 1
    return refined


def _tied(places: vec[i64]) -> bool:
    for seat in range(i64(len(places))):
        for other in range(seat):
            if places[other] == places[seat]:
                return True
    return False
