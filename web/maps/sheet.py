"""The SVG of a scene, in colours that the page may replace."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from atlas import Recipe, Scene
from pen import area_path, line_path

# Islands, ponds and parks with fewer square pixels would be specks.
MIN_ISLAND = 4.0


class Sheet:
    """The SVG of a scene, in colours that the page may replace."""

    def __init__(self, board: str, palette: dict[str, dict[str, str]]) -> None:
        self._board = board
        self._palette = palette
        self._parts: list[str] = []

    def _color(self, name: str) -> str:
        return f"var(--map-{name},{self._palette[name]['light']})"

    def _fill(self, name: str, path: str) -> None:
        if path:
            self._parts.append(f'<path class="map-{name}" fill="{self._color(name)}" d="{path}"/>')

    def _stroke(self, name: str, path: str, width: float, dashes: str = "") -> None:
        if path:
            ends = f'stroke-dasharray="{dashes}"' if dashes else 'stroke-linecap="round"'
            self._parts.append(
                f'<path class="map-{name}" fill="none" stroke="{self._color(name)}"'
                f' stroke-width="{width:g}" stroke-linejoin="round" {ends} d="{path}"/>'
            )

    def _coast(self, strokes: Iterable[tuple[str, float]]) -> None:
        for name, width in strokes:
            self._parts.append(
                f'<use href="#map-{self._board}-land" class="map-{name}" fill="none"'
                f' stroke="{self._color(name)}" stroke-width="{width:g}" stroke-linejoin="round"/>'
            )

    def _compass(self, x: float, y: float, radius: float, turn: float) -> None:
        """Draw a small compass rose that points to true north at its position."""
        if not radius:
            return
        point, waist = radius * 0.94, radius * 0.16
        north = f"M0-{radius * 1.12:.1f}L{waist:.1f} 0 0 {point:.1f}-{waist:.1f} 0z"
        star = f"M0-{point:.1f}L{waist:.1f} 0 0 {point:.1f}-{waist:.1f} 0z"
        self._parts.append(
            f'<g class="map-compass" transform="translate({x:g} {y:g})rotate({turn:.1f})"'
            f' fill="{self._color("compass")}" stroke="none">'
            f'<path fill-opacity=".45" d="{star}" transform="rotate(45)scale(.6)"/>'
            f'<path fill-opacity=".45" d="{star}" transform="rotate(-45)scale(.6)"/>'
            f'<path fill-opacity=".7" d="{star}" transform="rotate(90)"/><path d="{north}"/>'
            f'<g fill="none" stroke="{self._color("compass")}"><circle r="{radius * 0.56:.1f}"'
            f' stroke-width=".8"/><circle r="{radius * 0.62:.1f}" stroke-width=".5"/></g></g>'
        )

    def draw(self, scene: Scene, recipe: Recipe, size: tuple[int, int]) -> str:
        """Return the whole file."""
        width, height = size
        self._parts = []
        self._sea(scene, recipe, size)
        self._ground(scene, recipe)
        self._lines(scene, recipe["tolerance"])
        self._compass(*scene.compass)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">\n'
            f"<title>{escape(recipe['title'])}</title>\n<desc>{escape(recipe['credit'])}</desc>\n"
            + "\n".join(self._parts)
            + "\n</svg>\n"
        )

    def _sea(self, scene: Scene, recipe: Recipe, size: tuple[int, int]) -> None:
        """Draw water that gets lighter towards the coast, with lines along it as in engravings."""
        land = area_path(scene.land, recipe["tolerance"], MIN_ISLAND)
        self._parts += [
            f'<defs><path id="map-{self._board}-land" d="{land}"/></defs>',
            f'<rect class="map-water" fill="{self._color("water")}"'
            f' width="{size[0]}" height="{size[1]}"/>',
        ]
        self._stroke("graticule", line_path(scene.graticule, 0.3), 0.8)
        # Wide strokes of a single path, each over the last, take few bytes and no filter.
        self._coast(
            (name, round(wide * recipe["shallows"], 1) + line)
            for wide, shade in ((42.0, "shallow"), (24.0, "shore"), (10.0, "strand"))
            for name, line in (("waterline", 1.2), (shade, 0.0))
        )

    def _ground(self, scene: Scene, recipe: Recipe) -> None:
        paper = recipe["paper"]
        self._parts.append(
            f'<use href="#map-{self._board}-land" class="map-{paper}" fill="{self._color(paper)}"/>'
        )
        self._fill("home", area_path(scene.home, recipe["tolerance"], MIN_ISLAND))
        self._fill("park", area_path(scene.parks, 0.3, MIN_ISLAND))

    def _lines(self, scene: Scene, tolerance: float) -> None:
        self._stroke("lane", line_path(scene.lanes, 0.3), 1.2)
        self._stroke("lane", line_path(scene.grid, 0.3), 2.4)
        self._stroke("street", line_path(scene.streets, 0.3), 3.2)
        outlines, slopes = scene.hills
        self._fill("slope", slopes)
        self._stroke("hill", outlines, 0.9)
        self._stroke("border", line_path(scene.borders, tolerance), 1.0, "4 2.5")
        self._stroke("nation", line_path(scene.nations, tolerance), 1.6)
        self._stroke("river", line_path(scene.rivers, tolerance, 12), 1.5)
        rails = line_path(scene.rails, 0.3)
        self._stroke("rail", rails, 1.0)
        self._stroke("rail", rails, 4.0, "1.2 6")
        self._coast([("coast", 1.0)])
