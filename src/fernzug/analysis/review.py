"""What a review says about a game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from fernzug.notation import Action

Verdict = Literal["best", "good", "slip", "mistake", "blunder"]

VERDICTS: tuple[tuple[Verdict, float], ...] = (
    ("blunder", 0.12),
    ("mistake", 0.04),
    ("slip", 0.02),
    ("good", 0.0),
)
"""The verdicts on decisions that another was better than, with the loss from which they apply."""


HALF = 0.06
"""A decision that costs this much is half as good as the best one."""


def verdict_on(loss: float) -> Verdict:
    """Return the verdict on a decision that cost so much."""
    if loss <= 0.0:
        return "best"
    return next(verdict for verdict, least in VERDICTS if loss >= least)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with a choice, beside the best one that was found."""

    event: int
    """The number of the event with which it was carried out."""
    turn: int
    seat: int
    action: Action
    best: Action
    """The same as ``action`` unless another one has proved better."""
    loss: float
    """The chance of winning that it cost, from what the seat could know then."""
    error: float
    """The standard error of the loss."""
    win: float
    """The chance of winning that the best one gave the seat, from what it could know then."""
    verdict: Verdict
    effect: tuple[float, ...]
    """What it changed for each seat compared with the best decision; they sum to 0."""

    def to_json(self) -> dict[str, Any]:
        """Return the decision as a JSON object."""
        return {
            "event": self.event,
            "turn": self.turn,
            "seat": self.seat,
            "action": self.action.text,
            "best": self.best.text,
            "loss": round(self.loss, 6),
            "error": round(self.error, 6),
            "win": round(self.win, 6),
            "verdict": self.verdict,
            "effect": _rounded(self.effect),
        }


@dataclass(frozen=True, slots=True)
class Chance:
    """What chance brought at one event, compared with the mean over what could have come."""

    event: int
    """The number of the last event by which it was settled."""
    kind: Literal["deal", "drawn", "turned_up", "offered"]
    brought: tuple[float, ...]
    """In win chance, for each seat; they sum to 0."""

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"event": self.event, "kind": self.kind, "brought": _rounded(self.brought)}


@dataclass(frozen=True, slots=True)
class Review:
    """What decided a game: ``start`` + the effects of all decisions + ``luck`` = the last row."""

    players: int
    start: tuple[float, ...]
    """Each seat's chance before the deal, or in the position that the game began from."""
    win: tuple[tuple[float, ...], ...]
    """Each seat's chance after each event, with all hands and tickets open."""
    decisions: tuple[Decision, ...]
    chances: tuple[Chance, ...]
    unseen: tuple[float, ...]
    """The part of ``luck`` that is due to what those who decided could not know."""
    luck: tuple[float, ...]
    error: tuple[float, ...]
    """The standard error of ``luck``."""
    events: int
    """How many events the record has; more than there are rows if the review was stopped."""
    iterations: int
    seed: int

    @property
    def complete(self) -> bool:
        """Whether the whole record was reviewed."""
        return len(self.win) == self.events

    def losses(self, seat: int) -> float:
        """Return the sum of what a seat's own decisions cost it."""
        return sum(each.loss for each in self.decisions if each.seat == seat)

    def gifts(self, seat: int) -> float:
        """Return the sum of what the decisions of the others brought a seat."""
        return sum(each.effect[seat] for each in self.decisions if each.seat != seat)

    def score(self, seat: int) -> int:
        """Return how well a seat decided, up to 100: the mean over its decisions.

        One that costs nothing counts in full, one that costs :data:`HALF` for a half, one that
        costs twice as much for a quarter, and so on.
        """
        losses = [each.loss for each in self.decisions if each.seat == seat]
        if not losses:
            return 100
        total = math.fsum(math.pow(0.5, loss / HALF) for loss in losses)
        return round(100 * total / len(losses))

    def turning_point(self, seat: int) -> int | None:
        """Return the event by which a seat's chance changed most; None if it never did."""
        rows = [self.start, *self.win]
        steps = [abs(rows[i + 1][seat] - rows[i][seat]) for i in range(len(self.win))]
        most = max(steps, default=0.0)
        return steps.index(most) if most > 0.0 else None

    def to_json(self) -> dict[str, Any]:
        """Return the review as a JSON object."""
        return {
            "players": self.players,
            "complete": self.complete,
            "iterations": self.iterations,
            "seed": self.seed,
            "start": _rounded(self.start),
            "win": [_rounded(row) for row in self.win],
            "decisions": [each.to_json() for each in self.decisions],
            "chances": [each.to_json() for each in self.chances],
            "unseen": _rounded(self.unseen),
            "luck": _rounded(self.luck),
            "error": _rounded(self.error),
        }


def _rounded(numbers: tuple[float, ...]) -> list[float]:
    return [round(number, 6) for number in numbers]
