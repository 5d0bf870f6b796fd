"""What somebody knows of a game who hears every message, as the browser puts it together."""

from __future__ import annotations

from typing import Any


def with_changes(views: list[Any], changes: list[Any]) -> list[Any]:
    """Return the views of a table after a message with what may have changed of them."""
    before = {view["seat"]: view for view in views}
    return [
        _with_change(before[change["seat"]], change) if change["seat"] in before else change
        for change in changes
    ]


def _with_change(view: Any, change: Any) -> Any:
    players = {player["seat"]: player for player in view["view"]["players"]}
    players |= {player["seat"]: player for player in change["view"]["players"]}
    seen = {**view["view"], **change["view"], "players": list(players.values())}
    return {**view, **change, "view": seen}
