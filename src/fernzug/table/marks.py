"""How many facts a game had after which change."""

from __future__ import annotations

from array import array
from bisect import bisect_right


class Marks:
    """Numbers of changes, in order, each with the number of facts after it.

    There is one for each move, so they are kept as plain numbers.
    """

    __slots__ = ("_changes", "_facts")

    def __init__(self, *marks: tuple[int, int]) -> None:
        self._changes = array("L", [change for change, _ in marks])
        self._facts = array("L", [facts for _, facts in marks])

    @property
    def first(self) -> int:
        """The first change that is known."""
        return self._changes[0]

    def add(self, change: int, facts: int) -> None:
        """Note how many facts there are after another change."""
        self._changes.append(change)
        self._facts.append(facts)

    def facts_after(self, change: int) -> int:
        """Return how many facts there were after a change, which need not have added any."""
        return self._facts[bisect_right(self._changes, change) - 1]
