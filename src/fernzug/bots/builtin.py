"""The bots that come with the package; ``docs/bots.md`` tells how each of them thinks."""

from __future__ import annotations

from fernzug.board import Board
from fernzug.bots.base import EngineBot
from fernzug.engine import planner, playout, simple
from fernzug.engine.outlook import Outlook
from fernzug.engine.plan import Plan
from fernzug.engine.sight import Sight
from fernzug.engine.state import filled


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
    """Tickets by value against cost, joined by a Steiner tree over the open routes."""

    def __init__(self, board: Board, seed: int = 0) -> None:
        super().__init__(board, seed)
        self.outlook = Outlook(self._notation.tables)

    def decide(self, sight: Sight) -> int:
        """Return the next step of the plan."""
        return int(planner.decide(sight.state, Plan(self.outlook, sight.seat)))
