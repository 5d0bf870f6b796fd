"""The shortest path between two places over the routes that a seat has or may still claim."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.state import NONE, State, filled

DIGIT: Final = 1 << 20
"""Each of the three numbers of a distance is smaller: they are the digits of one number."""
FAR: Final = 1 << 62
"""Farther than any place."""


def shortest_path(s: State, seat: int, start: int, end: int) -> list[int] | None:
    """Return the routes of the path that takes the fewest pieces, then the fewest cards.

    Of equal ones it is the shortest, so that it makes no detours over one's own routes, and of
    those that are as short the one whose routes come first. None if there is no path.
    """
    network = s.tables.network
    pieces = s.tables.route_pieces
    cost = s.tables.route_cost
    owner = s.owner
    who: i64 = seat
    place: i64 = start
    goal: i64 = end
    least = filled(network.places, FAR)
    came_by = filled(network.places, NONE)
    done = filled(network.places, 0)
    least[place] = 0
    while place != goal:
        done[place] = 1
        for i in range(network.first[place], network.first[place + 1]):
            route = network.incident[i]
            other = network.a[route] + network.b[route] - place
            if done[other]:
                continue
            far = least[place] + pieces[route]
            if owner[route] == NONE and s.is_open(who, route):
                far += (pieces[route] * DIGIT + cost[route]) * DIGIT
            elif owner[route] != who:
                continue
            if far < least[other] or (
                far == least[other] and _is_before(s, came_by, place, route, other)
            ):
                least[other] = far
                came_by[other] = route
        place = NONE
        for next_place in range(network.places):
            nearer = place == NONE or least[next_place] < least[place]
            if nearer and not done[next_place] and least[next_place] < FAR:
                place = next_place
        if place == NONE:
            return None
    return _path_to(s, came_by, goal)


def _path_to(s: State, came_by: vec[i64], place: i64) -> list[int]:
    """Return the routes by which a place is reached, in order."""
    network = s.tables.network
    found: list[int] = []
    while came_by[place] != NONE:
        route = came_by[place]
        found.append(route)
        place = network.a[route] + network.b[route] - place
    found.reverse()
    return found


def _is_before(s: State, came_by: vec[i64], place: i64, route: i64, other: i64) -> bool:
    """Whether a new path to a place comes before an old one of the same length."""
    return [*_path_to(s, came_by, place), int(route)] < _path_to(s, came_by, other)
