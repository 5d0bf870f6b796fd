"""Guess what a misspelled word was meant to be, and show words that nobody should type."""

from __future__ import annotations

import re
from collections.abc import Iterable

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that command a terminal, or turn the direction of what follows."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to this one, if any is similar enough."""
    from difflib import get_close_matches  # needed only when somebody has misspelled something

    return next(iter(get_close_matches(word, list(known), n=1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ", did you mean 'X'?" for the most similar known word, or an empty string."""
    guess = closest(word, known)
    return "" if guess is None else f", did you mean '{guess}'?"


def printable(text: str) -> str:
    """Return a text with control characters spelled out, so that none reaches a terminal."""
    return CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
