"""Colours in the terminal, if it has any."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

RESET = "\x1b[0m"

# Background and letters of a card by its colour; a board may have colours that are not listed.
CARDS: Mapping[str, tuple[int, int]] = {
    "black": (236, 255),
    "blue": (26, 231),
    "brown": (94, 231),
    "gray": (244, 16),
    "green": (28, 231),
    "orange": (208, 16),
    "pink": (218, 16),
    "purple": (91, 231),
    "red": (160, 231),
    "white": (255, 16),
    "yellow": (226, 16),
}
RAINBOW = (203, 215, 227, 120, 117, 183)
PLAYERS = (203, 75, 114, 221, 250, 213, 80, 180)


def wants_color(stream: TextIO | None = None) -> bool:
    """Whether to use colours: the terminal has them and the user has not declined."""
    out = sys.stdout if stream is None else stream
    return can_move(out) and not os.environ.get("NO_COLOR")


def can_move(stream: TextIO) -> bool:
    """Whether a line can be overwritten."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class Style:
    """Colours text, or leaves it alone."""

    def __init__(self, colored: bool) -> None:
        self.colored = colored

    def _wrap(self, codes: str, text: str) -> str:
        return f"\x1b[{codes}m{text}{RESET}" if self.colored else text

    def bold(self, text: str) -> str:
        """Something that should catch the eye."""
        return self._wrap("1", text)

    def dim(self, text: str) -> str:
        """Something less important."""
        return self._wrap("2", text)

    def good(self, text: str) -> str:
        """Something won."""
        return self._wrap("32", text)

    def bad(self, text: str) -> str:
        """Something refused or lost."""
        return self._wrap("31", text)

    def player(self, seat: int, text: str) -> str:
        """Something that belongs to a player."""
        return self._wrap(f"1;38;5;{PLAYERS[seat % len(PLAYERS)]}", text)

    def card(self, color: str, text: str) -> str:
        """A card, or a route of that colour."""
        if not self.colored or color not in CARDS:
            return text
        ground, letters = CARDS[color]
        return self._wrap(f"48;5;{ground};38;5;{letters}", f" {text} ")

    def wild(self, text: str) -> str:
        """A wild card, in all colours."""
        if not self.colored:
            return text
        letters = (
            f"\x1b[1;38;5;{RAINBOW[i % len(RAINBOW)]}m{letter}" for i, letter in enumerate(text)
        )
        return "".join(letters) + RESET
