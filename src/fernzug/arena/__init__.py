"""The arena: bots play each other under the same luck, and are rated.

:class:`Contest` says who plays what, :class:`Store` is the file of results, :func:`run` plays the
games that it lacks, and :func:`summaries` sums up the results. ``docs/arena.md`` explains the
numbers.
"""

from fernzug.arena.contest import Contest, line_ups, seatings
from fernzug.arena.runner import run
from fernzug.arena.sprt import Sprt, Verdict
from fernzug.arena.store import Store, StoreError
from fernzug.arena.summary import Summary, summaries

__all__ = [
    "Contest",
    "Sprt",
    "Store",
    "StoreError",
    "Summary",
    "Verdict",
    "line_ups",
    "run",
    "seatings",
    "summaries",
]
