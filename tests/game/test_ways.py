"""The shortest way of a ticket, compared with a plain search over all open routes."""

from __future__ import annotations

import random
from heapq import heappop, heappush

from fernzug import Board, Game
from fernzug.engine.state import NONE, State
from fernzug.ways import shortest_way
from situations import on_every_board


def searched(state: State, seat: int, a: str, b: str) -> list[int] | None:
    """Return the first of the best paths, found by trying the nearest place first."""
    routes = state.tables.board.routes
    queue: list[tuple[int, int, int, list[int], str]] = [(0, 0, 0, [], a)]
    seen: set[str] = set()
    while queue:
        pieces, cards, length, path, place = heappop(queue)
        if place == b:
            return path
        if place in seen:
            continue
        seen.add(place)
        for number, route in enumerate(routes):
            if place not in (route.a, route.b):
                continue
            end = route.b if place == route.a else route.a
            far = length + route.pieces
            if state.owner[number] == seat:
                heappush(queue, (pieces, cards, far, [*path, number], end))
            elif state.owner[number] == NONE and state.is_open(seat, number):
                new = (pieces + route.pieces, cards + route.cost, far)
                heappush(queue, (*new, [*path, number], end))
    return None


@on_every_board
def test_the_shortest_way_is_the_best_of_all(board: Board) -> None:
    luck = random.Random(1)
    game = Game(board, 3, seed=5)
    while not game.over:
        claims = [action for action in game.legal() if action.kind == "claim"]
        game.play(luck.choice(claims or game.legal()))
        if luck.random() < 0.9:
            continue
        for seat in range(game.players):
            for ticket in luck.sample(list(board.tickets), 5):
                way = shortest_way(game.state, seat, ticket.a, ticket.b)
                path = searched(game.state, seat, ticket.a, ticket.b)
                assert (way and list(way.path)) == path
                if way is not None:
                    own = [game.state.owner[route] == seat for route in way.path]
                    left = [
                        route for route, is_own in zip(way.path, own, strict=True) if not is_own
                    ]
                    assert list(way.routes) == left
                    assert way.pieces == sum(board.routes[route].pieces for route in left)
