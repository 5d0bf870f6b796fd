"""Measure whether win chances come true: games between bots, looked at in a random turn each.

    python benchmarks/calibration.py --board london --players 2 --games 1000 --out london-2.json
    python benchmarks/calibration.py --board usa --players 4 --searches 10 --results usa-4.jsonl
    python benchmarks/calibration.py --plot docs/images/calibration.svg london-2.json usa-2.json

A chance is what :func:`fernzug.analysis.evaluate` says from what a random seat may know. The Brier
score is the mean squared distance between chance and result; beside it is that of the points so
far, put into chances by the formula that fits these very games best. The expected calibration
error is the mean distance between the chances in each tenth and how often they came true. A file of
results lets a long run be split.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fernzug
import partial
from fernzug import analysis, bots
from fernzug.analysis.evaluation import final_chances
from fernzug.engine.scoring import points_so_far

LEVELS = ("greedy", "planner:slips=20", "planner")
SEARCH = "search:iterations=100"
BINS = 10
WIDTHS = (1, 2, 3, 5, 7, 10, 14, 20, 30, 50)
"""The widths that are tried for the formula of the points so far."""

Sample = tuple[list[float], list[int], list[float], int]
"""Each seat's chance, points so far and result, and the seat that looks."""


def sample(board: fernzug.Board, players: int, seed: int, iterations: int, searches: int) -> Sample:
    """Play a game, and look at one of its positions from a seat."""
    dice = random.Random(seed)
    levels = [
        SEARCH if dice.randrange(100) < searches else dice.choice(LEVELS) for _ in range(players)
    ]
    seats = [bots.make(level, board, seed=16 * seed + i) for i, level in enumerate(levels)]
    game = fernzug.Game(board, players, seed=seed)
    moments = []
    while (seat := game.seat) is not None:
        moments.append(game.copy())
        view = game.view(seat)
        game.play(seats[seat].choose(view, view.legal))
    moment = dice.choice(moments)
    viewer = dice.randrange(players)
    found = analysis.evaluate(moment.view(viewer), iterations, seed)
    points = [int(points_so_far(moment.state, seat)) for seat in range(players)]
    return list(found.win), points, list(final_chances(game.state)), viewer


def brier(chances: Sequence[Sequence[float]], results: Sequence[Sequence[float]]) -> float:
    """Return the mean squared distance."""
    pairs = _pairs(chances, results)
    return sum((chance - result) ** 2 for chance, result in pairs) / len(pairs)


def reliability(
    chances: Sequence[Sequence[float]], results: Sequence[Sequence[float]]
) -> list[tuple[int, float, float]]:
    """Return for each tenth how many chances were in it, their mean, and how many came true."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for chance, result in _pairs(chances, results):
        bins[min(int(chance * BINS), BINS - 1)].append((chance, result))
    return [
        (len(each), sum(c for c, _ in each) / len(each), sum(r for _, r in each) / len(each))
        for each in bins
        if each
    ]


def _pairs(
    chances: Sequence[Sequence[float]], results: Sequence[Sequence[float]]
) -> list[tuple[float, float]]:
    return [
        (chance, result)
        for row, truth in zip(chances, results, strict=True)
        for chance, result in zip(row, truth, strict=True)
    ]


def by_points(points: Sequence[int], width: float) -> list[float]:
    """Return chances from the points so far alone."""
    shares = [math.exp((each - max(points)) / width) for each in points]
    return [share / sum(shares) for share in shares]


def measure(args: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one board and number of players."""
    board = fernzug.board(args.board)
    players, iterations, searches = args.players, args.iterations, args.searches
    settings = {
        "board": args.board,
        "players": players,
        "iterations": iterations,
        "searches": searches,
    }
    samples: list[Sample] = partial.collect(
        lambda seed: sample(board, players, seed, iterations, searches), args.games, args, settings
    )
    if not samples:
        sys.exit("no game was played")
    chances, points, results, _viewers = (list(part) for part in zip(*samples, strict=True))
    rows = reliability(chances, results)
    total = sum(number for number, _, _ in rows)
    return {
        **settings,
        "games": len(samples),
        "error": round(sum(n * abs(mean - true) for n, mean, true in rows) / total, 4),
        "brier": round(brier(chances, results), 4),
        "brier_of_points": round(
            min(brier([by_points(each, width) for each in points], results) for width in WIDTHS),
            4,
        ),
        "rows": [[n, round(mean, 4), round(true, 4)] for n, mean, true in rows],
    }


# ---------------------------------------------------------------------------- the plot

SIZE, GAP, TOP, COLUMNS = 180, 44, 46, 4
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2430}.small{font-size:11px;fill:#5d564a}"
    ".frame{fill:#fbfaf7;stroke:#8b93a1}.true{stroke:#8b93a1;stroke-dasharray:4 4}"
    ".dot{fill:#1f6feb;fill-opacity:.75}.link{fill:none;stroke:#1f6feb;stroke-width:1.5}"
)


def plot(figures: Sequence[dict[str, Any]]) -> str:
    """Return the reliability plots as SVG; the area of a dot is how many chances it stands for."""
    columns = min(len(figures), COLUMNS)
    lines = -(-len(figures) // columns)
    width, height = columns * (SIZE + GAP) + GAP, lines * (SIZE + GAP + TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>Chances of winning (across) and how often they came true (up)</title>",
        f'<style>{STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for i, each in enumerate(figures):
        x = GAP + i % columns * (SIZE + GAP)
        y = TOP + i // columns * (SIZE + GAP + TOP)
        parts.append(f'<g transform="translate({x} {y})">{_panel(each)}</g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(each: dict[str, Any]) -> str:
    total = sum(n for n, _, _ in each["rows"])
    places = [
        (round(mean * SIZE, 1), round((1 - true) * SIZE, 1), round(math.sqrt(n / total) * 14, 1))
        for n, mean, true in each["rows"]
    ]
    name = fernzug.board(each["board"]).name
    return "".join(
        [
            f'<text y="-24">{name}, {each["players"]} players</text>',
            f'<text class="small" y="-8">error {each["error"]:.3f}, Brier {each["brier"]:.3f}'
            f" (points {each['brier_of_points']:.3f})</text>",
            f'<rect class="frame" width="{SIZE}" height="{SIZE}"/>',
            f'<line class="true" x1="0" y1="{SIZE}" x2="{SIZE}" y2="0"/>',
            f'<polyline class="link" points="{" ".join(f"{x},{y}" for x, y, _ in places)}"/>',
            *(f'<circle class="dot" cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in places),
            f'<text class="small" y="{SIZE + 16}">0 %</text>',
            f'<text class="small" x="{SIZE}" y="{SIZE + 16}" text-anchor="end">100 %</text>',
        ]
    )


def main() -> None:
    """Measure, or plot what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="figures to plot")
    parser.add_argument("--plot", metavar="SVG", help="write a plot of the files")
    parser.add_argument("--board", default="london")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument(
        "--searches",
        type=int,
        default=25,
        metavar="PERCENT",
        help="seats with a search, which takes far longer than the other bots (default: 25)",
    )
    partial.add_arguments(parser)
    parser.add_argument("--out", metavar="JSON", help="also write the figures to a file")
    args = parser.parse_args()
    if args.plot:
        figures = [json.loads(Path(name).read_text(encoding="utf-8")) for name in args.files]
        Path(args.plot).write_text(plot(figures), encoding="utf-8")
        return
    figure = measure(args)
    print(json.dumps(figure))
    if args.out:
        Path(args.out).write_text(json.dumps(figure) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
