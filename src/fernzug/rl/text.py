"""A view as lines of text, for people who watch an environment, and for OpenSpiel."""

from __future__ import annotations

import json

from fernzug.view import View


def text_of(view: View, legal: bool = False) -> str:
    """Return everything that a view says, and the legal actions if they are asked for.

    Two views that differ have different texts.
    """
    told = dict(view.to_json())
    players = told.pop("players")
    actions = told.pop("legal")
    lines = [f"{key}: {json.dumps(value)}" for key, value in told.items()]
    assert isinstance(players, list)
    lines += [f"player {player['seat']}: {json.dumps(player)}" for player in players]
    if legal:
        lines.append(f"legal: {json.dumps(actions)}")
    return "\n".join(lines)
