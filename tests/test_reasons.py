"""Why an action is refused: every objection can come up, says what is true, and names its rule."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from fernzug import Game, IllegalAction, reasons

TWO_CHOSEN = {
    "board": "usa",
    "players": 3,
    "phase": "setup",
    "offer": [[], ["dallas-new_york", "denver-el_paso", "boston-miami"], ["duluth-el_paso"]],
}

# board and position, the action, for which seat, the reason
REFUSED: list[tuple[dict[str, Any], str, int | None, str]] = [
    ({"phase": "over"}, "draw deck", None, "the game is over"),
    ({"seat": 1}, "draw deck", 0, "it is seat 1's turn, not seat 0's"),
    (TWO_CHOSEN, "keep 1 2", 0, "seat 0 has chosen its tickets already"),
    ({}, "keep 1", None, "there are no tickets to choose from"),
    (TWO_CHOSEN, "keep 1", 1, "at least 2 of the tickets must be kept"),
    (TWO_CHOSEN, "keep 1 2", 2, "only 1 tickets are offered"),
    ({"phase": "keep"}, "draw deck", None, "tickets must be chosen first: 'keep' and their places"),
    (TWO_CHOSEN, "pass", None, "tickets must be chosen first: 'keep' and their places"),
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
        "only 1 bus left, waterloo-globe_theatre takes 2 (C4)",
    ),
    (
        {"board": "berlin", "pieces": [{"subway": 0}, {}], "hands": [{"wild": 2}, {}]},
        "claim gleisdreieck-hallesches_tor wild*2",
        None,
        "only 0 subways left, gleisdreieck-hallesches_tor takes 1 (C4)",
    ),
    (
        {"hands": [{"pink": 1}, {}]},
        "claim waterloo-globe_theatre pink*2",
        None,
        "1 pink missing for waterloo-globe_theatre",
    ),
    (
        {"hands": [{"green": 1}, {}]},
        "claim regents_park-kings_cross green*2 wild*1",
        None,
        "1 green and 1 wild missing for regents_park-kings_cross",
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


def test_no_objection_is_left_out() -> None:
    """Every text of the module is matched by one of the reasons above."""
    source = Path(str(reasons.__file__)).read_text(encoding="utf-8")
    told = "\n".join(reason for *_, reason in REFUSED)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Return) and node.value is not None:
            for pattern in patterns(node.value):
                assert re.search(pattern, told), pattern


def patterns(value: ast.expr) -> list[str]:
    """The texts that an expression can be, with anything for what is put in."""
    if isinstance(value, ast.Constant):
        return [re.escape(str(value.value))]
    if isinstance(value, ast.JoinedStr):
        parts = [
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
            for part in value.values
        ]
        return ["".join(parts)]
    if isinstance(value, ast.IfExp):
        return [*patterns(value.body), *patterns(value.orelse)]
    return []
