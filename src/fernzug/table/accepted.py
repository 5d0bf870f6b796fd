"""Which commands were accepted, so that they are recognised when they arrive again."""

from __future__ import annotations

from array import array

MAX_COMMANDS = 64
"""How many commands of a seat are recognised."""


class Accepted:
    """The last commands of one seat, with the changes they have led to.

    Every seat of every table has some, so they are kept as plain lists, which are short.
    """

    __slots__ = ("_changes", "_ids")

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._changes = array("L")

    def add(self, id: str, change: int) -> None:
        """Note a command, and forget the oldest if there are too many."""
        self._ids.append(id)
        self._changes.append(change)
        if len(self._ids) > MAX_COMMANDS:
            del self._ids[0], self._changes[0]

    def change_of(self, id: str) -> int | None:
        """Return the change that a command led to, if it was accepted before."""
        return self._changes[self._ids.index(id)] if id in self._ids else None
