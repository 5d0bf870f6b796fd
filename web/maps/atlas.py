"""From a recipe to a scene: geodata and shapes of our own, warped and clipped to the canvas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import geodata
import numpy as np
import shapely
import texture
from curves import rounded, softened, spline
from pen import frame, lines_of, polygons_of
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union
from warp import Points, Warp

BLEED = 30.0

Recipe = dict[str, Any]


@dataclass
class Scene:
    """Everything that a map shows, in pixels of the canvas."""

    land: BaseGeometry
    home: BaseGeometry = field(default_factory=Polygon)
    parks: BaseGeometry = field(default_factory=Polygon)
    borders: list[BaseGeometry] = field(default_factory=list)
    nations: list[BaseGeometry] = field(default_factory=list)
    rivers: list[BaseGeometry] = field(default_factory=list)
    graticule: list[BaseGeometry] = field(default_factory=list)
    grid: list[LineString] = field(default_factory=list)
    streets: list[LineString] = field(default_factory=list)
    lanes: list[LineString] = field(default_factory=list)
    rails: list[LineString] = field(default_factory=list)
    hills: tuple[str, str] = ("", "")
    compass: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


class Atlas:
    """Turns a recipe into a scene: reads, warps and clips."""

    def __init__(self, recipe: Recipe, warp: Warp, cache: Path) -> None:
        self._recipe = recipe
        self._warp = warp
        self._cache = cache
        self._frame = frame(*warp.size, BLEED)
        west, south, east, north = recipe["window"]
        self._window = shapely.box(west, south, east, north)
        self._step = (east - west) / 150

    def scene(self) -> Scene:
        """Return the whole map."""
        scene = self._geodata()
        self._own_water(scene)
        self._own_shapes(scene)
        return scene

    # ---- From the globe to the canvas ----

    def _bend(self, geometry: BaseGeometry) -> BaseGeometry:
        """Warp a geometry given in longitude and latitude, bending long lines along the way."""
        dense = shapely.segmentize(geometry, self._step)
        bent: BaseGeometry = shapely.transform(dense, self._warp)
        return bent

    def _cut(self, geometry: BaseGeometry) -> BaseGeometry:
        near = shapely.make_valid(geometry).intersection(self._window)
        return shapely.make_valid(self._bend(near)).intersection(self._frame)

    def _curve(self, points: list[list[float]], closed: bool = False) -> LineString:
        """Return a smooth curve through points given as latitude and longitude."""
        corners = self._warp(np.array([(lon, lat) for lat, lon in points]))
        return LineString(spline(corners, closed))

    def _area(self, points: list[list[float]], soft: bool) -> BaseGeometry:
        if soft:
            return shapely.make_valid(Polygon(self._curve(points, closed=True)))
        area = Polygon([(lon, lat) for lat, lon in points])
        return rounded(shapely.make_valid(self._bend(area)), 2.5)

    # ---- Layers ----

    def _geodata(self) -> Scene:
        ground = self._recipe.get("ground")
        if ground is None:
            return Scene(self._frame)
        data = geodata.fetch(ground["source"], self._cache)
        if ground["format"] == "state_plane":
            return Scene(self._state_plane(data, ground))
        return self._topology(geodata.Topology(data), ground)

    def _topology(self, topology: geodata.Topology, ground: Recipe) -> Scene:
        areas = topology.polygons(ground["land"])
        if "soft" in ground:
            whole = unary_union([shapely.make_valid(area) for area in areas.geoms])
            areas = MultiPolygon(polygons_of(softened(whole, ground["soft"])))
        land = unary_union([self._cut(area) for area in areas.geoms])
        if "lakes" in ground:
            lakes = [self._cut(area) for area in topology.polygons(ground["lakes"]).geoms]
            land = land.difference(unary_union(lakes))
        scene = Scene(land)
        if "borders" in ground:
            scene.borders = [self._cut(line) for line in topology.borders(ground["borders"])]
        if "nations" in ground:
            nations = [self._cut(line) for line in topology.borders(ground["nations"])]
            scene.nations = [line.intersection(land) for line in nations]
            home = topology.country(ground["nations"], Point(ground["home"][::-1]))
            scene.home = self._cut(home).intersection(land)
        if "rivers" in ground:
            rivers = [self._cut(line) for line in topology.lines(ground["rivers"])]
            scene.rivers = [line.intersection(land) for line in rivers]
        return scene

    def _state_plane(self, data: bytes, ground: Recipe) -> BaseGeometry:
        globe = geodata.StatePlane()
        rings = geodata.shapefile_polygons(data)
        areas = [Polygon([globe(x, y) for x, y in ring]) for ring in rings]
        land = unary_union([self._cut(area) for area in areas])
        return rounded(land, ground.get("rounding", 0.0))

    def _own_water(self, scene: Scene) -> None:
        extra = [self._area(item["area"], soft=True) for item in self._recipe.get("land", [])]
        land = unary_union([scene.land, *extra])
        water: list[BaseGeometry] = []
        for item in self._recipe.get("water", []):
            if "area" in item:
                water.append(self._area(item["area"], soft=item.get("soft", True)))
            else:
                water.append(self._curve(item["line"]).buffer(item["width"] / 2))
        islands = []
        for item in self._recipe.get("islands", []):
            island = self._area(item["area"], soft=True)
            islands.append(island)
            water.append(island.buffer(item["moat"]))
        shore = rounded(land.difference(unary_union(water)), self._recipe.get("shore", 0.0))
        scene.land = unary_union([shore, *islands]).intersection(self._frame)

    def _own_shapes(self, scene: Scene) -> None:
        recipe = self._recipe
        parks = [
            self._area(item["area"], item.get("soft", False)) for item in recipe.get("parks", [])
        ]
        scene.parks = unary_union(parks).intersection(scene.land)
        open_ground = scene.land.difference(scene.parks.buffer(1))
        grid = [line.intersection(open_ground) for line in self._grids()]
        scene.grid = [line for part in grid for line in lines_of(part)]
        scene.streets = self._curves("streets")
        scene.rails = self._curves("rails")
        if "blocks" in recipe:
            scene.lanes = texture.blocks(open_ground, scene.streets + scene.grid, recipe["blocks"])
        ranges = [(self._curve(item["line"]), item["width"]) for item in recipe.get("ranges", [])]
        scene.hills = texture.hills(ranges, scene.land.intersection(frame(*self._warp.size, -4)))
        if "compass" in recipe:
            scene.compass = self._compass(recipe["compass"])
        if "graticule" in recipe:
            scene.graticule = [self._cut(line) for line in self._meridians(recipe["graticule"])]

    def _compass(self, compass: dict[str, float]) -> tuple[float, float, float, float]:
        lat, lon = compass["lat"], compass["lon"]
        south, north = self._warp(np.array([(lon, lat), (lon, lat + self._step)]))
        turn = float(np.degrees(np.arctan2(north[0] - south[0], south[1] - north[1])))
        return compass["x"], compass["y"], compass["radius"], turn

    def _curves(self, name: str) -> list[LineString]:
        curves = [self._curve(item["line"]) for item in self._recipe.get(name, [])]
        return [line for curve in curves for line in lines_of(curve.intersection(self._frame))]

    def _grids(self) -> list[LineString]:
        found: list[LineString] = []
        for item in self._recipe.get("grids", []):
            # Degrees of longitude are scaled to the length of degrees of latitude and back, so that
            # right angles stay right angles.
            squeeze = float(np.cos(np.radians(item["origin"][0])))
            region = Polygon([(lon * squeeze, lat) for lat, lon in item["area"]])
            origin = (item["origin"][1] * squeeze, item["origin"][0])
            metre = 1 / 111_200
            columns, rows = (item[side] * metre for side in ("columns", "rows"))
            lines = texture.grid(origin, item["bearing"], region, columns, rows)
            globe = shapely.transform(lines, _stretch(squeeze))
            found += lines_of(self._cut(globe))
        return found

    def _meridians(self, step: float) -> Iterable[LineString]:
        west, south, east, north = self._recipe["window"]
        for lon in np.arange(np.ceil(west / step) * step, east, step):
            yield LineString([(lon, south), (lon, north)])
        for lat in np.arange(np.ceil(south / step) * step, north, step):
            yield LineString([(west, lat), (east, lat)])


def _stretch(squeeze: float) -> Callable[[Points], Points]:
    return lambda points: points / np.array([squeeze, 1.0])
