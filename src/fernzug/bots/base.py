"""The interface of a bot: it chooses an action from what its seat may know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from fernzug.board.model import Board
from fernzug.engine.chance import BOTS, Stream
from fernzug.engine.knowledge import Knowledge
from fernzug.events import Event
from fernzug.notation import Action, notation_of
from fernzug.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about one decision, in iterations or seconds.

    Iterations give the same decision on every machine; seconds do not.
    """

    iterations: int | None = None
    seconds: float | None = None


class Bot(ABC):
    """A player that sees a view and never the state.

    ``seed`` is for the bot's own random numbers: the same bot with the same seed that sees the same
    views chooses the same actions. A bot plays one seat in one game.
    """

    time_share: float = 1.0
    """The share of its usual time that the bot may take for a decision; a busy server lowers it,
    down to 0 for an answer at once. Only bots that can think for longer or shorter use it."""

    def __init__(self, board: Board, seed: int = 0) -> None:
        self.board = board
        self.seed = seed

    @property
    def watches(self) -> bool:
        """Whether the bot wants to hear about events, that is, overrides ``watch``."""
        return type(self).watch is not Bot.watch

    def expect_players(self, players: int) -> None:
        """Raise ``ValueError`` if the bot cannot play at a table for so many; most bots can."""

    @abstractmethod
    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return one of the legal actions of the viewing seat."""

    def watch(self, events: Sequence[Event]) -> None:
        """Receive what happened, as far as the seat may know it; most bots only use views."""

    def close(self) -> None:
        """Release the bot's resources, such as a process."""


class EngineBot(Bot):
    """A bot that works on the engine's numbers, using only what its seat knows."""

    def __init__(self, board: Board, seed: int = 0) -> None:
        super().__init__(board, seed)
        self.stream = Stream(seed, BOTS)
        self._notation = notation_of(board)

    @final
    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return the action for the number that :meth:`decide` returns."""
        return self._notation.action(self.decide(view.knowledge))

    @abstractmethod
    def decide(self, known: Knowledge) -> int:
        """Return the number of the action to take."""
