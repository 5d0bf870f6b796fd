"""How far the tickets of a seat are from being completed."""

from __future__ import annotations

from fernzug.engine.facts import CLAIMED
from fernzug.engine.seats import offer_of, tickets_of
from fernzug.engine.state import State
from fernzug.engine.tables import Tables
from fernzug.table.protocol import Progress
from fernzug.ways import Way, shortest_way


class TicketProgress:
    """How far the tickets of each seat are.

    The shortest ways are remembered: a route that somebody else claims can only lengthen the ways
    that lead over it or its twin lane.
    """

    def __init__(self, players: int) -> None:
        self._ways: list[dict[int, Way | None]] = [{} for _ in range(players)]

    def forget(self) -> None:
        """Forget all ways, because routes are free again."""
        for ways in self._ways:
            ways.clear()

    def note(self, tables: Tables, noted: list[tuple[int, ...]]) -> None:
        """Update the cache after new facts."""
        for fact in noted:
            if fact[0] == CLAIMED:
                self._claimed(tables, fact[1], fact[2])

    def _claimed(self, tables: Tables, owner: int, route: int) -> None:
        lost = {route, int(tables.route_twin[route])}
        for seat, ways in enumerate(self._ways):
            if seat == owner:
                ways.clear()
                continue
            for ticket, way in list(ways.items()):
                if way is not None and not lost.isdisjoint(way.routes):
                    del ways[ticket]

    def of(self, s: State, seat: int) -> dict[str, Progress]:
        """Return the progress of each ticket that the seat has or is offered."""
        board = s.tables.board
        left = s.pieces_left(seat)
        numbers = tickets_of(s, seat)
        if (s.choosing >> seat) & 1:
            numbers += offer_of(s, seat)
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
