"""Errors that the public face raises, and the checks that several parts of it make."""

from __future__ import annotations

from typing import Any


class IllegalAction(ValueError):
    """An action that may not be taken now; nothing has changed.

    ``reason`` says why in words, ``position`` is the whole position in which it was refused.
    """

    def __init__(self, reason: str, position: dict[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


def is_one_of(value: object, numbers: range) -> bool:
    """Whether a value is a whole number of that range, and not one that is merely equal to it.

    ``True`` and ``1.0`` are equal to 1 but no seats, and the compiled engine takes only ints.
    """
    return isinstance(value, int) and not isinstance(value, bool) and value in numbers


def no_seat(seat: object, players: int) -> str:
    """Return the words for a seat that does not exist."""
    return f"there is no seat {seat!r}; the seats are 0 to {players - 1}"
