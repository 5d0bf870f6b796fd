"""A board as a value: what its file says, for the engine and for whoever draws the board.

Nothing here reads files; `fernzug.board.files` makes these values from files it has checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Protocol, SupportsIndex, TypeVar, overload

from fernzug.spelling import did_you_mean

GRAY = "gray"
"""The colour of a route that takes any one colour of cards (C1)."""

WILD = "wild"
"""The card that stands for any colour (C2). It has this id on every board."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a board file: a message, and the line to look at."""

    line: int | None
    text: str

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


class BoardError(ValueError):
    """A board file is faulty; `faults` holds everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def lines(self, name: str) -> list[str]:
        """The faults of the file with this name, each as `FILE:LINE: TEXT`."""
        return [
            f"{name}: {fault.text}" if fault.line is None else f"{name}:{fault.line}: {fault.text}"
            for fault in self.faults
        ]

    def __reduce__(self) -> tuple[type[BoardError], tuple[tuple[Fault, ...]]]:
        # By default an exception is unpickled from its message, which would lose the faults on the
        # way back from a worker process.
        return BoardError, (self.faults,)


class HasId(Protocol):
    """Anything that a catalog can hold."""

    @property
    def id(self) -> str:
        """Its name in notation, records and files."""


T = TypeVar("T", bound=HasId)


class Catalog(Generic[T]):
    """The places, routes or tickets of a board, in the order of its file and by id.

    Iterating gives the objects; `catalog[3]` is the fourth of them, `catalog["a-b"]` the one with
    that id, `catalog.index("a-b")` its number, `"a-b" in catalog` whether there is one. `keys`,
    `values` and `items` work as they do for a mapping from ids to objects.
    """

    __slots__ = ("_index", "_items", "_noun")

    def __init__(
        self, noun: str, items: Iterable[T], aliases: Mapping[str, str] | None = None
    ) -> None:
        self._noun = noun
        self._items: tuple[T, ...] = tuple(items)
        index = {item.id: number for number, item in enumerate(self._items)}
        for alias, id in (aliases or {}).items():
            index.setdefault(alias, index[id])
        self._index: dict[str, int] = index

    def index(self, id: str) -> int:
        """The number of the object with this id; ValueError if there is none."""
        try:
            return self._index[id]
        except KeyError:
            hint = did_you_mean(id, self._index)
            raise ValueError(f"there is no {self._noun} '{id}' on this board{hint}") from None

    @overload
    def __getitem__(self, key: int | str) -> T: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[T, ...]: ...
    def __getitem__(self, key: int | str | slice) -> T | tuple[T, ...]:
        if isinstance(key, str):
            return self._items[self.index(key)]
        return self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._index if isinstance(key, str) else key in self._items

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def keys(self) -> tuple[str, ...]:
        """The ids, in the order of the file."""
        return tuple(item.id for item in self._items)

    def values(self) -> tuple[T, ...]:
        """The objects, in the order of the file."""
        return self._items

    def items(self) -> tuple[tuple[str, T], ...]:
        """Each id with its object, in the order of the file."""
        return tuple((item.id, item) for item in self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalog) and self._items == other._items

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"<{len(self)} {self._noun}s>"


def _in_language(names: Mapping[str, str], language: str, default: str) -> str:
    """The name in a language, or the default: files list only the names that differ from it."""
    return names.get(language) or default


@dataclass(frozen=True)
class Location:
    """A place that routes join and tickets name."""

    id: str
    name: str
    names: Mapping[str, str] = field(hash=False)
    x: float
    y: float
    label: str
    lines: tuple[str, ...]
    lat: float | None
    lon: float | None

    def name_in(self, language: str) -> str:
        """The place's name in that language."""
        return _in_language(self.names, language, self.name)


@dataclass(frozen=True)
class Route:
    """A route, or one lane of a double route, between two places."""

    id: str
    a: str
    b: str
    color: str
    length: int
    cost: int
    pieces: int
    piece: str
    lane: int
    twin: str | None
    points: int
    bend: float


@dataclass(frozen=True)
class Ticket:
    """Two places to join, and what that is worth."""

    id: str
    a: str
    b: str
    points: int


@dataclass(frozen=True)
class PieceKind:
    """A kind of piece that every player has: trains, taxis, trams, subways."""

    id: str
    count: int
    one_per_route: bool
    points: Mapping[int, int] = field(hash=False)
    names: Mapping[str, str] = field(hash=False)
    singular: Mapping[str, str] = field(hash=False)

    def name_in(self, language: str, count: int = 2) -> str:
        """The word for that many pieces of this kind."""
        names = self.singular if count == 1 else self.names
        return _in_language(names, language, names.get("en") or self.id)


@dataclass(frozen=True)
class Group:
    """Places that belong together, such as a district (E5)."""

    id: str
    name: str
    names: Mapping[str, str] = field(hash=False)
    color: str | None
    points: int
    locations: tuple[str, ...]

    def name_in(self, language: str) -> str:
        """The group's name in that language."""
        return _in_language(self.names, language, self.name)


@dataclass(frozen=True)
class Bonus:
    """A bonus of the board, with the fields that its kind needs."""

    kind: str
    points: int
    locations: tuple[str, ...]
    colors: tuple[str, ...]
    groups: tuple[Group, ...]
    numbers: Mapping[str, int] = field(hash=False)
    """Further numbers that the kind needs, by name."""
    names: Mapping[str, str] = field(hash=False)

    def name_in(self, language: str) -> str:
        """The bonus's name in that language, or its kind if the file gives no name."""
        default = self.names.get("en") or self.kind.replace("_", " ")
        return _in_language(self.names, language, default)


@dataclass(frozen=True)
class Drawing:
    """The canvas and sizes, in px, that the positions of the places are meant for."""

    width: float
    height: float
    pitch: float
    space_width: float
    lane_gap: float
    location_radius: float
    font_size: float


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """Everything that differs from board to board."""

    id: str
    name: str
    names: Mapping[str, str]
    network: str
    notes: Mapping[str, str]
    min_players: int
    max_players: int
    colors: tuple[str, ...]
    color_counts: tuple[int, ...]
    wild_count: int
    color_names: Mapping[str, Mapping[str, str]]
    wild_names: Mapping[str, str]
    pieces: tuple[PieceKind, ...]
    deal_cards: int
    deal_tickets: int
    deal_keep: int
    draw_tickets: int
    draw_keep: int
    last_round_at: int
    single_lane_up_to: int
    score_track: bool
    bonuses: tuple[Bonus, ...]
    tie_breaks: tuple[str, ...]
    locations: Catalog[Location]
    routes: Catalog[Route]
    tickets: Catalog[Ticket]
    drawing: Drawing
    source: str
    hash: str = field(init=False)

    def __post_init__(self) -> None:
        import hashlib  # not needed before the first board is read

        text = json.dumps(_hashed(self), sort_keys=True, separators=(",", ":"))
        object.__setattr__(self, "hash", hashlib.sha256(text.encode()).hexdigest()[:16])

    def __eq__(self, other: object) -> bool:
        # The source alone would not tell a board from a copy of it with different rules.
        return isinstance(other, Board) and (self.source, self.hash) == (other.source, other.hash)

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"<Board {self.id} {self.hash}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        from fernzug.board import files

        # A board that comes with the package is at hand in every process: only its id is sent.
        if files.is_builtin(self):
            return files.load, (self.id,)
        return object.__reduce_ex__(self, protocol)

    @cached_property
    def card_names(self) -> tuple[str, ...]:
        """The names of the cards by their numbers: the colours, then wild."""
        return (*self.colors, WILD)

    @property
    def players(self) -> range:
        """The possible numbers of players."""
        return range(self.min_players, self.max_players + 1)

    def name_in(self, language: str) -> str:
        """The board's name in that language."""
        return _in_language(self.names, language, self.name)

    def note_in(self, language: str) -> str:
        """What a player should know before choosing the board; empty if nothing."""
        return _in_language(self.notes, language, self.notes.get("en", ""))

    def color_name(self, color: str, language: str) -> str:
        """The name of a card in that language: one of the colours, or the wild card."""
        names = self.wild_names if color == WILD else self.color_names[color]
        return _in_language(names, language, names.get("en") or color)


def _hashed(board: Board) -> dict[str, Any]:
    """Everything that affects play, and nothing else.

    Names, notes and drawing can be improved without making old records unreadable. The order of
    colours, places, routes and tickets counts, because it numbers cards and actions.
    """
    return {
        "players": [board.min_players, board.max_players],
        "colors": list(zip(board.colors, board.color_counts, strict=True)),
        "wild": board.wild_count,
        "pieces": [
            [kind.id, kind.count, kind.one_per_route, sorted(kind.points.items())]
            for kind in board.pieces
        ],
        "deal": [board.deal_cards, board.deal_tickets, board.deal_keep],
        "draw": [board.draw_tickets, board.draw_keep],
        "last_round_at": board.last_round_at,
        "single_lane_up_to": board.single_lane_up_to,
        "score_track": board.score_track,
        "bonuses": [
            [
                bonus.kind,
                bonus.points,
                bonus.locations,
                bonus.colors,
                [[group.id, group.points, group.locations] for group in bonus.groups],
                # Kinds without numbers of their own keep the hash they always had.
                *([sorted(bonus.numbers.items())] if bonus.numbers else []),
            ]
            for bonus in board.bonuses
        ],
        "tie_breaks": board.tie_breaks,
        "locations": [location.id for location in board.locations],
        "routes": [[r.id, r.color, r.length, r.piece, r.lane, r.points] for r in board.routes],
        "tickets": [[t.id, t.points] for t in board.tickets],
    }
