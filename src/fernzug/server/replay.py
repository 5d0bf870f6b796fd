"""Finished games for the replay; nothing about them is secret any more."""

from __future__ import annotations

from fernzug.engine import facts
from fernzug.engine.seats import hand_of, tickets_of
from fernzug.engine.state import State
from fernzug.events import event_of
from fernzug.game import Game
from fernzug.json_types import GameEvent, View
from fernzug.notation import cards_by_name
from fernzug.server.lobby_protocol import Frame
from fernzug.view import view_of


def frames(game: Game) -> list[Frame]:
    """Return one frame per action: what happened, and the position after it."""
    found: list[Frame] = []
    events: list[GameEvent] = []
    for state, number in game.record().states():
        fact = game.facts[number]
        events.append(event_of(state.tables, fact).to_json())
        if fact[0] in (facts.AWAITED, facts.ENDED):
            found.append({"events": events, "view": _open_view(state, game)})
            events = []
    return found


def _open_view(state: State, game: Game) -> View:
    view = view_of(state, None, game.board.id).to_json()
    for seat, player in enumerate(view["players"]):
        player["hand"] = cards_by_name(game.board, hand_of(state, seat))
        player["tickets"] = [game.board.tickets[ticket].id for ticket in tickets_of(state, seat)]
    return view
