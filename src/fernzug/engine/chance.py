"""Chance: named streams of random numbers that are the same everywhere.

The generator is sfc32 (Chris Doty-Humphrey's small fast counting generator, 128 bits of state).
It is written here because the standard library's generators are too slow for the compiled core,
and because all its sums stay below 2**63: native ints and Python's ints give the same numbers, so
the same seed gives the same game on every platform, compiled or plain.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

MASK: Final = 0xFFFFFFFF

# What a game draws from. One stream for each purpose: the same seed lays the same decks whatever
# the players do.
CARDS: Final = 1
TICKETS: Final = 2
FIRST_PLAYER: Final = 3
POSITION: Final = 4  # what a position leaves open
PLAYERS: Final = 5  # random players; bots take streams of their own from BOTS on
BOTS: Final = 16
RESHUFFLES: Final = 1024  # the k-th reshuffle of a game has the stream RESHUFFLES + k

SEEDS: Final = 1 << 62
"""Seeds are the whole numbers from 0 below this one."""


@final
class Stream:
    """One named stream of a seed."""

    def __init__(self, seed: i64, name: i64) -> None:
        self.a: i64 = seed & MASK
        self.b: i64 = (seed >> 32) & MASK
        self.c: i64 = name & MASK
        self.count: i64 = 1
        # The author of sfc32 recommends discarding the first twelve numbers.
        for _ in range(12):
            self.next()

    def next(self) -> i64:
        """Return the next 32 random bits."""
        b = self.b
        c = self.c
        result = (self.a + b + self.count) & MASK
        self.count = (self.count + 1) & MASK
        self.a = b ^ (b >> 9)
        self.b = (c + (c << 3)) & MASK
        self.c = ((((c << 21) & MASK) | (c >> 11)) + result) & MASK
        return result

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n - 1, each equally likely (n below 2**31)."""
        # Lemire's multiplication: the high half is the answer; the few low values that would
        # favour some answers are drawn again.
        product = self.next() * n
        if (product & MASK) < n:
            floor = (MASK + 1 - n) % n
            while (product & MASK) < floor:
                product = self.next() * n
        return product >> 32

    def shuffle(self, items: vec[i64], size: i64) -> None:
        """Shuffle the first ``size`` items."""
        i = size - 1
        while i > 0:
            j = self.below(i + 1)
            item = items[i]
            items[i] = items[j]
            items[j] = item
            i -= 1
