"""The shape of a board file: its keys, and the values that each may have."""

from __future__ import annotations

import re
from typing import Any

from fernzug.board.entries import (
    BOOL,
    ID,
    NAMES,
    NUMBER,
    TEXT,
    Key,
    Reader,
    Report,
    by_key,
    list_of,
    one_of,
    optional,
    table,
    whole,
)
from fernzug.board.lines import Path
from fernzug.bonuses import KINDS

# The engine's vectors are sized for these.
MAX_PLAYERS = 8
MAX_COLORS = 12
MAX_OFFERED = 5
MAX_ROUTES = 240
MAX_LOCATIONS = 63

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
NETWORKS = ("printed", "own")

_POINTS = by_key(
    "route lengths such as 3",
    lambda key: re.fullmatch(r"[1-9][0-9]{0,2}", key) is not None,
    whole(0),
)

_GROUP = table(
    "a group",
    id=Key(ID),
    name=Key(TEXT),
    names=optional(NAMES, {}),
    color=optional(ID),
    points=Key(whole(0)),
    locations=Key(list_of(ID)),
)

_BONUS = {
    "points": optional(whole(0)),
    "locations": optional(list_of(ID)),
    "colors": optional(list_of(ID)),
    "groups": optional(list_of(_GROUP)),
}
BONUS_KEYS = tuple(_BONUS)
"""What a file can say of a bonus of any kind; a kind may need numbers under names of its own."""


def _bonus(value: Any, path: Path, report: Report) -> Any:
    """Read a bonus; which numbers it has depends on its kind."""
    kind = KINDS.get(str(value.get("kind"))) if isinstance(value, dict) else None
    numbers = () if kind is None else kind.NUMBERS
    keys = {
        "kind": Key(ID),
        **_BONUS,
        **{name: optional(whole(0)) for name in numbers},
        "names": optional(NAMES, {}),
    }
    return table("a bonus", **keys)(value, path, report)


read_board: Reader = table(
    "the board",
    id=Key(ID),
    name=Key(TEXT),
    names=optional(NAMES, {}),
    network=Key(one_of(*NETWORKS)),
    notes=optional(NAMES, {}),
    players=Key(
        table(
            "'players'",
            min=Key(whole(2, MAX_PLAYERS)),
            max=Key(whole(2, MAX_PLAYERS)),
        )
    ),
    deal=Key(
        table(
            "'deal'",
            cards=Key(whole(0)),
            tickets=Key(whole(1, MAX_OFFERED)),
            keep=Key(whole(1)),
        )
    ),
    draw=Key(table("'draw'", tickets=Key(whole(1, MAX_OFFERED)), keep=Key(whole(1)))),
    last_round_at=Key(whole(0)),
    single_lane_up_to=Key(whole(0)),
    score_track=optional(BOOL, True),
    tie_breaks=optional(list_of(ID), ()),
    pieces=Key(
        list_of(
            table(
                "a kind of piece",
                id=Key(ID),
                count=Key(whole(1)),
                one_per_route=optional(BOOL, False),
                points=Key(_POINTS),
                names=optional(NAMES, {}),
                singular=optional(NAMES, {}),
            )
        )
    ),
    colors=Key(
        list_of(
            table("a colour", id=Key(ID), count=Key(whole(1)), names=optional(NAMES, {})),
        )
    ),
    wild=Key(table("'wild'", count=Key(whole(0)), names=optional(NAMES, {}))),
    bonuses=optional(
        list_of(_bonus),
        (),
    ),
    drawing=Key(
        table(
            "'drawing'",
            width=Key(NUMBER),
            height=Key(NUMBER),
            pitch=optional(NUMBER, 62.0),
            space_width=optional(NUMBER, 25.0),
            lane_gap=optional(NUMBER, 4.0),
            location_radius=optional(NUMBER, 14.0),
            font_size=optional(NUMBER, 17.0),
        )
    ),
    locations=Key(
        list_of(
            table(
                "a place",
                id=Key(ID),
                name=Key(TEXT),
                names=optional(NAMES, {}),
                x=Key(NUMBER),
                y=Key(NUMBER),
                label=optional(one_of(*COMPASS), "n"),
                lines=optional(list_of(TEXT)),
                lat=optional(NUMBER),
                lon=optional(NUMBER),
            )
        )
    ),
    routes=Key(
        list_of(
            table(
                "a route",
                a=Key(ID),
                b=Key(ID),
                length=Key(whole(1)),
                color=Key(ID),
                lane=optional(whole(1, 2), 0),
                piece=optional(ID),
                bend=optional(NUMBER, 0.0),
            )
        )
    ),
    tickets=Key(list_of(table("a ticket", a=Key(ID), b=Key(ID), points=Key(whole(1))))),
)
"""Reads the table of a whole file into an `Entry`, and reports what does not fit."""
