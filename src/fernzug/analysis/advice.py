"""Why an action is good, as values: what it does for the seat's tickets, and what presses.

Everything is read from what the seat may know, so the reasons are the same for two games that
differ only in the rest.
"""

from __future__ import annotations

from fernzug.analysis.evaluation import outlook_of
from fernzug.board.model import GRAY, WILD, Route
from fernzug.engine import rules
from fernzug.engine.bonus import UNIT
from fernzug.engine.seats import hand_of, offer_of, tickets_of
from fernzug.engine.state import NONE, State
from fernzug.errors import Reason
from fernzug.notation import Action
from fernzug.players.plan import Plan
from fernzug.view import View
from fernzug.ways import Way, shortest_way

SOON = 3
"""With so many turns left or fewer, the end of the game is a reason of its own."""

MAX_TICKETS = 2
"""How many tickets an action is praised for; more would not be read."""


def reasons_for(view: View, action: Action) -> tuple[Reason, ...]:
    """Return what speaks for an action of the viewing seat; none if nothing in particular does."""
    seat = view.viewer
    if seat is None:
        return ()
    state = view.knowledge.state
    if action.kind == "claim" and action.route is not None:
        return _claim(state, seat, view.board.routes[action.route])
    if action.kind == "draw" and action.color is not None:
        return _draw(state, seat, action.color)
    if action.kind == "keep":
        return _keep(state, seat, action.places)
    if action.kind == "tickets":
        done = all(way is not None and not way.pieces for _, way in _ways(state, seat))
        return (Reason("advice.tickets_done" if done else "advice.tickets"),)
    return ()


def _ways(state: State, seat: int) -> list[tuple[str, Way | None]]:
    """Return the tickets of a seat, most points first, each with the shortest way left."""
    tickets = [state.tables.board.tickets[number] for number in tickets_of(state, seat)]
    tickets.sort(key=lambda ticket: -ticket.points)
    return [(each.id, shortest_way(state, seat, each.a, each.b)) for each in tickets]


# ---------------------------------------------------------------------------- claims


def _claim(state: State, seat: int, route: Route) -> tuple[Reason, ...]:
    number = state.tables.board.routes.index(route.id)
    after = state.copy()
    after.owner[number] = seat
    found = []
    for (ticket, before), (_, way) in zip(_ways(state, seat), _ways(after, seat), strict=True):
        if way is None or before is None or way.pieces >= before.pieces:
            continue
        if way.pieces:
            found.append(Reason("advice.nearer", ticket=ticket, count=way.pieces))
        else:
            found.insert(0, Reason("advice.completes", ticket=ticket))
    if not found:
        found.append(Reason("advice.points", count=route.points))
    return (*found[:MAX_TICKETS], *_rivals(state, seat, route), *_ending(state, seat))


def _rivals(state: State, seat: int, route: Route) -> list[Reason]:
    """Return who could take the route away: the owner of the other lane, or a neighbour."""
    tables = state.tables
    if route.twin is not None:
        owner = int(state.owner[tables.board.routes.index(route.twin)])
        if owner not in (NONE, seat):
            return [Reason("advice.last_lane", player=owner)]
    ends = [tables.board.locations.index(place) for place in (route.a, route.b)]
    for other in range(int(state.players)):
        near = any(tables.network.touches(state.owner, other, end) for end in ends)
        if other != seat and near:
            return [Reason("advice.rival", player=other)]
    return []


def _ending(state: State, seat: int) -> list[Reason]:
    if state.turns_left != NONE:
        return [Reason("advice.last_turn")]
    left = int(Plan(outlook_of(state.tables.board), seat).horizon(state)) // UNIT
    return [Reason("advice.ending", count=max(left, 1))] if left <= SOON else []


# ---------------------------------------------------------------------------- cards and tickets


def _draw(state: State, seat: int, color: str) -> tuple[Reason, ...]:
    board = state.tables.board
    if color == WILD:
        return (Reason("advice.wild"),)
    if color in board.colors:
        return (_needed(state, seat, color) or Reason("advice.stock", color=color),)
    shown = int(rules.shown(state))
    lying = [each for number, each in enumerate(board.colors) if (shown >> number) & 1]
    has_wild = (shown >> int(state.tables.wild)) & 1
    helps = has_wild or any(_needed(state, seat, each) is not None for each in lying)
    return (Reason("advice.unknown" if helps else "advice.deck"),)


def _needed(state: State, seat: int, color: str) -> Reason | None:
    """Return which route on the way of a ticket a card of a colour is missing for, if any."""
    board = state.tables.board
    held = int(hand_of(state, seat)[board.colors.index(color)])
    for _, way in _ways(state, seat):
        for number in () if way is None else way.routes:
            route = board.routes[number]
            if route.color in (color, GRAY) and held < route.cost:
                missing = route.cost - held - 1
                code = "advice.card" if missing else "advice.last_card"
                return Reason(code, color=color, route=route.id, count=missing)
    return None


def _keep(state: State, seat: int, places: tuple[int, ...]) -> tuple[Reason, ...]:
    """Return how many spaces the tickets take together, sharing ways where they can."""
    board = state.tables.board
    offer = offer_of(state, seat)
    numbers = [*tickets_of(state, seat), *(offer[place - 1] for place in places)]
    after = state.copy()
    pieces = 0
    for ticket in [board.tickets[number] for number in numbers]:
        way = shortest_way(after, seat, ticket.a, ticket.b)
        if way is None:
            return ()
        pieces += way.pieces
        for route in way.routes:
            after.owner[route] = seat
    return (Reason("advice.together", count=pieces),)
