"""Which actions can be taken back: those that revealed nothing, until somebody else moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fernzug.engine import facts

REVEALING = frozenset(
    {
        facts.SHUFFLED,
        facts.SHUFFLED_TICKETS,
        facts.DEALT,
        facts.TURNED_UP,
        facts.RESHUFFLED,
        facts.OFFERED,
        facts.DREW,
        # All tickets are revealed.
        facts.ENDED,
    }
)
"""Facts that tell somebody something new."""


class Move(NamedTuple):
    """An action that was played at a table."""

    seat: int
    first_fact: int
    """The number of facts before it."""
    bot: bool


def can_undo(moves: Sequence[Move], noted: Sequence[tuple[int, ...]], seat: int) -> bool:
    """Whether a seat may take back its last action."""
    if not moves or moves[-1].seat != seat or moves[-1].bot:
        return False
    return all(fact[0] not in REVEALING for fact in noted[moves[-1].first_fact :])
