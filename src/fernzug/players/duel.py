"""Duels: many games between planners with different weights, without leaving the compiled core.

They are what weights are tuned with. A pair of games has the same cards and tickets, and the two
sides change seats.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import chance, rules
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import Stream
from fernzug.engine.scoring import totals, winners
from fernzug.engine.state import OVER, State
from fernzug.players import simple
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import decide


class Side:
    """One side of a duel; it plays one or more seats."""

    def begin(self, players: i64) -> None:
        """Forget the last game."""

    def decide(self, s: State, seat: i64) -> i64:
        """Return the action of a seat."""
        raise NotImplementedError


class Planners(Side):
    """Planners with one set of weights."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.plans: list[Plan] = []

    def begin(self, players: i64) -> None:
        """Forget the plans."""
        self.plans = [Plan(self.outlook, seat) for seat in range(int(players))]

    def decide(self, s: State, seat: i64) -> i64:
        """Return the planner's action."""
        return decide(s, self.plans[seat])


class Racers(Side):
    """Racers."""

    def decide(self, s: State, seat: i64) -> i64:
        """Return the racer's action."""
        return simple.racer(s, seat)


class GreedyOnes(Side):
    """Greedy players."""

    def decide(self, s: State, seat: i64) -> i64:
        """Return the greedy action."""
        return simple.greedy(s, seat)


def duel(
    table: State, one: Side, other: Side, seed: i64, first: i64, pairs: i64
) -> tuple[list[float], list[float]]:
    """Play pairs of games; return by pair what the first side has won, and its mean margin.

    With more than two players the first side has one seat, and the other side the rest. A game that
    is won counts 1, a tie its share.
    """
    won: list[float] = []
    margins: list[float] = []
    players = table.players
    for pair in range(pairs):
        share = 0.0
        margin = 0.0
        for seat in range(players):
            s = table.copy()
            s.seed = game_seed(seed, first + pair)
            s.first_player = Stream(s.seed, chance.FIRST_PLAYER).below(players)
            rules.set_up(s)
            _play(s, one, other, seat)
            found = winners(s)
            if (found >> seat) & 1:
                number: i64 = 0
                for each in range(players):
                    number += (found >> each) & 1
                share += 1.0 / float(number)
            margin += float(_margin(totals(s), seat))
        won.append(share / float(players))
        margins.append(margin / float(players))
    return won, margins


def _play(s: State, one: Side, other: Side, seat: i64) -> None:
    one.begin(s.players)
    other.begin(s.players)
    while s.phase != OVER:
        if s.seat == seat:
            rules.apply(s, seat, one.decide(s, seat))
        else:
            rules.apply(s, s.seat, other.decide(s, s.seat))


def _margin(points: vec[i64], seat: i64) -> i64:
    best: i64 = -1_000_000
    for other in range(i64(len(points))):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best
