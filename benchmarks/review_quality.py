"""Measure whether reviews find mistakes: random choices at known places against a search's own.

    python benchmarks/review_quality.py --board london --games 50
    python benchmarks/review_quality.py --board usa --every 10 --results usa.jsonl --minutes 10

In games of two searches some choices, one in 25 or as asked for, are replaced by random ones. A
check with 20 times the iterations says what each of them really cost. The review is the one that
people get: with its usual iterations. Its time is that of the processor, on one core.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

import fernzug
import partial
from fernzug import analysis, bots
from fernzug.analysis.reviewer import ITERATIONS, Reviewer
from fernzug.record import Record

WRONG = ("mistake", "blunder")
COSTLY = 0.05
CHECK = 20


def played(board: fernzug.Board, seed: int, bot: str, every: int) -> tuple[Record, list[int]]:
    """Return a game in which some decisions were random, and the numbers of these decisions."""
    dice = random.Random(seed)
    players = [bots.make(bot, board, seed=16 * seed + seat) for seat in range(2)]
    game = fernzug.Game(board, 2, seed=seed)
    number, replaced = 0, []
    while (seat := game.seat) is not None:
        view = game.view(seat)
        action = players[seat].choose(view, view.legal)
        others = [each for each in view.legal if each != action]
        if others and dice.randrange(every) == 0:
            action = dice.choice(others)
            replaced.append(number)
        game.play(action)
        number += 1
    return game.record(), replaced


def judged(
    board: fernzug.Board, seed: int, bot: str, every: int, iterations: int
) -> dict[str, Any]:
    """Return what the review and the check say about a game."""
    record, replaced = played(board, seed, bot, every)
    started = time.process_time()
    review = analysis.review(record, iterations)
    seconds = time.process_time() - started
    check = Reviewer(record, CHECK * iterations, seed=1)
    # The deal is the first step, so the decision of a number is the step after it.
    truths = [truth for number in replaced if (truth := check.decision(number + 1)) is not None]
    known = {truth.event: truth for truth in truths}
    wrong, own = [], []
    for decision in review.decisions:
        told = decision.to_json()
        if decision.event in known:
            wrong.append({**told, "check": round(known[decision.event].loss, 6)})
        else:
            own.append(told)
    return {"seconds": seconds, "replaced": wrong, "own": own}


def main() -> None:
    """Play, review and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", default="london")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--bot", default="search:iterations=300", help="who plays")
    parser.add_argument(
        "--every",
        type=int,
        default=25,
        metavar="N",
        help="one choice in so many is random (default: 25)",
    )
    partial.add_arguments(parser)
    args = parser.parse_args()
    board = fernzug.board(args.board)
    settings = {
        "board": args.board,
        "bot": args.bot,
        "every": args.every,
        "iterations": args.iterations,
    }
    games: list[dict[str, Any]] = partial.collect(
        lambda seed: judged(board, seed, args.bot, args.every, args.iterations),
        args.games,
        args,
        settings,
    )
    if not games:
        sys.exit("no game was played")
    report(args.board, games)


def report(board: str, games: list[dict[str, Any]]) -> None:
    """Print the figures."""
    replaced = [each for game in games for each in game["replaced"]]
    own = [each for game in games for each in game["own"]]
    costly = [each for each in replaced if each["check"] >= COSTLY]
    found = sum(each["verdict"] in WRONG for each in costly)
    blamed = sum(each["verdict"] in WRONG for each in own)
    seconds = sorted(game["seconds"] for game in games)
    print(f"{board}: {len(games)} games, {len(replaced)} random choices")
    print(f"marked as mistake or blunder of those that cost {COSTLY:.0%}: {share(found, costly)}")
    print(f"of the search's own decisions: {share(blamed, own)}")
    print(f"CPU time of a review: {sum(seconds) / len(seconds):.1f} s, at most {seconds[-1]:.1f} s")


def share(number: int, of: list[Any]) -> str:
    """Return a number and its share."""
    return f"{number} of {len(of)} ({number / max(len(of), 1):.1%})"


if __name__ == "__main__":
    main()
