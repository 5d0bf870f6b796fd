"""Play the bots against those of version 0.1, which run from a checkout over the bot protocol.

    git worktree add ../fernzug-0.1 0e10169
    (cd ../fernzug-0.1 && python setup.py build_ext --inplace)
    python benchmarks/against_old.py ../fernzug-0.1 planner planner --games 1000
    python benchmarks/against_old.py ../fernzug-0.1 search:seconds=0.1 search:seconds=0.1

Prints the arena's report for each board: the share of games won, with a 95 % interval. With more
than two players our bot sits alone against old ones. Games that are already in the file of results
are not played again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

BOARDS = ("usa", "london", "new_york", "berlin", "paris")
HERE = Path(__file__).parent


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", help="folder of a checkout of version 0.1, compiled")
    parser.add_argument("bot", help="one of our bots")
    parser.add_argument("old", help="one of the old bots")
    parser.add_argument("--boards", default=",".join(BOARDS))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--db", default="against_old.sqlite")
    args = parser.parse_args()
    program = f"{sys.executable} {HERE / 'old_bot.py'} {args.checkout} {args.old}"
    for board in args.boards.split(","):
        command = [sys.executable, "-m", "fernzug", "arena", args.bot, f"stdio:{program}"]
        command += ["--board", board, "--games", str(args.games), "--players", str(args.players)]
        command += ["--seed", str(args.seed), "--db", args.db]
        if args.players > 2:
            command += ["--alone"]
        if args.workers is not None:
            command += ["--workers", str(args.workers)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
