"""A guard around a bot: whatever the bot does, its seat makes a legal move.

If a bot raises, hangs, answers nonsense or chooses an illegal action, a random player takes over
for that decision and the rest of the game, and the guard says what went wrong. The game goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fernzug.board.model import Board
from fernzug.bots import own
from fernzug.bots.base import Bot
from fernzug.bots.builtin import Random
from fernzug.events import Event
from fernzug.notation import Action
from fernzug.view import View

log = logging.getLogger("fernzug.bots")

KINDS = ("start", "crash", "timeout", "nonsense", "illegal")
"""What can go wrong: it does not start, it raises or exits, it is too slow, it answers badly."""


class BotError(Exception):
    """A bot cannot answer; ``kind`` is one of :data:`KINDS`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Failure:
    """Why and when a bot was replaced."""

    kind: str
    """One of :data:`KINDS`."""
    text: str
    decision: int
    """The number of the bot's decision, counted from 1; 0 if it could not even be created."""

    def __str__(self) -> str:
        when = "before its first decision" if self.decision == 0 else f"decision {self.decision}"
        return f"{self.kind} ({when}): {self.text}"


class Guard(Bot):
    """A bot, replaced by a random player once it has failed.

    ``name`` is the bot's name in messages, and ``maker`` creates it. ``failure`` is None as long as
    nothing has gone wrong.
    """

    def __init__(self, name: str, maker: Callable[[], Bot], board: Board, seed: int = 0) -> None:
        super().__init__(board, seed)
        self.name = name
        self.failure: Failure | None = None
        self._decision = 0
        self._bot: Bot
        try:
            self._bot = maker()
        except ValueError:
            raise  # A wrong name or parameter is the caller's mistake, not the bot's.
        except Exception as error:
            self._replace("start", _in_words(error))

    @property
    def watches(self) -> bool:
        """Whether the bot wants to hear about events."""
        return self._bot.watches

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return the action of the bot, or of the random player that has replaced it."""
        self._decision += 1
        try:
            return self._checked(self._bot.choose(view, legal), legal)
        except BotError as error:
            self._replace(error.kind, str(error))
        except (Exception, SystemExit) as error:
            self._replace("crash", _in_words(error))
        return self._bot.choose(view, legal)

    def _checked(self, action: object, legal: Sequence[Action]) -> Action:
        if not isinstance(action, Action):
            raise BotError(
                "nonsense", f"it returned {_short(repr(action))}, which is not an action"
            )
        if action not in legal:
            raise BotError("illegal", f"'{_short(action.text)}' is not legal here")
        # Actions compare by number alone, but the referee also reads their text.
        return legal[legal.index(action)]

    def watch(self, events: Sequence[Event]) -> None:
        """Pass on what happened."""
        try:
            self._bot.watch(events)
        except BotError as error:
            self._replace(error.kind, str(error))
        except (Exception, SystemExit) as error:
            self._replace("crash", _in_words(error))

    def close(self) -> None:
        """Close the bot; an error at this point does no harm."""
        try:
            self._bot.close()
        except (Exception, SystemExit) as error:
            log.warning("the bot '%s' could not be closed: %s", self.name, _in_words(error))

    def _replace(self, kind: str, text: str) -> None:
        if self.failure is not None:
            raise RuntimeError(f"the random player has also failed: {text}")
        self.failure = Failure(kind, text, self._decision)
        log.warning(
            "the bot '%s' has failed, a random player takes over: %s", self.name, self.failure
        )
        if hasattr(self, "_bot"):
            self.close()
        self._bot = Random(self.board, self.seed)


def _in_words(error: BaseException) -> str:
    return _short(own.told(error))


def _short(text: str, max_size: int = 500) -> str:
    return text if len(text) <= max_size else text[: max_size - 1] + "\N{HORIZONTAL ELLIPSIS}"
