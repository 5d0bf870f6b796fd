"""Sets of routes as words of bits.

A word holds 60 routes, so that it stays positive as a native int and means the same number in
plain Python.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

WORD: Final = 60
HIGHEST: Final = 1 << 59


def bit(route: i64) -> i64:
    """Return the bit of a route in its word."""
    # Shifted down, not up: mypyc writes a small literal as a C int, which has 32 bits only.
    return HIGHEST >> (WORD - 1 - route % WORD)


def count(word: i64) -> i64:
    """Return how many bits are set."""
    x = word - ((word >> 1) & 0x555555555555555)
    x = (x & 0x333333333333333) + ((x >> 2) & 0x333333333333333)
    x = (x + (x >> 4)) & 0xF0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    return (x + (x >> 32)) & 0x7F


def lowest(word: i64) -> i64:
    """Return the place of the lowest bit that is set."""
    return count((word & -word) - 1)


def nth(word: i64, n: i64) -> i64:
    """Return the place of the n-th bit that is set, counted from 0."""
    while n > 0:
        word &= word - 1
        n -= 1
    return lowest(word)


def members(words: vec[i64]) -> vec[i64]:
    """Return the routes of a set, in their order."""
    routes = vec[i64]()
    for w in range(i64(len(words))):
        left = words[w]
        while left:
            routes = append(routes, w * WORD + lowest(left))
            left &= left - 1
    return routes


def common(one: vec[i64], other: vec[i64]) -> vec[i64]:
    """Return the routes that are in both of two sets, in their order."""
    both = one[:]
    for w in range(i64(len(both))):
        both[w] &= other[w]
    return members(both)


def has(words: vec[i64], route: i64) -> bool:
    """Whether a route is in a set."""
    return words[route // WORD] & bit(route) != 0
