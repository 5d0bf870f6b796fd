"""When memory is tidied up.

The collector of cyclic garbage stops everything while it looks at all objects: for 130 to 140 ms
during play with 1,200 connections, in the two runs in which that was measured. Nearly everything
here is freed without it, so the thorough search is made rarely, at a time of our own choosing, and
not of what has lasted.
"""

from __future__ import annotations

import gc
import time

from fernzug.server.log import note

YOUNG = 20_000
"""So many new objects before the youngest are looked through."""
MIDDLE = 50
NEVER = 1_000_000


def calm() -> None:
    """Let the collector look through young objects only."""
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    gc.freeze()


def tidy() -> None:
    """Search thoroughly once, and set aside what has lasted."""
    began = time.perf_counter()
    gc.unfreeze()
    found = gc.collect()
    gc.freeze()
    note("memory_tidied", found=found, seconds=round(time.perf_counter() - began, 3))
