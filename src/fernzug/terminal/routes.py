"""The table of routes with their owners."""

from __future__ import annotations

from fernzug.board.model import Route
from fernzug.terminal.layout import columns, pad, width
from fernzug.terminal.naming import places_like
from fernzug.terminal.words import Words
from fernzug.view import View
from fernzug.ways import open_routes


def route_lines(words: Words, view: View, place: str, total: int) -> list[str]:
    """Return the routes with price and owner; if a place is given, only the routes there."""
    board = words.board
    assert view.viewer is not None
    found = {each.id for each in places_like(words, place)} if place else set()
    if place and not found:
        return [words.texts("map.none", place=place)]
    free = open_routes(view.knowledge.state, view.viewer)
    shown = [
        route
        for route in board.routes
        if route.lane != 2 and (not place or route.a in found or route.b in found)
    ]
    widest = max(width(words.way(route.a, route.b)) for route in shown)
    return columns([_line(words, view, route, free, widest) for route in shown], total)


def _line(words: Words, view: View, route: Route, free: set[str], widest: int) -> str:
    """Return a route, or both lanes of a double route, in one line."""
    board = words.board
    lanes = [route] if route.twin is None else [route, board.routes[route.twin]]
    cells = []
    for lane in lanes:
        owner = _owner(words, lane, view.routes.get(lane.id), free)
        cells.append(f"{words.card(lane.color)} {owner}")
    kind = words.kind_of(route)
    price = f"{route.cost} {kind}" if kind else str(route.cost)
    return f"{pad(words.way(route.a, route.b), widest)} {price} {', '.join(cells)}"


def _owner(words: Words, route: Route, owner: int | None, free: set[str]) -> str:
    if owner is not None:
        return words.player(owner)
    return words.style.dim(words.texts("map.free" if route.id in free else "map.shut"))
