"""A review as one self-contained page of HTML, without scripts, fonts or pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from fernzug.board.model import Board, Route, Ticket
from fernzug.cli.analyse import Mistake, Report, percent, signed
from fernzug.engine.seats import tickets_of
from fernzug.engine.state import NONE

if TYPE_CHECKING:
    from fernzug.notation import Action

MAX_BOARDS = 12
WIDTH, HEIGHT, LEFT = 760, 220, 76
SEATS = ("#b5202f", "#1f5fb4", "#1a6b48", "#8d6e00", "#4a4f57", "#a1437f", "#1d7f8a", "#8a5a2b")
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2")
TONES = {
    "black": "#33353b",
    "blue": "#2c69bb",
    "gray": "#8f887a",
    "green": "#2c8239",
    "orange": "#d9751a",
    "pink": "#d873a6",
    "purple": "#7d48a6",
    "red": "#c9382e",
    "white": "#c9c3b6",
    "yellow": "#d9b300",
}
OTHER_TONE = "#7a6a58"

STYLE = """
:root { color-scheme: light dark; --paper: #fffdf8; --ink: #24211c; --soft: #5d564a;
  --line: #ddd6c8; --loss: #a8231c; --plate: #fffdf8; }
@media (prefers-color-scheme: dark) { :root { --paper: #1e1c19; --ink: #efe9dc; --soft: #b5ac9b;
  --line: #45403a; --loss: #ff9a8c; --plate: #f4efe4; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid var(--line); text-align: right; }
th { color: var(--soft); vertical-align: bottom; } td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.note { color: var(--soft); font-size: .9rem; } .loss { color: var(--loss); }
.plate { color: #24211c; background: var(--plate); border-radius: .5rem; }
svg { display: block; width: 100%; height: auto; overflow: visible; } svg text { fill: #24211c; }
.axis { font-size: 14px; } .grid { stroke: #cfc7b6; }
.legend { list-style: none; margin: 0 0 1rem; padding: 0 .8rem .5rem; display: flex;
  flex-wrap: wrap; gap: 0 1.2rem; }
.name { font-size: calc(var(--size) * 1.1); paint-order: stroke; stroke: var(--plate);
  stroke-width: 3px; }
.name.end { font-weight: 700; } .place { fill: #fffdf8; stroke: #24211c; stroke-width: 2; }
.place.end { fill: #24211c; } .better { stroke: #ffb61e; } .played { stroke: #24211c; }
dt { font-weight: 600; border-left: .5rem solid; padding-left: .5rem; margin-bottom: .2rem; }
dt.played { border-color: var(--ink); } dt.better { border-color: #ffb61e; }
dd { margin: 0 0 .4rem; }
@media (max-width: 40rem) { table { font-size: .8rem; } th, td { padding: .3rem .18rem; }
  td:first-child { white-space: normal; }
  .axis { font-size: 22px; } .name { display: none; } .name.end { display: block;
  font-size: calc(var(--size) * 2.2); stroke-width: 6px; } }
"""


def page(report: Report) -> str:
    """Return the page."""
    words, texts = report.words, report.texts
    name = words.board.name_in(words.language)
    title = escape(f"{name} · {texts('analyse.title')}")
    mistakes = report.mistakes()
    parts = [
        f'<!doctype html>\n<html lang="{texts.language}">\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>",
        "" if report.review.complete else f'<p class="note">{escape(report.stopped())}</p>',
        f"<h2>{escape(texts('analyse.chance'))}</h2>",
        graph(report),
        _table(report.sums()),
        f'<p class="note">{_error(report)}</p>',
    ]
    if not mistakes:
        parts.append(f"<p>{escape(texts('analyse.none'))}</p>")
    parts += [_section(report, each) for each in mistakes[:MAX_BOARDS]]
    if len(mistakes) > MAX_BOARDS:
        more = texts.number("analyse.more", len(mistakes) - MAX_BOARDS)
        parts.append(f'<p class="note">{escape(more)}</p>')
    return "\n".join([*parts, "</html>\n"])


def _error(report: Report) -> str:
    return escape(report.texts("analyse.error", error=percent(max(report.review.error))))


def _table(rows: Sequence[Sequence[str]]) -> str:
    def line(tag: str, row: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"

    body = "\n".join(line("td", row) for row in rows[1:])
    return f'<div class="wide"><table>\n{line("th", rows[0])}\n{body}\n</table></div>'


def _section(report: Report, mistake: Mistake) -> str:
    texts = report.texts
    decision = mistake.decision
    head = escape(report.head(decision))
    why = escape(" ".join(mistake.why))
    return "\n".join(
        [
            f'<h2>{head} <span class="loss">{signed(-decision.loss)}</span></h2>',
            f'<dl><dt class="played">{escape(texts("analyse.played", deed=mistake.played))}</dt>',
            f'<dt class="better">{escape(texts("analyse.better", deed=mistake.better))}</dt>',
            f"<dd>{why}</dd></dl>",
            picture(report, mistake),
        ]
    )


# ---------------------------------------------------------------------------- the graph


def graph(report: Report) -> str:
    """Return the chances of all seats over the game."""
    rows = report.rows()
    step = (WIDTH - LEFT - 10) / max(len(rows) - 1, 1)

    def y(chance: float) -> float:
        return round(12 + (1 - chance) * (HEIGHT - 24), 1)

    marks = []
    for chance in (0.0, 0.5, 1.0):
        marks.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y(chance)}" y2="{y(chance)}"/>'
        )
        marks.append(
            f'<text class="axis" x="{LEFT - 6}" y="{y(chance)}" dy=".35em" text-anchor="end">'
            f"{percent(chance)}</text>"
        )
    for seat in range(report.review.players):
        points = " ".join(
            f"{round(LEFT + i * step, 1)},{y(row[seat])}" for i, row in enumerate(rows)
        )
        name = escape(report.words.player(seat))
        marks.append(
            f'<polyline fill="none" stroke="{SEATS[seat % len(SEATS)]}" stroke-width="2.5" '
            f'stroke-dasharray="{DASHES[seat % len(DASHES)]}" points="{points}">'
            f"<title>{name}</title></polyline>"
        )
    legend = "".join(
        f'<li style="color:{SEATS[seat % len(SEATS)]}">● {escape(report.words.player(seat))}</li>'
        for seat in range(report.review.players)
    )
    label = escape(report.texts("analyse.chance"))
    return (
        f'<div class="plate"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f'{"".join(marks)}</svg><ul class="legend">{legend}</ul></div>'
    )


# ---------------------------------------------------------------------------- the board


def picture(report: Report, mistake: Mistake) -> str:
    """Return the board before a decision, with what was played and what was better."""
    board = report.record.board
    sizes = board.drawing
    language = report.words.language
    marks = []
    played, better = _route(mistake.decision.action), _route(mistake.decision.best)
    for number, route in enumerate(board.routes):
        kind = {better: "better", played: "played"}.get(route.id, "")
        marks.append(_lane(board, route, int(mistake.before.owner[number]), kind))
    ends = _ends(board, mistake)
    for place in board.locations:
        kind = " end" if place.id in ends else ""
        marks.append(
            f'<circle class="place{kind}" cx="{place.x}" cy="{place.y}" '
            f'r="{sizes.location_radius}"/>'
            f'<text class="name{kind}" x="{place.x}" y="{place.y - sizes.location_radius - 4}" '
            f'text-anchor="{_anchor(place.x, sizes.width)}" style="--size:{sizes.font_size}px">'
            f"{escape(place.name_in(language))}</text>"
        )
    label = escape(f"{mistake.played}; {mistake.better}")
    return (
        f'<svg class="plate" viewBox="0 0 {sizes.width} {sizes.height}" role="img" '
        f'aria-label="{label}">{"".join(marks)}</svg>'
    )


def _anchor(x: float, width: float) -> str:
    """Return from where a name is written, so that those near an edge stay inside."""
    return "start" if x < 0.12 * width else "end" if x > 0.88 * width else "middle"


def _ends(board: Board, mistake: Mistake) -> set[str]:
    """Return the places that the seat has to think of: its tickets' and those of both actions."""
    decision = mistake.decision
    pairs: list[Ticket | Route] = [
        board.tickets[number] for number in tickets_of(mistake.before, decision.seat)
    ]
    for action in (decision.action, decision.best):
        if action.route is not None:
            pairs.append(board.routes[action.route])
    return {place for pair in pairs for place in (pair.a, pair.b)}


def _route(action: Action) -> str | None:
    return action.route if action.kind == "claim" else None


def _lane(board: Board, route: Route, owner: int, kind: str) -> str:
    """Return a route: spaces in its colour, or a line in the colour of its owner."""
    path = _path(board, route)
    width = board.drawing.space_width
    found = ""
    if kind:
        found = f'<path class="{kind}" d="{path}" fill="none" stroke-width="{width * 1.8}"/>'
    if owner != NONE:
        color = SEATS[owner % len(SEATS)]
        return f'{found}<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'
    tone = TONES.get(route.color, OTHER_TONE)
    # Spaces are the dashes of a line whose length is counted in tenths of a space.
    return (
        f'{found}<path d="{path}" fill="none" stroke="{tone}" stroke-opacity=".75" '
        f'stroke-width="{width * 0.7}" pathLength="{route.length * 10}" stroke-dasharray="8 2" '
        'stroke-dashoffset="-1"/>'
    )


def _path(board: Board, route: Route) -> str:
    """Return the curve of a lane; its middle is moved sideways by the bend of the route."""
    a, b = board.locations[route.a], board.locations[route.b]
    dx, dy = b.x - a.x, b.y - a.y
    far = math.hypot(dx, dy) or 1.0
    # Lane 1 is the upper one, or the left one where the route runs straight down.
    up = 1 if dx > 0 or (dx == 0 and dy < 0) else -1
    side = 0.0
    if route.twin is not None:
        side = (
            (board.drawing.space_width + board.drawing.lane_gap)
            / 2
            * (-up if route.lane == 1 else up)
        )
    nx, ny = -dy / far, dx / far
    points = [
        (a.x + nx * side, a.y + ny * side),
        ((a.x + b.x) / 2 + nx * (route.bend + side), (a.y + b.y) / 2 + ny * (route.bend + side)),
        (b.x + nx * side, b.y + ny * side),
    ]
    (x1, y1), (x2, y2), (x3, y3) = ((round(x, 1), round(y, 1)) for x, y in points)
    return f"M{x1} {y1}Q{x2} {y2} {x3} {y3}"
