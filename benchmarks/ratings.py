"""Rate the levels and personalities: one contest on all boards, with two and four players.

    python benchmarks/ratings.py --db evening.sqlite
    python benchmarks/ratings.py --db evening.sqlite --boards london --players 2
    python benchmarks/ratings.py --db evening.sqlite --bots master,expert --games 1000
    python benchmarks/ratings.py --db evening.sqlite --games 0 --write

The first command plays everything, which takes an evening or a night. It can be stopped at any time
and goes on where it stopped, and parts can be played by themselves, as in the next two commands.
The last one plays nothing more, prints the ratings as they stand in ``docs/bots.md``, and writes
``src/fernzug/bots/ratings.toml``.

``random`` plays too: it is the zero of the ratings. At tables for two everybody meets everybody; at
tables for four each of the others sits alone among three ``expert``s, and three of it with one.
``master`` thinks for a number of playouts instead of seconds, so that the games can be repeated and
a busy machine does not make it weaker.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import fernzug
from fernzug import bots
from fernzug.arena import Contest, Store, Summary, run, summaries
from fernzug.arena.report import bot_table, line_table, title

ZERO = "random"
"""Who is rated 0."""

RATED = 2
"""The number of players for which people are shown ratings."""

TOP = "master"
"""Who takes its time."""

PEER = "expert"
"""Who everybody meets at larger tables."""

BOARDS = ("usa", "london", "new_york", "berlin", "paris")
"""The boards in the order of the documentation."""

OUT = Path(__file__).parent.parent / "src" / "fernzug" / "bots" / "ratings.toml"

HEAD = """\
# How strong the levels and personalities are: Elo-like points above a bot that plays at random,
# with two players, as measured by the arena. docs/bots.md says how, and shows the same numbers.
"""


def entrant(name: str, iterations: int) -> str:
    """Return the bot that plays for a level: for the slow one, that with a number of playouts."""
    return f"search:iterations={iterations}" if name == TOP else name


def contests(args: argparse.Namespace) -> list[Contest]:
    """Return what is to be played, the quickest first."""
    found = []
    names = [entrant(name, args.iterations) for name in args.bots]
    for players in args.players:
        for name in args.boards:
            board = fernzug.board(name)
            if players not in board.players:
                print(f"{name} is not for {players} players", file=sys.stderr)
            elif players == RATED:
                found.append(Contest(board, players, names, args.games, args.seed))
            else:
                for one in names:
                    if one != PEER:
                        pair = (one, PEER)
                        found.append(Contest(board, players, pair, args.games, args.seed))
    return found


def play(args: argparse.Namespace, store: Store) -> None:
    """Play what the store lacks."""
    todo = contests(args)
    for number, contest in enumerate(todo, start=1):
        outcome = run(contest, store, args.workers)
        print(
            f"{number} of {len(todo)}: {contest.board.id}, {contest.players} players, "
            f"{outcome.played} games played",
            file=sys.stderr,
        )


def show(found: list[Summary]) -> None:
    """Print the tables of all contests."""
    for summary in found:
        print(title(summary) + "\n")
        for table in (bot_table(summary), line_table(summary)):
            if table is not None:
                widths = [max(map(len, column)) for column in zip(*table.rows, strict=True)]
                for row in table.rows:
                    cells = zip(row, widths, table.align, strict=True)
                    print("  ".join(f"{text:{align}{width}}" for text, width, align in cells))
                print()


def ratings(found: list[Summary], players: int, iterations: int) -> dict[str, dict[str, int]]:
    """Return the ratings of the levels and personalities at tables of a size, by board."""
    rated: dict[str, dict[str, int]] = {}
    for summary in found:
        if summary.players == players and summary.anchor == ZERO:
            points = {one.bot: round(one.rating.value) for one in summary.bots}
            names = {name: entrant(name, iterations) for name in bots.OPPONENTS}
            rated[summary.board] = {
                name: points[bot] for name, bot in names.items() if bot in points
            }
    return {board: rated[board] for board in BOARDS if board in rated}


def table(rated: dict[str, dict[str, int]]) -> str:
    """Return the ratings as a table for the documentation."""
    rows = [f"| | {' | '.join(rated)} |", f"|---|{'---|' * len(rated)}"]
    for name in bots.OPPONENTS:
        cells = [str(points.get(name, "")) for points in rated.values()]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows)


def main() -> None:
    """Play, print, and write the file if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--db", required=True, help="file for the results")
    parser.add_argument("--boards", type=lambda text: text.split(","), default=BOARDS)
    parser.add_argument(
        "--players", type=lambda text: [int(part) for part in text.split(",")], default=[2, 4]
    )
    parser.add_argument("--games", type=int, default=200, help="per line-up; 0 to play none")
    parser.add_argument("--iterations", type=int, default=1000, help="for a decision of `master`")
    parser.add_argument(
        "--bots", type=lambda text: text.split(","), default=[ZERO, *bots.OPPONENTS]
    )
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="write the ratings that people see")
    args = parser.parse_args()
    with Store(args.db) as store:
        if args.games:
            play(args, store)
        found = summaries(store)
    show(found)
    for players in args.players:
        print(f"{players} players\n\n{table(ratings(found, players, args.iterations))}\n")
    if args.write:
        rated = ratings(found, RATED, args.iterations)
        parts = [
            f"[{board}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
            for board, points in rated.items()
        ]
        OUT.write_text(HEAD + "\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
