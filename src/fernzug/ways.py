"""The ways of tickets: the shortest one still open to a seat, and the one that it has built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

from fernzug.board.model import Board
from fernzug.engine.paths import shortest_path
from fernzug.engine.state import NONE, State


@dataclass(frozen=True, slots=True)
class Way:
    """The shortest way between two places."""

    pieces: int
    """The number of pieces still to place on it."""
    routes: tuple[int, ...]
    """The numbers of its routes that are still to be claimed."""
    path: tuple[int, ...]
    """The numbers of all its routes from end to end, one's own among them."""


@lru_cache(maxsize=32)
def _roads(board: Board) -> dict[str, list[tuple[str, int, int]]]:
    """Return the neighbours of each place, with the route there and the pieces it takes."""
    roads: dict[str, list[tuple[str, int, int]]] = {place.id: [] for place in board.locations}
    for number, route in enumerate(board.routes):
        roads[route.a].append((route.b, number, route.pieces))
        roads[route.b].append((route.a, number, route.pieces))
    return roads


@lru_cache(maxsize=32)
def _lanes(board: Board) -> tuple[tuple[int, int], ...]:
    """Return the lanes of the double routes, each with its twin."""
    return tuple(
        (number, board.routes.index(route.twin))
        for number, route in enumerate(board.routes)
        if route.twin is not None
    )


def shut_routes(state: State, seat: int | None) -> list[int]:
    """Return the free routes that a seat, or without a seat everybody, can never claim (C5, C6)."""
    seats = range(int(state.players)) if seat is None else (seat,)
    owner = list(state.owner)
    return [
        lane
        for lane, twin in _lanes(state.tables.board)
        if owner[lane] == NONE
        and owner[twin] != NONE
        and not any(state.is_open(who, lane) for who in seats)
    ]


def open_routes(state: State, seat: int) -> set[str]:
    """Return the routes that a seat may still claim, cards and pieces aside (C3, C5, C6)."""
    routes = enumerate(state.tables.board.routes)
    return {route.id for number, route in routes if state.is_open(seat, number)}


def completed(state: State, seat: int, ticket: str) -> bool:
    """Whether a seat's routes connect the places of a ticket (K3)."""
    tables = state.tables
    label = tables.network.join(state.owner, seat)
    number = tables.board.tickets.index(ticket)
    return bool(label[tables.ticket_a[number]] == label[tables.ticket_b[number]])


def shortest_way(state: State, seat: int, a: str, b: str) -> Way | None:
    """Return the way that takes the fewest pieces, then the fewest cards; None if there is none.

    Of equal ones it is the shortest, so that it makes no detours over one's own routes.
    """
    places = state.tables.board.locations
    path = shortest_path(state, seat, places.index(a), places.index(b))
    if path is None:
        return None
    left = tuple(route for route in path if state.owner[route] != seat)
    return Way(sum(int(state.tables.route_pieces[route]) for route in left), left, tuple(path))


def way_built(state: State, seat: int, a: str, b: str) -> tuple[int, ...] | None:
    """Return the shortest way over the seat's own routes, in order; None if they join nothing."""
    board = state.tables.board
    roads = _roads(board)
    queue: list[tuple[int, str, tuple[int, ...]]] = [(0, a, ())]
    seen: set[str] = set()
    while queue:
        length, place, path = heappop(queue)
        if place == b:
            return path
        if place in seen:
            continue
        seen.add(place)
        for end, route, _ in roads[place]:
            if state.owner[route] == seat and end not in seen:
                heappush(queue, (length + board.routes[route].length, end, (*path, route)))
    return None
