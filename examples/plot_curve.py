"""Draw the curve that train_ppo.py writes, as an SVG file.

python examples/plot_curve.py curve.csv curve.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 60, 20, 20, 50
COLORS = {"imitation": "#b4690e", "PPO": "#1f5fa8", "end": "#1f5fa8"}


def drawn(rows: list[dict[str, str]]) -> str:
    """Return the curve as the text of an SVG file."""
    longest = max(float(row["minutes"]) for row in rows)

    def place(row: dict[str, str]) -> tuple[float, float]:
        x = LEFT + float(row["minutes"]) / longest * (WIDTH - LEFT - RIGHT)
        y = TOP + (1 - float(row["share"])) * (HEIGHT - TOP - BOTTOM)
        return round(x, 1), round(y, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for share in (0, 0.25, 0.5, 0.6, 0.75, 1):
        y = TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#cccccc"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        )
    points = " ".join(f"{x},{y}" for x, y in map(place, rows))
    parts.append(f'<polyline points="{points}" fill="none" stroke="#666666"/>')
    for row in rows:
        x, y = place(row)
        color = COLORS.get(row["stage"], "#666666")
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{color}"/>')
    last = HEIGHT - BOTTOM + 20
    parts.append(f'<text x="{LEFT}" y="{last}">0</text>')
    parts.append(
        f'<text x="{WIDTH - RIGHT}" y="{last}" text-anchor="end">'
        f"{longest:.1f} minutes of processor time</text>"
    )
    parts.append(
        f'<text x="{LEFT}" y="{last + 20}">'
        f'<tspan fill="{COLORS["imitation"]}">imitation of the planner</tspan>, then '
        f'<tspan fill="{COLORS["PPO"]}">PPO</tspan>: games won against greedy</text>'
    )
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Read one file and write the other."""
    parser = argparse.ArgumentParser(description="Draw the curve that train_ppo.py writes.")
    parser.add_argument("curve", type=Path, help="the CSV file of train_ppo.py --curve")
    parser.add_argument("picture", type=Path, help="the SVG file to write")
    options = parser.parse_args()
    with options.curve.open(newline="", encoding="utf-8") as file:
        options.picture.write_text(drawn(list(csv.DictReader(file))), encoding="utf-8")


if __name__ == "__main__":
    main()
