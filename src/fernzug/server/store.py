"""What the server needs of a store: every table as the list of its changes.

The key of a change is its table and its number, ``(table, seq)``. Whoever writes a number that is
taken gets a :class:`Conflict` and has written nothing, so that several processes can write to one
store without asking each other first. :mod:`fernzug.server.sqlite_store` is the store of a single
process, :mod:`fernzug.server.postgres_store` that of many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from fernzug.table import Change, TableSetup


class StoreError(Exception):
    """The store cannot be used, or something could not be written, not even in part."""


class Conflict(StoreError):
    """There is a table with this id, or a change with this number, already."""


class CodeTaken(StoreError):
    """Another unfinished table has this code."""


class Unreachable(StoreError):
    """The store does not answer: what was to be written may have been written, or not."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it was stored."""

    setup: TableSetup
    changes: list[Change]


class Store(Protocol):
    """Where the tables are kept. What a method has returned from is on disk."""

    shared: bool
    """Whether other processes write to it as well."""

    async def create(self, setup: TableSetup, changes: Sequence[Change], state: str) -> None:
        """Write a new table with its first changes."""

    async def append(
        self, table: str, changes: Sequence[Change], state: str | None, code: str | None = None
    ) -> None:
        """Write further changes of a table, and its state and its code if they have changed."""

    async def load(self, table: str) -> Stored | None:
        """Return the table with this id, if there is one."""

    async def changes_after(self, table: str, seq: int) -> list[Change]:
        """Return the changes of a table after a certain one."""

    async def last_changes(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the numbers of the last changes of those tables that have any."""

    async def table_of_code(self, code: str) -> str | None:
        """Return the id of the unfinished table that has a code now, if there is one."""

    async def count_day(self, *, now: int, waiting_days: int, playing_days: int) -> int:
        """Count a day for unfinished tables; delete and return the number of those idle too long.

        A table's days are counted from zero again when anything happens at it. The clock only
        says whether today was counted before, so a clock that is wrong, however far, adds a day
        and deletes nothing.
        """

    async def ping(self) -> None:
        """Return when the store has answered."""

    async def close(self) -> None:
        """Write everything that is waiting, and close the store."""
