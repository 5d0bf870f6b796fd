"""Patterns of actions: what a step asks for, in the notation of actions.

A pattern is the beginning of an action's text. ``draw`` is any card, ``draw wild`` a face-up wild
card, ``claim`` any route, ``claim gray`` any gray one, ``claim a-b`` a certain one, either lane and
however it is paid, ``claim a-b.2`` the second lane. In what follows, ``*`` stands for anything:
``claim a-b *wild*`` is paid with at least one wild card, ``claim * *flag`` keeps a card in Paris.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from fernzug.board.model import GRAY, WILD, Board
from fernzug.notation import (
    CLAIM_WORD,
    DECK_WORD,
    DRAW_WORD,
    KEEP_WORD,
    TICKETS_WORD,
    WORDS,
    Action,
)
from fernzug.spelling import did_you_mean

ANY = "*"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern; :func:`fault_of` says whether it makes sense on a board."""

    text: str

    @property
    def words(self) -> list[str]:
        """The words of the pattern."""
        return self.text.lower().split()

    def fits(self, action: Action, board: Board) -> bool:
        """Whether an action is what the pattern describes."""
        kind, *rest = self.words
        if kind != action.kind:
            return False
        said = action.text.split()[1:]
        if kind == CLAIM_WORD and rest:
            if not _fits_route(rest[0], said[0], board):
                return False
            said, rest = said[1:], rest[1:]
        return fnmatchcase(" ".join(said), " ".join(rest) or ANY)


def _fits_route(wanted: str, claimed: str, board: Board) -> bool:
    route = board.routes[claimed]
    if wanted in (ANY, GRAY):
        return wanted == ANY or route.color == GRAY
    if wanted.endswith((".1", ".2")):
        return board.routes[wanted].id == claimed
    return claimed in (board.routes[wanted].id, board.routes[wanted].twin)


def fault_of(pattern: Pattern, board: Board) -> str | None:
    """Return in words what is wrong with a pattern on a board; None if nothing is."""
    words = pattern.words
    if not words or words[0] not in WORDS:
        known = ", ".join(WORDS)
        meant = did_you_mean(words[0], WORDS) if words else ""
        return f"'{pattern.text}' begins with none of {known}{meant}"
    if words[0] == TICKETS_WORD and len(words) > 1:
        return f"'{pattern.text}' must be '{TICKETS_WORD}' alone"
    if words[0] == DRAW_WORD and len(words) > 1:
        known_cards = (*board.colors, WILD, DECK_WORD)
        if len(words) > 2 or not any(fnmatchcase(card, words[1]) for card in known_cards):
            return f"'{pattern.text}' names no card{did_you_mean(words[1], known_cards)}"
    if words[0] == CLAIM_WORD and len(words) > 1:
        route = words[1]
        if route not in (ANY, GRAY) and route not in board.routes:
            meant = did_you_mean(route, board.routes.keys())
            return f"'{pattern.text}' names no route of the board{meant}"
    if words[0] == KEEP_WORD and any(not set(word) <= set("123456789*") for word in words[1:]):
        return f"'{pattern.text}' must name places in the offer, counted from 1"
    return None
