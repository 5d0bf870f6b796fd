"""What belongs to a seat, read from the flat vectors of a state."""

from __future__ import annotations

from mypy_extensions import i64

from fernzug.engine.state import State


def hand_of(s: State, seat: i64) -> list[int]:
    """Return a seat's cards by colour, wild last."""
    size = s.tables.colors + 1
    return list(s.hands[seat * size : (seat + 1) * size])


def known_of(s: State, seat: i64) -> list[int]:
    """Return the cards that everybody knows a seat to hold, by colour, wild last."""
    size = s.tables.colors + 1
    return list(s.known[seat * size : (seat + 1) * size])


def tickets_of(s: State, seat: i64) -> list[int]:
    """Return the tickets a seat keeps."""
    return [ticket for ticket in range(s.tables.tickets) if s.ticket_owner[ticket] == seat]


def returned_by(s: State, seat: i64) -> list[int]:
    """Return the tickets that a seat has given back at some time."""
    return [ticket for ticket in range(s.tables.tickets) if (s.returned[ticket] >> seat) & 1]


def offer_of(s: State, seat: i64) -> list[int]:
    """Return the tickets offered to a seat, or set aside by it in the set-up."""
    first = s.offer_start(seat)
    return [int(s.offer[first + 1 + i]) for i in range(s.offer[first])]


def ticket_deck_of(s: State) -> list[int]:
    """Return the ticket deck, next ticket first."""
    size = s.tables.tickets
    return [int(s.ticket_deck[(s.ticket_top + i) % size]) for i in range(s.ticket_count)]
