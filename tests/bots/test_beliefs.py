"""In the worlds of a search, others hold the tickets that what they have built speaks for."""

import math

from fernzug import Board, bots
from fernzug.engine import COMPILED
from fernzug.engine.chance import BOTS, Stream
from fernzug.engine.knowledge import Knowledge, determinise
from fernzug.players.beliefs import BEGUN, COMPLETE, EVEN, beliefs_of
from situations import on_every_board, situation, way

ROUNDS = 2000 if COMPILED else 300


def knowledge(board: Board, ticket: int, built: float) -> Knowledge:
    """Return what seat 0 knows when seat 1 has built a part of a ticket's way and holds two."""
    wanted = board.tickets[ticket]
    routes = way(board, wanted.a, wanted.b)
    last = (ticket - 1) % len(board.tickets), (ticket - 2) % len(board.tickets)
    return (
        situation(
            board,
            routes=dict.fromkeys(routes[: round(len(routes) * built)], 1),
            tickets=[[], [board.tickets[number].id for number in last]],
        )
        .view(0)
        .knowledge
    )


def long_ticket(board: Board) -> int:
    """Return the ticket that takes the most routes."""
    lengths = [len(way(board, ticket.a, ticket.b)) for ticket in board.tickets]
    return lengths.index(max(lengths))


@on_every_board
def test_a_ticket_counts_the_more_the_more_of_its_way_is_built(board: Board) -> None:
    ticket = long_ticket(board)
    place = len(board.tickets) + ticket
    found = [int(beliefs_of(knowledge(board, ticket, part))[place]) for part in (0, 0.5, 1)]
    assert found[0] == EVEN < found[1] < EVEN + BEGUN < found[2] == COMPLETE
    # What seat 0 holds is known, so there is nothing to believe.
    own = beliefs_of(knowledge(board, ticket, 1))[: len(board.tickets)]
    assert set(own) == {EVEN}


@on_every_board
def test_tickets_are_dealt_as_believed(board: Board) -> None:
    ticket = long_ticket(board)
    known = knowledge(board, ticket, 1)
    number = len(board.tickets)
    beliefs = beliefs_of(known)
    weights = [int(each) for each in beliefs][number:]
    left = sum(weights) - weights[ticket]
    # It is the first of two, or the second after another one.
    part = weights[ticket] / sum(weights)
    part += sum(
        other / sum(weights) * weights[ticket] / (sum(weights) - other)
        for place, other in enumerate(weights)
        if place != ticket
    )
    assert left > 0
    stream = Stream(8, BOTS)
    worlds = [determinise(known, stream, beliefs) for _ in range(ROUNDS)]
    assert all(list(world.ticket_owner).count(1) == 2 for world in worlds)
    held = sum(world.ticket_owner[ticket] == 1 for world in worlds)
    assert abs(held / ROUNDS - part) <= 4.5 * math.sqrt(part * (1 - part) / ROUNDS)


@on_every_board
def test_a_search_that_believes_plays_by_the_rules(board: Board) -> None:
    view = situation(board).view(0)
    spec = "search:iterations=40,net=0"
    assert bots.make(spec, board, seed=2).choose(view, view.legal) in view.legal
