"""The bots that come with the package; ``docs/bots.md`` tells how each of them thinks."""

from __future__ import annotations

from fernzug.board import Board
from fernzug.bots.base import EngineBot
from fernzug.engine import planner, playout, simple
from fernzug.engine.outlook import Outlook
from fernzug.engine.plan import Plan
from fernzug.engine.search import Search
from fernzug.engine.sight import Sight
from fernzug.engine.state import TURN, filled


class Random(EngineBot):
    """Any action, all equally likely."""

    def decide(self, sight: Sight) -> int:
        """Return a random action."""
        routes = filled(sight.state.tables.words, 0)
        return int(playout.pick(sight.state, sight.seat, self.stream, routes))


class Greedy(EngineBot):
    """The route worth most as soon as it can be paid; tickets are left to luck."""

    def decide(self, sight: Sight) -> int:
        """Return the greedy action."""
        return int(simple.greedy(sight.state, sight.seat))


class Racer(EngineBot):
    """The longest routes, whatever the tickets say, and an early end."""

    def decide(self, sight: Sight) -> int:
        """Return the racer's action."""
        return int(simple.racer(sight.state, sight.seat))


class Planner(EngineBot):
    """Tickets by value against cost, joined by a Steiner tree over the open routes.

    ``slips`` is the share of turns, in hundredths, in which it forgets its plan and does anything:
    a planner for people who would like to win now and then.
    """

    def __init__(self, board: Board, seed: int = 0, slips: int = 0) -> None:
        super().__init__(board, seed)
        if not 0 <= slips <= 100:
            raise ValueError(f"slips are a share of 0 to 100 hundredths, not {slips}")
        self.slips = slips
        self.outlook = Outlook(self._notation.tables)
        self._plan: Plan | None = None

    def decide(self, sight: Sight) -> int:
        """Return the next step of the plan; it is kept until it is done or somebody crosses it."""
        if self._plan is None or self._plan.seat != sight.seat:
            self._plan = Plan(self.outlook, sight.seat)
        if self.slips and sight.state.phase == TURN and self.stream.below(100) < self.slips:
            routes = filled(sight.state.tables.words, 0)
            return int(playout.pick(sight.state, sight.seat, self.stream, routes))
        return int(planner.decide(sight.state, self._plan))


class Searcher(EngineBot):
    """Every promising action tried out in many worlds that agree with what the seat knows."""

    def __init__(
        self,
        board: Board,
        seed: int = 0,
        iterations: int = 0,
        seconds: float = 0.0,
        doubt: float = 1.0,
        win: float = 100.0,
        claims: int = 8,
    ) -> None:
        super().__init__(board, seed)
        if not iterations and not seconds:
            seconds = 0.8
        self.iterations = iterations or 1_000_000_000
        self.seconds = float(seconds)
        self.outlook = Outlook(self._notation.tables)
        self.search = Search(self.outlook, self.stream)
        self._plan: Plan | None = None
        self.search.doubt = float(doubt)
        self.search.win = float(win)
        self.search.claims = claims

    def decide(self, sight: Sight) -> int:
        """Return the action that did best."""
        if self._plan is None or self._plan.seat != sight.seat:
            self._plan = Plan(self.outlook, sight.seat)
        return int(self.search.choose(sight, self._plan, self.iterations, self.seconds))
