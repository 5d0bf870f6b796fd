"""How good a position is, and which action is best, from what one seat may know."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fernzug.analysis.statistics import (
    HIDDEN_SPREAD,
    Mean,
    against_hidden,
    best_of,
    chances,
    difference,
    mean,
    proven_best,
)
from fernzug.board.model import Board
from fernzug.engine import rules
from fernzug.engine.chance import SEEDS
from fernzug.engine.knowledge import SPECTATOR, Knowledge
from fernzug.engine.scoring import totals, winners
from fernzug.engine.state import NONE, OVER, State
from fernzug.errors import is_one_of
from fernzug.notation import Action, notation_of
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import decide
from fernzug.players.search import candidates
from fernzug.players.trials import Tally, Trials
from fernzug.tables import tables_of
from fernzug.view import View

CLAIMS = 8
"""How many claims are tried, best first."""


@dataclass(frozen=True, slots=True)
class Option:
    """An action that was tried."""

    action: Action
    win: float
    """The chance of winning of the seat that decides."""
    points: float
    """The points it can expect."""
    error: float
    """The standard error of ``win``."""

    def to_json(self) -> dict[str, Any]:
        """Return the option as a JSON object."""
        return {
            "action": self.action.text,
            "win": round(self.win, 6),
            "points": round(self.points, 3),
            "error": round(self.error, 6),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good a position is."""

    win: tuple[float, ...]
    """Each seat's chance of winning; they sum to 1, and ties share."""
    points: tuple[float, ...]
    """The points that each seat can expect at the end."""
    actions: tuple[Option, ...]
    """The actions worth trying, best first; none if the viewer has nothing to decide."""

    def to_json(self) -> dict[str, Any]:
        """Return the evaluation as a JSON object."""
        return {
            "win": [round(chance, 6) for chance in self.win],
            "points": [round(points, 3) for points in self.points],
            "actions": [option.to_json() for option in self.actions],
        }


def evaluate(view: View, iterations: int = 2000, seed: int = 0, seconds: float = 0.0) -> Evaluation:
    """Return how good a position is, from what the viewer may know and nothing else.

    What is hidden is dealt at random ``iterations`` times. In each of these worlds all actions that
    are still in the running are played out. If the viewer has to decide, the chances are those
    after its best action. The result depends only on the view, the iterations and the seed, unless
    ``seconds`` ends it early.
    """
    check(iterations, seed)
    known = view.knowledge
    state = known.state
    if state.phase == OVER:
        return Evaluation(final_chances(state), tuple(float(n) for n in totals(state)), ())
    tallies = _tried(view, None, 0, iterations, seed, seconds)
    best = best_of(tallies)
    found = () if best.action == NONE else _ranked(view, tallies, best)
    points = tuple(total / int(best.worlds) for total in best.points)
    return Evaluation(_seen_from(int(known.seat), chances(best)), points, found)


def recommended(
    view: View, plan: Plan, iterations: int, seed: int = 0, seconds: float = 0.0
) -> tuple[Option, ...]:
    """Return the options for somebody who takes the first: the planner's unless one proved better.

    The planner knows what it is up to, while the largest of many noisy chances is too large. Its
    ``plan`` is brought up to date.
    """
    check(iterations, seed)
    state = view.knowledge.state
    if view.knowledge.seat == SPECTATOR or not rules.awaits(state, view.knowledge.seat):
        return ()
    tallies = _tried(view, plan, 1, iterations, seed, seconds)
    return _ranked(view, tallies, proven_best(tallies))


def _tried(
    view: View, plan: Plan | None, kept: int, iterations: int, seed: int, seconds: float
) -> list[Tally]:
    """Try the options of the viewer, if it has any, else nothing in particular.

    Without a ``plan`` the viewer makes a new one.
    """
    known = view.knowledge
    trials = Trials(outlook_of(view.board), int(known.state.players), HIDDEN_SPREAD)
    if plan is None:
        plan = Plan(trials.outlook, max(known.seat, 0))
    return trials.compare(known, plan, options(known, plan), kept, seed, iterations, seconds)


def options(known: Knowledge, plan: Plan) -> list[int]:
    """Return the actions worth trying, the planner's choice first; none if it is not their turn."""
    if known.seat == SPECTATOR or not rules.awaits(known.state, known.seat):
        return []
    base = decide(known.state, plan)
    return [int(action) for action in candidates(known.state, plan, base, CLAIMS)]


def _seen_from(seat: int, win: tuple[float, ...]) -> tuple[float, ...]:
    """Return the chances of all seats as one of them, or a spectator, has to expect them."""
    if seat == SPECTATOR:
        return win
    own = against_hidden(Mean(win[seat], 0.0)).value
    rest = 1.0 - win[seat]
    return tuple(
        own if other == seat else chance * (1.0 - own) / rest if rest > 0.0 else 0.0
        for other, chance in enumerate(win)
    )


def _ranked(view: View, tallies: list[Tally], best: Tally) -> tuple[Option, ...]:
    """Return the options, each compared with the best one in the worlds where both were tried."""
    notation = notation_of(view.board)
    seat = int(view.knowledge.seat)
    top = mean(best.values)
    found = []
    for tally in tallies:
        behind = difference(best, tally)
        # An action that was dropped early has seen few worlds; the others are common to both.
        win = top.value if tally is best else max(top.value - max(behind.value, 0.0), 0.0)
        error = top.error if tally is best else math.hypot(top.error, behind.error)
        points = tally.points[seat] / int(tally.worlds)
        chance = against_hidden(Mean(win, error))
        action = notation.action(int(tally.action))
        found.append((Option(action, chance.value, points, chance.error), tally))
    # Of equals the first is the one that was still in the running.
    found.sort(key=lambda pair: (-pair[0].win, pair[1] is not best, -pair[0].points))
    return tuple(option for option, _ in found)


def final_chances(state: State) -> tuple[float, ...]:
    """Return who has won a game that is over; those who are tied share the victory (E7)."""
    won = int(winners(state))
    number = won.bit_count()
    return tuple(((won >> seat) & 1) / number for seat in range(int(state.players)))


def check(iterations: int, seed: int) -> None:
    """Refuse numbers that make no sense."""
    if not is_one_of(iterations, range(1, 1 << 31)):
        raise ValueError(f"iterations is a whole number of at least 1, not {iterations!r}")
    if not is_one_of(seed, range(SEEDS)):
        raise ValueError(f"a seed is a whole number from 0 to {SEEDS - 1}, not {seed!r}")


@lru_cache(maxsize=32)
def outlook_of(board: Board) -> Outlook:
    """Return what planners look up on a board, worked out once."""
    return Outlook(tables_of(board))
