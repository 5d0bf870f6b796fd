"""Bounds of values that come from outside; they annotate the types of the protocol."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and the highest value that is accepted."""

    low: int
    high: int

    @property
    def words(self) -> str:
        """What a value within the bounds is."""
        return f"from {self.low} to {self.high}"


class Int(Bounds):
    """Bounds of a whole number."""


class Text(Bounds):
    """Bounds of the length of a text, in characters."""

    @property
    def words(self) -> str:
        """What a text within the bounds is."""
        return f"{self.low} to {self.high} characters long"


class Items(Bounds):
    """Bounds of the length of a list."""

    @property
    def words(self) -> str:
        """What a list within the bounds is."""
        return f"a list of {self.low} to {self.high}"
