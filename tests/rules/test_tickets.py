"""Drawing tickets: K1 to K3."""

import random
from itertools import pairwise

import pytest

from fernzug import Board, IllegalAction
from situations import (
    at_every_table,
    joined,
    kinds,
    on_every_board,
    shortage,
    situation,
    texts,
    way,
)


def ids(board: Board) -> list[str]:
    return [ticket.id for ticket in board.tickets]


@at_every_table
def test_k1_tickets_are_drawn_from_the_top_and_the_rest_goes_under_the_deck(
    board: Board, players: int
) -> None:
    deck = ids(board)[::-1]
    game = situation(board, players, ticket_deck=deck)
    events = game.play("tickets")
    assert events[0].tickets == tuple(deck[: board.draw_tickets])
    assert game.view(0).offer == tuple(deck[: board.draw_tickets])
    assert game.position()["ticket_deck"] == deck[board.draw_tickets :]
    game.play("keep 2")
    assert game.position()["tickets"][0] == [deck[1]]
    back = [deck[0], *deck[2 : board.draw_tickets]]
    assert game.position()["ticket_deck"] == deck[board.draw_tickets :] + back


@on_every_board
def test_k1_at_least_one_is_kept_and_any_more_may_be(board: Board) -> None:
    game = situation(board)
    game.play("tickets")
    numbers = [len(action.places) for action in game.legal()]
    assert len(numbers) == 2**board.draw_tickets - 1
    assert min(numbers) == board.draw_keep == 1
    assert max(numbers) == board.draw_tickets
    everything = " ".join(["keep", *map(str, range(1, board.draw_tickets + 1))])
    assert "returned" in kinds(game.play(everything))
    assert len(game.position()["tickets"][0]) == board.draw_tickets


@at_every_table
def test_k1_fewer_if_fewer_are_left(board: Board, players: int) -> None:
    for left in range(1, board.draw_tickets + 1):
        game = shortage(board, players, ticket_deck=ids(board)[:left])
        game.play("tickets")
        assert game.view(0).offer == tuple(ids(board)[:left])
        assert len(game.legal()) == 2**left - 1
        assert min(len(action.places) for action in game.legal()) == 1
        if left < board.draw_tickets:
            with pytest.raises(IllegalAction, match=rf"only {left} tickets? (is|are) offered"):
                game.play(f"keep {left + 1}")
        game.play("keep 1")
        assert game.position()["ticket_deck"] == ids(board)[1:left]


@at_every_table
def test_k1_a_single_ticket_must_be_kept(board: Board, players: int) -> None:
    game = shortage(board, players, ticket_deck=ids(board)[:1])
    game.play("tickets")
    assert texts(game) == ["keep 1"]


@at_every_table
def test_k1_not_possible_if_none_is_left(board: Board, players: int) -> None:
    game = situation(board, players, ticket_rest="out")
    assert "tickets" not in texts(game)
    with pytest.raises(IllegalAction, match=r"there are no tickets left \(K1\)"):
        game.play("tickets")


@on_every_board
def test_k1_tickets_that_were_given_back_come_round_again(board: Board) -> None:
    """The ticket deck is a ring: what goes under it is drawn when the rest is gone."""
    few = ids(board)[: board.draw_tickets]
    game = shortage(board, ticket_deck=few)
    for first, second in pairwise(few):
        game.play("tickets")
        assert game.view(int(game.seat or 0)).offer[0] == first
        game.play("keep 1")
        if game.position()["ticket_deck"]:
            assert game.position()["ticket_deck"][0] == second


@at_every_table
def test_k2_tickets_are_secret_until_the_end_also_when_completed(
    board: Board, players: int
) -> None:
    ticket = min(board.tickets, key=lambda ticket: ticket.points)
    routes = dict.fromkeys(way(board, ticket.a, ticket.b), 0)
    game = shortage(board, players, tickets=[[ticket.id]] + [[]] * (players - 1), routes=routes)
    assert game.scores()[0].tickets_completed == 1
    for seat in (*range(1, players), None):
        assert game.view(seat).players[0].tickets is None
        assert ticket.id not in str(game.view(seat).to_json()["players"])
        assert game.view(seat).scores is None
        assert 0 not in list(game.view(seat).knowledge.state.ticket_owner)
    assert game.view(0).players[0].tickets == (ticket.id,)
    while not game.over:
        game.play("pass")
    for seat in (*range(players), None):
        assert game.view(seat).players[0].tickets == (ticket.id,)
        assert (game.view(seat).scores or ())[0].tickets_won == ticket.points


@on_every_board
def test_k2_kept_tickets_are_kept_for_good_in_any_number(board: Board) -> None:
    """Every ticket of the box can be held, and no action gives one back."""
    game = situation(board, tickets=[ids(board)[board.draw_tickets :], []])
    held = set(ids(board)[board.draw_tickets :])
    game.play("tickets")
    game.play(" ".join(["keep", *map(str, range(1, board.draw_tickets + 1))]))
    assert set(game.position()["tickets"][0]) == set(ids(board)) > held
    assert not any(text.startswith("keep") for text in texts(game))


@at_every_table
def test_k3_completed_when_the_players_own_routes_join_the_places(
    board: Board, players: int
) -> None:
    chance = random.Random(players)
    for ticket in board.tickets:
        routes = way(board, ticket.a, ticket.b)
        tickets = [[ticket.id]] + [[]] * (players - 1)
        game = situation(board, players, tickets=tickets, routes=dict.fromkeys(routes, 0))
        assert game.scores()[0].tickets_completed == 1
        assert game.scores()[0].tickets_won == ticket.points
        # A way that lacks one route does not count, and another's route does not help.
        missing = chance.choice(routes)
        rest = {name: 0 for name in routes if name != missing}
        for owners in (rest, {**rest, missing: 1}):
            game = situation(board, players, tickets=tickets, routes=owners)
            assert not joined(board, rest, ticket.a, ticket.b)
            assert game.scores()[0].tickets_completed == 0
            assert game.scores()[0].tickets_lost == ticket.points
