"""Summaries as tables of text, for the terminal and for the page."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from fernzug.arena.contest import LineUp
from fernzug.arena.summary import BotSummary, Figure, LineSummary, Summary
from fernzug.bots import Budget

NOTHING = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text, headings first; ``align`` has a ``<`` or ``>`` for each column."""

    rows: list[list[str]]
    align: str


def title(summary: Summary) -> str:
    """Return what was played, in one line."""
    seeds = ", ".join(map(str, summary.seeds))
    blocks = "block" if summary.blocks == 1 else "blocks"
    parts = [
        summary.board,
        f"{summary.players} players",
        f"{summary.games:,} games in {summary.blocks:,} {blocks}",
        f"seed {seeds}",
    ]
    if budget_text(summary.budget):
        parts.insert(2, budget_text(summary.budget))
    return " \N{MIDDLE DOT} ".join(parts)


def budget_text(budget: Budget) -> str:
    """Return a budget in words; empty if there is none."""
    parts = []
    if budget.iterations is not None:
        parts.append(f"{budget.iterations} iterations")
    if budget.seconds is not None:
        parts.append(f"{budget.seconds:g} s")
    return " or ".join(parts)


def bot_table(summary: Summary) -> Table:
    """Return the table of bots, strongest first."""
    head = ["bot", "rating", "95 %", "won", "95 %", "points", "95 %", "tickets", "turns"]
    head += ["ms/decision", "slowest", "failures"]
    rows = [_bot_row(row, len(summary.bots) > 1) for row in summary.bots]
    return Table([head, *rows], "<" + ">" * (len(head) - 1))


def _bot_row(row: BotSummary, rated: bool) -> list[str]:
    # A bot that has only met itself has no rating, and its share is fixed.
    rating = (number(row.rating, "+.0f"), range_of(row.rating, "+.0f"))
    won = (share(row.won), share_range(row.won))
    return [
        row.bot,
        *(rating if rated else (NOTHING, NOTHING)),
        *(won if rated else (NOTHING, NOTHING)),
        number(row.points, ".1f"),
        range_of(row.points, ".1f"),
        share(row.tickets),
        f"{row.turns:.1f}",
        f"{row.seconds * 1000:.2f}",
        f"{row.slowest * 1000:.0f}",
        str(row.failures),
    ]


def line_table(summary: Summary) -> Table | None:
    """Return the shares won in each line-up; None if no bot has met another."""
    if not summary.lines:
        return None
    head = ["line-up", "games", "bot", "won", "95 %", "even"]
    rows = [_line_row(row) for row in summary.lines]
    return Table([head, *rows], "<><>>>")


def _line_row(row: LineSummary) -> list[str]:
    even = f"{100 * row.even:.0f} %"
    won = (share(row.won), share_range(row.won))
    return [line_up_text(row.line_up), f"{row.games:,}", row.bot, *won, even]


def line_up_text(line_up: LineUp) -> str:
    """Return the bots of a table in words."""
    counts = Counter(line_up)
    return ", ".join(f"{times} \N{MULTIPLICATION SIGN} {bot}" for bot, times in counts.items())


def notes(summary: Summary) -> list[str]:
    """Return anything else the reader should know."""
    found = []
    if len(summary.bots) > 1:
        found.append(f"Ratings are Elo-like, {summary.anchor} = 0.")
    if summary.left_out:
        one = summary.left_out == 1
        games = (
            "1 game in an incomplete block is"
            if one
            else f"{summary.left_out:,} games in incomplete blocks are"
        )
        found.append(f"{games} left out.")
    for row in summary.bots:
        if row.failure is not None:
            found.append(
                f"{row.bot} failed in {row.failures:,} of {row.seats:,} games and was replaced by "
                f"a random player; first: {row.failure}"
            )
    return found


def number(figure: Figure, form: str) -> str:
    """Return the value of a figure."""
    return format(figure.value, form) if math.isfinite(figure.value) else NOTHING


def range_of(figure: Figure, form: str) -> str:
    """Return the interval of a figure."""
    if not math.isfinite(figure.low) or figure.low == figure.high:
        return NOTHING
    return f"{figure.low:{form}} to {figure.high:{form}}"


def share(figure: Figure) -> str:
    """Return a share as a percentage."""
    return f"{100 * figure.value:.1f} %" if math.isfinite(figure.value) else NOTHING


def share_range(figure: Figure) -> str:
    """Return the interval of a share as percentages."""
    return range_of(Figure(100 * figure.value, 100 * figure.low, 100 * figure.high), ".1f")
