"""What the geodata lacks: blocks between streets, and hills along a range. Deterministic."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

from pen import lines_of, polygons_of
from shapely.affinity import rotate
from shapely.geometry import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, split, unary_union


def blocks(ground: BaseGeometry, streets: Iterable[LineString], area: float) -> list[LineString]:
    """Return side streets that halve the quarters until the blocks are small enough."""
    outlines = [line for quarter in polygons_of(ground) for line in lines_of(quarter.boundary)]
    quarters = polygonize(unary_union([*outlines, *streets]))
    chance = random.Random(1)
    found: list[LineString] = []
    for quarter in sorted(quarters, key=lambda q: q.representative_point().coords[0]):
        if ground.contains(quarter.representative_point()):
            _halve(quarter, area, chance, found)
    return found


def _halve(quarter: Polygon, area: float, chance: random.Random, found: list[LineString]) -> None:
    if quarter.area < area * (0.8 + 0.7 * chance.random()):
        return
    cut = _cut(quarter, 0.5 + 0.16 * (chance.random() - 0.5))
    # Large quarters are cut askew, or the edge of the map would be nothing but upright boxes.
    askew = 50 * (chance.random() - 0.5) if quarter.area > 4 * area else 0.0
    cut = rotate(cut, askew)
    parts = polygons_of(split(quarter, cut))
    if len(parts) < 2:
        return
    found += [line for line in lines_of(cut.intersection(quarter)) if line.length > 4]
    for part in sorted(parts, key=lambda p: p.representative_point().coords[0]):
        _halve(part, area, chance, found)


def _cut(quarter: Polygon, share: float) -> LineString:
    """Return a line across the longer side of the quarter, perpendicular to it."""
    corners = list(polygons_of(quarter.minimum_rotated_rectangle)[0].exterior.coords)
    first = (corners[1][0] - corners[0][0], corners[1][1] - corners[0][1])
    second = (corners[2][0] - corners[1][0], corners[2][1] - corners[1][1])
    if math.hypot(*first) < math.hypot(*second):
        corners, first, second = corners[1:], second, (-first[0], -first[1])
    foot = (corners[0][0] + first[0] * share, corners[0][1] + first[1] * share)
    start = (foot[0] - second[0] * 0.6, foot[1] - second[1] * 0.6)
    return LineString([start, (foot[0] + second[0] * 1.6, foot[1] + second[1] * 1.6)])


def grid(
    origin: tuple[float, float], bearing: float, region: BaseGeometry, columns: float, rows: float
) -> MultiLineString:
    """Return straight streets at right angles inside a region, in the region's own unit."""
    reach = 1.5 * math.hypot(*(b - a for a, b in _sides(region)))
    lines = []
    for step, upright in ((columns, True), (rows, False)):
        for number in range(-int(reach / step), int(reach / step) + 1):
            offset = number * step
            ends = [(offset, -reach), (offset, reach)]
            if not upright:
                ends = [(y, x) for x, y in ends]
            moved = LineString([(x + origin[0], y + origin[1]) for x, y in ends])
            lines.append(rotate(moved, -bearing, origin=origin))
    inside = [line for whole in lines for line in lines_of(whole.intersection(region))]
    return MultiLineString(inside)


def hills(ranges: Iterable[tuple[LineString, float]], ground: BaseGeometry) -> tuple[str, str]:
    """Scatter small hills along ranges; return path data of their outlines and shaded slopes."""
    chance = random.Random(2)
    placed: list[tuple[float, float, float]] = []
    for line, width in ranges:
        for _ in range(int(line.length * (width + 14) / 160)):
            along = line.interpolate(chance.random() * line.length)
            side = (chance.random() + chance.random() - 1) * width
            turn = chance.random() * math.tau
            x, y = along.x + side * math.cos(turn), along.y + side * math.sin(turn)
            size = 5.5 + 4.5 * chance.random()
            clear = all(math.hypot((x - a) / 1.25, (y - b) * 1.5) > s + size for a, b, s in placed)
            if clear and ground.contains(Point(x, y).buffer(size)):
                placed.append((x, y, size))
    placed.sort(key=lambda hill: (hill[1], hill[0]))
    outlines = "".join(_outline(x, y, size) for x, y, size in placed)
    return outlines, "".join(_slope(x, y, size) for x, y, size in placed)


def _sides(region: BaseGeometry) -> list[tuple[float, float]]:
    west, south, east, north = region.bounds
    return [(west, east), (south, north)]


def _outline(x: float, y: float, size: float) -> str:
    return _curves(x, y, size, (-1, 0.45), [(0.6, -0.2, 0.9, -1), (0.4, 0.75, 1.1, 1)])


def _slope(x: float, y: float, size: float) -> str:
    steps = [(0.4, 0.75, 1.1, 1), (-0.55, -0.1, -0.95, 0), (0.1, -0.5, -0.15, -1)]
    return _curves(x, y, size, (-0.1, -0.55), steps) + "z"


def _curves(
    x: float,
    y: float,
    size: float,
    start: tuple[float, float],
    steps: Sequence[tuple[float, float, float, float]],
) -> str:
    """Return path data of curves, given relative to a hill's size and centre."""
    path = f"M{x + size * start[0]:.1f} {y + size * start[1]:.1f}"
    return path + "".join(
        "q" + " ".join(f"{round(size * number, 1):g}" for number in step) for step in steps
    )
