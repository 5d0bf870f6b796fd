"""What the compiled bots would do in many games at once, to play against and to learn from."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.knowledge import knowledge_of
from fernzug.engine.lockstep import Lockstep
from fernzug.engine.observation import shortened
from fernzug.engine.state import State
from fernzug.players import planner, simple
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan

GREEDY: Final = 0
RACER: Final = 1
PLANNER: Final = 2


@final
class Adviser:
    """A bot that is asked for the decision of any seat in games that are played in step."""

    def __init__(self, games: Lockstep, bot: i64) -> None:
        self.games = games
        self.bot = bot
        self.outlook = Outlook(games.start.tables)
        # The plans of all seats of all games, and the number of the game that each is for.
        self._plans: list[Plan] = []
        self._game = vec[i64]([-1] * int(games.games * games.start.players))
        for _ in range(games.games):
            for seat in range(games.start.players):
                self._plans.append(Plan(self.outlook, seat))

    def advise(self, asked: list[bool], chosen: vec[i64]) -> None:
        """Write a decision for every game that is asked about, in the games' action table."""
        games = self.games
        for game in range(games.games):
            if not asked[game]:
                continue
            s = games.states[game]
            action = self._decide(s, game)
            chosen[game] = shortened(s.tables, action) if games.short else action

    def _decide(self, s: State, game: i64) -> i64:
        # Decisions are made from what the seat knows, as those of all bots are.
        known = knowledge_of(s, s.seat)
        if self.bot == GREEDY:
            return simple.greedy(known.state, known.seat)
        if self.bot == RACER:
            return simple.racer(known.state, known.seat)
        place = game * s.players + s.seat
        if self._game[place] != self.games.game[game]:
            self._game[place] = self.games.game[game]
            self._plans[place] = Plan(self.outlook, s.seat)
        return planner.decide(known.state, self._plans[place])
