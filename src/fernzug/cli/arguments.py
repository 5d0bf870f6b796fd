"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import inspect
import os
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fernzug.cli import FAULT, USAGE, CommandError, Parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fernzug.board.model import Board
    from fernzug.record import Record
    from fernzug.sim.crew import Crew


HELP_WIDTH = 78


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser for whole numbers from ``least`` on."""

    def number(text: str) -> int:
        # People group the digits of large numbers.
        digits = text.replace("_", "").replace(",", "")
        if not (digits.isascii() and digits.removeprefix("-").isdigit()):
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
        if int(digits) < least:
            raise argparse.ArgumentTypeError(f"{text} is too small, the minimum is {least}")
        return int(digits)

    return number


def describe_bots(parser: Parser, default: str | None = None) -> None:
    """List levels and bots, with a line about each, at the end of a command's help."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = textwrap.fill(parser.description or "", HELP_WIDTH)
    parser.write_epilog = lambda: _levels_and_bots(default)


def _levels_and_bots(default: str | None) -> str:
    from fernzug import bots
    from fernzug.i18n import Texts

    texts = Texts("en")
    levels = {
        id: texts(f"level.{id}.line") + (" (default)" if id == default else "")
        for id in bots.OPPONENTS
    }
    makers = {name: _first_line(maker) for name, maker in bots.BUILTIN.items()}
    makers["FILE.py:CLASS"] = "A class of your own in a Python file."
    makers["policy"] = "A trained agent, as in policy:file=agent.npz (needs numpy)."
    makers["stdio:COMMAND"] = "Runs a program that speaks the bot protocol."
    lines = ["levels:", *_definitions(levels), "", "bots:", *_definitions(makers), ""]
    lines.append("Parameters follow a colon, as in search:iterations=500 or planner:slips=20.")
    return "\n".join(lines)


def _first_line(maker: object) -> str:
    return (inspect.getdoc(maker) or "").partition("\n")[0]


def _definitions(texts: Mapping[str, str]) -> Iterator[str]:
    for word, text in texts.items():
        yield textwrap.fill(
            text, HELP_WIDTH, initial_indent=f"  {word:<15}", subsequent_indent=" " * 17
        )


def add_crew(parser: Parser, fewer: bool) -> None:
    """Declare the arguments that say who plays: processes of this machine, or a cluster."""
    parser.add_argument(
        "--workers",
        type=whole_number(1),
        metavar="W",
        help=f"processes (default: one per core{', fewer for a small job' if fewer else ''})",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Ray cluster: 'auto' for the one this machine belongs to, 'local' to start "
        "one here, or an address (needs ray)",
    )


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def cluster(args: argparse.Namespace) -> Iterator[Crew | None]:
    """Connect to the cluster that the arguments name, if they name one."""
    if args.cluster is None:
        yield None
        return
    from fernzug.sim.cluster import Cluster, NoCluster

    try:
        with Cluster(args.cluster, args.workers) as crew:
            yield crew
    except NoCluster as error:
        raise CommandError(str(error)) from None


def seed(text: str) -> int:
    """Read a seed."""
    from fernzug.engine.chance import SEEDS

    number = whole_number(0)(text)
    if number >= SEEDS:
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to {SEEDS - 1}")
    return number


def load_board(name: str) -> Board:
    """Load a board by id or path; report everything that is wrong with a faulty file."""
    from fernzug import BoardError, board

    try:
        return board(name)
    except BoardError as error:
        raise CommandError("\n".join(["the board file is faulty", *error.lines(name)])) from None
    except ValueError as error:
        # An unknown id is a typo; a file that cannot be read is a faulty file.
        unreadable = isinstance(error.__cause__, OSError)
        raise CommandError(str(error), FAULT if unreadable else USAGE) from None


@contextmanager
def readable_record(name: str) -> Iterator[None]:
    """Turn errors in reading a record into a message that says where and why."""
    from fernzug.record import RecordError

    try:
        yield
    except RecordError as error:
        text = str(error).removeprefix(f"line {error.line}: ")
        raise CommandError(f"{name}:{error.line}: {text}") from None
    except OSError as error:
        raise CommandError(f"cannot read '{name}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{name}:1: this is not a text file, so it cannot be a record") from None


def load_record(name: str, game: int | None) -> Record:
    """Read a record and replay it once, so that nothing is printed if it is broken."""
    import sys

    from fernzug import record as records

    with readable_record(name):
        if game is not None:
            if name == "-":
                raise CommandError("--game is for files, not for standard input", USAGE)
            found = next(records.read(name, first=game), None)
            if found is None:
                raise CommandError(f"'{name}' has no game {game}; the first is 0", USAGE)
            record = found
        elif name == "-":
            record = records.parse(sys.stdin.read())
        else:
            record = _only(name)
        records.replay(record)
    return record


def _only(name: str) -> Record:
    from fernzug import record as records

    try:
        return records.load(name)
    except records.SeveralRecords:
        raise CommandError(
            f"'{name}' has several games; choose one with --game N, where the first is 0", USAGE
        ) from None


def check_players(board: Board, players: int) -> None:
    """Refuse a number of players that the board is not meant for."""
    if players not in board.players:
        raise CommandError(
            f"{board.name} is for {board.min_players} to {board.max_players} players, "
            f"not {players}",
            USAGE,
        )
