"""Where bots think: their games, and what they remember from one decision to the next.

A bot is created once for a seat in a game. It keeps its plan and its random numbers, and it hears
everything that its seat may know, once and in order. So is the adviser of a person who asks for
hints; it keeps its plan. All of this can be lost at any time, because
:mod:`fernzug.server.bot_pool` can always ask again with the whole game.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from fernzug import bots
from fernzug.analysis.advice import reasons_for
from fernzug.analysis.hints import Adviser, Hint
from fernzug.analysis.reviewer import Judged, Reviewer
from fernzug.bots import Bot
from fernzug.errors import Reason
from fernzug.game import Game
from fernzug.match import Fact, Match
from fernzug.start import Start

HINT_ITERATIONS = 400
HINT_SECONDS = 1.2
MIN_HINT_SHARE = 0.1
"""When many are waiting, hints get only a share of their time, but no less than this."""
MAX_REVIEWS = 4
"""How many finished games a worker keeps ready to be judged further."""
MAX_GAMES = 1_000
"""How many games a worker remembers; it forgets the least recently used first."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision for a bot: how the game began, what has happened, and the seat to decide for."""

    table: str
    level: str | None
    """The level of the bot that decides; None to ask for hints instead."""
    seat: int
    start: Start | None
    """How the game began; None if the worker knows."""
    known: int
    """The number of facts left out because the worker knows them."""
    facts: Sequence[Fact]
    """The facts after those."""
    time_share: float
    """The share of its usual time that the bot may take; 0 if it has to answer at once."""


def question(
    table: str, game: Game, seat: int, level: str | None, time_share: float = 1.0, known: int = 0
) -> Question:
    """Return the question about a seat in a game, without the facts that the worker knows."""
    return Question(
        table=table,
        level=level,
        seat=seat,
        start=None if known else game.start,
        known=known,
        facts=game.facts[known:],
        time_share=time_share,
    )


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """One step of a finished game, to be judged."""

    table: str
    step: int
    reviewer: Reviewer | None
    """What judges the steps; None if the worker has it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an action, or hints, or why there are none."""

    action: str = ""
    hints: tuple[Hint, ...] = ()
    judged: Judged | None = None
    reasons: tuple[Reason, ...] = ()
    """What would have spoken for the better action."""
    forgotten: bool = False
    """The question must be asked again with the whole game."""
    fault: str = ""
    """What went wrong in the bot."""


class KnownGame:
    """A game as far as the worker knows it, and the bots that play it."""

    def __init__(self, start: Start) -> None:
        self.match = Match(Game.resumed(start, start.state(), []))
        self._bots: dict[int, tuple[str, Bot]] = {}
        self._advisers: dict[int, Adviser] = {}

    def decide(self, seat: int, level: str, time_share: float) -> str:
        """Return the action of the bot on a seat, which sees only the view of that seat."""
        bot = self._bot(seat, level)
        bot.time_share = time_share
        try:
            return self.match.choose(seat).text
        except Exception:
            # The bot may be in any state now, so a new one is created next time.
            self._dismiss(seat)
            raise

    def hints(self, seat: int, time_share: float) -> tuple[Hint, ...]:
        """Return hints for a seat, from its views alone."""
        share = max(time_share, MIN_HINT_SHARE)
        # An adviser that fails may be in any state, so it is kept only if it has answered.
        adviser = self._advisers.pop(seat, None) or Adviser()
        found = adviser.hints(
            self.match.game.view(seat),
            iterations=int(share * HINT_ITERATIONS),
            seconds=share * HINT_SECONDS,
        )
        self._advisers[seat] = adviser
        return found

    def _bot(self, seat: int, level: str) -> Bot:
        """Return the bot of a level on a seat, a new one if another was there."""
        known, bot = self._bots.get(seat, ("", None))
        if bot is None or known != level:
            self._dismiss(seat)
            start = self.match.game.start
            bot = bots.make(level, start.board, bots.seed_of(start.seed, seat))
            self.match.join(seat, bot)
            self._bots[seat] = (level, bot)
        return bot

    def _dismiss(self, seat: int) -> None:
        self._bots.pop(seat, None)
        self.match.leave(seat)


class KnownGames:
    """The games that one worker remembers."""

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        self._max_games = max_games
        self._games: OrderedDict[str, KnownGame] = OrderedDict()
        self._reviewers: OrderedDict[str, Reviewer] = OrderedDict()

    def answer(self, asked: Question | ReviewQuestion) -> Answer:
        """Return a bot's decision; if it raises, that is part of the answer."""
        try:
            if isinstance(asked, ReviewQuestion):
                return self._judge(asked)
            game = self._recall(asked)
            if game is None:
                return Answer(forgotten=True)
            game.match.follow(asked.facts)
            self._keep(asked.table, game)
            if asked.level is None:
                return Answer(hints=game.hints(asked.seat, asked.time_share))
            return Answer(game.decide(asked.seat, asked.level, asked.time_share))
        except Exception:
            return Answer(fault=traceback.format_exc())

    def _judge(self, asked: ReviewQuestion) -> Answer:
        reviewer = self._reviewers.pop(asked.table, None) or asked.reviewer
        if reviewer is None:
            return Answer(forgotten=True)
        self._reviewers[asked.table] = reviewer
        if len(self._reviewers) > MAX_REVIEWS:
            self._reviewers.popitem(last=False)
        judged = reviewer.do(asked.step)
        decision = judged.decision
        if decision is None or decision.best == decision.action:
            return Answer(judged=judged)
        view = reviewer.view(asked.step, decision.seat)
        return Answer(judged=judged, reasons=reasons_for(view, decision.best))

    def _recall(self, asked: Question) -> KnownGame | None:
        """Return the game that the question assumes to be known; None if it is not."""
        game = self._games.pop(asked.table, None)
        if game is not None:
            if len(game.match.game.facts) == asked.known:
                return game
            game.match.close()
        return None if asked.start is None else KnownGame(asked.start)

    def _keep(self, table: str, game: KnownGame) -> None:
        self._games[table] = game
        if len(self._games) > self._max_games:
            self._games.popitem(last=False)[1].match.close()


def run(connection: Connection, max_games: int, niceness: int) -> None:
    """Answer questions until the connection closes; the main function of a worker process."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    # Only the server handles Ctrl-C; when it exits, the connection closes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    games = KnownGames(max_games)
    with suppress(EOFError, OSError):
        connection.send(Answer())
        while True:
            connection.send(games.answer(connection.recv()))
