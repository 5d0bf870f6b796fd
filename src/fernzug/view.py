"""Views: what one seat, or a spectator, may know of a game.

A view is built by naming what may be known, never by deleting from the whole: two states that
differ only in what a seat may not know give that seat equal views.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fernzug.engine import rules
from fernzug.engine.state import KEEP, NONE, OVER, SETUP, State
from fernzug.events import PHASES
from fernzug.notation import Action, card_name, cards_by_name, colors_in, notation_of
from fernzug.position import hand_of, known_of, offer_of, returned_by, tickets_of
from fernzug.score import ScoreSheet, score_sheets


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What may be known of one player."""

    seat: int
    hand_count: int
    known: Mapping[str, int]
    """Cards that everybody knows to be in the hand: taken face up and not played since."""
    ticket_count: int
    pieces: Mapping[str, int]
    points: int | None
    """Points given so far; None where they are counted only at the end (C8)."""
    flags: tuple[str, ...]
    """Colours lying in front (E6)."""
    flag_sets: int
    choosing: bool
    """Whether the player is choosing tickets."""
    offer_count: int
    """How many tickets the player is choosing from."""
    hand: Mapping[str, int] | None
    """The cards: of the viewing seat only."""
    tickets: tuple[str, ...] | None
    """The tickets: of the viewing seat only, and of everybody when the game is over (K2)."""


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know; for a spectator ``viewer`` is None."""

    board: str
    viewer: int | None
    phase: str
    seat: int | None
    """Whose decision is awaited; None in the set-up, where all choose at once, and at the end."""
    turn: int
    turns_left: int | None
    first_player: int
    players: tuple[PlayerView, ...]
    routes: Mapping[str, int]
    faceup: tuple[str | None, ...]
    deck_count: int
    discard: Mapping[str, int]
    unseen: Mapping[str, int]
    """Cards that lie in the deck or unknown in the hands of others."""
    ticket_deck_count: int
    passes: int
    offer: tuple[str, ...]
    """The tickets that the viewing seat is choosing from."""
    returned: tuple[str, ...]
    """The tickets that the viewing seat has given back."""
    legal: tuple[Action, ...]
    """What the viewing seat may do now."""
    scores: tuple[ScoreSheet, ...] | None
    """The score sheets, when the game is over."""

    def to_json(self) -> dict[str, Any]:
        """Return the view as a JSON object; actions stand as their texts."""
        data = {name: getattr(self, name) for name in self.__slots__}
        data["players"] = [_player_json(player) for player in self.players]
        data["legal"] = [action.text for action in self.legal]
        data["scores"] = None if self.scores is None else [s.to_json() for s in self.scores]
        for name in ("faceup", "offer", "returned"):
            data[name] = list(data[name])
        for name in ("routes", "discard", "unseen"):
            data[name] = dict(data[name])
        return data


def _player_json(player: PlayerView) -> dict[str, Any]:
    data = asdict(player)
    data["flags"] = list(player.flags)
    data["tickets"] = None if player.tickets is None else list(player.tickets)
    return data


def view_of(s: State, viewer: int | None, board_name: str) -> View:
    """Return what a seat may know; ``None`` for a spectator."""
    board = s.tables.board
    if viewer is not None and not 0 <= viewer < s.players:
        raise ValueError(f"there is no seat {viewer}; the seats are 0 to {s.players - 1}")
    tickets = [ticket.id for ticket in board.tickets]
    own = [] if viewer is None else offer_of(s, viewer)
    choosing = viewer is not None and bool((s.choosing >> viewer) & 1)
    legal = () if viewer is None else tuple(
        notation_of(board).action(number) for number in rules.legal(s, viewer)
    )  # fmt: skip
    return View(
        board=board_name,
        viewer=viewer,
        phase=PHASES[s.phase],
        seat=None if s.phase in (SETUP, OVER) else int(s.seat),
        turn=int(s.turn),
        turns_left=None if s.turns_left == NONE else int(s.turns_left),
        first_player=int(s.first_player),
        players=tuple(_player(s, seat, viewer) for seat in range(int(s.players))),
        routes={r.id: int(s.owner[i]) for i, r in enumerate(board.routes) if s.owner[i] != NONE},
        faceup=tuple(None if c == NONE else card_name(board, c) for c in s.faceup),
        deck_count=int(s.deck_size),
        discard=cards_by_name(board, list(s.discard)),
        unseen=_unseen(s, viewer),
        ticket_deck_count=int(s.ticket_count),
        passes=int(s.passes),
        offer=tuple(tickets[i] for i in own) if choosing else (),
        returned=() if viewer is None else tuple(tickets[i] for i in returned_by(s, viewer)),
        legal=legal,
        scores=tuple(score_sheets(s)) if s.phase == OVER else None,
    )


def _player(s: State, seat: int, viewer: int | None) -> PlayerView:
    t = s.tables
    board = t.board
    hand = hand_of(s, seat)
    tickets = tickets_of(s, seat)
    offered = s.phase in (SETUP, KEEP) and bool((s.choosing >> seat) & 1)
    open_tickets = seat == viewer or s.phase == OVER
    return PlayerView(
        seat=seat,
        hand_count=int(sum(hand)),
        known=cards_by_name(board, known_of(s, seat)),
        ticket_count=len(tickets),
        pieces={kind.id: int(s.pieces[seat * t.kinds + k]) for k, kind in enumerate(board.pieces)},
        points=int(s.points[seat]) if t.score_track else None,
        flags=tuple(colors_in(board, int(s.flags[2 * seat]))),
        flag_sets=int(s.flags[2 * seat + 1]),
        choosing=offered,
        offer_count=len(offer_of(s, seat)) if offered else 0,
        hand=cards_by_name(board, hand) if seat == viewer else None,
        tickets=tuple(board.tickets[i].id for i in tickets) if open_tickets else None,
    )


def _unseen(s: State, viewer: int | None) -> dict[str, int]:
    """Count the cards that the viewer cannot place.

    All other cards lie open or have been seen, so everybody who counts knows these numbers.
    """
    counts = [0] * int(s.tables.colors + 1)
    for i in range(s.deck_size):
        counts[s.deck[i]] += 1
    for seat in range(int(s.players)):
        if seat != viewer:
            for color, (held, known) in enumerate(
                zip(hand_of(s, seat), known_of(s, seat), strict=True)
            ):
                counts[color] += held - known
    return cards_by_name(s.tables.board, counts)
