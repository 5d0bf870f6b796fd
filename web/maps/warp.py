"""The warp from the globe to a board: a smoothed thin-plate spline that never folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]

# A cell of the map may shrink to this share of the median cell, never further: below it the
# drawing looks crumpled long before it folds.
MIN_CELL = 0.12
GRID = 72


class Conic:
    """Equidistant conic projection, true along two parallels; units are degrees of latitude."""

    def __init__(self, south: float, north: float, meridian: float) -> None:
        first, second = math.radians(south), math.radians(north)
        if second - first < 1e-9:
            second = first + 1e-9
        self._n = (math.cos(first) - math.cos(second)) / (second - first)
        self._g = math.cos(first) / self._n + first
        self._middle = self._g - (first + second) / 2
        self._meridian = meridian

    def __call__(self, lonlat: Points) -> Points:
        """Project rows of (longitude, latitude) to rows of (east, south)."""
        rho = self._g - np.radians(lonlat[:, 1])
        theta = self._n * np.radians(lonlat[:, 0] - self._meridian)
        east = rho * np.sin(theta)
        south = rho * np.cos(theta) - self._middle
        return np.degrees(np.stack([east, south], axis=1))


@dataclass(frozen=True)
class Fit:
    """How close a warp comes to its places, and how far it is from folding."""

    smoothing: float
    worst_miss: float
    mean_miss: float
    min_cell: float


class Warp:
    """Map longitude and latitude to the canvas, through or close to the given places.

    The spline bends only as much as the places require. If they would make it fold, the smoothing
    grows until no cell of a grid over the canvas is smaller than ``MIN_CELL`` of the median.
    """

    def __init__(
        self,
        lonlat: Sequence[tuple[float, float]],
        canvas: Sequence[tuple[float, float]],
        size: tuple[int, int],
        smoothing: float = 0.0,
    ) -> None:
        globe = np.array(lonlat, dtype=np.float64)
        south, north = float(globe[:, 1].min()), float(globe[:, 1].max())
        sixth = (north - south) / 6
        middle = float((globe[:, 0].min() + globe[:, 0].max()) / 2)
        self._conic = Conic(south + sixth, north - sixth, middle)
        plane = self._conic(globe)
        self._centre = plane.mean(axis=0)
        self._unit = float(np.sqrt(((plane - self._centre) ** 2).sum(axis=1).mean()))
        self._knots = (plane - self._centre) / self._unit
        self._target = np.array(canvas, dtype=np.float64)
        self.size = size
        self.fit = self._settle(smoothing)

    def __call__(self, lonlat: Points) -> Points:
        """Warp rows of (longitude, latitude) to rows of (x, y)."""
        plane = (self._conic(np.asarray(lonlat, dtype=np.float64)) - self._centre) / self._unit
        return self._bend(plane)

    def _bend(self, plane: Points) -> Points:
        # Summed knot by knot, and rounded far below what is visible: the result of a matrix product
        # depends on the machine and on a point's index in the array, but rings must close exactly.
        kernel = _radial(plane, self._knots)
        bent = (
            self._straight[0] + plane[:, :1] * self._straight[1] + plane[:, 1:] * self._straight[2]
        )
        for number, weight in enumerate(self._weights):
            bent = bent + kernel[:, number, None] * weight
        rounded: Points = np.round(bent, 6)
        return rounded

    def _settle(self, smoothing: float) -> Fit:
        for _ in range(40):
            self._solve(smoothing)
            smallest = self._min_cell()
            if smallest >= MIN_CELL:
                miss = np.hypot(*(self._bend(self._knots) - self._target).T)
                return Fit(smoothing, float(miss.max()), float(miss.mean()), smallest)
            smoothing = max(smoothing * 1.5, 1e-4)
        raise ValueError("the places cannot be mapped without folding")

    def _solve(self, smoothing: float) -> None:
        count = len(self._knots)
        system = np.zeros((count + 3, count + 3))
        system[:count, :count] = _radial(self._knots, self._knots) + smoothing * np.eye(count)
        system[:count, count] = 1.0
        system[:count, count + 1 :] = self._knots
        system[count:, :count] = system[:count, count:].T
        right = np.zeros((count + 3, 2))
        right[:count] = self._target
        solved = np.linalg.solve(system, right)
        self._weights, self._straight = solved[:count], solved[count:]

    def _min_cell(self) -> float:
        """Return the smallest signed area of a grid cell on the canvas, relative to the median."""
        low, high = self._knots.min(axis=0), self._knots.max(axis=0)
        margin = (high - low) * 0.3
        xs = np.linspace(low[0] - margin[0], high[0] + margin[0], GRID)
        ys = np.linspace(low[1] - margin[1], high[1] + margin[1], GRID)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        bent = self._bend(grid.reshape(-1, 2)).reshape(GRID, GRID, 2)
        right = bent[:-1, 1:] - bent[:-1, :-1]
        down = bent[1:, :-1] - bent[:-1, :-1]
        areas = right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]
        corner = bent[:-1, :-1]
        inside = ((corner > -40) & (corner < np.array(self.size) + 40)).all(axis=-1)
        return float(areas[inside].min() / np.median(areas[inside]))


def _radial(points: Points, knots: Points) -> Points:
    square = ((points[:, None, :] - knots[None, :, :]) ** 2).sum(axis=2)
    kernel: Points = 0.5 * square * np.log(np.where(square > 0, square, 1.0))
    return kernel
