"""How bots take what happens at their table: now and then one of them reacts.

They react only to what everybody knows, so a reaction gives nothing away, and seldom enough to be
no nuisance.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from fernzug.game import Game
from fernzug.json_types import GameEvent
from fernzug.table.authority import Table
from fernzug.table.change import Change
from fernzug.table.characters import MANNERS, Manner
from fernzug.table.protocol import Reaction
from fernzug.table.telling import Story

TABLE_REST = 20.0
"""Seconds without a reaction of any bot after one of them has reacted."""
SEAT_REST = 75.0
"""Seconds without a reaction of the same bot."""
BIG = 0.8
"""A route is a big one from this share of the longest on."""

LIVELY: Mapping[Manner, float] = {
    Manner.CHEERFUL: 0.5,
    Manner.FIERY: 0.4,
    Manner.POLITE: 0.35,
    Manner.QUIET: 0.12,
}
"""How likely somebody reacts at all."""


class Occasion(Enum):
    """What somebody may react to."""

    BEGINNING = auto()
    BUILT_BIG = auto()
    """They have claimed a big route themselves."""
    SEEN_BIG = auto()
    """Somebody else has."""
    CUT_OFF = auto()
    """Somebody else has claimed a route between two places of their own network."""
    LAST_ROUND = auto()
    WON = auto()
    LOST = auto()
    GREETED = auto()
    PRAISED = auto()


@dataclass(frozen=True, slots=True)
class Reacting:
    """A bot that reacts."""

    seat: int
    reaction: Reaction


def usual_reaction(occasion: Occasion, manner: Manner) -> Reaction | None:
    """Return what somebody of that manner shows; None if nothing."""
    fiery = manner is Manner.FIERY
    loud = manner in (Manner.FIERY, Manner.CHEERFUL)
    reactions: dict[Occasion, Reaction | None] = {
        Occasion.BEGINNING: "hello",
        Occasion.BUILT_BIG: "laugh" if loud else None,
        Occasion.SEEN_BIG: "oops" if fiery else "bravo",
        Occasion.CUT_OFF: "ouch" if loud else "thinking",
        Occasion.LAST_ROUND: "oops" if loud else "thinking",
        Occasion.WON: "laugh" if loud else "thanks",
        Occasion.LOST: "ouch" if fiery else "bravo",
        Occasion.GREETED: "hello",
        Occasion.PRAISED: "thanks",
    }
    return reactions[occasion]


class Manners:
    """The manners of the bots at one table."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._quiet_until = 0.0
        self._seat_quiet_until: dict[int, float] = {}

    def after_change(self, table: Table, change: Change, now: float) -> Reacting | None:
        """Return how a bot reacts to a change that was just applied."""
        game, bots = table.game, _bots(table)
        if game is None or not bots or change.kind not in ("started", "played"):
            return None
        if change.kind == "started":
            return self._choose(table, dict.fromkeys(bots, Occasion.BEGINNING), now)
        first = len(game.facts) - len(change.data["facts"])
        occasions: dict[int, Occasion] = {}
        for event in Story(game, first).as_seen(()):
            occasions |= _occasions(game, event, bots)
        return self._choose(table, occasions, now)

    def after_reaction(
        self, table: Table, seat: int, reaction: Reaction, now: float
    ) -> Reacting | None:
        """Return how a bot answers a person's reaction."""
        answers: dict[Reaction, Occasion] = {
            "hello": Occasion.GREETED,
            "bravo": Occasion.PRAISED,
        }
        if reaction not in answers or table.seats.is_bot(seat):
            return None
        return self._choose(table, dict.fromkeys(_bots(table), answers[reaction]), now)

    def saw(self, table: Table, seat: int, now: float) -> None:
        """Take note that a bot has reacted of which somebody else decided that."""
        if table.seats.is_bot(seat):
            self._rest(seat, now)

    def _rest(self, seat: int, now: float) -> None:
        self._quiet_until = now + TABLE_REST
        self._seat_quiet_until[seat] = now + SEAT_REST

    def _choose(
        self, table: Table, occasions: Mapping[int, Occasion], now: float
    ) -> Reacting | None:
        """Choose at most one of the bots that have an occasion."""
        if now < self._quiet_until:
            return None
        seats = [seat for seat in occasions if self._seat_quiet_until.get(seat, 0.0) <= now]
        self._dice.shuffle(seats)
        for seat in seats:
            face = table.seats.all[seat].face
            manner = Manner.QUIET if face is None else MANNERS[face]
            reaction = usual_reaction(occasions[seat], manner)
            if reaction is not None and self._dice.random() < LIVELY[manner]:
                self._rest(seat, now)
                return Reacting(seat, reaction)
        return None


def _bots(table: Table) -> list[int]:
    return [seat for seat in range(table.seats.count) if table.seats.is_bot(seat)]


def _occasions(game: Game, event: GameEvent, bots: Iterable[int]) -> dict[int, Occasion]:
    """Return which bots have an occasion to react to an event that everybody knows."""
    kind = event["event"]
    if kind == "last_round":
        return dict.fromkeys(bots, Occasion.LAST_ROUND)
    if kind == "ended":
        totals = [sheet.total for sheet in game.scores()]
        won = {seat for seat, total in enumerate(totals) if total == max(totals)}
        return {seat: Occasion.WON if seat in won else Occasion.LOST for seat in bots}
    if kind != "claimed":
        return {}
    builder = event["seat"]
    route = game.board.routes[event["route"]]
    big = route.cost >= BIG * max(one.cost for one in game.board.routes)
    found: dict[int, Occasion] = {}
    for seat in bots:
        if seat == builder:
            if big:
                found[seat] = Occasion.BUILT_BIG
        elif {route.a, route.b} <= _places(game, seat):
            found[seat] = Occasion.CUT_OFF
        elif big:
            found[seat] = Occasion.SEEN_BIG
    return found


def _places(game: Game, seat: int) -> set[str]:
    """Return the places that the routes of a seat reach."""
    owners = game.view(None).to_json()["routes"]
    own = [route for route in game.board.routes if owners.get(route.id) == seat]
    return {place for route in own for place in (route.a, route.b)}
