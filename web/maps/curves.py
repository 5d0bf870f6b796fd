"""Smooth lines: corners rounded, cut off or replaced by a curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import shapely
from pen import polygons_of
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union


def rounded(area: BaseGeometry, radius: float) -> BaseGeometry:
    """Round the corners of an area by growing it, shrinking it and growing it back."""
    return area.buffer(radius).buffer(-2 * radius).buffer(radius) if radius else area


def softened(area: BaseGeometry, rounds: int) -> BaseGeometry:
    """Cut off every corner several times, so that coarse outlines look like river banks."""
    softer = []
    for part in polygons_of(area):
        rings = [_chaikin(ring.coords, rounds) for ring in (part.exterior, *part.interiors)]
        softer.append(shapely.make_valid(Polygon(rings[0], rings[1:])))
    return unary_union(softer)


def _chaikin(ring: Iterable[tuple[float, float]], rounds: int) -> Any:
    corners = np.array(list(ring))[:-1]
    for _ in range(rounds):
        following = np.roll(corners, -1, axis=0)
        early, late = 0.75 * corners + 0.25 * following, 0.25 * corners + 0.75 * following
        corners = np.stack([early, late], axis=1).reshape(-1, 2)
    return corners


def spline(corners: Any, closed: bool) -> list[tuple[float, float]]:
    """Return a centripetal Catmull-Rom curve, which passes through its points without loops."""
    points = [tuple(float(v) for v in corner) for corner in corners]
    if len(points) < 3:
        return points  # type: ignore[return-value]
    if closed:
        ring = [points[-1], *points, points[0], points[1]]
    else:
        ring = [_mirror(points[0], points[1]), *points, _mirror(points[-1], points[-2])]
    curve: list[tuple[float, float]] = []
    for quad in zip(ring, ring[1:], ring[2:], ring[3:], strict=False):
        curve += _arc(*(np.array(point) for point in quad))
    curve.append(points[0] if closed else points[-1])  # type: ignore[arg-type]
    return curve


def _mirror(end: Any, next_one: Any) -> Any:
    return (2 * end[0] - next_one[0], 2 * end[1] - next_one[1])


def _arc(a: Any, b: Any, c: Any, d: Any) -> list[tuple[float, float]]:
    t0 = 0.0
    t1 = t0 + max(float(np.hypot(*(b - a))) ** 0.5, 1e-6)
    t2 = t1 + max(float(np.hypot(*(c - b))) ** 0.5, 1e-6)
    t3 = t2 + max(float(np.hypot(*(d - c))) ** 0.5, 1e-6)
    found = []
    for t in np.linspace(t1, t2, 13)[:-1]:
        ab = (t1 - t) / (t1 - t0) * a + (t - t0) / (t1 - t0) * b
        bc = (t2 - t) / (t2 - t1) * b + (t - t1) / (t2 - t1) * c
        cd = (t3 - t) / (t3 - t2) * c + (t - t2) / (t3 - t2) * d
        abc = (t2 - t) / (t2 - t0) * ab + (t - t0) / (t2 - t0) * bc
        bcd = (t3 - t) / (t3 - t1) * bc + (t - t1) / (t3 - t1) * cd
        point = (t2 - t) / (t2 - t1) * abc + (t - t1) / (t2 - t1) * bcd
        found.append((float(point[0]), float(point[1])))
    return found
