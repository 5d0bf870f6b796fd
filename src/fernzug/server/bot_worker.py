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
from fernzug.game import Game
from fernzug.match import Fact, Match
from fernzug.start import Start

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
        self.match = Match(Game.resumed(start, start.state(), []))
        self._levels: dict[int, str] = {}

    @property
    def facts(self) -> list[Fact]:
        """What was told so far."""
        return self.match.game.facts

    def hear(self, facts: Sequence[Fact]) -> None:
        """Take in what has happened since, and let the bots watch."""
        self.match.follow(facts)

    def choose(self, seat: int, level: str) -> str:
        """Return the action of the bot on a seat; it sees that seat's view only."""
        if self._levels.get(seat) != level:
            self._seat_bot(seat, level)
        try:
            return self.match.choose(seat).text
        except Exception:
            # Who knows what state it is in: next time another one is made.
            self._dismiss(seat)
            raise

    def _seat_bot(self, seat: int, level: str) -> None:
        self._dismiss(seat)
        start = self.match.game.start
        self.match.join(seat, bots.make(level, start.board, bots.seed_of(start.seed, seat)))
        self._levels[seat] = level

    def _dismiss(self, seat: int) -> None:
        self._levels.pop(seat, None)
        self.match.leave(seat)

    def close(self) -> None:
        """Let go of the bots."""
        self.match.close()


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
