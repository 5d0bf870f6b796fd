"""What was measured about boards: how long a game takes, and a picture of one in progress."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from fernzug.board.model import Board
from fernzug.server.lobby_protocol import BoardFacts

TURN = 15.0
"""The seconds that a person takes for a turn."""
TICKETS = 40.0
"""The seconds that choosing the first tickets takes."""
BOT_DECISION = 1.5
"""The seconds that people watch each decision of a bot, with its animation."""
BOTS = 2
"""The number of bots in the shortest kind of game: one person against them."""
STEP = 5
"""Minutes are rounded to multiples of this."""


def facts_of(board: Board) -> BoardFacts | None:
    """Return what was measured about a board; None if nothing was."""
    measured = _measured().get(board.id)
    if measured is None:
        return None
    own = TICKETS + measured["turns"] * TURN
    alone = own + BOTS * measured["decisions"] * BOT_DECISION
    together = TICKETS + board.max_players * measured["turns"] * TURN
    return {"minutes": [_minutes(alone), _minutes(together)], "picture": measured["picture"]}


def _minutes(seconds: float) -> int:
    return max(STEP, STEP * round(seconds / 60 / STEP))


@cache
def _measured() -> Mapping[str, Any]:
    text = files("fernzug.server").joinpath("facts.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
