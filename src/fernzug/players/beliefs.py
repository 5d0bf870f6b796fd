"""Beliefs: how likely others are to hold each ticket, judged by what they have built.

Nobody builds at random: who has joined two places probably had a reason. In games of planners three
of four tickets that a seat had completed, seen by what it had built, were its own, of those not
even begun one in twenty at the beginning of a game and one in a hundred at its end. Half a way
says much at the beginning and little later: by then it has been gone for other tickets.
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

DEAD: Final = 50
"""The weight of a ticket that cannot be completed any more, but may have been kept."""

BEGUN: Final = 2_000
"""What is added for a way that is nearly built while hardly any pieces are; half a way counts a
quarter of that."""

COMPLETE: Final = 15_000
"""The weight of a ticket whose places are joined."""


def beliefs_of(known: Knowledge) -> vec[i64]:
    """Return the weight of each ticket for each seat, seat by seat."""
    s = known.state
    t = s.tables
    weights = filled(s.players * t.tickets, EVEN)
    empty = blank(t, s.players, 0)
    for seat in range(s.players):
        if seat == known.seat or known.ticket_count[seat] == 0:
            continue
        pieces: i64 = 0
        left: i64 = 0
        for kind in range(t.kinds):
            pieces += t.kind_count[kind]
            left += s.pieces[seat * t.kinds + kind]
        begun = BEGUN * left // pieces
        for ticket in range(t.tickets):
            way = spaces_from(empty, seat, t.ticket_a[ticket])[t.ticket_b[ticket]]
            missing = spaces_from(s, seat, t.ticket_a[ticket])[t.ticket_b[ticket]]
            weights[seat * t.tickets + ticket] = _weight(way, missing, begun)
    return weights


def _weight(way: i64, missing: i64, begun: i64) -> i64:
    if missing >= FAR:
        return DEAD
    if missing == 0:
        return COMPLETE
    built = max(way - missing, 0) * 100 // way
    return EVEN + begun * built * built // 10_000
