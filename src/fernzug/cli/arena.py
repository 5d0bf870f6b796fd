"""``fernzug arena``: have bots play each other under the same luck, and rate them."""

from __future__ import annotations

import argparse
import logging
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from fernzug import arena
from fernzug.arena import Contest, Sprt, Store, StoreError, Summary, Verdict, export, summaries
from fernzug.arena import report as words
from fernzug.arena.contest import LineUp
from fernzug.bots import Budget
from fernzug.bots.guard import log
from fernzug.cli import INTERRUPTED, USAGE, CommandError, Parser
from fernzug.cli.arguments import (
    add_crew,
    check_players,
    cluster,
    cores,
    describe_bots,
    load_board,
    whole_number,
)
from fernzug.cli.arguments import seed as seed_argument
from fernzug.cli.files import whole_file, whole_path
from fernzug.cli.progress import Progress
from fernzug.drafts import errors_naming
from fernzug.sim import WorkerLost, columns
from fernzug.terminal.layout import NO_LIMIT, narrow_table

REPORT = "report"
MERGE = "merge"
FILE = "arena.sqlite"
MAX_WARNINGS = 3
"""How many failures of one bot are printed during a contest; all of them are in the file."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.usage = (
        "fernzug arena BOT [BOT ...] --board B [--players N] [--games G] [options]\n"
        "       fernzug arena report [FILE] [--html FILE] [--csv FILE] [--parquet FILE]\n"
        "       fernzug arena merge FILE [FILE ...] [--db FILE] [--mix]"
    )
    parser.description = (
        "Have bots play each other, all under the same luck and from all seats, and rate them. "
        "Results go to a file; games that are already there are not played again, so a contest "
        "that was stopped carries on where it was. 'report' shows what is in a file, and 'merge' "
        "adds the games of other files to it, such as those of other machines."
    )
    describe_bots(parser)
    number = whole_number(1)
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help="a level or a bot, see below; a single one plays against itself",
    )
    parser.add_argument("--board", metavar="B", help="id of a board, or path of a board file")
    parser.add_argument("--players", type=number, default=2, metavar="N", help="default: 2")
    parser.add_argument(
        "--games",
        type=number,
        default=100,
        metavar="G",
        help="games per line-up, rounded up to whole blocks (default: 100)",
    )
    parser.add_argument(
        "--alone",
        action="store_true",
        help="with more than two players: only the first bot sits alone against each of the others",
    )
    add_crew(parser, fewer=False)
    parser.add_argument("--seed", type=seed_argument, default=0, metavar="S", help="default: 0")
    parser.add_argument(
        "--budget",
        type=budget,
        default=Budget(),
        metavar="T",
        help="per decision of a bot that searches: '500' iterations or '0.5s' (default: its own)",
    )
    parser.add_argument("--db", metavar="FILE", help=f"file for the results (default: {FILE})")
    parser.add_argument(
        "--mix",
        action="store_true",
        help="add to a file even though the engine or the bots have changed since",
    )
    parser.add_argument(
        "--sprt",
        type=sprt,
        metavar="LOW:HIGH",
        help="stop as soon as it is decided whether the first bot wins at most LOW or at least "
        "HIGH of the games, as in 0.5:0.55; a third number is the error rate (0.05)",
    )
    parser.add_argument("--html", metavar="FILE", help="write the report as a page with plots")
    parser.add_argument(
        "--csv", metavar="FILE", help="write one row per seat; '-' for standard output"
    )
    parser.add_argument("--parquet", metavar="FILE", help="write one row per seat (needs pyarrow)")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.parquet is not None:
        try:
            columns.parquet()  # before hours of games, not after them
        except columns.MissingPackage as error:
            raise CommandError(str(error)) from None
    if args.bots[0] == MERGE:
        return run_merge(args)
    return run_report(args) if args.bots[0] == REPORT else run_contest(args)


# ---------------------------------------------------------------------------- arguments


def budget(text: str) -> Budget:
    """Read a budget."""
    try:
        if text.endswith("s"):
            seconds = float(text[:-1])
            if 0.0 < seconds < 1e6:
                return Budget(seconds=seconds)
        elif int(text) > 0:
            return Budget(iterations=int(text))
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a budget; write '500' iterations or '0.5s'")


def sprt(text: str) -> Sprt:
    """Read the hypotheses of an early stop."""
    try:
        low, high, *error = (float(part) for part in text.split(":"))
        return Sprt(low, high, *error)
    except TypeError:
        raise argparse.ArgumentTypeError(f"'{text}' has too many numbers") from None
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not of the form LOW:HIGH ({error})"
        ) from None


# ---------------------------------------------------------------------------- playing


def run_contest(args: argparse.Namespace) -> int:
    """Play the missing games, then print a summary."""
    if args.board is None:
        raise CommandError("choose a board: --board B, an id or the path of a board file", USAGE)
    board = load_board(args.board)
    check_players(board, args.players)
    try:
        # Only the first bot's share is tested, so the reverse line-up would be wasted.
        alone = args.alone or args.sprt is not None
        contest = Contest(
            board, args.players, tuple(args.bots), args.games, args.seed, args.budget, alone
        )
        with open_store(args.db or FILE, create=True) as store, Files(args) as files:
            code = play(contest, store, args)
            wanted = [s for s in summaries(store) if _is_of(s, contest)]
            print_tables(wanted, quiet=args.csv == "-")
            if not wanted:
                print("no block is complete yet", file=sys.stderr)
            files.write(store, wanted)
            return code
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _is_of(summary: Summary, contest: Contest) -> bool:
    return (summary.board, summary.players, summary.budget) == (
        contest.board.id,
        contest.players,
        contest.budget,
    )


def play(contest: Contest, store: Store, args: argparse.Namespace) -> int:
    """Play the missing games; return the exit code."""
    progress: list[Progress] = []

    def show(done: int, total: int) -> None:
        if not progress:
            progress.append(Progress(max(total, 1)))
        progress[0].show(done)

    handler = Warnings(progress)
    log.addHandler(handler)
    propagates, log.propagate = log.propagate, False
    try:
        workers = args.workers or cores()
        with cluster(args) as crew:
            outcome = arena.run(contest, store, workers, args.sprt, args.mix, show, crew)
    except KeyboardInterrupt:
        _clear(progress)
        again = f"the same command carries on with '{store.path}'"
        print(f"fernzug arena: stopped; {again}", file=sys.stderr)
        return INTERRUPTED
    except WorkerLost as error:
        raise CommandError(f"{error}; the games so far are in '{store.path}'") from None
    except StoreError as error:
        raise CommandError(f"{error} (--mix)" if "mixed" in str(error) else str(error)) from None
    finally:
        _clear(progress)
        log.removeHandler(handler)
        log.propagate = propagates
    seconds = progress[0].seconds if progress else 0.0
    print(f"{outcome.played:,} games played in {seconds:.1f} s", file=sys.stderr)
    for line_up, verdict in outcome.verdicts.items():
        print(verdict_line(line_up, verdict, args.sprt), file=sys.stderr)
    return 0


def verdict_line(line_up: LineUp, verdict: Verdict, test: Sprt) -> str:
    """Return the decision of a test in words."""
    if verdict.accepted == "H1":
        meaning = f"wins at least {100 * test.high:g} %"
    else:
        meaning = f"wins at most {100 * test.low:g} %"
    return (
        f"{words.line_up_text(line_up)}: decided after {verdict.blocks} blocks, "
        f"{verdict.accepted}: {line_up[0]} {meaning} "
        f"(log ratio {verdict.ratio:+.2f}, bounds {test.bound:.2f})"
    )


def _clear(progress: list[Progress]) -> None:
    for bar in progress:
        bar.clear()


class Warnings(logging.Handler):
    """Prints the first failures of each bot without garbling the progress bar."""

    def __init__(self, progress: list[Progress]) -> None:
        super().__init__(logging.WARNING)
        self.progress = progress
        self.told: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Print a failure if it is one of the first of its bot."""
        bot = str(record.args[0]) if isinstance(record.args, tuple) and record.args else ""
        self.told[bot] += 1
        if self.told[bot] <= MAX_WARNINGS:
            _clear(self.progress)
            print(f"fernzug arena: {record.getMessage()}", file=sys.stderr)
            if self.told[bot] == MAX_WARNINGS:
                print("fernzug arena: further failures are not shown", file=sys.stderr)


# ---------------------------------------------------------------------------- reports


@contextmanager
def open_store(name: str, create: bool) -> Iterator[Store]:
    """Open a file with results; tell if it cannot be read or written, such as on a full disk."""
    try:
        store = Store(name, create=create)
    except StoreError as error:
        raise CommandError(str(error)) from None
    with store:
        try:
            yield store
        except sqlite3.Error as error:
            raise CommandError(f"'{name}' cannot be used: {error}") from None


def run_report(args: argparse.Namespace) -> int:
    """Print a summary of a file."""
    names: Sequence[str] = args.bots[1:] + ([args.db] if args.db else [])
    if len(names) > 1:
        raise CommandError("'report' takes one file", USAGE)
    with open_store(names[0] if names else FILE, create=False) as store, Files(args) as files:
        found = summaries(store)
        if not found:
            raise CommandError(f"'{store.path}' has no complete block of games yet")
        print_tables(found, quiet=args.csv == "-")
        files.write(store, found)
    return 0


def run_merge(args: argparse.Namespace) -> int:
    """Add the games of some files to another, and print a summary of it."""
    names: Sequence[str] = args.bots[1:]
    target = args.db or FILE
    if not names:
        raise CommandError("name the files to merge: fernzug arena merge A B --db ALL", USAGE)
    if any(Path(name).resolve() == Path(target).resolve() for name in names):
        raise CommandError(f"'{target}' cannot be merged into itself", USAGE)
    with ExitStack() as stack:
        # All of them are opened first, so that a wrong name changes nothing.
        others = [stack.enter_context(open_store(name, create=False)) for name in names]
        store = stack.enter_context(open_store(target, create=True))
        files = stack.enter_context(Files(args))
        for other in others:
            try:
                added = store.merge(other, args.mix)
            except StoreError as error:
                raise CommandError(f"{error} (--mix)") from None
            print(f"{added:,} games added from '{other.path}'", file=sys.stderr)
        found = summaries(store)
        print_tables(found, quiet=args.csv == "-")
        files.write(store, found)
    return 0


def print_tables(found: Sequence[Summary], quiet: bool) -> None:
    """Print summaries as tables, unless standard output is used for something else."""
    if quiet:
        return
    for i, summary in enumerate(found):
        print(("\n\n" if i else "") + words.title(summary) + "\n")
        for part in (words.bot_table(summary), words.line_table(summary)):
            if part is not None:
                print("\n".join(narrow_table(part.rows, part.align, _columns())) + "\n")
        print("\n".join(words.notes(summary)))


def _columns() -> int:
    """Return the maximum width of a table; there is none in a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else NO_LIMIT


class Files:
    """The files that the arguments name: what cannot be written is noticed before any game."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self._stack = ExitStack()

    def __enter__(self) -> Files:
        args = self.args
        with ExitStack() as stack:
            self._html = stack.enter_context(whole_file(args.html)) if args.html else None
            self._csv = stack.enter_context(whole_file(args.csv)) if args.csv else None
            self._parquet = stack.enter_context(whole_path(args.parquet)) if args.parquet else None
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def write(self, store: Store, found: Sequence[Summary]) -> None:
        """Write all of them."""
        from fernzug.arena import page

        if self._html is not None:
            self._html.write(page.page(found))
        if self._csv is not None:
            export.write_csv(store, self._csv)
        if self._parquet is not None:
            with errors_naming(self.args.parquet):
                export.write_parquet(store, self._parquet)
