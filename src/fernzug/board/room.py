"""Whether there is room on a board for all that is drawn on it.

A board without room can be played, but hardly read; whoever draws it is told what to move apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

from fernzug.board.lines import Path, lines_of
from fernzug.board.model import Board, Fault, Route

_RIM = 3
"""How far the places keep away from the spaces of a route, in px."""
_SAMPLES = 32


def crowded(board: Board) -> list[Fault]:
    """Return what stands too close together on a board, with the lines of its file."""
    lines = lines_of(board.source)
    found = [*_near_places(board), *_short_routes(board)]
    return sorted(
        (Fault(lines.get(path), text) for path, text in found), key=lambda fault: fault.line or 0
    )


def _near_places(board: Board) -> Iterator[tuple[Path, str]]:
    drawing = board.drawing
    # Two discs, and the height of a name between them.
    least = 2 * drawing.location_radius + drawing.font_size
    for (_, one), (n, other) in combinations(enumerate(board.locations), 2):
        apart = math.dist((one.x, one.y), (other.x, other.y))
        if apart < least:
            yield (
                ("locations", n),
                f"'{other.id}' is only {apart:.0f} px from '{one.id}'; their names have no room"
                f" if places are less than {least:.0f} px apart",
            )


def _short_routes(board: Board) -> Iterator[tuple[Path, str]]:
    drawing = board.drawing
    for n, route in enumerate(board.routes):
        spaces = route.pieces
        long = spaces * drawing.space_width
        if _length(board, route) - 2 * (drawing.location_radius + _RIM) < long:
            yield (
                ("routes", n),
                f"'{route.id}' is too short for {spaces} {'space' if spaces == 1 else 'spaces'};"
                " move its places apart, or give it a larger 'bend'",
            )


def _length(board: Board, route: Route) -> float:
    """Return how long the curve of a route is."""
    a, b = board.locations[route.a], board.locations[route.b]
    dx, dy = b.x - a.x, b.y - a.y
    far = math.hypot(dx, dy) or 1
    x = (a.x + b.x) / 2 - dy / far * route.bend
    y = (a.y + b.y) / 2 + dx / far * route.bend
    points = []
    for n in range(_SAMPLES + 1):
        t = n / _SAMPLES
        p, q, r = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append((p * a.x + q * x + r * b.x, p * a.y + q * y + r * b.y))
    return sum(math.dist(one, other) for one, other in pairwise(points))
