"""What a move may have changed of what is told of a game, and how far the tickets are."""

from __future__ import annotations

from typing import NamedTuple

from fernzug.engine import facts
from fernzug.engine.facts import CLAIMED
from fernzug.engine.seats import offer_of, tickets_of
from fernzug.engine.state import State
from fernzug.engine.tables import Tables
from fernzug.events import seat_of
from fernzug.table.protocol import Progress
from fernzug.ways import Way, shortest_way

WITHOUT_ROUTES = frozenset(
    {
        facts.SHUFFLED,
        facts.SHUFFLED_TICKETS,
        facts.DEALT,
        facts.TURNED_UP,
        facts.SWEPT,
        facts.RESHUFFLED,
        facts.OFFERED,
        facts.KEPT,
        facts.RETURNED,
        facts.TOOK,
        facts.DREW,
        facts.PASSED,
        facts.LAST_ROUND,
        facts.AWAITED,
    }
)
"""Facts about cards, tickets and turns, which change nothing on the board."""
OF_NOBODY = frozenset(
    {
        facts.SHUFFLED,
        facts.SHUFFLED_TICKETS,
        facts.TURNED_UP,
        facts.SWEPT,
        facts.RESHUFFLED,
        facts.AWAITED,
    }
)
"""Facts that change nothing about any player."""


ONLY_CARDS = WITHOUT_ROUTES - {
    facts.SHUFFLED_TICKETS,
    facts.DEALT,
    facts.OFFERED,
    facts.KEPT,
    facts.RETURNED,
}
"""Those of them that change nothing about tickets either."""


class Changed(NamedTuple):
    """What the last change may have changed."""

    players: int
    """A bit for each seat of which anything else may be known."""
    routes: bool
    """Who has which route, and what follows from that."""
    tickets: int
    """A bit for each seat with other tickets, or whose tickets are nearer or farther."""


EVERYTHING = Changed(players=-1, routes=True, tickets=-1)


class TicketProgress:
    """How far the tickets of each seat are.

    The shortest ways are remembered: a route that somebody else claims can only lengthen the ways
    that lead over it or its twin lane.
    """

    def __init__(self, players: int) -> None:
        self._ways: list[dict[int, Way | None]] = [{} for _ in range(players)]
        self._known = 0
        """A bit for each seat of whose tickets all ways are remembered."""

    def forget(self) -> None:
        """Forget all ways, because routes are free again."""
        self._known = 0
        for ways in self._ways:
            ways.clear()

    def note(self, tables: Tables, noted: list[tuple[int, ...]]) -> int:
        """Update what is remembered after new facts; return a bit for each seat to be told."""
        found = 0
        for fact in noted:
            if fact[0] == CLAIMED:
                found |= self._claimed(tables, fact[1], fact[2])
            elif fact[0] not in ONLY_CARDS:
                seat = seat_of(tables, fact)
                found |= EVERYTHING.tickets if seat is None else 1 << seat
        # The ways of other tickets are not remembered.
        self._known &= ~found
        return found

    def _claimed(self, tables: Tables, owner: int, route: int) -> int:
        """Forget the ways that may be others now; return a bit for each seat that has any."""
        # Whoever may have ways that are not remembered here has to be told, too.
        found = ~self._known | 1 << owner
        lost = {route, int(tables.route_twin[route])}
        for seat, ways in enumerate(self._ways):
            longer = [
                ticket
                for ticket, way in ways.items()
                if seat == owner or (way is not None and not lost.isdisjoint(way.routes))
            ]
            for ticket in longer:
                del ways[ticket]
            found |= bool(longer) << seat
        return found

    def of(self, s: State, seat: int) -> dict[str, Progress]:
        """Return the progress of each ticket that the seat has or is offered."""
        self._known |= 1 << seat
        left = s.pieces_left(seat)
        numbers = tickets_of(s, seat)
        if (s.choosing >> seat) & 1:
            numbers += offer_of(s, seat)
        board = s.tables.board
        found: dict[str, Progress] = {}
        for number in numbers:
            way = self._way(s, seat, number)
            # A ticket is also lost if there are fewer pieces than its shortest way takes.
            if way is None or way.pieces > left:
                progress = Progress(done=False, missing=None, way=[])
            else:
                routes = [board.routes[route].id for route in way.path]
                progress = Progress(done=way.pieces == 0, missing=way.pieces, way=routes)
            found[board.tickets[number].id] = progress
        return found

    def _way(self, s: State, seat: int, number: int) -> Way | None:
        ways = self._ways[seat]
        if number not in ways:
            ticket = s.tables.board.tickets[number]
            ways[number] = shortest_way(s, seat, ticket.a, ticket.b)
        return ways[number]


class WorkedOut:
    """What one table remembers of what was told of its game."""

    def __init__(self, players: int) -> None:
        self.tickets = TicketProgress(players)
        self.changed = EVERYTHING
        """By the last facts that were noted."""

    def note(self, tables: Tables, noted: list[tuple[int, ...]]) -> None:
        """Take note of the facts of a change, and of what they change."""
        players = 0
        for fact in noted:
            if fact[0] not in OF_NOBODY:
                seat = seat_of(tables, fact)
                players |= EVERYTHING.players if seat is None else 1 << seat
        routes = any(fact[0] not in WITHOUT_ROUTES for fact in noted)
        self.changed = Changed(players, routes, self.tickets.note(tables, noted))

    def forget(self) -> None:
        """Forget everything, because facts were taken back."""
        self.changed = EVERYTHING
        self.tickets.forget()
