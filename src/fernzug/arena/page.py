"""The report as one self-contained page of HTML, without scripts, fonts or pictures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from fernzug.arena import report
from fernzug.arena.report import NOTHING, Table
from fernzug.arena.summary import Summary

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fbfaf7; --faint: #8b93a1;
  --line: #d9d6cd; --mark: #1f6feb; --band: #1f6feb33; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ee; --paper: #161a20; --faint: #8d96a5;
  --line: #333b47; --mark: #6ea8ff; --band: #6ea8ff33; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 3rem; } h3 { font-size: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { text-align: left; color: var(--faint); font-weight: 600; } .n { text-align: right; }
.note { color: var(--faint); font-size: .9rem; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; max-width: 52rem; } svg text { fill: var(--ink); font-size: 13px; }
svg .tick { fill: var(--faint); font-size: 11px; } svg .grid { stroke: var(--line); }
svg .mark { fill: var(--mark); } svg .whisker { stroke: var(--mark); stroke-width: 2; }
svg .band { fill: var(--band); stroke: var(--mark); }
"""

WIDTH = 720
LABELS = 190
"""The width of the column with the bots' names."""

RIGHT = 24
ROW = 30


def page(summaries: Sequence[Summary]) -> str:
    """Return the page."""
    sections = "\n".join(_section(summary) for summary in summaries)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Fernzug arena</title>\n<style>{STYLE}</style>\n<h1>Fernzug arena</h1>\n"
        f"{sections}\n</html>\n"
    )


def _section(summary: Summary) -> str:
    parts = [f"<h2>{escape(report.title(summary))}</h2>", _table(report.bot_table(summary))]
    parts += [f'<p class="note">{escape(note)}</p>' for note in report.notes(summary)]
    if len(summary.bots) > 1:
        rated = [row for row in summary.bots if math.isfinite(row.rating.value)]
        parts.append("<h3>Ratings with 95 % intervals</h3>")
        parts.append(
            whiskers([(r.bot, r.rating.low, r.rating.value, r.rating.high) for r in rated])
        )
    parts.append("<h3>Points: median, middle half, and nine games out of ten</h3>")
    parts.append(boxes([(row.bot, row.spread) for row in summary.bots]))
    lines = report.line_table(summary)
    if lines is not None:
        parts += ["<h3>Line-ups</h3>", _table(lines)]
        parts += ["<h3>How often the row had a better rank than the column</h3>", _cross(summary)]
    return "\n".join(parts)


def _table(table: Table) -> str:
    return _html_table(
        [[escape(cell) for cell in row] for row in table.rows],
        ["n" if align == ">" else "" for align in table.align],
    )


def _html_table(rows: Sequence[Sequence[str]], classes: Sequence[str]) -> str:
    def line(tag: str, cells: Iterable[str]) -> str:
        pairs = zip(cells, classes, strict=True)
        return "<tr>" + "".join(f'<{tag} class="{c}">{cell}</{tag}>' for cell, c in pairs) + "</tr>"

    body = "\n".join(line("td", row) for row in rows[1:])
    return f'<div class="wide"><table>\n{line("th", rows[0])}\n{body}\n</table></div>'


def _cross(summary: Summary) -> str:
    names = [row.bot for row in summary.bots]
    rows = [["", *(escape(name) for name in names)]]
    for row in names:
        pairs = [summary.pairs.get((row, column)) for column in names]
        cells = [NOTHING if pair is None else report.share(pair) for pair in pairs]
        rows.append([escape(row), *cells])
    return _html_table(rows, ["", *("n" for _ in names)])


# ---------------------------------------------------------------------------- plots


class Scale:
    """Maps numbers to positions along the width of a plot."""

    def __init__(self, values: Iterable[float]) -> None:
        numbers = [value for value in values if math.isfinite(value)] or [0.0]
        low, high = min(numbers), max(numbers)
        self.step = _round_step((high - low) / 6 or 1.0)
        self.low = math.floor(low / self.step) * self.step
        self.high = max(math.ceil(high / self.step) * self.step, self.low + self.step)

    def x(self, value: float) -> float:
        """Return the position of a number."""
        part = (value - self.low) / (self.high - self.low)
        return round(LABELS + part * (WIDTH - LABELS - RIGHT), 1)

    def grid(self, height: int) -> list[str]:
        """Return lines and numbers."""
        found = []
        for i in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + i * self.step
            x = self.x(value)
            found.append(f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{height}"/>')
            found.append(
                f'<text class="tick" x="{x}" y="{height + 16}" text-anchor="middle">'
                f"{value:g}</text>"
            )
        return found


def _round_step(rough: float) -> float:
    """Round up to the next of 1, 2, 5, 10, 20, 50 and so on."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= rough * 0.999)


def whiskers(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Return a plot of values with their intervals: name, low, value, high."""
    scale = Scale(value for row in rows for value in row[1:])
    marks = []
    for i, (name, low, value, high) in enumerate(rows):
        y = i * ROW + ROW // 2
        marks.append(_label(name, y))
        marks.append(
            f'<line class="whisker" x1="{scale.x(low)}" x2="{scale.x(high)}" y1="{y}" y2="{y}"/>'
        )
        marks.append(f'<circle class="mark" cx="{scale.x(value)}" cy="{y}" r="5"/>')
    return _plot(scale, marks, len(rows))


def boxes(rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Return a plot of distributions: name and five quantiles."""
    scale = Scale(value for _, values in rows for value in values)
    marks = []
    for i, (name, values) in enumerate(rows):
        y = i * ROW + ROW // 2
        low, first, middle, third, high = (scale.x(value) for value in values)
        marks.append(_label(name, y))
        marks.append(f'<line class="whisker" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>')
        marks.append(
            f'<rect class="band" x="{first}" y="{y - 9}" width="{round(third - first, 1)}" '
            'height="18"/>'
        )
        marks.append(
            f'<line class="whisker" x1="{middle}" x2="{middle}" y1="{y - 9}" y2="{y + 9}"/>'
        )
    return _plot(scale, marks, len(rows))


def _label(name: str, y: int) -> str:
    short = name if len(name) <= 22 else name[:21] + "\N{HORIZONTAL ELLIPSIS}"
    return (
        f'<text x="{LABELS - 14}" y="{y + 4}" text-anchor="end">{escape(short)}'
        f"<title>{escape(name)}</title></text>"
    )


def _plot(scale: Scale, marks: Sequence[str], rows: int) -> str:
    height = rows * ROW
    content = "\n".join([*scale.grid(height), *marks])
    return f'<svg viewBox="0 0 {WIDTH} {height + 24}" role="img">\n{content}\n</svg>'
