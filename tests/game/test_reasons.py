"""Why something is refused: every reason can come up, says what is true, and has its words."""

import ast
import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import fernzug
from fernzug import Board, Game, IllegalAction, notation, reasons
from fernzug.bonuses import KINDS
from fernzug.engine.knowledge import knowledge_of
from fernzug.errors import Reason
from fernzug.i18n import LANGUAGES, Texts
from fernzug.i18n.sentences import Ids, sentence
from fernzug.notation import NotationError, notation_of
from situations import on_every_board

TWO_CHOSEN = {
    "board": "usa",
    "players": 3,
    "phase": "setup",
    "offer": [[], ["dallas-new_york", "denver-el_paso", "boston-miami"], ["duluth-el_paso"]],
}

CHOOSE = "tickets must be chosen first, with 'keep' and their places"

# board and position, the action, for which seat, the reason
REFUSED: list[tuple[dict[str, Any], str, int | None, str]] = [
    ({"phase": "over"}, "draw deck", None, "the game is over"),
    ({"seat": 1}, "draw deck", 0, "it is seat 1’s turn, not seat 0’s"),
    (TWO_CHOSEN, "keep 1 2", 0, "seat 0 has chosen its tickets already"),
    ({}, "keep 1", None, "there are no tickets to choose from"),
    (TWO_CHOSEN, "keep 1", 1, "at least 2 of the tickets must be kept"),
    (TWO_CHOSEN, "keep 1 2", 2, "only 1 ticket is offered"),
    (
        {"phase": "keep"},
        "draw deck",
        None,
        "tickets must be chosen first, with 'keep' and their places",
    ),
    (TWO_CHOSEN, "pass", None, "tickets must be chosen first, with 'keep' and their places"),
    ({"rest": "out"}, "draw deck", None, "the deck is empty, and so are the discards (D6)"),
    ({"faceup": ["blue"] * 5}, "draw pink", None, "no pink card lies face up"),
    (
        {"phase": "second_card", "faceup": ["wild", *["blue"] * 4]},
        "draw wild",
        None,
        "a face-up wild card cannot be the second card (D3)",
    ),
    (
        {"phase": "second_card", "faceup": ["blue"] * 5},
        "draw wild",
        None,
        "no wild card lies face up",
    ),
    ({"phase": "second_card"}, "tickets", None, "the second card must be drawn first (D1)"),
    ({"phase": "second_card"}, "pass", None, "the second card must be drawn first (D1)"),
    (
        {"phase": "second_card", "hands": [{"blue": 1}, {}]},
        "claim big_ben-waterloo blue*1",
        None,
        "the second card must be drawn first (D1)",
    ),
    ({}, "pass", None, "passing is possible only when nothing else is (T2)"),
    ({"ticket_rest": "out"}, "tickets", None, "there are no tickets left (K1)"),
    (
        {"routes": {"big_ben-waterloo": 0}},
        "claim big_ben-waterloo blue*1",
        None,
        "big_ben-waterloo is taken by you",
    ),
    (
        {"routes": {"big_ben-waterloo": 1}},
        "claim big_ben-waterloo blue*1",
        None,
        "big_ben-waterloo is taken by seat 1",
    ),
    (
        {"routes": {"globe_theatre-st_pauls": 0}},
        "claim globe_theatre-st_pauls.2 blue*1",
        None,
        "nobody may claim both lanes, and the twin lane of globe_theatre-st_pauls.2 is yours (C5)",
    ),
    (
        {"routes": {"globe_theatre-st_pauls.2": 1}},
        "claim globe_theatre-st_pauls blue*1",
        None,
        "globe_theatre-st_pauls is shut: with 2 players only one lane is used (C6)",
    ),
    (
        {"pieces": [{"bus": 1}, {}], "hands": [{"pink": 2}, {}]},
        "claim waterloo-globe_theatre pink*2",
        None,
        "you have only 1 bus left, and waterloo-globe_theatre takes 2 (C4)",
    ),
    (
        {"board": "berlin", "pieces": [{"subway": 0}, {}], "hands": [{"wild": 2}, {}]},
        "claim gleisdreieck-hallesches_tor wild*2",
        None,
        "you have only 0 subways left, and gleisdreieck-hallesches_tor takes 1 (C4)",
    ),
    (
        {"hands": [{"pink": 1}, {}]},
        "claim waterloo-globe_theatre pink*2",
        None,
        "you still need 1 pink for waterloo-globe_theatre",
    ),
    (
        {"hands": [{"green": 1}, {}]},
        "claim regents_park-kings_cross green*2 wild*1",
        None,
        "you still need 1 green and 1 wild for regents_park-kings_cross",
    ),
    (
        {"board": "paris", "hands": [{"red": 1}, {}], "flags": [["red"], []]},
        "claim concorde-opera red*1 flag",
        None,
        "a red card lies in front of you already (E6)",
    ),
]


@pytest.mark.parametrize(("position", "text", "seat", "reason"), REFUSED)
def test_every_objection(
    position: dict[str, Any], text: str, seat: int | None, reason: str
) -> None:
    game = Game.from_position({"board": "london", "players": 2, **position})
    with pytest.raises(IllegalAction) as refused:
        game.play(text, seat=seat)
    assert refused.value.reason == str(refused.value) == reason
    assert refused.value.position == game.position()


def refusal(position: dict[str, Any], text: str, seat: int | None) -> Reason:
    game = Game.from_position({"board": "london", "players": 2, **position})
    with pytest.raises(IllegalAction) as refused:
        game.play(text, seat=seat)
    return refused.value.why


def codes_of(module: Any) -> set[str]:
    """The codes that a module writes down."""
    calls = [
        node
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("Reason", "_refuse")
        and node.args
    ]
    return {
        part.value
        for call in calls
        for part in ast.walk(call.args[0])
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        # The codes of bonuses are put together from the word of their kind.
        and not isinstance(call.args[0], ast.JoinedStr)
    }


def codes_of_bonuses() -> set[str]:
    """The codes of the kinds of bonus that let a player choose something with a claim."""
    return {
        f"bonus.{word}.{reason}"
        for word, kind in KINDS.items()
        if kind.OPTIONS
        for reason in ("not_offered", "not_allowed")
    }


def test_no_objection_is_left_out() -> None:
    """Every code of the module comes up above."""
    seen = {refusal(position, text, seat).code for position, text, seat, _ in REFUSED}
    assert codes_of(reasons) == seen - codes_of_bonuses()
    assert seen & codes_of_bonuses()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words_in_every_language(language: str) -> None:
    texts = Texts(language)
    codes = codes_of(reasons) | codes_of(notation) | codes_of(fernzug.errors) | codes_of_bonuses()
    assert len(codes) > 30
    for code in codes:
        assert texts.has(code if "." in code else f"reason.{code}"), code


def test_a_reason_is_a_value() -> None:
    game = Game.from_position({"board": "london", "players": 2, "hands": [{"green": 1}, {}]})
    with pytest.raises(IllegalAction) as refused:
        game.play("claim regents_park-kings_cross green*2 wild*1")
    why = refused.value.why
    assert why.to_json() == {
        "code": "cards",
        "color": "green",
        "missing": 2,
        "cards": {"green": 1, "wild": 1},
        "route": "regents_park-kings_cross",
        "players": 2,
    }
    assert why == Reason("cards", **why.parts)
    assert hash(why) == hash(Reason("cards"))
    assert why != Reason("cards")
    with pytest.raises(AttributeError):
        why.code = "shut"  # type: ignore[misc]


def test_errors_survive_the_way_between_processes() -> None:
    game = Game("london", 2, seed=1)
    with pytest.raises(IllegalAction) as refused:
        game.play("draw deck")
    copy = pickle.loads(pickle.dumps(refused.value))
    assert (copy.reason, copy.why) == (refused.value.reason, refused.value.why)
    assert copy.position == game.position()
    with pytest.raises(NotationError) as unread:
        notation_of(game.board).parse("drwa deck")
    again = pickle.loads(pickle.dumps(unread.value))
    assert str(again) == str(unread.value)
    assert again.why == unread.value.why == refusal({}, "drwa deck", None)


def test_a_reason_is_readable_without_its_board() -> None:
    why = Reason("pieces", route="a-b", piece="bus", left=0, missing=2)
    assert str(why) == "you have only 0 bus left, and a-b takes 2 (C4)"


def test_an_error_without_a_reason_is_still_a_sentence() -> None:
    assert (
        sentence(Texts("en"), IllegalAction("because").why, Ids()) == "This is not possible here."
    )
    # A bonus of somebody else's may have no words in every language.
    assert sentence(Texts("de"), Reason("bonus.weather.rain"), Ids()) == (
        "Das ist hier nicht möglich."
    )


# ---------------------------------------------------------------------------- routes


def told(game: Game, seat: int) -> tuple[dict[str, Reason], list[Reason | None]]:
    state = game.state
    every = range(len(game.board.routes))
    return (
        reasons.blocked(state, seat),
        [reasons.claim_objection(state, seat, route) for route in every],
    )


@on_every_board
def test_a_route_has_a_reason_unless_it_can_be_claimed(board: Board) -> None:
    """The reasons for refusing a payment are those for which the route is blocked."""
    luck = random.Random(3)
    game = Game(board, board.max_players, seed=5)
    codes: Counter[str] = Counter()
    while not game.over:
        if game.phase == "turn":
            seat = game.seat
            assert seat is not None
            claimable = {action.route for action in game.legal() if action.route}
            blocked, every = told(game, seat)
            for route, reason in zip(board.routes, every, strict=True):
                assert (reason is None) == (route.id in claimable)
                if route.id in blocked:
                    assert reason == blocked[route.id].adding(route=route.id, players=game.players)
                else:
                    assert reason is None or reason.code in ("own", "taken")
            codes.update(reason.code for reason in blocked.values())
            assert reasons.blocked(game.state, (seat + 1) % game.players) == {}
        game.play(luck.choice(game.legal()))
    assert set(codes) <= {"own_twin", "shut", "pieces", "cards"}
    assert codes["cards"]


@on_every_board
def test_a_seat_knows_enough_to_be_told_why(board: Board) -> None:
    """What a seat may know gives the same reasons as the referee's state."""
    luck = random.Random(4)
    game = Game(board, 2, seed=6)
    notes = notation_of(board)
    while not game.over:
        seat = game.seat
        assert seat is not None
        known = knowledge_of(game.state, seat).state
        assert reasons.blocked(known, seat) == reasons.blocked(game.state, seat)
        legal = {action.number for action in game.legal()}
        for number in luck.sample(range(int(game.state.tables.actions)), 20):
            if number not in legal and number != game.state.tables.keep:
                assert reasons.objection(known, seat, number) == reasons.objection(
                    game.state, seat, number
                ), notes.action(number)
        game.play(luck.choice(game.legal()))


@pytest.mark.parametrize(
    ("position", "route", "reason"),
    [
        ({}, "waterloo-globe_theatre", "you still need 2 pink for waterloo-globe_theatre"),
        (
            {"hands": [{"blue": 3}, {}]},
            "baker_street-piccadilly_circus",
            "you still need 1 more card of the same colour for baker_street-piccadilly_circus",
        ),
        ({}, "big_ben-waterloo", None),
    ],
)
def test_why_a_route_cannot_be_claimed_at_all(
    position: dict[str, Any], route: str, reason: str | None
) -> None:
    hands = [{"blue": 1}, {}] if reason is None else [{}, {}]
    game = Game.from_position({"board": "london", "players": 2, "hands": hands, **position})
    why = reasons.claim_objection(game.state, 0, game.board.routes.index(route))
    assert (None if why is None else why.in_english(game.board)) == reason
