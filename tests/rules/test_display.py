"""The face-up cards, the deck and the discards: D5 and D6."""

from collections import Counter

import pytest

from fernzug import Board, Game
from situations import (
    EMPTY,
    at_every_table,
    boards_with,
    by_seat,
    faceup,
    has_bonus,
    kinds,
    on_every_board,
    route_of_cost,
    shortage,
    situation,
)


def two_wild_up(board: Board, deck: list[str]) -> Game:
    """A display with two wild cards, of which the first card is to be taken."""
    a, b = board.colors[:2]
    return situation(board, faceup=[a, b, b, "wild", "wild"], deck=deck)


@on_every_board
def test_d5_three_wild_cards_are_replaced_at_once(board: Board) -> None:
    """Also between a player's two cards."""
    a, b, c, d = board.colors[:4]
    game = two_wild_up(board, ["wild", c, d, c, d, "wild", a])
    events = game.play(f"draw {a}")
    assert kinds(events) == ["took", "turned_up", "swept", *["turned_up"] * 5]
    assert faceup(game) == [c, d, c, d, "wild"]
    assert game.position()["discard"] == {b: 2, "wild": 3}
    assert (game.phase, game.seat) == ("second_card", 0)


@on_every_board
def test_d5_also_after_the_second_card(board: Board) -> None:
    a, b, c = board.colors[:3]
    game = two_wild_up(board, [c, "wild", c, c, c, c, a])
    game.play("draw deck")
    events = game.play(f"draw {a}")
    assert "swept" in kinds(events)
    assert faceup(game) == [c, c, c, c, a]
    assert (game.phase, game.seat) == ("turn", 1)
    assert game.position()["discard"] == {b: 2, "wild": 3}


@on_every_board
def test_d5_two_wild_cards_stay(board: Board) -> None:
    a, b, c = board.colors[:3]
    game = situation(board, faceup=[a, b, b, b, "wild"], deck=["wild", c])
    assert "swept" not in kinds(game.play(f"draw {a}"))
    assert faceup(game) == ["wild", b, b, b, "wild"]


@on_every_board
def test_d5_a_new_display_with_three_wild_cards_is_replaced_again(board: Board) -> None:
    a, b, c = board.colors[:3]
    game = two_wild_up(board, ["wild", "wild", "wild", "wild", c, c, a, b, a, b, a])
    assert kinds(game.play(f"draw {a}")).count("swept") == 2
    assert faceup(game) == [a, b, a, b, a]
    assert game.position()["discard"] == {b: 2, c: 2, "wild": 6}


@boards_with(lambda board: board.wild_count >= 12)
def test_d5_after_three_replacements_in_a_row_the_display_stays(board: Board) -> None:
    a, b, c, d = board.colors[:4]
    again = ["wild", "wild", "wild", c, d]
    game = two_wild_up(board, ["wild", *again, *again, *again, a, b])
    assert kinds(game.play(f"draw {a}")).count("swept") == 3
    assert faceup(game) == again
    # It also stays when a card is drawn from the deck and when a route is paid for.
    game.play("draw deck")
    assert faceup(game) == again


@on_every_board
def test_d5_never_more_than_three_replacements_with_few_ordinary_cards(board: Board) -> None:
    """Three ordinary cards among all the wild ones: most displays have three wild cards."""
    a, b = board.colors[:2]
    numbers = set()
    for seed in range(60):
        game = shortage(
            board,
            faceup=[a, b, b, "wild", "wild"],
            deck=["wild", b, *["wild"] * (board.wild_count - 3)],
            seed=seed,
        )
        swept = kinds(game.play(f"draw {a}")).count("swept")
        numbers.add(swept)
        assert faceup(game).count("wild") <= 2 or swept == 3
    assert 3 in numbers
    assert max(numbers) == 3


@on_every_board
def test_d5_only_if_there_are_ordinary_cards_enough(board: Board) -> None:
    """Three of the cards outside the hands must be ordinary; those in hands do not count."""
    a, b = board.colors[:2]
    rest = [{}, {b: board.color_counts[1] - 3}]
    for ordinary, replaced in ((2, False), (3, True)):
        game = shortage(
            board,
            hands=rest,
            faceup=[a, b, b, "wild", "wild"],
            deck=["wild", *["wild"] * 2, *[b] * (ordinary - 2)],
        )
        events = game.play(f"draw {a}")
        assert ("swept" in kinds(events)) == replaced
        if not replaced:
            assert faceup(game) == ["wild", b, b, "wild", "wild"]


@on_every_board
def test_d5_ordinary_cards_among_the_discards_count(board: Board) -> None:
    a, b, c = board.colors[:3]
    game = shortage(board, faceup=[a, b, b, "wild", "wild"], deck=["wild", "wild"], discard={c: 1})
    assert "swept" in kinds(game.play(f"draw {a}"))


@on_every_board
def test_d5_fewer_than_five_cards_in_all(board: Board) -> None:
    """Three wild cards and one other cannot make a display with at most two wild cards."""
    a, b = board.colors[:2]
    game = shortage(board, faceup=[a, b, "wild", "wild", None], deck=["wild"])
    assert "swept" not in kinds(game.play(f"draw {a}"))
    assert faceup(game) == ["wild", b, "wild", "wild", None]


@on_every_board
def test_d5_empty_places_are_laid_out_with_the_others(board: Board) -> None:
    """Only a position can have them while there is a deck."""
    a, b, c = board.colors[:3]
    game = situation(board, faceup=[a, b, "wild", "wild", None], deck=["wild", c, c, c, c, c])
    assert "swept" in kinds(game.play(f"draw {a}"))
    assert faceup(game) == [c] * 5
    assert game.position()["discard"] == {b: 1, "wild": 3}


@on_every_board
def test_d5_a_replacement_that_waited_for_ordinary_cards_follows_the_claim(board: Board) -> None:
    a = board.colors[0]
    route = route_of_cost(board, 2)
    wait = ["wild", "wild", "wild", "wild", a]
    for wilds, replaced in ((1, False), (0, True)):
        # One of the three ordinary cards needed is face up.
        hand = {route.color: 2, "wild": wilds} if wilds else {route.color: 2}
        game = shortage(board, hands=[hand, {}], faceup=wait, deck=["wild", "wild"])
        paid = f"{route.color}*1 wild*1" if wilds else f"{route.color}*2"
        events = game.play(f"claim {route.id} {paid}")
        assert ("swept" in kinds(events)) == replaced
        assert replaced or faceup(game) == wait


@on_every_board
def test_d5_d6_a_display_laid_out_again_after_a_shortage_is_replaced(board: Board) -> None:
    """One place is empty; a claim brings back a wild card and another, in either order."""
    a, b = board.colors[:2]
    route = route_of_cost(board, 2)
    seen = set()
    for seed in range(20):
        game = shortage(
            board,
            hands=[{route.color: 1, "wild": 1}, {}],
            faceup=["wild", "wild", a, b, None],
            seed=seed,
        )
        events = game.play(f"claim {route.id} {route.color}*1 wild*1")
        laid = next(event.color for event in events if event.kind == "turned_up")
        swept = kinds(events).count("swept")
        assert (laid == "wild") == (swept > 0)
        assert faceup(game).count("wild") <= 2 or swept == 3
        seen.add(laid)
    assert len(seen) == 2


@on_every_board
def test_d6_the_discards_become_the_deck_as_soon_as_it_is_empty(board: Board) -> None:
    a, b, c = board.colors[:3]
    game = shortage(board, faceup=[a] * 5, deck=[b], discard={c: 2, "wild": 1})
    events = game.play("draw deck")
    assert kinds(events) == ["drew", "reshuffled"]
    assert Counter(game.position()["deck"]) == Counter({c: 2, "wild": 1})
    assert game.position()["discard"] == {}
    # The same when the last card is turned up.
    game = shortage(board, faceup=[a] * 5, deck=[b], discard={c: 2})
    assert kinds(game.play(f"draw {a}")) == ["took", "turned_up", "reshuffled"]
    assert game.position()["deck"] == [c, c]


@on_every_board
def test_d6_also_when_a_claim_brings_the_first_discards(board: Board) -> None:
    route = route_of_cost(board, 1) if has_cost(board, 1) else route_of_cost(board, 2)
    cards = {route.color: route.cost}
    a = next(color for color in board.colors if color != route.color)
    game = shortage(board, hands=[cards, {}], faceup=[a] * 5)
    events = game.play(f"claim {route.id} {route.color}*{route.cost}")
    assert kinds(events) == ["claimed", "reshuffled"]
    assert game.position()["deck"] == [route.color] * route.cost
    assert game.view(None).discard == {}


def has_cost(board: Board, cost: int) -> bool:
    return any(route.cost == cost and route.color != "gray" for route in board.routes)


@on_every_board
def test_d6_the_reshuffle_is_a_shuffle(board: Board) -> None:
    """Different seeds, and different reshuffles of one game, give different decks."""
    discard = dict.fromkeys(board.colors, 4)
    orders = {
        tuple(shuffled.position()["deck"])
        for seed in range(5)
        for number in range(2)
        if (
            shuffled := shortage(
                board,
                deck=[],
                faceup=EMPTY,
                discard=discard,
                seed=seed,
                reshuffles=number,
            )
        )
    }
    assert len(orders) == 10
    assert all(Counter(order) == Counter(discard) for order in orders)


@at_every_table
def test_d6_places_stay_empty_until_cards_are_discarded(board: Board, players: int) -> None:
    a, b = board.colors[:2]
    route = route_of_cost(board, 2)
    cards = by_seat(players, 1, {route.color: 2}, {})
    game = shortage(board, players, hands=cards, faceup=[a, b, b, None, None])
    game.play(f"draw {b}")
    assert faceup(game) == [a, None, b, None, None]
    game.play(f"draw {a}")
    assert faceup(game) == [None, None, b, None, None]
    assert game.seat == 1
    events = game.play(f"claim {route.id} {route.color}*2")
    assert kinds(events) == ["claimed", "reshuffled", "turned_up", "turned_up"]
    assert faceup(game) == [route.color, route.color, b, None, None]
    assert (game.view(None).deck_count, game.view(None).discard) == (0, {})


@on_every_board
def test_d6_empty_places_beside_a_deck_are_filled_at_the_next_discard(board: Board) -> None:
    """Only a position can have them."""
    a, b = board.colors[:2]
    route = route_of_cost(board, 2)
    game = shortage(
        board, hands=[{route.color: 2}, {}], faceup=[None, a, None, a, a], deck=[b, b, b]
    )
    game.play(f"claim {route.id} {route.color}*2")
    assert faceup(game) == [b, a, b, a, a]
    assert game.position()["deck"] == [b]


@boards_with(has_bonus("flag"))
def test_d6_e6_the_cards_of_a_complete_flag_fill_the_display(board: Board) -> None:
    (flag,) = (bonus for bonus in board.bonuses if bonus.kind == "flag")
    *lying, last = flag.colors
    route = next(r for r in board.routes if r.color == last)
    game = shortage(board, hands=[{last: route.cost}, {}], flags=[lying, []])
    game.play(f"claim {route.id} {last}*{route.cost} flag")
    assert Counter(faceup(game)) - Counter([None] * 5) == Counter([*lying, *[last] * route.cost])


@on_every_board
def test_d6_a_position_with_discards_but_no_deck_is_reshuffled(board: Board) -> None:
    a = board.colors[0]
    game = shortage(board, discard={a: 3})
    assert game.position()["deck"] == [a] * 3
    with pytest.raises(ValueError, match="'reshuffles' must be a whole number"):
        shortage(board, reshuffles=-1)
