"""What each audience of a table is told.

An audience is the set of seats whose tokens a connection has shown; an empty one is a spectator.
Every message is built from what these seats may know: views from :meth:`fernzug.Game.view`,
explanations from those views, and events from :meth:`fernzug.Event.seen_by`. Nothing here reads the
referee's state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import cast

from fernzug.engine import rules
from fernzug.engine.tables import Tables
from fernzug.events import event_of
from fernzug.game import Game
from fernzug.json_types import BonusStep, GameEvent, PlayerView
from fernzug.json_types import View as ViewJson
from fernzug.lessons.model import PUPIL
from fernzug.notation import notation_of
from fernzug.reasons import blocked_as_told
from fernzug.table.authority import Table
from fernzug.table.change import Change
from fernzug.table.clock import Moment
from fernzug.table.protocol import (
    Blocked,
    Chat,
    ClockState,
    Events,
    Progress,
    SeatChange,
    SeatView,
    Snapshot,
    TableInfo,
    ViewChange,
)
from fernzug.table.revealed import revealed_tickets
from fernzug.table.teaching import lesson_state
from fernzug.tables import tables_of
from fernzug.view import View
from fernzug.ways import shut_routes

Audience = tuple[int, ...]
"""The seats that a connection's tokens open, in order."""
Fact = tuple[int, ...]


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
                "hints": table.hints_given[number],
            }
            for number, seat in enumerate(seats.all)
        ],
        "first_player": setup.first_player,
        "clock": setup.clock.to_json(),
        "grace": setup.grace,
        "public": setup.public,
        "chat": setup.chat,
        "hints": table.has_hints,
        "spectators": seats.spectators,
        "created": setup.created,
        "seeded": setup.seeded,
        "lesson": setup.lesson,
        "daily": setup.daily,
        "rematch": table.rematch,
    }


def changing_info(table: Table, now: float) -> tuple[object, ...]:
    """Return what of the table's info may change, to be compared with what it was."""
    seats = table.seats
    numbers = range(seats.count)
    return (
        table.state,
        table.code,
        tuple(seats.all),
        tuple([seats.is_connected(number) for number in numbers]),
        table.stand_ins(now),
        tuple(table.hints_given),
        seats.spectators,
        table.rematch,
    )


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
        "views": []
        if table.game is None
        else seat_views(table, audience, Common(table, table.game)),
        "clock": clock_state(table, now.monotonic),
        "chat": table.lines,
        "now": now.wall,
    }


def _resume(table: Table, seen: int | None) -> tuple[int, int]:
    """Return the change and the fact from which somebody has to be told what they missed."""
    if seen is None or not max(1, table.marks.first) <= seen <= table.seq:
        return 0, 0
    return seen, table.marks.facts_after(seen)


def change_messages(
    table: Table, change: Change, audiences: Iterable[Audience], now: float
) -> dict[Audience, Events | Chat]:
    """Return what each audience is told of a change, if more has changed than the table's info."""
    if change.kind == "said":
        said: Chat = {"type": "chat", "seq": change.seq, "line": table.lines[-1]}
        return dict.fromkeys(audiences, said)
    game = table.game
    if game is None:
        return {}
    undone, new = 0, 0
    if change.kind == "undone":
        undone = change.data["facts"]
    elif change.kind == "stepped":
        undone = change.data["undone"]
        new = len(game.facts) if change.data["relaid"] else 0
    elif change.kind in ("started", "played"):
        new = len(change.data["facts"])
    else:
        return {}
    story = Story(game, len(game.facts) - new)
    common = Common(table, game)
    clock = clock_state(table, now)
    # Only moves leave most of the game as it was.
    views_of = seat_changes if change.kind == "played" else seat_views
    return {
        audience: {
            "type": "events",
            "seq": change.seq,
            "undone": undone,
            "events": story.as_seen(audience),
            "bot": bool(change.data.get("bot", False)),
            "views": cast("list[SeatChange]", views_of(table, audience, common)),
            "clock": clock,
        }
        for audience in audiences
    }


class Story:
    """The events of a game from a certain fact on."""

    def __init__(self, game: Game, first: int) -> None:
        tables = tables_of(game.board)
        self._events = [
            (_usual_event if len(fact) <= USUAL else _told_event)(tables, fact)
            for fact in game.facts[first:]
        ]

    def as_seen(self, audience: Audience) -> list[GameEvent]:
        """Return the events as far as an audience may know them; they are not to be changed."""
        return [own if seat in audience else public for seat, own, public in self._events]


USUAL = 4
"""Facts of at most so many numbers, such as cards that are drawn, happen again and again."""


def _told_event(tables: Tables, fact: Fact) -> tuple[int | None, GameEvent, GameEvent]:
    """Return whose event a fact is, what the seat is told of it, and what everybody else is."""
    event = event_of(tables, fact)
    own, public = event.seen_by(event.seat), event.seen_by(None)
    told = own.to_json()
    return event.seat, told, told if public is own else public.to_json()


@lru_cache(maxsize=4096)
def _usual_event(tables: Tables, fact: Fact) -> tuple[int | None, GameEvent, GameEvent]:
    return _told_event(tables, fact)


class Common:
    """What everybody may know of a game, worked out once for all, from a spectator's view."""

    def __init__(self, table: Table, game: Game) -> None:
        self.changed = table.worked_out.changed
        self.view = game.view(None)
        self.revealed = revealed_tickets(self.view)
        self.undoable = next((s for s in range(game.players) if table.can_undo(s)), None)
        """The seat that may take back its last action."""

    @cached_property
    def whole(self) -> ViewJson:
        """A spectator's view."""
        return self.view.to_json()

    @cached_property
    def change(self) -> ViewChange:
        """What the last change may have changed of a spectator's view."""
        view, changed = self.view, self.changed
        seats = [s for s in range(view.knowledge.state.players) if (changed.players >> s) & 1]
        told: ViewChange = {
            "phase": view.phase,
            "seat": view.seat,
            "turn": view.turn,
            "turns_left": view.turns_left,
            "passes": view.passes,
            "players": [view.player(seat).to_json() for seat in seats],
            "faceup": list(view.faceup),
            "deck_count": view.deck_count,
            "discard": cast("dict[str, int]", view.discard),
            "unseen": cast("dict[str, int]", view.unseen),
            "ticket_deck_count": view.ticket_deck_count,
            "legal": [],
            "scores": None if view.scores is None else [one.to_json() for one in view.scores],
        }
        if changed.routes:
            told["routes"] = cast("dict[str, int]", view.routes)
        return told

    @cached_property
    def bonuses(self) -> list[dict[str, list[BonusStep]]]:
        """The steps of each seat by kind of bonus; those not yet begun are left out."""
        return [
            {
                kind: [step.to_json() for step in steps if step.have]
                for kind, steps in self.view.progress(seat).items()
            }
            for seat in range(self.view.knowledge.state.players)
        ]

    def completed_by(self, view: View) -> ViewJson:
        """Return a seat's view, of which only what it alone may know is worked out anew."""
        seat = view.viewer
        if seat is None:
            return self.whole
        return {
            **self.whole,
            "viewer": seat,
            "players": _as_seen_by(view, self.whole["players"]),
            "unseen": cast("dict[str, int]", view.unseen),
            "offer": list(view.offer),
            "returned": list(view.returned),
            "legal": _legal(view, seat),
        }

    def change_completed_by(self, view: View) -> ViewChange:
        """Return what the last change may have changed of a seat's view."""
        if view.viewer is None:
            return self.change
        told: ViewChange = {
            **self.change,
            "players": _as_seen_by(view, self.change["players"]),
            "unseen": cast("dict[str, int]", view.unseen),
            "legal": _legal(view, view.viewer),
        }
        if (self.changed.tickets >> view.viewer) & 1:
            told["offer"] = list(view.offer)
            told["returned"] = list(view.returned)
        return told


def _as_seen_by(view: View, players: list[PlayerView]) -> list[PlayerView]:
    """Return players as a seat sees them: everybody knows the same but for cards and tickets."""
    hand, tickets = cast("dict[str, int]", view.hand), list(view.tickets)
    return [
        {**one, "hand": hand, "tickets": tickets} if one["seat"] == view.viewer else one
        for one in players
    ]


def _legal(view: View, seat: int) -> list[str]:
    return notation_of(view.board).texts(rules.legal(view.knowledge.state, seat))


def seat_views(table: Table, audience: Audience, common: Common) -> list[SeatView]:
    """Return the game for each seat of an audience, or for a spectator."""
    game = table.game
    if game is None:
        return []
    views = [_seat_view(table, view, common) for view in _views(game, audience, common)]
    _add_lesson(table, game, views)
    return views


def seat_changes(table: Table, audience: Audience, common: Common) -> list[SeatChange]:
    """Return what the last change may have changed of the game for each seat of an audience."""
    game = table.game
    if game is None:
        return []
    changes = [_seat_change(table, view, common) for view in _views(game, audience, common)]
    _add_lesson(table, game, changes)
    return changes


def _views(game: Game, audience: Audience, common: Common) -> list[View]:
    return [game.view(seat) for seat in audience] if audience else [common.view]


def _add_lesson(table: Table, game: Game, views: Sequence[SeatView | SeatChange]) -> None:
    if table.course is not None:
        for view in views:
            if view["seat"] == PUPIL:
                view["lesson"] = lesson_state(table.course, game)


def _seat_view(table: Table, view: View, common: Common) -> SeatView:
    """Return a view with its explanations, which are worked out from the view alone."""
    return {
        "seat": view.viewer,
        "view": common.completed_by(view),
        "shut": _shut(view),
        "blocked": _blocked(view),
        "progress": _progress(table, view),
        "bonuses": common.bonuses,
        "revealed": common.revealed,
        "keep_least": _keep_least(view),
        "undo": view.viewer is not None and view.viewer == common.undoable,
    }


def _seat_change(table: Table, view: View, common: Common) -> SeatChange:
    told: SeatChange = {
        "seat": view.viewer,
        "view": common.change_completed_by(view),
        "blocked": _blocked(view),
        "keep_least": _keep_least(view),
        "undo": view.viewer is not None and view.viewer == common.undoable,
    }
    if common.changed.routes:
        told["shut"] = _shut(view)
        told["bonuses"] = common.bonuses
    if view.viewer is not None and (common.changed.tickets >> view.viewer) & 1:
        told["progress"] = _progress(table, view)
    if common.revealed:
        told["revealed"] = common.revealed
    return told


def _shut(view: View) -> list[str]:
    routes = view.board.routes
    return [routes[route].id for route in shut_routes(view.knowledge.state, view.viewer)]


def _blocked(view: View) -> dict[str, Blocked]:
    if view.viewer is None:
        return {}
    return cast("dict[str, Blocked]", blocked_as_told(view.knowledge.state, view.viewer))


def _progress(table: Table, view: View) -> dict[str, Progress]:
    if view.viewer is None:
        return {}
    return table.worked_out.tickets.of(view.knowledge.state, view.viewer)


def _keep_least(view: View) -> int:
    state, seat = view.knowledge.state, view.viewer
    if seat is None or not (state.choosing >> seat) & 1:
        return 0
    return int(rules.keep_least(state, seat))
