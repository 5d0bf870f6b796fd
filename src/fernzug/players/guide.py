"""The guide of a search: a network says which actions are worth trying, and what came of them.

Instead of finishing a game, all seats go on as the network would for a few turns, each from what
it may know; then the network judges the position with the eyes of the searching seat.
"""

from __future__ import annotations

import math
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from fernzug.engine import rules
from fernzug.engine.knowledge import Knowledge
from fernzug.engine.observation import short_legal
from fernzug.engine.scoring import totals
from fernzug.engine.state import OVER, TURN, State
from fernzug.players.net import HIDDEN_BITS, SCORE_BITS, Net

MARGIN: Final = 0.25
"""The most that the margin counts, beside a rank from 1 to -1."""

WIDE_MARGIN: Final = 60.0
"""The margin, in points, that counts for nearly that."""

UNLIKELY: Final = 6
"""An action is not tried if the network finds its choice more likely by this power of e."""


@final
class Guide:
    """A network that leads a search."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.unlikely: i64 = UNLIKELY

    def options(self, known: Knowledge, most: i64) -> vec[i64]:
        """Return the actions worth trying, in the order of the network's liking."""
        s = known.state
        seat = known.seat
        net = self.net
        net.look_known(known)
        net.score()
        actions = short_legal(s, seat)
        scores = net.scores
        number = i64(len(actions))
        for i in range(i64(1), number):
            action = actions[i]
            j = i
            while j > 0 and scores[actions[j - 1]] < scores[action]:
                actions[j] = actions[j - 1]
                j -= 1
            actions[j] = action
        least = scores[actions[0]] - self.unlikely * (1 << (HIDDEN_BITS + SCORE_BITS))
        chosen = vec[i64]()
        for i in range(min(number, most)):
            if scores[actions[i]] >= least:
                chosen = append(chosen, full(s, seat, actions[i]))
        return chosen

    def choice(self, s: State, seat: i64) -> i64:
        """Return the action that the network likes best, from what the seat may know."""
        net = self.net
        net.look(s, seat)
        net.score()
        scores = net.scores
        actions = short_legal(s, seat)
        best = actions[0]
        for i in range(i64(1), i64(len(actions))):
            if scores[actions[i]] > scores[best]:
                best = actions[i]
        return full(s, seat, best)

    def value(self, s: State, seat: i64, turns: i64) -> float:
        """Go on for some turns of a seat; return what the game is then worth to it, up to 1."""
        left = turns
        while s.phase != OVER:
            if s.phase == TURN and s.seat == seat:
                left -= 1
                if left <= 0:
                    self.net.look(s, seat)
                    return self.net.value()
            rules.apply(s, s.seat, self.choice(s, s.seat))
        return worth(s, seat)


def full(s: State, seat: i64, action: i64) -> i64:
    """Return an action of the short table as one of the whole table."""
    claim = s.tables.claim
    return action if action < claim else rules.canonical(s, seat, action - claim)


def worth(s: State, seat: i64) -> float:
    """Return what a finished game is worth to a seat: its rank, and a little the margin."""
    points = totals(s)
    best: i64 = -1_000_000
    better: i64 = 0
    same: i64 = 0
    for other in range(s.players):
        if other != seat:
            best = max(best, points[other])
            if points[other] > points[seat]:
                better += 1
            elif points[other] == points[seat]:
                same += 1
    rank = 1.0 - float(2 * better + same) / float(max(s.players - 1, 1))
    margin = math.tanh(float(points[seat] - best) / WIDE_MARGIN)
    return (rank + MARGIN * margin) / (1.0 + MARGIN)
