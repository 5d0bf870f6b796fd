"""Measure how strong hints are: a player who always takes the first one against the level expert.

    python benchmarks/first_hint.py --boards london,usa --games 200
    python benchmarks/first_hint.py --boards london --iterations 100

The hints are those that the server gives to people, with the same iterations and time. On a busy
machine that means fewer iterations; with a number of one's own there is no limit of time, and the
games are the same everywhere. Prints the arena's report for each board: the share of games won,
with a 95 % interval. Games that are already in the file of results are not played again, so a run
can be stopped and continued.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from fernzug.analysis import hints
from fernzug.board.model import Board
from fernzug.bots import Bot
from fernzug.notation import Action
from fernzug.server.bot_worker import HINT_ITERATIONS, HINT_SECONDS
from fernzug.view import View

BOARDS = ("usa", "london", "new_york", "berlin", "paris")


class FirstHint(Bot):
    """Takes the first hint, as somebody would who trusts them blindly."""

    def __init__(self, board: Board, seed: int = 0, iterations: int = 0) -> None:
        super().__init__(board, seed)
        self.iterations = iterations or HINT_ITERATIONS
        self.seconds = 0.0 if iterations else HINT_SECONDS

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return the action of the first hint; without a choice there is nothing to ask."""
        if len(legal) == 1:
            return legal[0]
        return hints(view, self.iterations, seconds=self.seconds)[0].action


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", default=",".join(BOARDS))
    parser.add_argument("--against", default="expert", metavar="BOT", help="default: expert")
    parser.add_argument(
        "--iterations", type=int, default=0, help="for each hint (default: as the server does)"
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--db", default="first_hint.sqlite")
    args = parser.parse_args()
    hinted = f"{__file__}:FirstHint"
    if args.iterations:
        hinted += f":iterations={args.iterations}"
    for board in args.boards.split(","):
        command = [sys.executable, "-m", "fernzug", "arena", hinted, args.against]
        command += ["--board", board, "--games", str(args.games), "--players", str(args.players)]
        command += ["--seed", str(args.seed), "--db", args.db]
        if args.players > 2:
            command += ["--alone"]
        if args.workers is not None:
            command += ["--workers", str(args.workers)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
