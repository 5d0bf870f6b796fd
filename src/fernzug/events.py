"""Events: what happened, with chance resolved, and who may know it.

===================  ==============================================================================
kind                 fields (those in brackets are secret from other seats)
===================  ==============================================================================
``shuffled``         count, [cards]: the new deck, next card first; nobody may know it
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
``claimed``          seat, route, cards, points (none where points are counted at the end)
``flag_kept``        seat, color (E6)
``flag_scored``      seat, points (E6)
``passed``           seat
``last_round``       seat: everybody has one more turn (E1)
``awaited``          phase, seat, turns_left: whose decision is awaited next
``ended``            the game is over
===================  ==============================================================================

Places of face-up cards are counted from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from fernzug.board.model import WILD
from fernzug.engine import facts
from fernzug.engine.state import NONE
from fernzug.engine.tables import Tables
from fernzug.json_types import GameEvent, Phase
from fernzug.notation import card_name, card_number

PHASES: tuple[Phase, ...] = ("setup", "turn", "second_card", "keep", "over")
"""The phases by their number in the engine."""

KINDS: Mapping[int, str] = {
    facts.SHUFFLED: "shuffled",
    facts.SHUFFLED_TICKETS: "shuffled_tickets",
    facts.DEALT: "dealt",
    facts.TURNED_UP: "turned_up",
    facts.SWEPT: "swept",
    facts.RESHUFFLED: "reshuffled",
    facts.OFFERED: "offered",
    facts.KEPT: "kept",
    facts.RETURNED: "returned",
    facts.TOOK: "took",
    facts.DREW: "drew",
    facts.CLAIMED: "claimed",
    facts.FLAG_KEPT: "flag_kept",
    facts.FLAG_SCORED: "flag_scored",
    facts.PASSED: "passed",
    facts.LAST_ROUND: "last_round",
    facts.AWAITED: "awaited",
    facts.ENDED: "ended",
}
_FACTS = {word: number for number, word in KINDS.items()}
_PHASES = {word: number for number, word in enumerate(PHASES)}

# Facts that only the seat concerned may know in full; the first two not even that one.
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
        """Return the event as a seat may know it; ``None`` is a spectator."""
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
        return cast(GameEvent, told)


_JSON_FIELDS = tuple(name for name in Event.__slots__ if name != "kind")


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def event_of(tables: Tables, fact: tuple[int, ...]) -> Event:
    """Return the event that tells a fact of the engine in words."""
    board = tables.board
    kind = KINDS[fact[0]]
    if kind in ("shuffled", "reshuffled"):
        cards = tuple(card_name(board, color) for color in fact[1:])
        return Event(kind, cards=cards, count=len(cards))
    if kind == "shuffled_tickets":
        tickets = tuple(board.tickets[ticket].id for ticket in fact[1:])
        return Event(kind, tickets=tickets, count=len(tickets))
    if kind in ("offered", "kept", "returned"):
        tickets = tuple(board.tickets[ticket].id for ticket in fact[2:])
        return Event(kind, seat=fact[1], tickets=tickets, count=len(tickets))
    if kind in ("dealt", "drew", "flag_kept"):
        return Event(kind, seat=fact[1], color=card_name(board, fact[2]))
    if kind == "turned_up":
        return Event(kind, place=fact[1] + 1, color=card_name(board, fact[2]))
    if kind == "took":
        return Event(kind, seat=fact[1], place=fact[2] + 1, color=card_name(board, fact[3]))
    if kind == "claimed":
        return _claimed(tables, fact)
    if kind == "flag_scored":
        return Event(kind, seat=fact[1], points=int(tables.flag_points))
    if kind == "awaited":
        turns_left = None if fact[3] == NONE else fact[3]
        return Event(kind, phase=PHASES[fact[1]], seat=fact[2], turns_left=turns_left)
    return Event(kind, seat=fact[1] if len(fact) > 1 else None)


def _claimed(tables: Tables, fact: tuple[int, ...]) -> Event:
    _, seat, route, color, cards, wilds = fact
    paid = {card_name(tables.board, color): cards, WILD: wilds}
    return Event(
        "claimed",
        seat=seat,
        route=tables.board.routes[route].id,
        cards={name: n for name, n in paid.items() if n},
        points=int(tables.route_points[route]) if tables.score_track else None,
    )


def fact_of(tables: Tables, data: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the fact that an event's JSON object tells; ``ValueError`` if it tells none."""
    try:
        fact = _fact(tables, data)
        known = event_of(tables, fact).to_json()
    except (KeyError, IndexError, TypeError, AttributeError):
        fact, known = (), None
    # True is equal to 1, but the engine takes only ints.
    if known is None or known != dict(data) or any(type(number) is not int for number in fact):
        raise ValueError(f"this is not an event of the board: {dict(data)}")
    return fact


def _fact(tables: Tables, data: Mapping[str, Any]) -> tuple[int, ...]:
    board = tables.board
    kind = data["event"]
    code = _FACTS[kind]
    if kind in ("shuffled", "reshuffled"):
        return (code, *(card_number(board, color) for color in data["cards"]))
    if kind == "shuffled_tickets":
        return (code, *(board.tickets.index(ticket) for ticket in data["tickets"]))
    if kind in ("offered", "kept", "returned"):
        return (code, data["seat"], *(board.tickets.index(t) for t in data["tickets"]))
    if kind in ("dealt", "drew", "flag_kept"):
        return (code, data["seat"], card_number(board, data["color"]))
    if kind == "turned_up":
        return (code, data["place"] - 1, card_number(board, data["color"]))
    if kind == "took":
        return (code, data["seat"], data["place"] - 1, card_number(board, data["color"]))
    if kind == "claimed":
        cards = dict(data["cards"])
        wilds = cards.pop(WILD, 0)
        color, number = next(iter(cards.items()), (WILD, 0))
        route = board.routes.index(data["route"])
        return (code, data["seat"], route, card_number(board, color), number, wilds)
    if kind == "awaited":
        return (code, _PHASES[data["phase"]], data["seat"], data.get("turns_left", NONE))
    return (code, data["seat"]) if "seat" in data else (code,)


def as_seen(events: list[Event], seat: int | None) -> list[Event]:
    """Return events as a seat may know them."""
    return [event.seen_by(seat) for event in events]


__all__ = ["PHASES", "Event", "as_seen", "event_of", "fact_of"]
