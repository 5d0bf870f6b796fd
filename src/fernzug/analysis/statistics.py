"""Means and standard errors of what came of actions in common worlds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from fernzug.players.trials import MIN_WORLDS, Tally

SPREAD = 5.5
"""How uncertain the points at the end of a playout are, in points, for each turn that every player
has in it; they add up as independent errors do. Chosen by games between bots: measured in points it
is about the same on all boards, which it is not in parts of what a turn is worth."""

HIDDEN_SPREAD = 3.0
"""The same for positions that are seen from one seat. The hands and tickets that are dealt to the
others for a playout already make the points at its end uncertain."""
HIDDEN_ODDS = math.exp(-0.65)
"""What the odds of the viewer are multiplied by. Tickets that are dealt at random do not suit what
the others have built, so in playouts they do worse than they really will. Chosen, like the spreads,
by games between bots."""

DOUBT = 1.0
"""By how many standard errors another action must lead to count as better at all."""


class Mean(NamedTuple):
    """A mean, and its standard error."""

    value: float
    error: float


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of values; of a single one the error is not known, and told as 0."""
    number = len(values)
    middle = sum(values) / number
    if number < 2:
        return Mean(middle, 0.0)
    squares = sum((value - middle) ** 2 for value in values)
    return Mean(middle, math.sqrt(squares / (number - 1) / number))


def difference(one: Tally, other: Tally) -> Mean:
    """Return by how much one action is better than another, world by world."""
    pairs = zip(one.values, other.values, strict=False)  # as far as both were tried
    return mean([a - b for a, b in pairs])


def chances(tally: Tally) -> tuple[float, ...]:
    """Return each seat's chance of winning."""
    total = sum(tally.win)
    return tuple(share / total for share in tally.win)


def against_hidden(chance: Mean) -> Mean:
    """Return the viewer's chance against players whose real tickets suit them better."""
    total = chance.value * HIDDEN_ODDS + 1.0 - chance.value
    slope = HIDDEN_ODDS / (total * total)
    return Mean(chance.value * HIDDEN_ODDS / total, chance.error * slope)


def best_of(tallies: Sequence[Tally]) -> Tally:
    """Return the action that did best of those that were tried in most worlds."""
    most = max(tally.worlds for tally in tallies)
    running = [tally for tally in tallies if tally.worlds == most]
    return max(running, key=lambda tally: tally.rank)


def proven_best(tallies: Sequence[Tally]) -> Tally:
    """Return the first action, or that with the largest lead over it that is more than noise.

    After few worlds nothing is proven. Actions that were dropped have fallen behind.
    """
    first = tallies[0]
    best, most = first, 0.0
    if first.worlds < MIN_WORLDS:
        return first
    for tally in tallies[1:]:
        if tally.worlds == first.worlds:
            lead = difference(tally, first)
            proven = lead.value - DOUBT * lead.error
            if proven > most:
                best, most = tally, proven
    return best
