"""Path data: simplified, in tenths of a pixel, and as short as SVG allows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapely.geometry import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge


def lines_of(geometry: BaseGeometry) -> list[LineString]:
    """Return all lines of a geometry, whatever else it contains."""
    if geometry.is_empty:
        return []
    if isinstance(geometry, LineString):
        return [geometry]
    return [line for part in getattr(geometry, "geoms", []) for line in lines_of(part)]


def polygons_of(geometry: BaseGeometry) -> list[Polygon]:
    """Return all polygons of a geometry, whatever else it contains."""
    if geometry.is_empty:
        return []
    if isinstance(geometry, Polygon):
        return [geometry]
    return [area for part in getattr(geometry, "geoms", []) for area in polygons_of(part)]


def area_path(geometry: BaseGeometry, tolerance: float, min_area: float) -> str:
    """Return path data of areas, without islands and lakes under ``min_area`` square pixels."""
    rings: list[Sequence[tuple[float, ...]]] = []
    for area in polygons_of(geometry.simplify(tolerance)):
        if area.area < min_area:
            continue
        holes = [hole for hole in area.interiors if Polygon(hole).area >= min_area]
        rings += [list(ring.coords) for ring in (area.exterior, *holes)]
    return "".join(_ring(ring) for ring in rings)


def line_path(lines: Iterable[BaseGeometry], tolerance: float, min_length: float = 0.0) -> str:
    """Return path data of lines, joined where they meet and without short ones."""
    pieces = [line for part in lines for line in lines_of(part)]
    if not pieces:
        return ""
    joined = linemerge(MultiLineString(pieces)) if len(pieces) > 1 else pieces[0]
    kept = [line.simplify(tolerance) for line in lines_of(joined) if line.length >= min_length]
    return "".join(_steps([_tenths(point) for point in line.coords]) for line in kept)


def frame(width: int, height: int, bleed: float) -> Polygon:
    """Return the canvas with a margin, so that no stroke shows where the map is clipped."""
    right, bottom = width + bleed, height + bleed
    return Polygon([(-bleed, -bleed), (right, -bleed), (right, bottom), (-bleed, bottom)])


def _tenths(point: Sequence[float]) -> tuple[int, int]:
    return round(point[0] * 10), round(point[1] * 10)


def _ring(ring: Sequence[tuple[float, ...]]) -> str:
    corners = [_tenths(point) for point in ring][:-1]
    return _steps(corners, close=True) if len(set(corners)) > 2 else ""


def _steps(corners: Sequence[tuple[int, int]], close: bool = False) -> str:
    path = "M" + _pair(*corners[0])
    command = "l"
    last = corners[0]
    for corner in corners[1:]:
        step = (corner[0] - last[0], corner[1] - last[1])
        if step == (0, 0):
            continue
        pair = _pair(*step)
        path += pair if not command and pair[0] == "-" else (command or " ") + pair
        command, last = "", corner
    if command:
        return ""
    return path + ("z" if close else "")


def _pair(x: int, y: int) -> str:
    first, second = _number(x), _number(y)
    # A dot may follow a number that already has one, a minus may follow anything.
    glued = second[0] == "-" or (second[0] == "." and "." in first)
    return first + ("" if glued else " ") + second


def _number(tenths: int) -> str:
    sign = "-" if tenths < 0 else ""
    units, rest = divmod(abs(tenths), 10)
    digits = (str(units) if units or not rest else "") + (f".{rest}" if rest else "")
    return sign + digits
