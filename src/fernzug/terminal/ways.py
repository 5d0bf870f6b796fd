"""How far it is: what is public about routes, and the shortest way for a ticket."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from fernzug.board import Route
from fernzug.engine.bits import WORD, bit
from fernzug.engine.state import State


@dataclass(frozen=True)
class Way:
    """The shortest way between two places over own and open routes."""

    spaces: int
    routes: tuple[Route, ...]
    """The routes on it that are still to be claimed."""


def open_routes(state: State, seat: int) -> set[str]:
    """Return the routes that a seat may still claim, cards and pieces aside (C3, C5, C6)."""
    words = int(state.tables.words)
    return {
        route.id
        for number, route in enumerate(state.tables.board.routes)
        if state.open_routes[seat * words + number // WORD] & bit(number)
    }


def completed(state: State, seat: int, ticket: str) -> bool:
    """Whether a seat's routes join the places of a ticket (K3)."""
    tables = state.tables
    label = tables.network.join(state.owner, seat)
    number = tables.board.tickets.index(ticket)
    return bool(label[tables.ticket_a[number]] == label[tables.ticket_b[number]])


def shortest_way(state: State, seat: int, a: str, b: str) -> Way | None:
    """Return the way with fewest spaces to build, then fewest cards; None if there is no way."""
    board = state.tables.board
    free = open_routes(state, seat)
    roads: dict[str, list[tuple[str, Route, bool]]] = {place.id: [] for place in board.locations}
    for number, route in enumerate(board.routes):
        own = bool(state.owner[number] == seat)
        if own or route.id in free:
            roads[route.a].append((route.b, route, own))
            roads[route.b].append((route.a, route, own))
    queue: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, a, ())]
    seen: set[str] = set()
    while queue:
        spaces, cards, place, path = heappop(queue)
        if place == b:
            return Way(spaces, tuple(board.routes[route] for route in path))
        if place in seen:
            continue
        seen.add(place)
        for end, route, own in roads[place]:
            if own:
                heappush(queue, (spaces, cards, end, path))
            else:
                there = (spaces + route.pieces, cards + route.cost, end, (*path, route.id))
                heappush(queue, there)
    return None
