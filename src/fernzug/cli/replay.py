"""``fernzug replay``: print a recorded game."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from fernzug import record as records
from fernzug.cli import USAGE, CommandError
from fernzug.cli.arguments import load_record, whole_number
from fernzug.engine.seats import tickets_of
from fernzug.engine.state import OVER, State
from fernzug.events import Event, event_of
from fernzug.i18n import LANGUAGES, Texts, language_of
from fernzug.position import position_of
from fernzug.record import Record
from fernzug.score import score_sheets
from fernzug.tables import tables_of
from fernzug.terminal.layout import NO_LIMIT
from fernzug.terminal.scores import score_table, ticket_lines, winners_line
from fernzug.terminal.story import Story
from fernzug.terminal.style import Style, wants_color
from fernzug.terminal.words import Words
from fernzug.view import view_of
from fernzug.ways import completed


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="a record, or '-' for standard input")
    parser.add_argument(
        "--game",
        type=whole_number(0),
        metavar="N",
        help="which game of a file that has several; the first is 0",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object per line: each event and the position after it",
    )
    parser.add_argument(
        "--turn", type=whole_number(0), metavar="N", help="this turn only; 0 is the set-up"
    )
    parser.add_argument(
        "--seat",
        type=whole_number(0),
        metavar="N",
        help="only what this seat may know; seats count from 0, so player 1 has seat 0",
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="the language (default: that of $LANG)")
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    record = load_record(args.file, args.game)
    players = record.header["players"]
    if args.seat is not None and args.seat >= players:
        raise CommandError(f"there is no seat {args.seat} among {players} players", USAGE)
    texts = Texts(args.lang or language_of(os.environ))
    lines: Iterable[str]
    if args.json:
        objects = states(record, args.turn, args.seat)
        lines = (json.dumps(line, ensure_ascii=False) for line in objects)
    else:
        words = Words(record.board, texts, Style(wants_color() and not args.no_color))
        lines = told(record, words, args.turn, args.seat)
    anything = False
    for line in lines:
        anything = True
        print(line)
    if not anything:
        raise CommandError(texts("replay.no_turn", n=args.turn), USAGE)
    return 0


def states(record: Record, turn: int | None, seat: int | None) -> Iterator[dict[str, Any]]:
    """Yield each event with the position after it, or with the view of one seat."""
    tables = tables_of(record.board)
    for state, number in record.states():
        if turn is not None and state.turn != turn:
            continue
        event = event_of(tables, record.facts[number])
        line: dict[str, Any] = {"line": number + 2}
        if seat is None:
            line |= {"event": event.to_json(), "position": position_of(state, record.board.id)}
        else:
            line["event"] = event.seen_by(seat).to_json()
            line["view"] = view_of(state, seat, record.board.id).to_json()
        yield line


def told(record: Record, words: Words, turn: int | None, seat: int | None) -> list[str]:
    """Return the game in words."""
    state = records.replay(record).state
    tables = tables_of(record.board)
    story = Story(words)
    # Turns before the position that the game began from count as well.
    story.number = int(record.header.get("position", {}).get("turn", 0))
    story.follow(_seen(event_of(tables, fact), seat) for fact in record.facts)
    # Lines are wrapped for a terminal; in a file, a turn is one line.
    limit = shutil.get_terminal_size().columns if sys.stdout.isatty() else NO_LIMIT
    if turn is not None:
        story.turns = [each for each in story.turns if each.number == turn]
        return story.lines(numbered=True, width=limit)
    lines = story.lines(numbered=True, width=limit)
    return [*_head(record, words), "", *lines, "", *_end(state, words, seat)]


def _seen(event: Event, seat: int | None) -> Event:
    return event if seat is None else event.seen_by(seat)


def _head(record: Record, words: Words) -> list[str]:
    texts = words.texts
    lines = [
        words.style.bold(words.board.name_in(words.language))
        + " · "
        + texts.number("players", record.header["players"])
    ]
    seats = record.header.get("seats")
    if isinstance(seats, list) and all(isinstance(kind, str) for kind in seats):
        lines.append(", ".join(f"{words.player(i)}: {kind}" for i, kind in enumerate(seats)))
    if record.header.get("seeded"):
        lines.append(texts("replay.seeded"))
    return lines


def _end(state: State, words: Words, seat: int | None) -> list[str]:
    """Return the tickets and the scores, or the scores so far if the game is not over."""
    texts = words.texts
    if state.phase != OVER:
        if seat is not None:
            return [texts("replay.stops_seen")]
        return [texts("replay.stops"), "", *score_table(words, score_sheets(state))]
    lines = [words.style.bold(texts("score.tickets"))]
    board = words.board
    for each in range(int(state.players)):
        held = [board.tickets[number].id for number in tickets_of(state, each)]
        pairs = [(ticket, completed(state, each, ticket)) for ticket in held]
        lines += ticket_lines(words, each, pairs)
    sheets = score_sheets(state)
    return [*lines, "", *score_table(words, sheets), "", winners_line(words, sheets)]
