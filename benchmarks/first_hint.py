"""Measure how strong hints are: a player who always takes the first one against the level expert.

    python benchmarks/first_hint.py --boards london,usa --games 200
    python benchmarks/first_hint.py --boards london --iterations 100

The hints are those that the server gives to people, with the same iterations and time. On a busy
machine that means fewer iterations; with a number of one's own there is no limit of time, and the
games are the same everywhere. With ``--forgetful``, each hint comes from a new plan. Prints the
arena's report for each board: the share of games won, with a 95 % interval. Games that are already
in the file of results are not played again, so a run can be stopped and continued.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from fernzug.analysis import Adviser
from fernzug.board.model import Board
from fernzug.bots import Bot
from fernzug.notation import Action
from fernzug.server.bot_worker import HINT_ITERATIONS, HINT_SECONDS
from fernzug.view import View

BOARDS = ("usa", "london", "new_york", "berlin", "paris")


class FirstHint(Bot):
    """Takes the first hint, as somebody would who trusts them blindly."""

    def __init__(
        self, board: Board, seed: int = 0, iterations: int = 0, forgetful: int = 0
    ) -> None:
        super().__init__(board, seed)
        self.adviser = Adviser()
        self.forgetful = bool(forgetful)
        self.iterations = iterations or HINT_ITERATIONS
        self.seconds = 0.0 if iterations else HINT_SECONDS

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return the action of the first hint; without a choice there is nothing to ask."""
        if len(legal) == 1:
            return legal[0]
        if self.forgetful:
            self.adviser = Adviser()
        return self.adviser.hints(view, self.iterations, seconds=self.seconds)[0].action


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
    parser.add_argument("--forgetful", action="store_true", help="make a new plan for each hint")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--db", default="first_hint.sqlite")
    args = parser.parse_args()
    settings = [f"iterations={args.iterations}"] if args.iterations else []
    settings += ["forgetful=1"] if args.forgetful else []
    hinted = f"{__file__}:FirstHint" + (f":{','.join(settings)}" if settings else "")
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
