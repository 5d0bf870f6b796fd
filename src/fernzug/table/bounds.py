"""Bounds for incoming values, used as annotations in the protocol."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and highest values accepted."""

    low: int
    high: int

    @property
    def words(self) -> str:
        """The bounds in words."""
        return f"from {self.low} to {self.high}"


class Int(Bounds):
    """Bounds of a whole number."""


class Text(Bounds):
    """Bounds of the length of a text, in characters."""

    @property
    def words(self) -> str:
        """The bounds in words."""
        return f"{self.low} to {self.high} characters long"


class Items(Bounds):
    """Bounds of the length of a list."""

    @property
    def words(self) -> str:
        """The bounds in words."""
        return f"a list of {self.low} to {self.high}"
