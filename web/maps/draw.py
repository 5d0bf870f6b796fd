"""Draw the map behind each board from open geodata and shapes of our own.

Everything is warped to fit the places of the board. Without arguments all boards are drawn. The
same board files, recipes and geodata give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from atlas import Atlas
from sheet import Sheet
from warp import Warp

HERE = Path(__file__).resolve().parent
BOARDS = HERE.parent.parent / "src" / "fernzug" / "board" / "data"
MAPS = HERE.parent / "public" / "maps"


def load(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def draw(board_id: str, cache: Path) -> str:
    """Return the map of a board; print its size and how well the warp fits."""
    board = load(BOARDS / f"{board_id}.toml")
    recipe = load(HERE / "recipes" / f"{board_id}.toml")
    places = board["locations"]
    size = (board["drawing"]["width"], board["drawing"]["height"])
    warp = Warp(
        [(place["lon"], place["lat"]) for place in places],
        [(place["x"], place["y"]) for place in places],
        size,
        recipe.get("smoothing", 0.0),
    )
    scene = Atlas(recipe, warp, cache).scene()
    svg = Sheet(board_id, load(HERE / "palette.toml")).draw(scene, recipe, size)
    fit = warp.fit
    print(
        f"{board_id}: {len(svg.encode()) / 1000:.1f} kB, places off by {fit.worst_miss:.1f} px"
        f" at most, smallest cell {fit.min_cell:.2f} of the median"
    )
    return svg


def main(arguments: list[str]) -> int:
    """Draw the boards named, or all of them."""
    every = sorted(path.stem for path in (HERE / "recipes").glob("*.toml"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "boards", nargs="*", help=f"boards to draw: {', '.join(every)} (default: all)"
    )
    parser.add_argument("--cache", type=Path, default=HERE / "cache", help="folder for geodata")
    parser.add_argument("--into", type=Path, default=MAPS, help="folder for the maps")
    parser.add_argument("--check", action="store_true", help="write nothing; report what differs")
    options = parser.parse_args(arguments)
    drawn = {f"{name}.svg": draw(name, options.cache) for name in options.boards or every}
    drawn["credits.json"] = credit_lines(every)
    stale = [name for name, text in drawn.items() if not _same(options.into / name, text)]
    if options.check:
        print("\n".join(f"{name} is out of date" for name in stale) or "all up to date")
        return 1 if stale else 0
    options.into.mkdir(parents=True, exist_ok=True)
    for name, text in drawn.items():
        (options.into / name).write_bytes(text.encode())
    return 0


def credit_lines(boards: list[str]) -> str:
    """Return the credit line of each board as JSON."""
    lines = {name: load(HERE / "recipes" / f"{name}.toml")["credit"] for name in boards}
    return json.dumps(lines, ensure_ascii=False, indent=2) + "\n"


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_bytes() == text.encode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
