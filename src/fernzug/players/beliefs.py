"""Beliefs: how likely others are to hold each ticket, judged by what they have built.

Nobody builds at random: who has nearly joined two places probably has a reason. A ticket counts
the more, the larger the part of its way that a seat has built already.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.knowledge import Knowledge
from fernzug.engine.state import blank, filled
from fernzug.players.outlook import FAR
from fernzug.players.simple import spaces_from

EVEN: Final = 100
"""The weight of a ticket that nothing speaks for."""


def beliefs_of(known: Knowledge, strength: i64) -> vec[i64]:
    """Return the weight of each ticket for each seat, seat by seat.

    ``strength`` is what is added, in hundredths, for a ticket whose way is built.
    """
    s = known.state
    t = s.tables
    weights = filled(s.players * t.tickets, EVEN)
    empty = blank(t, s.players, 0)
    for seat in range(s.players):
        if seat == known.seat or known.ticket_count[seat] == 0:
            continue
        for ticket in range(t.tickets):
            way = spaces_from(empty, seat, t.ticket_a[ticket])[t.ticket_b[ticket]]
            left = spaces_from(s, seat, t.ticket_a[ticket])[t.ticket_b[ticket]]
            weights[seat * t.tickets + ticket] = _weight(way, left, strength)
    return weights


def _weight(way: i64, left: i64, strength: i64) -> i64:
    if left >= FAR:
        return EVEN // 2  # it cannot be completed any more, but may have been kept
    built = max(way - left, 0) * 100 // max(way, 1)
    return EVEN + strength * built * built // 10_000
