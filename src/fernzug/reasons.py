"""Why an action is refused, and why a free route cannot be claimed now.

Nothing is decided here: :func:`fernzug.engine.rules.legal` says what may be done, a reason only
explains it afterwards. All functions read only what the seat itself may know, so the state of its
:class:`~fernzug.engine.knowledge.Knowledge` gives the same answers as the referee's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from fernzug.board.model import GRAY, WILD
from fernzug.engine import rules
from fernzug.engine.bits import WORD, bit
from fernzug.engine.seats import hand_of
from fernzug.engine.state import KEEP, NONE, OVER, SECOND_CARD, SETUP, TURN, State, filled
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS, Tables
from fernzug.errors import Reason
from fernzug.notation import card_name, notation_of


def objection(s: State, seat: int, number: int) -> Reason:
    """Return why a seat may not take an action that is not legal now."""
    t = s.tables
    if s.phase == OVER:
        return Reason("over")
    if not rules.awaits(s, seat):
        if s.phase == SETUP:
            return Reason("chosen", player=seat)
        return Reason("not_turn", player=int(s.seat), other_player=seat)
    choosing = s.phase in (SETUP, KEEP)
    if t.keep <= number < t.claim:
        return _keep(s, seat, number) if choosing else Reason("no_offer")
    if choosing:
        return Reason("choose")
    if number >= t.claim and s.phase != SECOND_CARD:
        return _claim(s, seat, number)
    if number == DRAW_DECK:
        return Reason("deck_empty")
    if DRAW_CARD <= number <= DRAW_CARD + t.wild:
        return _draw(s, number - DRAW_CARD)
    if s.phase == SECOND_CARD:
        return Reason("second_card")
    return Reason("not_pass") if number == PASS else Reason("no_tickets")


def _keep(s: State, seat: int, number: int) -> Reason:
    places = number - int(s.tables.keep)
    offered = int(rules.offer_count(s, seat))
    if places >> offered:
        return Reason("offered", count=offered)
    return Reason("keep_least", count=int(rules.keep_least(s, seat)))


def _draw(s: State, color: int) -> Reason:
    if color == s.tables.wild and color in list(s.faceup):
        return Reason("wild_second")
    return Reason("face_up", color=card_name(s.tables.board, color))


def _claim(s: State, seat: int, number: int) -> Reason:
    """Return why a route cannot be claimed with these cards."""
    t = s.tables
    i = number - int(t.claim)
    route = int(t.claim_route[i])
    reason = _never(s, seat, route) or _Means(s, seat).too_few_pieces(_asked(t)[route])
    if reason is None:
        reason = _payment(s, seat, number)
    return reason.adding(route=t.board.routes[route].id, players=int(s.players))


def _payment(s: State, seat: int, number: int) -> Reason:
    t = s.tables
    i = number - int(t.claim)
    hand = hand_of(s, seat)
    color = card_name(t.board, t.claim_color[i])
    missing = {}
    for name, count in notation_of(t.board).action(number).cards.items():
        held = hand[-1] if name == WILD else hand[int(t.claim_color[i])]
        if held < count:
            missing[name] = int(count - held)
    if missing:
        return Reason("cards", color=color, missing=sum(missing.values()), cards=missing)
    bonus = t.option_bonus[int(t.claim_option[i]) - 1]
    return Reason(f"bonus.{bonus.kind}.not_allowed", color=color)


# ---------------------------------------------------------------------------- routes


def claim_objection(s: State, seat: int, number: int) -> Reason | None:
    """Return why the seat on turn cannot claim a route, however it pays; None if it can."""
    reason = _claim_at_all(s, seat, number, _Means(s, seat))
    if reason is None:
        return None
    return reason.adding(route=s.tables.board.routes[number].id, players=int(s.players))


def _claim_at_all(s: State, seat: int, number: int, means: _Means) -> Reason | None:
    return _never(s, seat, number) or means.too_few(_asked(s.tables)[number])


def blocked(s: State, seat: int) -> dict[str, Reason]:
    """Return the free routes that the seat on turn cannot claim, each with the reason."""
    if s.phase != TURN or s.seat != seat:
        return {}
    t = s.tables
    claimable = filled(t.words, 0)
    rules.claimable(s, seat, claimable)
    # These are read once: tables explain all routes with every move.
    able, owner, means, asked = list(claimable), list(s.owner), _Means(s, seat), _asked(t)
    is_open, too_few = s.is_open, means.too_few
    reasons: dict[str, Reason] = {}
    for number, asks in enumerate(asked):
        if owner[number] == NONE and not able[number // WORD] & bit(number):
            reason = too_few(asks) if is_open(seat, number) else _never(s, seat, number)
            assert reason is not None
            reasons[asks.route] = reason
    return reasons


def blocked_as_told(s: State, seat: int) -> dict[str, dict[str, Any]]:
    """Return what :func:`blocked` does as JSON objects, which are not to be changed."""
    told: dict[int, dict[str, Any]] = {}
    found: dict[str, dict[str, Any]] = {}
    for route, reason in blocked(s, seat).items():
        # The reasons of many routes are the same objects.
        one = told.get(id(reason))
        found[route] = told.setdefault(id(reason), reason.to_json()) if one is None else one
    return found


def _never(s: State, seat: int, route: int) -> Reason | None:
    """Return why a seat will never be able to claim a route (C3, C5, C6)."""
    if s.is_open(seat, route):
        return None
    owner = int(s.owner[route])
    if owner != NONE:
        return Reason("own") if owner == seat else Reason("taken", player=owner)
    return Reason("own_twin" if s.owner[s.tables.route_twin[route]] == seat else "shut")


class _Asked(NamedTuple):
    """What a route asks for."""

    route: str
    pieces: int
    piece: str
    kind: int
    cost: int
    color: str
    number: int
    """The number of its colour; none if it is gray."""


@lru_cache(maxsize=32)
def _asked(t: Tables) -> tuple[_Asked, ...]:
    """Return what each route of a board asks for."""
    return tuple(
        _Asked(
            route=route.id,
            pieces=route.pieces,
            piece=route.piece,
            kind=int(t.route_kind[number]),
            cost=route.cost,
            color=route.color,
            number=NONE if route.color == GRAY else int(t.route_color[number]),
        )
        for number, route in enumerate(t.board.routes)
    )


class _Means:
    """What a seat can build and pay with."""

    __slots__ = ("_hand", "_left", "_most")

    def __init__(self, s: State, seat: int) -> None:
        self._hand = hand_of(s, seat)
        self._most = max(self._hand[:-1])
        self._left = [int(s.pieces_of(seat, kind)) for kind in range(s.tables.kinds)]

    def too_few_pieces(self, asked: _Asked) -> Reason | None:
        """Return a reason if too few pieces are left for a route (C4)."""
        left = self._left[asked.kind]
        if left >= asked.pieces:
            return None
        return _missing_pieces(asked.piece, left, asked.pieces - left)

    def too_few(self, asked: _Asked) -> Reason | None:
        """Return a reason if there are too few pieces or cards for a route (C1, C2, C4)."""
        reason = self.too_few_pieces(asked)
        if reason is not None:
            return reason
        # For a gray route the colour with the most cards comes closest.
        held = self._most if asked.number == NONE else self._hand[asked.number]
        missing = asked.cost - held - self._hand[-1]
        return _missing_cards(asked.color, missing) if missing > 0 else None


@lru_cache(maxsize=512)
def _missing_pieces(piece: str, left: int, missing: int) -> Reason:
    return Reason("pieces", piece=piece, left=left, missing=missing)


@lru_cache(maxsize=512)
def _missing_cards(color: str, missing: int) -> Reason:
    return Reason("cards", color=color, missing=missing)
