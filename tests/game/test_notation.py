"""The text of actions: it round-trips, tolerates what people write, and refuses junk in words."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fernzug
from fernzug import Action, Board, Game, IllegalAction
from fernzug.notation import NotationError, notation_of
from fernzug.tables import tables_of
from situations import BOARDS, at_every_table, on_every_board, situation


@st.composite
def actions(draw: st.DrawFn) -> tuple[Board, int]:
    """A board and the number of one of its actions."""
    board = draw(st.sampled_from(BOARDS))
    tables = tables_of(board)
    number = draw(st.integers(0, int(tables.actions) - 1))
    return board, number + (number == tables.keep)


games = {board.id: situation(board, phase="turn") for board in BOARDS}


@given(actions(), st.randoms(use_true_random=False))
def test_any_spelling_of_an_action_is_read(drawn: tuple[Board, int], chance: random.Random) -> None:
    """Upper case, spaces, the ends in either order, `.1`, cards in any order."""
    board, number = drawn
    action = notation_of(board).action(number)
    words = action.text.split()
    if action.route is not None:
        route = board.routes[action.route]
        a, b = chance.sample([route.a, route.b], 2)
        lane = {0: "", 1: chance.choice(["", ".1"]), 2: ".2"}[route.lane]
        cards = [f"{color}*{n}" for color, n in action.cards.items()]
        cards = [chance.choice([c, c.removesuffix("*1")]) for c in cards]
        chance.shuffle(cards)
        words = ["claim", f"{a}-{b}{lane}", *cards, *filter(None, [action.option])]
    elif action.places:
        words = ["keep", *map(str, chance.sample(action.places, len(action.places)))]
    text = chance.choice([" ", "  ", "\t"]).join(words)
    text = chance.choice([text, text.upper(), f" {text}\n"])
    assert notation_of(board).parse(text) == action


WORDS = [
    *("draw", "deck", "wild", "tickets", "keep", "1", "2", "3", "4", "0", "-1", "pass", "claim"),
    *("flag", "blue", "red*1", "blue*2", "wild*1", "wild*99", "wild*0", "blue*", "*", "*2", "gray"),
    *("blue*x", "blue*1*1", "\u0662", "1.5", "a-b", "louvre-pompidou", "louvre-pompidou.2", ".1"),
    *("dallas-houston", "houston-dallas.2", "soho-wall_street", "9" * 5000, "\x00", "", "\u2028"),
]
junk = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))


@given(st.sampled_from(BOARDS), junk)
def test_junk_is_refused_in_words_and_changes_nothing(board: Board, text: str) -> None:
    """Whatever is typed, the only error is IllegalAction."""
    game = games[board.id].copy()
    before = game.position()
    try:
        action = notation_of(board).parse(text)
    except ValueError:
        action = None
    if action in game.legal():
        assert game.play(text)
        return
    with pytest.raises(IllegalAction) as refused:
        game.play(text)
    assert refused.value.reason
    assert refused.value.position == before
    assert game.position() == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is empty"),
        ("drwa deck", "'drwa' is not an action, did you mean 'draw'?"),
        ("draw", "say what to draw"),
        ("draw blue red", "say what to draw"),
        ("draw bleu", "there are no 'bleu' cards on this board, did you mean 'blue'?"),
        ("pass now", "'pass' stands alone, without 'now'"),
        ("tickets 3", "'tickets' stands alone"),
        ("keep", "say which tickets to keep"),
        ("keep 1 1", "place 1 is named twice"),
        ("keep 9", "'9' is not a place in an offer; the places are 1 to 2"),
        ("keep \u0661", "is not a place in an offer"),
        ("claim big_ben-waterloo", "say what to claim and with which cards"),
        ("claim bigben-waterloo blue*1", "there is no route 'bigben-waterloo' on this board"),
        ("claim big_ben-waterloo.2 blue*1", "there is no route 'big_ben-waterloo.2'"),
        ("claim big_ben-waterloo blue*0", "'blue*0' is not a number of cards"),
        ("claim big_ben-waterloo blue*1 blue*1", "blue is named twice"),
        ("claim big_ben-waterloo blue*2", "big_ben-waterloo costs 1 card, not 2"),
        ("claim big_ben-waterloo pink*1", "big_ben-waterloo takes blue cards, not pink"),
        ("claim waterloo-globe_theatre pink*1 blue*1", "two colours are never mixed (C1)"),
        ("claim big_ben-waterloo blue*1 flag", "no card can be kept for a flag"),
        ("claim big_ben-waterloo flag", "costs 1 card, not 0"),
    ],
)
def test_refused_in_words(text: str, reason: str) -> None:
    game = Game("london", 2, seed=1)
    with pytest.raises(IllegalAction) as refused:
        game.play(text)
    assert reason in refused.value.reason
    with pytest.raises(NotationError):
        notation_of(game.board).parse(text)


@at_every_table
def test_an_action_is_data_too(board: Board, players: int) -> None:
    game = situation(board, players, hands=[{"wild": 1}] + [{}] * (players - 1))
    for action in game.legal():
        assert action == notation_of(board).action(action.number)
        assert hash(action) == hash(notation_of(board).action(action.number))
        if action.kind == "claim":
            assert action.cards == {"wild": 1}
            assert board.routes[str(action.route)].cost == 1


@on_every_board
def test_an_action_of_another_board_is_refused(board: Board) -> None:
    other = next(each for each in BOARDS if each != board)
    claim = next(
        action
        for number in range(int(tables_of(other).claim), int(tables_of(other).actions))
        if (action := notation_of(other).action(number)).text.startswith("claim")
    )
    strangers: list[Any] = [
        claim,
        Action(10**6, "draw deck", "draw"),
        Action(1, "draw wild", "draw"),
        5,
        None,
    ]
    for stranger in strangers:
        with pytest.raises(IllegalAction, match="this is not an action of"):
            situation(board).play(stranger)


def test_text_or_action_is_the_same() -> None:
    by_text, by_action = Game("usa", 3, seed=5), Game("usa", 3, seed=5)
    while not by_text.over:
        action = by_text.legal()[-1]
        assert by_text.play(action.text) == by_action.play(action)
    assert by_text.position() == by_action.position()
    assert fernzug.IllegalAction.__mro__[1] is ValueError
