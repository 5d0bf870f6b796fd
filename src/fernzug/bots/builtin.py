"""The bots that come with the package; ``docs/bots.md`` explains how each of them thinks."""

from __future__ import annotations

from fernzug.board.model import Board
from fernzug.bots import nets
from fernzug.bots.base import EngineBot
from fernzug.engine import playout
from fernzug.engine.knowledge import Knowledge
from fernzug.engine.state import TURN, filled
from fernzug.players import planner, simple
from fernzug.players.crew import Crew
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.search import Search
from fernzug.players.styles import STYLES, styled
from fernzug.spelling import did_you_mean


class Random(EngineBot):
    """Picks any action, all equally likely."""

    def decide(self, known: Knowledge) -> int:
        """Return a random action."""
        routes = filled(known.state.tables.words, 0)
        return int(playout.pick(known.state, known.seat, self.stream, routes))


class Greedy(EngineBot):
    """Claims routes for its tickets as soon as it can pay, one step at a time."""

    def decide(self, known: Knowledge) -> int:
        """Return the greedy action."""
        return int(simple.greedy(known.state, known.seat))


class Racer(EngineBot):
    """Builds the longest routes, nearly ignoring its tickets, and ends the game early."""

    def decide(self, known: Knowledge) -> int:
        """Return the racer's action."""
        return int(simple.racer(known.state, known.seat))


class Planner(EngineBot):
    """Weighs tickets by value and cost, and connects them by a Steiner tree over open routes.

    ``slips`` is the percentage of turns in which it forgets its plan and acts at random: a planner
    for people who would like to win now and then. ``style`` is one of
    :data:`fernzug.players.styles.STYLES`.
    """

    def __init__(self, board: Board, seed: int = 0, slips: int = 0, style: str = "") -> None:
        super().__init__(board, seed)
        if style and style not in STYLES:
            raise ValueError(
                f"there is no style '{style}'{did_you_mean(style, STYLES)} "
                f"(styles: {', '.join(STYLES)})"
            )
        if not 0 <= slips <= 100:
            raise ValueError(f"slips is a percentage from 0 to 100, not {slips}")
        self.slips = slips
        tables = self._notation.tables
        self.outlook = Outlook(tables, styled(tables, style) if style else None)
        self._plan: Plan | None = None

    def decide(self, known: Knowledge) -> int:
        """Return the next step of the plan, which is kept until it is done or blocked."""
        if self._plan is None or self._plan.seat != known.seat:
            self._plan = Plan(self.outlook, known.seat)
        if self.slips and known.state.phase == TURN and self.stream.below(100) < self.slips:
            routes = filled(known.state.tables.words, 0)
            return int(playout.pick(known.state, known.seat, self.stream, routes))
        return int(planner.decide(known.state, self._plan))


class Searcher(EngineBot):
    """Tries every promising action in many worlds that are consistent with what the seat knows."""

    def __init__(
        self,
        board: Board,
        seed: int = 0,
        iterations: int = 0,
        seconds: float = 0.0,
        doubt: float = 1.0,
        win: float = 100.0,
        claims: int = 8,
        beliefs: int = 1,
        net: int = 1,
        turns: int = 0,
        workers: int = 1,
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
        self.search.believes = bool(beliefs)
        if turns:
            self.search.turns = turns
        if workers != 1:
            self.search.crew = Crew(workers)
        self._is_guided = bool(net)

    def decide(self, known: Knowledge) -> int:
        """Return the action that did best; without any time, that of the planner."""
        if self._plan is None or self._plan.seat != known.seat:
            self._plan = Plan(self.outlook, known.seat)
        if self._is_guided and self.search.guide is None:
            self.search.guide = nets.guide_of(self.board, int(known.state.players))
        if not self.time_share:
            return int(planner.decide(known.state, self._plan))
        iterations = max(1, int(self.iterations * self.time_share))
        seconds = self.seconds * self.time_share
        return int(self.search.choose(known, self._plan, iterations, seconds))
