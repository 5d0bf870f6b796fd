"""What somebody probably meant who misspelled a word."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, if one is like it at all."""
    return next(iter(get_close_matches(word, list(known), n=1)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence that names the known word most like this one, or nothing."""
    meant = closest(word, known)
    return "" if meant is None else f", did you mean '{meant}'?"
