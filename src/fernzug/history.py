"""What has happened in a game, as facts; copies of a game share it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

Fact = tuple[int, ...]
COMMON = 4
"""Facts of at most so many numbers, such as a card that is drawn, are the same in many games."""
_common: dict[Fact, Fact] = {}


class History(Sequence[Fact]):
    """The facts of a game, in order.

    A copy costs nothing, however long the game is: both read the same list as far as their own
    facts go. Whoever adds a fact to a list that another has continued gets a list of its own.
    """

    __slots__ = ("_count", "_facts")

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._facts: list[Fact] = []
        self._count = 0
        self.extend(facts)

    def first(self, count: int) -> History:
        """Return the first facts as a history of its own."""
        other = History()
        other._facts, other._count = self._facts, min(count, self._count)
        return other

    def extend(self, facts: Iterable[Fact]) -> None:
        """Add facts."""
        if len(self._facts) != self._count:
            self._facts = self._facts[: self._count]
        # Kept once for all games, short facts take up no more than a reference.
        self._facts += [
            _common.setdefault(fact, fact) if len(fact) <= COMMON else fact for fact in facts
        ]
        self._count = len(self._facts)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, key: int) -> Fact: ...
    @overload
    def __getitem__(self, key: slice) -> list[Fact]: ...
    def __getitem__(self, key: int | slice) -> Fact | list[Fact]:
        if isinstance(key, slice):
            return self._facts[slice(*key.indices(self._count))]
        return self._facts[range(self._count)[key]]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts[: self._count])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History | list | tuple):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # equal by content, which grows

    def __repr__(self) -> str:
        return f"History({list(self)})"
