"""Measure whether reviews find mistakes: random choices at known places against a search's own.

    python benchmarks/review_quality.py --board london --places 100

In games between searches, one choice per game is replaced by a random one. A check with 20 times
the iterations says what it really cost.
"""

from __future__ import annotations

import argparse
import random

import fernzug
from fernzug import analysis, bots
from fernzug.analysis.reviewer import Reviewer
from fernzug.record import Record

WRONG = ("mistake", "blunder")
COSTLY = 0.05


def played(board: fernzug.Board, seed: int) -> tuple[Record, int]:
    """Return a game in which one decision was random, and the number of that decision."""
    dice = random.Random(seed)
    place = dice.randrange(2, 40)
    players = [bots.make("search:iterations=300", board, seed=seed + seat) for seat in range(2)]
    game = fernzug.Game(board, 2, seed=seed)
    number, replaced = 0, -1
    while (seat := game.seat) is not None:
        view = game.view(seat)
        action = players[seat].choose(view, view.legal)
        if replaced < 0 and number >= place and len(view.legal) > 1:
            action, replaced = dice.choice(view.legal), number
        game.play(action)
        number += 1
    return game.record(), replaced


def main() -> None:
    """Play, review and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="london")
    parser.add_argument("--places", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=300)
    args = parser.parse_args()
    board = fernzug.board(args.board)
    costly = found = own = blamed = seed = places = 0
    while places < args.places:
        seed += 1
        record, replaced = played(board, seed)
        if replaced < 0:
            continue
        places += 1
        # The deal is the first step, so the decision of a number is the step after it.
        check = Reviewer(record, 20 * args.iterations, seed=1).do(replaced + 1).decision
        assert check is not None
        review = analysis.review(record, args.iterations)
        for decision in review.decisions:
            if decision.event == check.event:
                costly += check.loss >= COSTLY
                found += check.loss >= COSTLY and decision.verdict in WRONG
            else:
                own += 1
                blamed += decision.verdict in WRONG
    print(f"{args.board}: {places} random choices, {costly} of them cost {COSTLY:.0%} or more")
    if costly:
        print(f"marked as mistake or blunder: {found} ({found / costly:.1%})")
    print(f"the search's own decisions so marked: {blamed} of {own} ({blamed / own:.1%})")


if __name__ == "__main__":
    main()
