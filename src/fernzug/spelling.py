"""Guess what a misspelled word was meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most similar to this one, if any is similar enough."""
    from difflib import get_close_matches  # needed only when somebody has misspelled something

    return next(iter(get_close_matches(word, list(known), n=1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ", did you mean 'X'?" for the most similar known word, or an empty string."""
    guess = closest(word, known)
    return "" if guess is None else f", did you mean '{guess}'?"
