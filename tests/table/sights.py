"""What a seat is told in situations that the coach explains, for the tests of the client.

``python -m table.sights`` in the folder of the tests writes them down. So the client's tests see
the coach at work on what the server really tells, and not on views made up by hand.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import fernzug
from fernzug import Board
from fernzug.board.as_json import for_clients
from fernzug.table import telling
from paths import ROOT
from table.tabletop import Tabletop, beginning_at, here

FILE = ROOT / "web" / "tests" / "data" / "sights.json"
SEAT = 0

BOARD_KEYS = (
    *("tickets", "pieces", "bonuses"),
    *("last_round_at", "single_lane_up_to", "score_track"),
)
ROUTE_KEYS = ("id", "a", "b", "color", "cost", "pieces", "piece", "twin")

COLORS = ["blue", "green", "black", "pink", "orange"]
WITH_WILD = ["wild", *COLORS[:4]]
FAR = ["vancouver-santa_fe", "boston-miami", "montreal-atlanta"]

SITUATIONS: dict[str, dict[str, Any]] = {
    "turn": {"board": "london", "players": 2, "faceup": COLORS},
    "not my turn": {"board": "london", "players": 2, "faceup": COLORS, "seat": 1},
    "wild face up": {"board": "london", "players": 2, "faceup": WITH_WILD},
    "second card": {
        "board": "london",
        "players": 2,
        "faceup": WITH_WILD,
        "phase": "second_card",
        "hands": [{"pink": 1, "wild": 1}, {"blue": 2}],
    },
    "second card, none wild": {
        "board": "london",
        "players": 2,
        "faceup": COLORS,
        "phase": "second_card",
        "hands": [{"pink": 1}, {"blue": 2}],
    },
    "gray": {"board": "usa", "players": 3, "hands": [{"blue": 2}, {}, {}]},
    "gray or with wild": {
        "board": "usa",
        "players": 4,
        "hands": [{"blue": 2, "wild": 1}, {}, {}, {}],
    },
    "shut": {"board": "london", "players": 2, "routes": {"covent_garden-st_pauls": 1}},
    "shut by myself": {"board": "usa", "players": 4, "routes": {"boston-montreal": 0}},
    "nearly over": {"board": "london", "players": 2, "pieces": [{"bus": 9}, {"bus": 5}]},
    "nearly over by myself": {"board": "london", "players": 2, "pieces": [{"bus": 4}, {"bus": 5}]},
    "last round": {"board": "london", "players": 3, "seat": 1, "turns_left": 3},
    "last turn": {"board": "london", "players": 3, "turns_left": 2},
    "last round of others": {"board": "london", "players": 3, "seat": 1, "turns_left": 2},
    "lost": {
        "board": "london",
        "players": 2,
        "pieces": [{"bus": 3}, {"bus": 12}],
        "tickets": [["baker_street-tower_of_london", "hyde_park-covent_garden"], []],
    },
    "done": {
        "board": "usa",
        "players": 2,
        "tickets": [["denver-el_paso", "boston-miami"], []],
        "routes": {"denver-santa_fe": 0, "santa_fe-el_paso": 0},
    },
    "all done": {
        "board": "usa",
        "players": 2,
        "tickets": [["denver-el_paso"], ["boston-miami"]],
        "routes": {"denver-santa_fe": 0, "santa_fe-el_paso": 0},
    },
    "far apart": {"board": "usa", "players": 2, "tickets": [FAR, []]},
    "offered far apart": {"board": "usa", "players": 2, "phase": "keep", "offer": FAR},
    "set-up": {
        "board": "london",
        "players": 2,
        "phase": "setup",
        "offer": [["big_ben-the_charterhouse", "hyde_park-st_pauls"], ["globe_theatre-brick_lane"]],
    },
    "priced": {"board": "berlin", "players": 2, "hands": [{"orange": 4}, {}]},
    "counted later": {"board": "new_york", "players": 2, "faceup": COLORS},
    "over": {"board": "london", "players": 2, "phase": "over"},
}
"""By name: the position from which the seat looks."""


def told(position: dict[str, Any]) -> dict[str, Any]:
    """Return everything that the seat is told of the game at a position."""
    board = fernzug.board(position["board"])
    top = Tabletop(board, *[here] * position["players"], game_factory=beginning_at(position))
    [view] = telling.seat_views(top.table, (SEAT,), telling.Common(top.table, top.game))
    return dict(view)


def as_coach_sees(board: Board) -> dict[str, Any]:
    """Return what the coach looks at of a board."""
    data: dict[str, Any] = dict(for_clients(board))
    routes = [{key: route[key] for key in ROUTE_KEYS} for route in data["routes"]]
    return {"routes": routes} | {key: data[key] for key in BOARD_KEYS}


@cache
def text() -> str:
    """Return all situations as the file has them, a line for each."""
    boards = {position["board"]: position["board"] for position in SITUATIONS.values()}
    entries = [
        *((f"board {name}", as_coach_sees(fernzug.board(name))) for name in sorted(boards)),
        *((name, told(position)) for name, position in SITUATIONS.items()),
    ]
    lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
