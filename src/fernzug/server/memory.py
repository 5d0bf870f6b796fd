"""When garbage is collected.

Python's collector of cyclic garbage stops everything while it looks at all objects: for 130 to
140 ms during play with 1,200 connections, in the two runs in which that was measured. Nearly
everything here is freed without it, so a full collection is rare, comes at a time of our own
choosing, and skips the objects that have outlived earlier ones.
"""

from __future__ import annotations

import gc
import time

from fernzug.server.log import note

YOUNG = 20_000
"""How many new objects there are before the youngest generation is collected."""
MIDDLE = 50
NEVER = 1_000_000


def collect_young_only() -> None:
    """Let Python collect young objects only; :func:`collect` does the rest."""
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    gc.freeze()


def collect() -> None:
    """Make one full collection, and leave out of later ones what has survived it."""
    began = time.perf_counter()
    gc.unfreeze()
    found = gc.collect()
    gc.freeze()
    note("garbage_collected", found=found, seconds=round(time.perf_counter() - began, 3))
