"""Hints: a few good actions for a seat, each with what speaks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fernzug.analysis.advice import reasons_for
from fernzug.analysis.evaluation import recommended
from fernzug.board.model import Board
from fernzug.errors import Reason
from fernzug.notation import Action
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


def hints(
    view: View, iterations: int = 400, seed: int = 0, seconds: float = 1.2
) -> tuple[Hint, ...]:
    """Return up to three good actions for the viewing seat, best first; none if it has no decision.

    They come from what the seat may know and nothing else. ``seconds`` ends the evaluation early;
    with 0, the same view, iterations and seed always give the same hints.
    """
    options = recommended(view, iterations, seed, seconds)
    good = [each.action for each in options if each.win >= options[0].win - NEAR]
    chosen = _without_twins(view.board, good)[:MAX_HINTS]
    return tuple(Hint(action, reasons_for(view, action)) for action in chosen)


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
