"""What is told of a game with every move, kept until something changes it."""

from __future__ import annotations

from typing import NamedTuple

from fernzug.engine import facts
from fernzug.engine.facts import CLAIMED
from fernzug.engine.seats import offer_of, tickets_of
from fernzug.engine.state import State
from fernzug.engine.tables import Tables
from fernzug.events import seat_of
from fernzug.json_types import BonusStep, PlayerView
from fernzug.table.protocol import Progress
from fernzug.view import View
from fernzug.ways import Way, shortest_way, shut_routes

Bonuses = list[dict[str, list[BonusStep]]]
"""For each seat, by kind of bonus."""
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
        self._told: dict[int, tuple[object, dict[str, Progress]]] = {}
        """What was told last of each seat, with what it depends on besides the routes."""

    def forget(self) -> None:
        """Forget all ways, because routes are free again."""
        self._told.clear()
        for ways in self._ways:
            ways.clear()

    def note(self, tables: Tables, noted: list[tuple[int, ...]]) -> int:
        """Update the cache after new facts; return a bit for each seat that has to be told."""
        found = 0
        for fact in noted:
            if fact[0] == CLAIMED:
                self._claimed(tables, fact[1], fact[2])
            elif fact[0] not in ONLY_CARDS:
                seat = seat_of(tables, fact)
                found |= EVERYTHING.tickets if seat is None else 1 << seat
        for seat in range(len(self._ways)):
            if seat not in self._told:
                found |= 1 << seat
        return found

    def _claimed(self, tables: Tables, owner: int, route: int) -> None:
        lost = {route, int(tables.route_twin[route])}
        for seat, ways in enumerate(self._ways):
            known = len(ways)
            if seat == owner:
                ways.clear()
                self._told.pop(seat, None)
                continue
            for ticket, way in list(ways.items()):
                if way is not None and not lost.isdisjoint(way.routes):
                    del ways[ticket]
            if len(ways) < known:
                self._told.pop(seat, None)

    def of(self, s: State, seat: int) -> dict[str, Progress]:
        """Return the progress of each ticket that the seat has or is offered."""
        left = s.pieces_left(seat)
        numbers = tickets_of(s, seat)
        if (s.choosing >> seat) & 1:
            numbers += offer_of(s, seat)
        # Most moves change none of it.
        depends_on = (left, numbers)
        told = self._told.get(seat)
        if told is None or told[0] != depends_on:
            told = self._told[seat] = (depends_on, self._work_out(s, seat, numbers, left))
        return told[1]

    def _work_out(self, s: State, seat: int, numbers: list[int], left: int) -> dict[str, Progress]:
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


class ShutRoutes:
    """The free routes that a seat can never claim, worked out again when a route is claimed."""

    def __init__(self) -> None:
        self._told: dict[int | None, list[str]] = {}

    def forget(self) -> None:
        """Forget them, because routes are claimed or free again."""
        self._told.clear()

    def of(self, s: State, seat: int | None) -> list[str]:
        """Return the ids of the routes."""
        found = self._told.get(seat)
        if found is None:
            routes = s.tables.board.routes
            found = self._told[seat] = [routes[route].id for route in shut_routes(s, seat)]
        return found


class BonusProgress:
    """How far each seat has come with each bonus, worked out again when a route is claimed."""

    def __init__(self) -> None:
        self._told: Bonuses | None = None

    def forget(self) -> None:
        """Forget it."""
        self._told = None

    def of(self, view: View) -> Bonuses:
        """Return the steps of each seat by kind of bonus; those not yet begun are left out."""
        if self._told is None:
            self._told = [
                {
                    kind: [step.to_json() for step in steps if step.have]
                    for kind, steps in view.progress(seat).items()
                }
                for seat in range(view.knowledge.state.players)
            ]
        return self._told


class Owners:
    """The owners of the claimed routes, by id."""

    def __init__(self) -> None:
        self._told: dict[str, int] | None = None

    def forget(self) -> None:
        """Forget them, because routes are claimed or free again."""
        self._told = None

    def of(self, view: View) -> dict[str, int]:
        """Return the owners, which are not to be changed."""
        if self._told is None:
            self._told = dict(view.routes)
        return self._told


class Players:
    """What everybody may know of each player; a move changes little but for whoever makes it."""

    def __init__(self, players: int) -> None:
        self._told: list[PlayerView | None] = [None] * players

    def forget(self) -> None:
        """Forget everything."""
        self._told = [None] * len(self._told)

    def note(self, tables: Tables, noted: list[tuple[int, ...]]) -> int:
        """Forget the players that new facts are about, and return a bit for each of them."""
        found = 0
        for fact in noted:
            if fact[0] not in OF_NOBODY:
                seat = seat_of(tables, fact)
                if seat is None:
                    self.forget()
                    found = EVERYTHING.players
                else:
                    self._told[seat] = None
                    found |= 1 << seat
        return found

    def of(self, view: View) -> list[PlayerView]:
        """Return each player as a spectator sees them; they are not to be changed."""
        found: list[PlayerView] = []
        for seat, told in enumerate(self._told):
            if told is None:
                told = self._told[seat] = view.player(seat).to_json()
            found.append(told)
        return found


class WorkedOut:
    """What was told of the game at one table, as far as it need not be worked out again."""

    def __init__(self, players: int) -> None:
        self.players = Players(players)
        self.owners = Owners()
        self.tickets = TicketProgress(players)
        self.shut = ShutRoutes()
        self.bonuses = BonusProgress()
        self.changed = EVERYTHING
        """By the last facts that were noted."""

    def note(self, tables: Tables, noted: list[tuple[int, ...]]) -> None:
        """Forget what new facts change."""
        players = self.players.note(tables, noted)
        tickets = self.tickets.note(tables, noted)
        routes = any(fact[0] not in WITHOUT_ROUTES for fact in noted)
        if routes:
            self.owners.forget()
            self.shut.forget()
            self.bonuses.forget()
        self.changed = Changed(players, routes, tickets)

    def forget(self) -> None:
        """Forget everything, because facts were taken back."""
        self.changed = EVERYTHING
        for each in (self.players, self.owners, self.tickets, self.shut, self.bonuses):
            each.forget()
