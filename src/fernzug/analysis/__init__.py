"""Analysis: how good a position is, which action is best, and what decided a game.

:func:`evaluate` looks at a position from what one seat may know, :func:`review` at a whole record.
``docs/analysis.md`` explains what the numbers mean and how far to trust them.
"""

from fernzug.analysis.evaluation import Evaluation, Option, evaluate
from fernzug.analysis.hints import Adviser, Hint, hints
from fernzug.analysis.review import Chance, Decision, Review
from fernzug.analysis.reviewer import Reviewer, review

__all__ = [
    "Adviser",
    "Chance",
    "Decision",
    "Evaluation",
    "Hint",
    "Option",
    "Review",
    "Reviewer",
    "evaluate",
    "hints",
    "review",
]
