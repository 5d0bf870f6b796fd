"""What each audience of a table is told.

An audience is the set of seats whose tokens a connection has shown; an empty one is a spectator.
Every message is built from what these seats may know: views from :meth:`fernzug.Game.view`,
explanations from those views, and events from :meth:`fernzug.Event.seen_by`. Nothing here reads the
referee's state.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import cast

from fernzug.engine import rules
from fernzug.events import event_of
from fernzug.game import Game
from fernzug.json_types import BonusStep, GameEvent
from fernzug.json_types import View as ViewJson
from fernzug.reasons import blocked
from fernzug.table.authority import Table
from fernzug.table.change import Change
from fernzug.table.clock import Moment
from fernzug.table.progress import TicketProgress
from fernzug.table.protocol import (
    Blocked,
    Chat,
    ClockState,
    Events,
    SeatView,
    Snapshot,
    TableInfo,
)
from fernzug.table.revealed import revealed_tickets
from fernzug.tables import tables_of
from fernzug.view import View
from fernzug.ways import shut_routes

Audience = tuple[int, ...]
"""The seats that a connection's tokens open, in order."""
BonusProgress = list[dict[str, list[BonusStep]]]
"""For each seat, by kind of bonus."""


def table_info(table: Table, now: float, *, invited: bool = False) -> TableInfo:
    """Return what everybody knows about the table; those who are invited know its code as well."""
    setup = table.setup
    seats = table.seats
    return {
        "id": setup.id,
        "code": table.code if invited or setup.public else None,
        "board": setup.board,
        "state": table.state,
        "start": setup.start,
        "seats": [
            {
                "seat": number,
                "kind": seat.kind,
                "name": seat.name,
                "level": seat.level,
                "face": seat.face,
                "connected": seats.is_connected(number),
                "bot": table.stand_in(number, now),
            }
            for number, seat in enumerate(seats.all)
        ],
        "first_player": setup.first_player,
        "clock": setup.clock.to_json(),
        "grace": setup.grace,
        "public": setup.public,
        "chat": setup.chat,
        "spectators": seats.spectators,
        "created": setup.created,
        "seeded": setup.seed is not None,
        "rematch": table.rematch,
    }


def clock_state(table: Table, now: float) -> ClockState | None:
    """Return the time that the seats have left."""
    if not table.clock.used or table.game is None:
        return None
    reading = table.seats.watch.read(now)
    seats = range(table.seats.count)
    return {
        "left": [int(1000 * table.clock.remaining(seat, reading)) for seat in seats],
        "running": [
            seat for seat in seats if table.seats.watch.running and table.clock.runs_for(seat)
        ],
    }


def snapshot(
    table: Table, audience: Audience, *, host: bool, seen: int | None, now: Moment
) -> Snapshot:
    """Return everything that somebody who connects or reconnects needs to know."""
    since, first = _resume(table, seen)
    return {
        "type": "snapshot",
        "seq": table.seq,
        "since": since,
        "own": list(audience),
        "host": host,
        "table": table_info(table, now.monotonic, invited=host or bool(audience)),
        "events": [] if table.game is None else Story(table.game, first).as_seen(audience),
        "views": [] if table.game is None else seat_views(table, audience, Common(table.game)),
        "clock": clock_state(table, now.monotonic),
        "chat": table.lines,
        "now": now.wall,
    }


def _resume(table: Table, seen: int | None) -> tuple[int, int]:
    """Return the change and the fact from which somebody has to be told what they missed."""
    first_known = table.marks[0][0]
    if seen is None or not max(1, first_known) <= seen <= table.seq:
        return 0, 0
    place = bisect_right(table.marks, seen, key=lambda mark: mark[0]) - 1
    return seen, table.marks[place][1]


def change_messages(
    table: Table, change: Change, audiences: Iterable[Audience], now: float
) -> dict[Audience, Events | Chat]:
    """Return what each audience is told of a change, if more has changed than the table's info."""
    if change.kind == "said":
        said: Chat = {"type": "chat", "seq": change.seq, "line": table.lines[-1]}
        return dict.fromkeys(audiences, said)
    game = table.game
    if change.kind not in ("started", "played", "undone") or game is None:
        return {}
    undone = change.data["facts"] if change.kind == "undone" else 0
    new = 0 if undone else len(change.data["facts"])
    story = Story(game, len(game.facts) - new)
    common = Common(game)
    clock = clock_state(table, now)
    return {
        audience: {
            "type": "events",
            "seq": change.seq,
            "undone": undone,
            "events": story.as_seen(audience),
            "bot": bool(change.data.get("bot", False)),
            "views": seat_views(table, audience, common),
            "clock": clock,
        }
        for audience in audiences
    }


class Story:
    """The events of a game from a certain fact on."""

    def __init__(self, game: Game, first: int) -> None:
        tables = tables_of(game.board)
        self._events = [event_of(tables, fact) for fact in game.facts[first:]]
        self._public = [event.seen_by(None).to_json() for event in self._events]

    def as_seen(self, audience: Audience) -> list[GameEvent]:
        """Return the events as far as an audience may know them."""
        return [
            event.seen_by(event.seat).to_json() if event.seat in audience else public
            for event, public in zip(self._events, self._public, strict=True)
        ]


class Common:
    """What everybody may know of a game, worked out once for all, from a spectator's view."""

    def __init__(self, game: Game) -> None:
        self.view = game.view(None)
        self.json = self.view.to_json()
        self.revealed = revealed_tickets(self.view)
        self.bonuses: BonusProgress = [
            {
                # Steps not yet begun are left out.
                kind: [step.to_json() for step in steps if step.have]
                for kind, steps in self.view.progress(seat).items()
            }
            for seat in range(game.players)
        ]

    def completed_by(self, view: View) -> ViewJson:
        """Return a seat's view, of which only what it alone may know is worked out anew."""
        seat = view.viewer
        if seat is None:
            return self.json
        players = list(self.json["players"])
        players[seat] = view.player(seat).to_json()
        return {
            **self.json,
            "viewer": seat,
            "players": players,
            "unseen": dict(view.unseen),
            "offer": list(view.offer),
            "returned": list(view.returned),
            "legal": [action.text for action in view.legal],
        }


def seat_views(table: Table, audience: Audience, common: Common) -> list[SeatView]:
    """Return the game for each seat of an audience, or for a spectator."""
    game = table.game
    if game is None:
        return []
    progress = table.ticket_progress
    if not audience:
        return [_seat_view(common.view, progress, common, undo=False)]
    return [
        _seat_view(game.view(seat), progress, common, undo=table.can_undo(seat))
        for seat in audience
    ]


def _seat_view(view: View, progress: TicketProgress, common: Common, *, undo: bool) -> SeatView:
    """Return a view with its explanations, which are worked out from the view alone."""
    state = view.knowledge.state
    seat = view.viewer
    told: SeatView = {
        "seat": seat,
        "view": common.completed_by(view),
        "shut": [view.board.routes[route].id for route in shut_routes(state, seat)],
        "blocked": {},
        "progress": {},
        "bonuses": common.bonuses,
        "revealed": common.revealed,
        "keep_least": 0,
        "undo": undo,
    }
    if seat is not None:
        reasons = {route: reason.to_json() for route, reason in blocked(state, seat).items()}
        told["blocked"] = cast(dict[str, Blocked], reasons)
        told["progress"] = progress.of(state, seat)
        if (state.choosing >> seat) & 1:
            told["keep_least"] = int(rules.keep_least(state, seat))
    return told
