"""Hints: a few good actions for a seat, each with what speaks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fernzug.analysis.advice import reasons_for
from fernzug.analysis.evaluation import outlook_of, recommended
from fernzug.board.model import Board
from fernzug.engine import bits
from fernzug.errors import Reason
from fernzug.notation import Action
from fernzug.players.plan import Plan
from fernzug.view import View

MAX_HINTS = 3

NEAR = 0.04
"""An action whose chance is further behind the best than this would be a mistake."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A good action; chances are left out, because a hint should explain and not rate."""

    action: Action
    reasons: tuple[Reason, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the hint as a JSON object."""
        return {
            "action": self.action.text,
            "reasons": [reason.to_json() for reason in self.reasons],
        }


class Adviser:
    """Gives hints to one seat throughout a game, and remembers what it has in mind for the seat.

    Without a memory every hint comes from a new plan, and whoever makes a new plan for each
    decision changes their mind too often. What is remembered comes from the views alone.
    """

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._turn = 0
        """The turn of the last hints."""
        self._own: set[int] = set()
        """The routes that the seat had then."""
        self._advised: set[int] = set()
        """The routes that the last hints were about."""

    def hints(
        self, view: View, iterations: int = 400, seed: int = 0, seconds: float = 1.2
    ) -> tuple[Hint, ...]:
        """Return up to three good actions for the viewing seat, as :func:`hints` does.

        Hints need not be asked for at every decision nor be followed: where the seat has gone its
        own way, or something was taken back, there is a new plan.
        """
        if view.viewer is None:
            return ()
        plan = self._updated(view, view.viewer)
        options = recommended(view, plan, iterations, seed, seconds)
        good = [each.action for each in options if each.win >= options[0].win - NEAR]
        chosen = _without_twins(view.board, good)[:MAX_HINTS]
        routes = view.board.routes
        self._advised = {routes.index(each.route) for each in chosen if each.route is not None}
        return tuple(Hint(action, reasons_for(view, action)) for action in chosen)

    def _updated(self, view: View, seat: int) -> Plan:
        """Return what the adviser has in mind, unless that has nothing to do with the view."""
        state = view.knowledge.state
        outlook = outlook_of(view.board)
        own = {route for route, owner in enumerate(state.owner) if owner == seat}
        plan = self._plan
        if (
            plan is None
            or plan.outlook is not outlook
            or plan.seat != seat
            or state.turn < self._turn
        ):
            plan = Plan(outlook, seat)
        elif not own - self._own <= self._advised | set(bits.members(plan.wanted)):
            plan.stale = True
        self._plan, self._turn, self._own = plan, int(state.turn), own
        return plan


def hints(
    view: View, iterations: int = 400, seed: int = 0, seconds: float = 1.2
) -> tuple[Hint, ...]:
    """Return up to three good actions for the viewing seat, best first; none if it has no decision.

    They come from what the seat may know and nothing else. ``seconds`` ends the evaluation early;
    with 0, the same view, iterations and seed always give the same hints. Whoever asks in many
    decisions of a game gets better ones from an :class:`Adviser`.
    """
    return Adviser().hints(view, iterations, seed, seconds)


def _without_twins(board: Board, actions: list[Action]) -> list[Action]:
    """Leave out the other lane of a double route: it is hardly another idea."""
    found: list[Action] = []
    routes: set[str] = set()
    for action in actions:
        if action.route in routes:
            continue
        found.append(action)
        if action.route is not None:
            routes.update((action.route, board.routes[action.route].twin or action.route))
    return found
