"""Drawing transport cards: D1 to D4, D7 and D8."""

import pytest

from fernzug import Board, IllegalAction
from situations import (
    at_every_table,
    boards_with,
    drawing,
    faceup,
    kinds,
    on_every_board,
    shortage,
    situation,
    texts,
)


@at_every_table
def test_d1_two_cards_each_face_up_or_blind(board: Board, players: int) -> None:
    a, b, c, d = board.colors[:4]
    for first, second in ((b, c), (b, "deck"), ("deck", c), ("deck", "deck")):
        game = situation(board, players, faceup=[a, b, c, a, a], deck=[d, d, d])
        game.play(f"draw {first}")
        assert (game.phase, game.seat) == ("second_card", 0)
        game.play(f"draw {second}")
        assert (game.phase, game.seat) == ("turn", 1)
        hand = game.position()["hands"][0]
        assert sum(hand.values()) == 2
        for drawn in (first, second):
            assert hand[d if drawn == "deck" else drawn] >= 1


@on_every_board
def test_d1_a_face_up_card_is_replaced_before_the_second_is_chosen(board: Board) -> None:
    a, b, c, d = board.colors[:4]
    game = situation(board, faceup=[a, b, a, a, a], deck=[c, d])
    game.play(f"draw {b}")
    assert faceup(game) == [a, c, a, a, a]
    assert drawing(game) == {"deck", a, c}
    game.play(f"draw {c}")
    assert faceup(game) == [a, d, a, a, a]
    assert game.position()["hands"][0] == {b: 1, c: 1}


@on_every_board
def test_d1_a_card_that_does_not_lie_face_up_cannot_be_taken(board: Board) -> None:
    a, b = board.colors[:2]
    game = situation(board, faceup=[a] * 5)
    assert drawing(game) == {"deck", a}
    for color in (b, "wild"):
        with pytest.raises(IllegalAction, match=f"no {color} card lies face up"):
            game.play(f"draw {color}")


@on_every_board
def test_d1_blind_is_the_next_card_of_the_deck(board: Board) -> None:
    a, b, c = board.colors[:3]
    game = situation(board, faceup=[a] * 5, deck=[b, c])
    assert game.play("draw deck")[0].color == b
    assert game.play("draw deck")[0].color == c
    assert faceup(game) == [a] * 5


@on_every_board
def test_d2_a_wild_card_taken_face_up_first_is_the_only_card(board: Board) -> None:
    a, b = board.colors[:2]
    game = situation(board, faceup=["wild", a, a, a, a], deck=[b])
    game.play("draw wild")
    assert (game.phase, game.seat) == ("turn", 1)
    assert game.position()["hands"][0] == {"wild": 1}
    assert faceup(game) == [b, a, a, a, a]


@on_every_board
def test_d3_a_face_up_wild_card_cannot_be_the_second(board: Board) -> None:
    a, b = board.colors[:2]
    game = situation(board, faceup=["wild", a, b, b, b], deck=[b, b])
    for first in (f"draw {a}", "draw deck"):
        second = game.copy()
        second.play(first)
        assert "wild" not in drawing(second)
        with pytest.raises(IllegalAction, match=r"cannot be the second card \(D3\)"):
            second.play("draw wild")


@on_every_board
def test_d3_not_even_one_that_was_turned_up_just_now(board: Board) -> None:
    a, b = board.colors[:2]
    game = situation(board, faceup=[a, b, b, b, b], deck=["wild", b])
    game.play(f"draw {a}")
    assert faceup(game)[0] == "wild"
    assert drawing(game) == {"deck", b}


@on_every_board
def test_d4_a_wild_card_drawn_blind_counts_as_one_card(board: Board) -> None:
    a = board.colors[0]
    game = situation(board, faceup=[a] * 5, deck=["wild", "wild", a])
    game.play("draw deck")
    assert (game.phase, game.seat) == ("second_card", 0)
    game.play("draw deck")
    assert (game.phase, game.seat) == ("turn", 1)
    assert game.position()["hands"][0] == {"wild": 2}
    game = situation(board, faceup=[a] * 5, deck=["wild", a])
    game.play("draw deck")
    game.play(f"draw {a}")
    assert game.position()["hands"][0] == {"wild": 1, a: 1}


@at_every_table
def test_d7_the_turn_ends_after_one_card_if_there_is_no_second(board: Board, players: int) -> None:
    a = board.colors[0]
    for display, deck, first in (
        ([a, None, None, None, None], [], a),
        ([a, "wild", "wild", None, None], [], a),
        ([None] * 5, [a], "deck"),
        (["wild", None, None, None, None], [a], "deck"),
        (["wild", "wild", None, None, None], ["wild"], "deck"),
    ):
        game = shortage(board, players, faceup=display, deck=deck)
        game.play(f"draw {first}")
        assert (game.phase, game.seat) == ("turn", 1), display


@on_every_board
def test_d7_the_turn_goes_on_while_there_is_a_second_card(board: Board) -> None:
    a, b = board.colors[:2]
    for display, deck, first, second in (
        ([a, b, None, None, None], [], a, b),
        ([a, "wild", None, None, None], [b], a, b),
        ([None] * 5, [a, b], "deck", "deck"),
        ([b, "wild", None, None, None], [a], "deck", b),
    ):
        game = shortage(board, faceup=display, deck=deck)
        game.play(f"draw {first}")
        assert (game.phase, game.seat) == ("second_card", 0), display
        assert second in drawing(game)


@on_every_board
def test_d7_d6_discards_are_a_second_card(board: Board) -> None:
    """The discards become the deck before the second card is chosen."""
    a, b = board.colors[:2]
    game = shortage(board, deck=[a], discard={b: 1})
    game.play("draw deck")
    assert (game.phase, drawing(game)) == ("second_card", {"deck"})
    game.play("draw deck")
    assert game.position()["hands"][0] == {a: 1, b: 1}


@on_every_board
def test_d7_without_any_card_drawing_is_not_possible(board: Board) -> None:
    game = shortage(board, ticket_deck=[board.tickets[0].id])
    assert texts(game) == ["tickets"]
    with pytest.raises(IllegalAction, match=r"the deck is empty, and so are the discards \(D6\)"):
        game.play("draw deck")


@on_every_board
def test_d7_face_up_wild_cards_alone_can_be_the_first_card(board: Board) -> None:
    game = shortage(board, faceup=["wild", "wild", None, None, None])
    assert drawing(game) == {"wild"}
    assert kinds(game.play("draw wild")) == ["took"]
    assert (game.phase, game.seat) == ("turn", 1)
    assert faceup(game) == [None, "wild", None, None, None]


@on_every_board
def test_d8_any_number_of_cards_may_be_held(board: Board) -> None:
    """A seat that holds all cards but two takes those two as well."""
    a = board.colors[0]
    everything = dict(zip(board.colors, board.color_counts, strict=True))
    held = {**everything, a: everything[a] - 2, "wild": board.wild_count}
    game = shortage(board, hands=[held, {}], deck=[a, a])
    game.play("draw deck")
    game.play("draw deck")
    cards = sum(everything.values()) + board.wild_count
    assert sum(game.position()["hands"][0].values()) == cards
    assert game.view(1).players[0].hand_count == cards


@boards_with(lambda board: len(board.colors) > 6)
def test_d1_every_colour_of_a_long_list_can_be_taken(board: Board) -> None:
    for color in board.colors:
        game = situation(board, faceup=[color] * 5)
        game.play(f"draw {color}")
        assert game.position()["hands"][0] == {color: 1}
