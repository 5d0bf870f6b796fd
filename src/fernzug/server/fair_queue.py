"""A queue that nobody can fill up for the others.

It is shared between addresses first, then between the tables of an address: whoever has used least
time is next. Time that somebody did not use is not saved up, and time that nobody else wanted is
not held against anybody.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


class Shares:
    """How many seconds each of those who are present has used.

    Somebody is present while a question of theirs waits or is being answered. A newcomer starts
    level with whoever has used least, or where it was before a short absence if that is more:
    otherwise going away and coming back would pay.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._questions: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many are present."""
        return len(self._questions)

    def enter(self, key: str) -> None:
        """Count a question."""
        if not self._questions:
            self._used.clear()
        if key not in self._questions:
            level = min((self._used[other] for other in self._questions), default=0.0)
            self._used[key] = max(level, self._used.get(key, 0.0))
            self._forget_up_to(level)
        self._questions[key] += 1

    def _forget_up_to(self, level: float) -> None:
        """Forget the absent who would start no worse than a newcomer."""
        absent = self._used.keys() - self._questions.keys()
        for key in absent:
            if self._used[key] < level:
                del self._used[key]

    def leave(self, key: str) -> None:
        """Stop counting a question."""
        self._questions[key] -= 1
        if not self._questions[key]:
            del self._questions[key]

    def questions(self, key: str) -> int:
        """Return how many questions of somebody wait or are being answered."""
        return self._questions[key]

    def used(self, key: str) -> float:
        """Return what somebody who is present has used."""
        return self._used[key]

    def charge(self, key: str, seconds: float) -> None:
        """Add to what somebody who is present has used."""
        self._used[key] += seconds


@dataclass(eq=False, slots=True)
class Entry(Generic[T]):
    """Something that waits for its turn, and on whose account."""

    address: str
    table: str
    asked: T
    charged: float = 0.0
    """The seconds that it was expected to take."""


class FairQueue(Generic[T]):
    """Questions in the order in which they have their turns.

    The questions of one table are answered in the order in which they were asked.
    """

    def __init__(self) -> None:
        self._addresses = Shares()
        self._tables: dict[str, Shares] = {}
        self._waiting: dict[str, dict[str, deque[Entry[T]]]] = {}

    @property
    def addresses(self) -> int:
        """The number of addresses with questions that wait or are being answered."""
        return len(self._addresses)

    def questions(self, address: str) -> int:
        """Return how many questions of an address wait or are being answered."""
        return self._addresses.questions(address)

    def put(self, address: str, table: str, asked: T) -> Entry[T]:
        """Add a question; once it is taken it has to be finished, or else withdrawn."""
        entry = Entry(address, table, asked)
        self._addresses.enter(address)
        self._tables.setdefault(address, Shares()).enter(table)
        tables = self._waiting.setdefault(address, {})
        tables.setdefault(table, deque()).append(entry)
        return entry

    def take(self, seconds: float, fits: Callable[[T], bool]) -> Entry[T] | None:
        """Take out the next question that fits, if any; it is expected to take so long."""
        for address in sorted(self._waiting, key=self._addresses.used):
            for table in sorted(self._waiting[address], key=self._tables[address].used):
                for entry in self._waiting[address][table]:
                    if fits(entry.asked):
                        self._remove(entry)
                        entry.charged = seconds
                        self._charge(entry, seconds)
                        return entry
        return None

    def finish(self, entry: Entry[T], seconds: float) -> None:
        """Note how long a question really took."""
        self._charge(entry, seconds - entry.charged)
        self._leave(entry)

    def withdraw(self, entry: Entry[T]) -> None:
        """Remove a question that is still waiting."""
        self._remove(entry)
        self._leave(entry)

    def _charge(self, entry: Entry[T], seconds: float) -> None:
        self._addresses.charge(entry.address, seconds)
        self._tables[entry.address].charge(entry.table, seconds)

    def _remove(self, entry: Entry[T]) -> None:
        tables = self._waiting[entry.address]
        tables[entry.table].remove(entry)
        if not tables[entry.table]:
            del tables[entry.table]
        if not tables:
            del self._waiting[entry.address]

    def _leave(self, entry: Entry[T]) -> None:
        self._addresses.leave(entry.address)
        tables = self._tables[entry.address]
        tables.leave(entry.table)
        if not tables:
            del self._tables[entry.address]
