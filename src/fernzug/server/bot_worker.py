"""Where bots think: the games they play, and what they remember from one decision to the next.

A bot is made once for a seat of a game. It keeps its plan and its stream of chance, and it hears
everything that its seat may know, once and in order. All of this can be lost at any time, because
a question can always be asked with the whole game; :mod:`fernzug.server.bot_pool` asks.
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

MAX_GAMES = 1_000
"""How many games one worker remembers; those not asked about for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a bot has to make: how the game began, what happened, and for which seat."""

    table: str
    level: str
    seat: int
    start: Start | None
    """How the game began; None if that was told before."""
    known: int
    """How many facts are left out, because they were told before."""
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


class KnownGame:
    """A game as far as it was told, and the bots that play it."""

    def __init__(self, start: Start) -> None:
        self.match = Match(Game.resumed(start, start.state(), []))
        self._levels: dict[int, str] = {}

    def decide(self, seat: int, level: str) -> str:
        """Return the action of the bot on a seat; it sees that seat's view only."""
        if self._levels.get(seat) != level:
            self._seat_bot(seat, level)
        try:
            return self.match.choose(seat).text
        except Exception:
            # The bot may be in any state now, so another one is made next time.
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


class KnownGames:
    """The games that one worker remembers."""

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        self._max_games = max_games
        self._games: OrderedDict[str, KnownGame] = OrderedDict()

    def answer(self, asked: Question) -> Answer:
        """Return what a bot decides; whatever goes wrong in it is part of the answer."""
        try:
            game = self._recall(asked)
            if game is None:
                return Answer(forgotten=True)
            game.match.follow(asked.facts)
            self._keep(asked.table, game)
            return Answer(game.decide(asked.seat, asked.level))
        except Exception:
            return Answer(fault=traceback.format_exc())

    def _recall(self, asked: Question) -> KnownGame | None:
        """Return the game as far as the question takes it for known; None if it is not."""
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


def run(connection: Connection, max_games: int) -> None:
    """Answer questions until there are no more: all that a process of bots does."""
    # The server alone answers to Ctrl-C; when it is gone, so is the other end of the connection.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    games = KnownGames(max_games)
    with suppress(EOFError, OSError):
        connection.send(Answer())
        while True:
            connection.send(games.answer(connection.recv()))
