"""Positions: what is not named is completed, and what cannot be is refused in words."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fernzug
from fernzug import Board, Game
from fernzug.position_reader import KEYS
from situations import BOARDS, at_every_table, on_every_board, situation

SMALL = {"board": "london", "players": 2}


def box(board: Board) -> Counter[str]:
    counts = dict(zip(board.colors, board.color_counts, strict=True))
    return Counter(counts) + Counter(wild=board.wild_count)


def named(game: Game) -> Counter[str]:
    """All cards of a game but those in the deck."""
    position = game.position()
    cards = Counter(card for card in position["faceup"] if card) + Counter(position["discard"])
    for hand in position["hands"]:
        cards += Counter(hand)
    return cards


# ---- What is completed ---------------------------------------------------------------------------


@at_every_table
def test_board_and_players_are_enough(board: Board, players: int) -> None:
    game = situation(board, players)
    assert (game.phase, game.seat, game.players) == ("turn", 0, players)
    position = game.position()
    assert position["hands"] == [{}] * players
    assert position["routes"] == {}
    assert None not in position["faceup"]
    assert position["faceup"].count("wild") <= 2
    assert Counter(position["deck"]) + named(game) == box(board)
    assert sorted(position["ticket_deck"]) == sorted(ticket.id for ticket in board.tickets)
    assert position["pieces"] == [{kind.id: kind.count for kind in board.pieces}] * players


@on_every_board
def test_cards_that_are_not_named_lie_shuffled_under_the_named_ones(board: Board) -> None:
    a, b = board.colors[:2]
    for rest, place in (("deck", "deck"), ("discard", "discard"), ("out", None)):
        game = situation(board, deck=[a, b, a], faceup=[b] * 5, rest=rest, hands=[{a: 1}, {}])
        position = game.position()
        unnamed = box(board) - Counter({a: 3, b: 6})
        assert position["deck"][:3] == [a, b, a]
        assert Counter(position["deck"][3:]) == (unnamed if place == "deck" else Counter())
        assert Counter(position["discard"]) == (unnamed if place == "discard" else Counter())
    different = {
        tuple(situation(board, deck=[a], seed=seed).position()["deck"]) for seed in range(3)
    }
    assert len(different) == 3
    assert all(deck[0] == a for deck in different)


@on_every_board
def test_tickets_that_are_not_named_lie_under_the_named_ones(board: Board) -> None:
    first, second, third = (ticket.id for ticket in board.tickets[:3])
    game = situation(board, ticket_deck=[third, first], tickets=[[second], []])
    deck = game.position()["ticket_deck"]
    assert deck[:2] == [third, first]
    assert set(deck) == {ticket.id for ticket in board.tickets} - {second}
    game = situation(board, ticket_deck=[third, first], ticket_rest="out")
    assert game.position()["ticket_deck"] == [third, first]


@at_every_table
def test_pieces_and_points_follow_from_the_routes(board: Board, players: int) -> None:
    route = board.routes[0]
    game = situation(board, players, routes={f"{route.b}-{route.a}": 1})
    position = game.position()
    assert position["routes"] == {route.id: 1}
    full = {kind.id: kind.count for kind in board.pieces}
    assert position["pieces"][1] == {**full, route.piece: full[route.piece] - route.pieces}
    assert position["pieces"][0] == full
    assert position["scores"][1] == (route.points if board.score_track else 0)
    game = situation(board, players, routes={route.id: 1}, scores=[7] * players)
    assert game.position()["scores"] == [7] * players
    game = situation(board, players, scores=[None] * players, pieces=[None] * players)
    assert game.position()["scores"] == [0] * players


@on_every_board
def test_without_a_display_named_one_is_laid_out_unless_the_rest_is_out(board: Board) -> None:
    """Wild cards are taken for it only as far as D5 allows."""
    for seed in range(40):
        assert situation(board, seed=seed).position()["faceup"].count("wild") <= 2
    assert situation(board, rest="out").position()["faceup"] == [None] * 5
    held = {**dict(zip(board.colors, board.color_counts, strict=True))}
    held[board.colors[0]] -= 1
    display = situation(board, hands=[held, {}]).position()["faceup"]
    assert Counter(display) == {board.colors[0]: 1, "wild": 4}


@on_every_board
def test_phases_of_a_position(board: Board) -> None:
    keep = situation(board, phase="keep", seat=1)
    assert (keep.phase, keep.seat, len(keep.view(1).offer)) == ("keep", 1, board.draw_tickets)
    ticket = board.tickets[3].id
    keep = situation(board, phase="keep", offer=[ticket])
    assert keep.view(0).offer == (ticket,)
    assert ticket not in keep.position()["ticket_deck"]
    second = situation(board, phase="second_card", seat=1)
    assert all(action.kind == "draw" and action.color != "wild" for action in second.legal())
    over = situation(board, phase="over")
    assert (over.seat, over.legal()) == (None, [])
    setup = situation(
        board, phase="setup", offer=[[], [ticket]], set_aside=[[board.tickets[0].id], []]
    )
    assert setup.seat == 1
    setup.play("keep 1")
    assert setup.position()["ticket_deck"][-1] == board.tickets[0].id


@on_every_board
def test_null_is_the_same_as_leaving_out(board: Board) -> None:
    nothing: dict[str, Any] = dict.fromkeys(KEYS - {"board", "players"})
    assert situation(board, **nothing).position() == situation(board).position()
    by_seat = ("hands", "known", "tickets", "returned", "pieces", "scores", "flags", "flag_sets")
    nothing = {key: [None, None] for key in by_seat}
    assert situation(board, **nothing).position() == situation(board).position()


def test_a_board_may_be_handed_in() -> None:
    board = fernzug.board("paris")
    game = Game.from_position({"players": 3}, board=board)
    assert (game.board, game.players) == (board, 3)
    game = Game.from_position({"board": "london", "players": 3}, board="paris")
    assert game.board is board
    assert repr(game) == "<Game paris, 3 players, turn, seat 0>"
    assert repr(situation(board, phase="over")) == "<Game paris, 2 players, over>"


# ---- What is refused -----------------------------------------------------------------------------

REFUSED: list[tuple[dict[Any, Any], str]] = [
    ({"board": None}, "at least 'board' and 'players'"),
    ({"board": 7}, "'board' must be the id of a board or a path, not 7"),
    ({"board": "lodnon"}, "there is no board 'lodnon', did you mean 'london'?"),
    ({"players": 5}, "'players' must be a whole number from 2 to 4, not 5"),
    ({"players": True}, "'players' must be a whole number"),
    ({"seat": 2}, "'seat' must be a whole number from 0 to 1"),
    ({"phase": "dealing"}, "there is no phase 'dealing'"),
    ({"hand": []}, "a position has no 'hand', did you mean 'hands'?"),
    ({7: 7}, "a position has no '7'"),
    ({"hands": {}}, "'hands' must be a list with an entry for each of the 2 seats"),
    ({"hands": [{}]}, "'hands' must be a list with an entry for each of the 2 seats"),
    ({"hands": [[], {}]}, "'hands' must hold objects such as"),
    ({"hands": [{"blue": -1}, {}]}, "'hands' must count the blue cards, not say -1"),
    ({"discard": {"blue": "2"}}, "'discard' must count the blue cards, not say '2'"),
    ({"hands": [{"blue": 7}, {}]}, "'hands' has 7 blue cards, the box has 6"),
    ({"hands": [{"blue": 1.0}, {}]}, "'hands' must count the blue cards, not say 1.0"),
    ({"hands": [{"bleu": 1}, {}]}, "there are no 'bleu' cards on this board"),
    ({"hands": [{4: 1}, {}]}, "'hands' has 4, which is not a card"),
    ({"hands": [{"blue": 4}, {"blue": 3}]}, "the position names 7 blue cards, the box has 6"),
    ({"known": [{"blue": 1}, {}]}, "seat 0 is known to hold 1 blue cards, but does not"),
    ({"deck": ["wild"] * 9}, "the position names 9 wild cards, the box has 8"),
    ({"deck": "wild"}, "'deck' must hold a list"),
    ({"deck": [None]}, "'deck' has None, which is not a card"),
    ({"discard": []}, "'discard' must hold objects"),
    ({"rest": "box"}, "'rest' must be 'deck', 'discard' or 'out', not 'box'"),
    ({"faceup": ["blue"] * 4}, "'faceup' must have 5 places"),
    ({"routes": []}, "'routes' must be an object of owners by route"),
    ({"routes": {"hyde_park": 0}}, "there is no route 'hyde_park' on this board"),
    ({"routes": {"big_ben-waterloo": 2}}, "big_ben-waterloo is owned by 2, which is not a seat"),
    (
        {"routes": {"big_ben-waterloo": 0, "waterloo-big_ben": 1}},
        "waterloo-big_ben is named twice",
    ),
    ({"pieces": [{"bus": 18}, {}]}, "seat 0 can have 0 to 17 buses left, not 18"),
    ({"pieces": [{"tram": 1}, {}]}, "'pieces' must hold numbers of bus"),
    ({"pieces": [3, {}]}, "'pieces' must hold numbers of bus, not 3"),
    ({"scores": ["1", 0]}, "'scores' must hold whole numbers of points, not '1'"),
    ({"scores": [0, 10**30]}, "'scores' must hold whole numbers of points, not 10"),
    ({"flags": [["blue"], []]}, "seat 0 cannot have 'flags' on this board: ['blue']"),
    ({"flag_sets": [1, 0]}, "seat 0 cannot have 'flag_sets' on this board: 1"),
    ({"flag_sets": ["1", 0]}, "seat 0 cannot have 'flag_sets' on this board: '1'"),
    ({"tickets": [["hyde_park"], []]}, "there is no ticket 'hyde_park'"),
    ({"tickets": [[5], []]}, "'tickets' has 5, which is not a ticket"),
    (
        {"tickets": [["hyde_park-st_pauls"], ["st_pauls-hyde_park"]]},
        "the ticket st_pauls-hyde_park is named twice",
    ),
    ({"ticket_rest": "discard"}, "'ticket_rest' must be 'deck' or 'out'"),
    ({"offer": ["hyde_park-st_pauls"]}, "offered only in the phases 'setup' and 'keep'"),
    ({"set_aside": ["hyde_park-st_pauls"]}, "set aside only in the phase 'setup'"),
    ({"phase": "keep", "ticket_rest": "out"}, "there are no tickets to choose from"),
    ({"phase": "keep", "offer": []}, "there are no tickets to choose from"),
    (
        {
            "phase": "keep",
            "offer": ["hyde_park-st_pauls", "big_ben-tower_of_london", "globe_theatre-brick_lane"],
        },
        "'offer' may hold 2 tickets at most",
    ),
    ({"phase": "setup", "ticket_rest": "out"}, "there are too few tickets to deal (S2)"),
    ({"phase": "setup", "offer": [[], []]}, "at least one seat must have tickets"),
    (
        {
            "phase": "setup",
            "offer": [["hyde_park-st_pauls"], []],
            "set_aside": [["big_ben-tower_of_london"], []],
        },
        "seat 0 has both an offer and tickets set aside",
    ),
    ({"phase": "setup", "turns_left": 1}, "the last round cannot begin in the set-up"),
    ({"turns_left": 3}, "'turns_left' must be a whole number from 1 to 2"),
    ({"turns_left": 0}, "'turns_left' must be a whole number from 1 to 2"),
    ({"passes": 2}, "'passes' must be a whole number from 0 to 1"),
    ({"seed": -1}, "'seed' must be a whole number"),
    (
        {"phase": "second_card", "rest": "out", "faceup": ["wild", None, None, None, None]},
        "there is no second card to draw, so the turn is over (D7)",
    ),
]


@pytest.mark.parametrize(("wrong", "reason"), REFUSED, ids=[str(r[0])[:50] for r in REFUSED])
def test_refused_in_words(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        Game.from_position({**SMALL, **wrong})
    assert reason in str(refused.value)


def test_more_routes_than_pieces_are_refused() -> None:
    for board in BOARDS:
        lanes = [route for route in board.routes if route.lane != 2]
        with pytest.raises(
            ValueError, match=r"the routes of seat 0 take \d+ \w+, but there are only \d+"
        ):
            situation(board, routes={route.id: 0 for route in lanes})


def test_a_position_is_an_object() -> None:
    wrong: list[Any] = [[], None, "london", 5]
    for position in wrong:
        with pytest.raises(ValueError, match="a position is a mapping"):
            Game.from_position(position)
    with pytest.raises(ValueError, match="at least 'board' and 'players'"):
        Game.from_position({"board": "london"})


# ---- Junk ----------------------------------------------------------------------------------------

words = st.sampled_from(
    [
        *("blue", "wild", "red", "gray", "deck", "discard", "out", "setup", "turn", "keep", "over"),
        *("second_card", "big_ben-waterloo", "hyde_park-st_pauls", "louvre-pompidou.2", "bus", ""),
    ]
)
plain = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 9), st.integers(), st.floats(), words, st.text()
)
values = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6), st.dictionaries(words | st.text(), inner, max_size=4)
    ),
    max_leaves=12,
)
positions = st.fixed_dictionaries(
    {"board": st.sampled_from([board.id for board in BOARDS]), "players": st.integers(1, 6)},
    optional=dict.fromkeys(sorted(KEYS - {"board", "players"}), values),
)


def refused_or_playable(position: dict[str, Any]) -> None:
    """Whatever a position says, the only error is ValueError, and what is accepted works."""
    try:
        game = Game.from_position(position)
    except ValueError:
        return
    text = json.dumps(game.position())
    assert Game.from_position(json.loads(text)).position() == game.position()
    assert game.over or game.legal()
    assert len(game.scores()) == game.players
    assert game.view(0).to_json()
    for _ in range(200):
        if game.over:
            break
        game.play(game.legal()[-1])


@given(positions)
def test_junk_is_refused_or_can_be_played(position: dict[str, Any]) -> None:
    refused_or_playable(position)


@st.composite
def spoilt(draw: st.DrawFn) -> dict[str, Any]:
    """A position of a real game in which one or two entries are replaced by something else."""
    board = draw(st.sampled_from(BOARDS))
    game = Game(board, draw(st.sampled_from(list(board.players))), seed=draw(st.integers(0, 50)))
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=40)):
        if not game.over:
            game.play(game.legal()[choice % len(game.legal())])
    position = game.position()
    for key in draw(st.lists(st.sampled_from(sorted(position)), min_size=1, max_size=2)):
        position[key] = draw(values)
    return position


@given(spoilt())
def test_a_spoilt_position_is_refused_or_can_be_played(position: dict[str, Any]) -> None:
    refused_or_playable(position)
