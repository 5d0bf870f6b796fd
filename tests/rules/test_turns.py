"""A turn: T1 and T2."""

import pytest

from fernzug import Board, Game, IllegalAction
from situations import (
    at_every_table,
    by_seat,
    hands,
    kinds,
    on_every_board,
    shortage,
    single,
    situation,
    tables_with,
    texts,
)


@at_every_table
def test_t1_the_next_player_clockwise_follows_after_each_kind_of_turn(
    board: Board, players: int
) -> None:
    first, second, third = board.colors[:3]
    route = single(board)
    for seat in range(players):
        following = (seat + 1) % players

        def turn(seat: int = seat) -> Game:
            return situation(
                board,
                players,
                seat=seat,
                hands=by_seat(players, seat, {route.color: route.cost}, {}),
                faceup=[first, second, third, first, second],
                deck=[third, third],
            )

        game = turn()
        game.play(f"draw {first}")
        assert (game.phase, game.seat) == ("second_card", seat)
        game.play(f"draw {second}")
        assert (game.phase, game.seat) == ("turn", following)

        game = turn()
        game.play(f"claim {route.id} {route.color}*{route.cost}")
        assert (game.phase, game.seat) == ("turn", following)

        game = turn()
        game.play("tickets")
        assert (game.phase, game.seat) == ("keep", seat)
        game.play("keep 1")
        assert (game.phase, game.seat) == ("turn", following)


@on_every_board
def test_t1_exactly_one_of_the_three_is_done_in_a_turn(board: Board) -> None:
    """Once a card is drawn or tickets are looked at, nothing else may be done."""
    route = single(board)
    game = situation(board, hands=[{route.color: route.cost}, {}])
    claim = f"claim {route.id} {route.color}*{route.cost}"
    assert {"draw deck", "tickets", claim} <= set(texts(game))
    drawn = game.copy()
    drawn.play("draw deck")
    assert all(text.startswith("draw ") for text in texts(drawn))
    for text in (claim, "tickets"):
        with pytest.raises(IllegalAction, match="the second card must be drawn first"):
            drawn.play(text)
    looked = game.copy()
    looked.play("tickets")
    assert all(text.startswith("keep ") for text in texts(looked))
    for text in (claim, "tickets", "draw deck"):
        with pytest.raises(IllegalAction, match="tickets must be chosen first"):
            looked.play(text)


@at_every_table
def test_t1_nobody_plays_out_of_turn(board: Board, players: int) -> None:
    game = situation(board, players)
    for seat in range(1, players):
        assert game.legal(seat) == []
        with pytest.raises(IllegalAction, match=f"it is seat 0’s turn, not seat {seat}’s"):
            game.play("draw deck", seat=seat)


@at_every_table
def test_t2_who_can_do_nothing_passes(board: Board, players: int) -> None:
    game = shortage(board, players)
    assert texts(game) == ["pass"]
    assert kinds(game.play("pass")) == ["passed"]
    assert (game.phase, game.seat) == ("turn", 1)


@on_every_board
def test_t2_passing_is_no_choice_while_anything_else_is_possible(board: Board) -> None:
    route = single(board)
    color = board.colors[0]
    possible = {
        "draw deck": shortage(board, deck=[color]),
        f"draw {color}": shortage(board, faceup=[color, None, None, None, None]),
        "draw wild": shortage(board, faceup=["wild", None, None, None, None]),
        "tickets": shortage(board, ticket_deck=[board.tickets[0].id]),
        f"claim {route.id} {route.color}*{route.cost}": shortage(
            board, hands=[{route.color: route.cost}, {}]
        ),
    }
    for text, game in possible.items():
        assert text in texts(game)
        assert "pass" not in texts(game)
        with pytest.raises(IllegalAction, match=r"passing is possible only when .* \(T2\)"):
            game.play("pass")


@at_every_table
def test_t2_when_every_player_passes_in_a_row_the_game_ends_and_is_scored(
    board: Board, players: int
) -> None:
    route = single(board)
    game = shortage(board, players, seat=players - 1, routes={route.id: 0})
    for number in range(players):
        assert not game.over
        assert game.view(None).passes == number
        events = game.play("pass")
    assert kinds(events) == ["passed", "ended"]
    assert game.over
    assert game.seat is None
    assert game.legal() == []
    assert [sheet.rank for sheet in game.scores()] == [1] + [2] * (players - 1)
    with pytest.raises(IllegalAction, match="the game is over"):
        game.play("pass")


@tables_with(lambda board, players: players > 2)
def test_t2_only_passes_in_a_row_count(board: Board, players: int) -> None:
    """The last seat claims a route after all others have passed; the game goes on."""
    route = next(r for r in board.routes if r.cost == 1)
    color = board.colors[0] if route.color == "gray" else route.color
    cards = by_seat(players, players - 1, {color: 1}, {})
    game = shortage(board, players, hands=cards)
    for _ in range(players - 1):
        game.play("pass")
    game.play(f"claim {route.id} {color}*1")
    assert (game.over, game.seat, game.view(None).passes) == (False, 0, 0)
    # The card that was played is now face up, and the only thing that can be taken.
    assert texts(game) == [f"draw {color}"]
    game.play(texts(game)[0])
    for number in range(players - 1):
        assert (game.over, game.view(None).passes) == (False, number)
        assert texts(game) == ["pass"]
        game.play("pass")
    assert not game.over


@on_every_board
def test_t2_drawing_tickets_interrupts_the_passes(board: Board) -> None:
    game = shortage(board, passes=1, ticket_deck=[board.tickets[0].id])
    game.play("tickets")
    game.play("keep 1")
    assert texts(game) == ["pass"]
    game.play("pass")
    assert not game.over
    game.play("pass")
    assert game.over


@on_every_board
def test_t2_drawing_a_card_interrupts_the_passes(board: Board) -> None:
    for first in ("deck", "wild"):
        game = shortage(
            board,
            passes=1,
            deck=[board.colors[0]] if first == "deck" else [],
            faceup=["wild" if first == "wild" else None, None, None, None, None],
            pieces=hands(2, {kind.id: 0 for kind in board.pieces}),
            turns_left=2,
        )
        game.play(f"draw {first}")
        assert (game.over, game.view(None).passes) == (False, 0)
