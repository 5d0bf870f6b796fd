"""What a lesson consists of."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from fernzug.board.model import Board, BoardError
from fernzug.lessons.patterns import Pattern

PUPIL: Final = 0
"""The seat of whoever takes the lesson."""

Texts = Mapping[str, str]
"""A text by language."""

ACTION: Final = "action"
TURN: Final = "turn"

CONTROLS = (
    "board",
    "players",
    "market",
    "deck",
    "hand",
    "tickets",
    "draw_tickets",
    "bonuses",
    "scores",
)
"""What a step can point at by name; it can also point at a route or a place of the board."""


class LessonError(BoardError):
    """A lesson is faulty; ``faults`` holds everything that is wrong with it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the pupil is told about an action that is not what the step asks for."""

    to: tuple[Pattern, ...]
    text: Texts


@dataclass(frozen=True, slots=True)
class Step:
    """One step: something to read, and usually something to do."""

    title: Texts
    text: Texts
    task: Texts
    """What to do, in one line; empty if there is only something to read."""
    do: tuple[Pattern, ...]
    unless: tuple[Pattern, ...]
    """Actions that ``do`` describes but that are not what is asked."""
    until: str
    """Whether the step is done after one ``action`` or when the pupil's ``turn`` is over."""
    then: tuple[tuple[str, ...], ...]
    """What the opponents do next, one action after the other; of several, the first legal one."""
    replies: tuple[Reply, ...]
    point: tuple[str, ...]
    position: Mapping[str, Any] | None
    """The position that the step begins from; without one the game goes on."""

    @property
    def asks(self) -> bool:
        """Whether there is something to do."""
        return bool(self.do)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson."""

    id: str
    board: Board
    title: Texts
    about: Texts
    minutes: int
    opponents: tuple[str, ...]
    """The names of those who play along."""
    steps: tuple[Step, ...]
    source: str

    @property
    def hash(self) -> str:
        """Identifies this version of the lesson: somebody may be in the middle of an older one."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    @property
    def players(self) -> int:
        """The number of players at the table."""
        return 1 + len(self.opponents)
