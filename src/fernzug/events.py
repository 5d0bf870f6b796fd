"""Events: what happened, including the outcome of chance, and who may know it.

===================  ==============================================================================
kind                 fields (those in brackets are secret from other seats)
===================  ==============================================================================
``shuffled``         count, [cards]: the new deck, top card first; nobody may know it
``shuffled_tickets`` count, [tickets]: the ticket deck; nobody may know it
``dealt``            seat, [color]
``turned_up``        place, color
``swept``            all face-up cards are discarded (D5)
``reshuffled``       count, [cards]: the discards become the deck (D6); nobody may know the order
``offered``          seat, count, [tickets]
``kept``             seat, count, [tickets]
``returned``         seat, count, [tickets]: they go under the ticket deck
``took``             seat, place, color: a face-up card
``drew``             seat, [color]: a card from the deck
``claimed``          seat, route, cards, points (none if points are counted at the end)
``passed``           seat
``last_round``       seat: everybody has one more turn (E1)
``awaited``          phase, seat, turns_left: the next decision, and whose it is
``ended``            the game is over
===================  ==============================================================================

Bonuses given in play add events of their own, which everybody may know. Places of face-up cards are
counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from fernzug.board.model import WILD, Board
from fernzug.engine import facts
from fernzug.engine.state import NONE
from fernzug.engine.tables import Tables
from fernzug.notation import card_name, card_number

if TYPE_CHECKING:
    from fernzug.json_types import GameEvent, Phase


PHASES: tuple[Phase, ...] = ("setup", "turn", "second_card", "keep", "over")
"""The phases by their number in the engine."""

# Events that nobody may know in full, and those that only the seat concerned may.
_DECKS = ("shuffled", "reshuffled", "shuffled_tickets")
_OWN = ("dealt", "drew", "offered", "kept", "returned")


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """Something that happened; fields that do not belong to its kind, or are secret, are None."""

    kind: str
    seat: int | None = None
    color: str | None = None
    place: int | None = None
    route: str | None = None
    cards: tuple[str, ...] | Mapping[str, int] | None = None
    tickets: tuple[str, ...] | None = None
    count: int | None = None
    points: int | None = None
    phase: str | None = None
    turns_left: int | None = None

    def seen_by(self, seat: int | None) -> Event:
        """Return the event as far as a seat may know it; ``None`` is a spectator."""
        if self.kind in _DECKS or (self.kind in _OWN and seat != self.seat):
            return Event(self.kind, seat=self.seat, count=self.count)
        return self

    def __repr__(self) -> str:
        fields = [f"{name}={value!r}" for name, value in self.to_json().items() if name != "event"]
        return f"Event({', '.join([repr(self.kind), *fields])})"

    def to_json(self) -> GameEvent:
        """Return the event as a JSON object without the fields that are None."""
        fields = {name: getattr(self, name) for name in _JSON_FIELDS}
        told = {"event": self.kind} | {k: _plain(v) for k, v in fields.items() if v is not None}
        return cast("GameEvent", told)


_JSON_FIELDS = tuple(name for name in Event.__slots__ if name != "kind")


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


# ---------------------------------------------------------------------------- facts and events


class _Field(NamedTuple):
    """A field of an event, and how many numbers of the fact it takes.

    A ``size`` of 0 means all remaining numbers.
    """

    name: str
    size: int
    value: Callable[[Board, Sequence[int]], Any]
    numbers: Callable[[Board, Any], tuple[int, ...]]


def _whole(name: str, shift: int = 0) -> _Field:
    return _Field(name, 1, lambda board, n: n[0] + shift, lambda board, v: (_int(v) - shift,))


def _int(value: Any) -> int:
    """Return the value if it is an int; True equals 1, but the engine takes only ints."""
    if type(value) is not int:
        raise TypeError
    return value


def _phase(name: str) -> int:
    """Return the number of a phase; ``KeyError`` if there is none of this name."""
    numbers: dict[str, int] = {phase: number for number, phase in enumerate(PHASES)}
    return numbers[name]


def _payment(board: Board, numbers: Sequence[int]) -> dict[str, int]:
    color, cards, wilds = numbers
    paid = {card_name(board, color): cards, WILD: wilds}
    return {name: n for name, n in paid.items() if n}


def _paid(board: Board, value: Mapping[str, int]) -> tuple[int, ...]:
    cards = dict(value)
    wilds = cards.pop(WILD, 0)
    color, number = next(iter(cards.items()), (WILD, 0))
    return (card_number(board, color), number, wilds)


_SEAT = _whole("seat")
_POINTS = _whole("points")
_PLACE = _whole("place", shift=1)
_COLOR = _Field(
    "color", 1, lambda board, n: card_name(board, n[0]), lambda board, v: (card_number(board, v),)
)
_ROUTE = _Field(
    "route", 1, lambda board, n: board.routes[n[0]].id, lambda board, v: (board.routes.index(v),)
)
_PHASE = _Field("phase", 1, lambda board, n: PHASES[n[0]], lambda board, v: (_phase(v),))
_TURNS_LEFT = _Field(
    "turns_left",
    1,
    lambda board, n: None if n[0] == NONE else n[0],
    lambda board, v: (NONE if v is None else v,),
)
_PAYMENT = _Field("cards", 3, _payment, _paid)
_CARDS = _Field(
    "cards",
    0,
    lambda board, n: tuple(card_name(board, color) for color in n),
    lambda board, v: tuple(card_number(board, color) for color in v),
)
_TICKETS = _Field(
    "tickets",
    0,
    lambda board, n: tuple(board.tickets[ticket].id for ticket in n),
    lambda board, v: tuple(board.tickets.index(ticket) for ticket in v),
)

_FIELDS = {field.name: field for field in (_SEAT, _POINTS, _PLACE, _COLOR, _ROUTE)}
"""The fields that facts of bonuses may have."""


class _Kind(NamedTuple):
    """A kind of event: the number of its fact, its word, its fields in the order of the fact."""

    number: int
    word: str
    fields: tuple[_Field, ...]
    points: int | None = None
    """The points that every such event tells."""


_KINDS = (
    _Kind(facts.SHUFFLED, "shuffled", (_CARDS,)),
    _Kind(facts.SHUFFLED_TICKETS, "shuffled_tickets", (_TICKETS,)),
    _Kind(facts.DEALT, "dealt", (_SEAT, _COLOR)),
    _Kind(facts.TURNED_UP, "turned_up", (_PLACE, _COLOR)),
    _Kind(facts.SWEPT, "swept", ()),
    _Kind(facts.RESHUFFLED, "reshuffled", (_CARDS,)),
    _Kind(facts.OFFERED, "offered", (_SEAT, _TICKETS)),
    _Kind(facts.KEPT, "kept", (_SEAT, _TICKETS)),
    _Kind(facts.RETURNED, "returned", (_SEAT, _TICKETS)),
    _Kind(facts.TOOK, "took", (_SEAT, _PLACE, _COLOR)),
    _Kind(facts.DREW, "drew", (_SEAT, _COLOR)),
    _Kind(facts.CLAIMED, "claimed", (_SEAT, _ROUTE, _PAYMENT)),
    _Kind(facts.PASSED, "passed", (_SEAT,)),
    _Kind(facts.LAST_ROUND, "last_round", (_SEAT,)),
    _Kind(facts.AWAITED, "awaited", (_PHASE, _SEAT, _TURNS_LEFT)),
    _Kind(facts.ENDED, "ended", ()),
)
"""The kinds of event of every board, in both directions."""

KINDS = tuple(kind.word for kind in _KINDS)
"""The kinds of event of every board; bonuses add kinds of their own."""


class _Dictionary:
    """The kinds of event of one board, by number and by word."""

    def __init__(self, tables: Tables) -> None:
        kinds = list(_KINDS)
        for bonus in tables.bonuses:
            for fact in bonus.FACTS:
                fields = tuple(_FIELDS[name] for name in fact.fields)
                points = int(bonus.points) if fact.scores else None
                kinds.append(_Kind(fact.number, fact.word, fields, points))
        self.by_number = {kind.number: kind for kind in kinds}
        self.seats = {
            kind.number: 1 + kind.fields.index(_SEAT) for kind in kinds if _SEAT in kind.fields
        }
        """Where facts say whom they are about; all fields before that take one number each."""
        self.by_word = {kind.word: kind for kind in kinds}


@lru_cache(maxsize=32)
def _dictionary(tables: Tables) -> _Dictionary:
    return _Dictionary(tables)


def seat_of(tables: Tables, fact: tuple[int, ...]) -> int | None:
    """Return the seat that a fact of the engine is about; None if it is about none."""
    place = _dictionary(tables).seats.get(fact[0])
    return None if place is None else fact[place]


def event_of(tables: Tables, fact: tuple[int, ...]) -> Event:
    """Return a fact of the engine as an event."""
    board = tables.board
    kind = _dictionary(tables).by_number[fact[0]]
    told: dict[str, Any] = {"points": kind.points}
    at = 1
    for field in kind.fields:
        end = at + field.size if field.size else len(fact)
        told[field.name] = field.value(board, fact[at:end])
        if not field.size:
            told["count"] = end - at
        at = end
    if kind.number == facts.CLAIMED and tables.score_track:
        told["points"] = int(tables.route_points[fact[2]])
    return Event(kind.word, **told)


def fact_of(tables: Tables, data: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the fact that an event's JSON object tells; ``ValueError`` if it tells none."""
    try:
        kind = _dictionary(tables).by_word[data["event"]]
        fact: tuple[int, ...] = (kind.number,)
        for field in kind.fields:
            fact += field.numbers(tables.board, data.get(field.name))
        known = event_of(tables, fact).to_json()
    except (KeyError, IndexError, TypeError, AttributeError):
        fact, known = (), None
    if known is None or known != dict(data) or any(type(number) is not int for number in fact):
        raise ValueError(f"this is not an event of the board: {dict(data)}")
    return fact


def as_seen(events: list[Event], seat: int | None) -> list[Event]:
    """Return events as a seat may know them."""
    return [event.seen_by(seat) for event in events]


__all__ = ["PHASES", "Event", "as_seen", "event_of", "fact_of"]
