"""Read an SQLite file page by page, without SQLite, as far as its pages are undamaged.

SQLite refuses everything that lies behind a damaged page. This reader knows just enough of the
`file format <https://www.sqlite.org/fileformat2.html>`_ to walk the trees of our two tables, which
have no rowid, and to go on behind a hole. What is in the write-ahead log counts as written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEADER = 100
"""Bytes before the first page's own header."""
INTERIOR, LEAF = 2, 10
"""The types of pages in a tree without rowid; its interior pages hold rows as well."""
ROWID_LEAF = 13
WAL_HEADER, FRAME_HEADER = 32, 24

Value = int | float | str | bytes | None
Row = tuple[Value, ...]


class Hole(Exception):
    """Something on a page cannot be read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A row, or a place where some are missing; ``page`` is where."""

    page: int
    row: Row | None


class Pages:
    """The pages of a file, with those of its log in their place."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        self.size = _page_size(self._data)
        self._usable = self.size - (self._data[20] if len(self._data) > 20 else 0)
        if not self.size // 2 < self._usable <= self.size:
            self._usable = self.size
        self.number = len(self._data) // self.size
        log = path.with_name(path.name + "-wal")
        self._logged = _logged(log.read_bytes(), self.size) if log.exists() else {}
        self.number = max([self.number, *self._logged])

    def page(self, number: int) -> bytes:
        """Return a page."""
        if not 1 <= number <= self.number:
            raise Hole
        if number in self._logged:
            return self._logged[number]
        found = self._data[(number - 1) * self.size : number * self.size]
        if len(found) < self.size:
            raise Hole
        return found

    def roots(self) -> dict[str, int]:
        """Return the root pages of the tables by name, as far as the first page tells them."""
        found = {}
        try:
            for cell in self._cells(1, ROWID_LEAF):
                row = cell.row
                if row is not None and row[0] == "table":
                    assert isinstance(row[1], str)
                    assert isinstance(row[3], int)
                    found[row[1]] = row[3]
        except (Hole, AssertionError, IndexError):
            return found
        return found

    def free(self) -> set[int]:
        """Return the pages that are not in use, as far as their list can be read."""
        found: set[int] = set()
        try:
            trunk = int.from_bytes(self.page(1)[32:36])
            while trunk and trunk not in found:
                page = self.page(trunk)
                found.add(trunk)
                count = min(int.from_bytes(page[4:8]), self._usable // 4 - 2)
                found |= {int.from_bytes(page[8 + 4 * n : 12 + 4 * n]) for n in range(count)}
                trunk = int.from_bytes(page[:4])
        except Hole:
            return found
        return found

    def walk(self, number: int, seen: set[int]) -> Iterator[Cell]:
        """Yield the cells below a page in order, and a hole for whatever cannot be read."""
        if number in seen:
            yield Cell(number, None)
            return
        seen.add(number)
        try:
            kind = self._kind(number)
            cells = list(self._cells(number, kind))
            children = self._children(number) if kind == INTERIOR else []
        except Hole:
            yield Cell(number, None)
            return
        for place, cell in enumerate(cells):
            if children:
                yield from self.walk(children[place], seen)
            yield cell
        if children:
            yield from self.walk(children[-1], seen)

    def stray(self, number: int) -> list[Cell]:
        """Return the cells of a page that no tree leads to; none if it is not like ours."""
        try:
            return list(self._cells(number, self._kind(number)))
        except Hole:
            return []

    def _kind(self, number: int) -> int:
        kind = self.page(number)[HEADER if number == 1 else 0]
        if kind not in (INTERIOR, LEAF):
            raise Hole
        return kind

    def _children(self, number: int) -> list[int]:
        page = self.page(number)
        left = [int.from_bytes(page[at : at + 4]) for at in self._places(number, INTERIOR)]
        return [*left, int.from_bytes(page[8:12])]

    def _places(self, number: int, kind: int) -> list[int]:
        """Return where the cells of a page begin."""
        page = self.page(number)
        start = HEADER if number == 1 else 0
        count = int.from_bytes(page[start + 3 : start + 5])
        first = start + (12 if kind == INTERIOR else 8)
        if first + 2 * count > self._usable:
            raise Hole
        return [int.from_bytes(page[first + 2 * n : first + 2 * n + 2]) for n in range(count)]

    def _cells(self, number: int, kind: int) -> Iterator[Cell]:
        for at in self._places(number, kind):
            try:
                yield Cell(number, _record(self._payload(number, at, kind)))
            except (Hole, IndexError, UnicodeDecodeError):
                yield Cell(number, None)

    def _payload(self, number: int, at: int, kind: int) -> bytes:
        """Return the content of a cell, which may go on at other pages."""
        page = self.page(number)
        size, at = _varint(page, at + 4 if kind == INTERIOR else at)
        if kind == ROWID_LEAF:
            _, at = _varint(page, at)
        usable = self._usable
        most = usable - 35 if kind == ROWID_LEAF else (usable - 12) * 64 // 255 - 23
        least = (usable - 12) * 32 // 255 - 23
        here = size
        if size > most:
            here = least + (size - least) % (usable - 4)
            here = here if here <= most else least
        found = page[at : at + here]
        following = int.from_bytes(page[at + here : at + here + 4])
        for _ in range(self.number):
            if len(found) >= size:
                break
            page = self.page(following)
            following = int.from_bytes(page[:4])
            found += page[4:usable]
        if len(found) < size:
            raise Hole
        return found[:size]


def _page_size(data: bytes) -> int:
    """Return the size of a page; if the file does not tell, SQLite's usual one."""
    size = int.from_bytes(data[16:18])
    size = 65_536 if size == 1 else size
    return size if 512 <= size <= 65_536 and size & (size - 1) == 0 else 4_096


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, and where it ends."""
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9


SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The bytes of each kind of whole number."""


def _record(data: bytes) -> Row:
    """Return the values of a row."""
    end, at = _varint(data, 0)
    kinds = []
    while at < end:
        kind, at = _varint(data, at)
        kinds.append(kind)
    values: list[Value] = []
    at = end
    for kind in kinds:
        size = SIZES.get(kind, max(0, kind - 12) // 2)
        part = data[at : at + size]
        if len(part) < size:
            raise Hole
        at += size
        if kind in SIZES:
            values.append(int.from_bytes(part, signed=True))
        elif kind >= 13 and kind % 2:
            values.append(part.decode())
        else:
            values.append({8: 0, 9: 1}.get(kind))
    return tuple(values)


def _logged(log: bytes, size: int) -> dict[int, bytes]:
    """Return the pages in a write-ahead log, up to its last complete transaction."""
    magic = int.from_bytes(log[:4])
    if magic & ~1 != 0x377F0682 or int.from_bytes(log[8:12]) != size:
        return {}
    order = ">" if magic & 1 else "<"
    check = _checksum(log[:24], (0, 0), order)
    found: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    for at in range(WAL_HEADER, len(log) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        head = log[at : at + FRAME_HEADER]
        page = log[at + FRAME_HEADER : at + FRAME_HEADER + size]
        check = _checksum(page, _checksum(head[:8], check, order), order)
        told = int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
        if head[8:16] != log[16:24] or told != check:
            break
        waiting[int.from_bytes(head[:4])] = page
        if int.from_bytes(head[4:8]):
            found |= waiting
            waiting.clear()
    return found


def _checksum(data: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        first = (first + words[place] + second) & 0xFFFFFFFF
        second = (second + words[place + 1] + first) & 0xFFFFFFFF
    return first, second
