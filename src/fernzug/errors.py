"""Why something is refused, as a value, and the error that carries it.

The sentences are in the catalogs of :mod:`fernzug.i18n`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fernzug.board.model import Board

Part = str | int | tuple[str, ...] | Mapping[str, int]
"""A part of a reason: an id or word, a number or seat, several words, or cards by colour."""


@dataclass(frozen=True, slots=True, init=False)
class Reason:
    """Why something is refused, or good: a code and its parts.

    The code is a word such as ``shut``; the reasons of a bonus are ``bonus.KIND.WORD``, and what
    speaks for an action is ``advice.WORD``. The name of a part says what it is: ``route``,
    ``ticket``, ``player`` and ``other_player`` (seats), ``color`` and ``other`` (colours of cards),
    ``cards`` (numbers by colour), ``piece`` (a kind of piece), ``word`` (as it was typed),
    ``meant`` (what it probably should have been), ``known`` and ``colors`` (what it could have
    been). All other parts are plain numbers and words.
    """

    code: str
    parts: Mapping[str, Part] = field(hash=False)

    def __init__(self, code: str, **parts: Part) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "parts", parts)

    def adding(self, **parts: Part) -> Reason:
        """Return the same reason with more parts."""
        return Reason(self.code, **self.parts, **parts)

    def in_english(self, board: Board | None = None) -> str:
        """Return the reason in English, with ids; pieces have the names of the board if given."""
        from fernzug.i18n.sentences import english  # most programs never need a sentence

        return english(self, board)

    def __str__(self) -> str:
        return self.in_english()

    def to_json(self) -> dict[str, Any]:
        """Return the code and the parts as one JSON object."""
        return {"code": self.code, **self.parts}


class IllegalAction(ValueError):
    """An action that may not be taken now; nothing has changed.

    ``reason`` says why in English and ``why`` is the same as a value, for programs and other
    languages. ``position`` is the whole position in which the action was refused.
    """

    def __init__(
        self, reason: str, position: dict[str, Any] | None = None, why: Reason | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position
        self.why = why or Reason("other")


def is_one_of(value: object, numbers: range) -> bool:
    """Whether a value is an int in a range, and not merely equal to one.

    ``True`` and ``1.0`` equal 1 but are not seats, and the compiled engine takes only ints.
    """
    return isinstance(value, int) and not isinstance(value, bool) and value in numbers


def plain(number: Any) -> Any:
    """Return an integer of numpy as one of Python; anything else as it is, to be checked."""
    # Numpy registers its integers with this class, and does not have to be installed here.
    whole = isinstance(number, Integral) and not isinstance(number, bool)
    return int(number) if whole else number


def no_seat(seat: object, players: int) -> Reason:
    """Return why a seat that does not exist is refused."""
    return Reason("no_seat", word=repr(seat), last=players - 1)
