"""What bots remember from one decision to the next: the games they play, and themselves.

A bot is made once for a seat of a game. It keeps its plan and its stream of chance, and it hears
everything that its seat may know, once and in order. Minds live where bots think, see
:mod:`fernzug.server.bot_pool`; they can be lost at any time, because a question can always be asked
with the whole game.
"""

from __future__ import annotations

import signal
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from fernzug import bots
from fernzug.bots import Bot
from fernzug.engine.fold import fold
from fernzug.events import as_seen, event_of
from fernzug.game import Game
from fernzug.sim import bot_seed
from fernzug.start import Start
from fernzug.view import view_of

Fact = tuple[int, ...]

KEPT = 1_000
"""The games that one process remembers; those not asked about for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a bot has to make: how the game began, what happened, and for which seat."""

    table: str
    level: str
    seat: int
    start: Start | None
    """How the game began; None if that was told before."""
    known: int
    """How many facts are not told, because they were told before."""
    facts: Sequence[Fact]
    """All facts after these."""


def question(table: str, game: Game, seat: int, level: str, known: int = 0) -> Question:
    """Return what has to be known to decide for a seat of a game."""
    return Question(
        table=table,
        level=level,
        seat=seat,
        start=None if known else game.start,
        known=known,
        facts=game.facts[known:],
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an action, or why there is none."""

    action: str = ""
    forgotten: bool = False
    """The question has to be asked again with the whole game."""
    fault: str = ""
    """What went wrong in the bot."""


class Mind:
    """A game as far as it was told, and the bots that play it."""

    def __init__(self, start: Start) -> None:
        self.board = start.board
        self.seed = start.seed
        self.facts: list[Fact] = []
        self._state = start.state()
        self._bots: dict[int, tuple[str, Bot]] = {}

    def hear(self, facts: Sequence[Fact]) -> None:
        """Take in what has happened since, and let the bots watch."""
        for fact in facts:
            fold(self._state, fact)
        self.facts += facts
        for seat, (_, bot) in self._bots.items():
            self._watch(bot, seat, facts)

    def _watch(self, bot: Bot, seat: int, facts: Sequence[Fact]) -> None:
        # Most bots look at views only: nothing is put into words for them.
        if type(bot).watch is not Bot.watch:
            bot.watch(as_seen([event_of(self._state.tables, fact) for fact in facts], seat))

    def choose(self, seat: int, level: str) -> str:
        """Return the action of the bot on a seat; it sees that seat's view only."""
        view = view_of(self._state, seat, self.board.id)
        try:
            return self._bot(seat, level).choose(view, view.legal).text
        except Exception:
            # Who knows what state it is in: next time another one is made.
            self._dismiss(seat)
            raise

    def _bot(self, seat: int, level: str) -> Bot:
        if seat in self._bots and self._bots[seat][0] != level:
            self._dismiss(seat)
        if seat not in self._bots:
            bot = bots.make(level, self.board, bot_seed(self.seed, seat))
            self._bots[seat] = (level, bot)
            self._watch(bot, seat, self.facts)
        return self._bots[seat][1]

    def _dismiss(self, seat: int) -> None:
        _, bot = self._bots.pop(seat, ("", None))
        if bot is not None:
            bot.close()

    def close(self) -> None:
        """Let go of the bots."""
        for seat in list(self._bots):
            self._dismiss(seat)


class Minds:
    """The games that are remembered at one place."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._minds: OrderedDict[str, Mind] = OrderedDict()

    def answer(self, asked: Question) -> Answer:
        """Return what a bot decides; whatever goes wrong in it is part of the answer."""
        try:
            mind = self._recall(asked)
            if mind is None:
                return Answer(forgotten=True)
            mind.hear(asked.facts)
            self._keep(asked.table, mind)
            return Answer(mind.choose(asked.seat, asked.level))
        except Exception:
            return Answer(fault=traceback.format_exc())

    def _recall(self, asked: Question) -> Mind | None:
        """Return the game as far as the question takes it for known; None if that is not had."""
        mind = self._minds.pop(asked.table, None)
        if mind is not None and len(mind.facts) == asked.known:
            return mind
        if mind is not None:
            mind.close()
        return None if asked.start is None else Mind(asked.start)

    def _keep(self, table: str, mind: Mind) -> None:
        self._minds[table] = mind
        if len(self._minds) > self._most:
            self._minds.popitem(last=False)[1].close()


def think(connection: Connection) -> None:
    """Answer questions until there are no more: what a process of bots does all its life."""
    # The server alone answers to Ctrl-C; when it is gone, so is the other end of the connection.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    minds = Minds()
    with suppress(EOFError, OSError):
        connection.send(Answer())
        while True:
            connection.send(minds.answer(connection.recv()))
