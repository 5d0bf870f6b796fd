"""The tickets of a finished game: nothing about them is secret any more (K2)."""

from __future__ import annotations

from fernzug.table.protocol import RevealedTicket
from fernzug.view import View
from fernzug.ways import way_built


def revealed_tickets(view: View) -> list[list[RevealedTicket]]:
    """Return the tickets of each seat and the ways that complete them; nothing before the end."""
    if view.phase != "over":
        return []
    return [_tickets_of(view, seat) for seat in range(len(view.players))]


def _tickets_of(view: View, seat: int) -> list[RevealedTicket]:
    state = view.knowledge.state
    found: list[RevealedTicket] = []
    for id in view.players[seat].tickets or ():
        ticket = view.board.tickets[id]
        way = way_built(state, seat, ticket.a, ticket.b)
        routes = [view.board.routes[number].id for number in way or ()]
        found.append({"ticket": id, "done": way is not None, "way": routes})
    return found
