"""Positions: the referee's whole state as a readable JSON object."""

from __future__ import annotations

from typing import Any

from fernzug.board.model import Board
from fernzug.bonus_values import bonus_values
from fernzug.engine.seats import (
    hand_of,
    known_of,
    offer_of,
    returned_by,
    ticket_deck_of,
    tickets_of,
)
from fernzug.engine.state import KEEP, NONE, SETUP, State
from fernzug.events import PHASES
from fernzug.notation import card_name, cards_by_name


def position_of(s: State, board_name: str) -> dict[str, Any]:
    """Return everything the referee knows, by name."""
    t = s.tables
    board: Board = t.board
    seats = range(s.players)
    tickets = [ticket.id for ticket in board.tickets]
    offers = [[tickets[i] for i in offer_of(s, seat)] for seat in seats]
    choosing = [bool((s.choosing >> seat) & 1) for seat in seats]
    position: dict[str, Any] = {
        "board": board_name,
        "players": int(s.players),
        "phase": PHASES[s.phase],
        "seat": None if s.seat == NONE else int(s.seat),
        "turn": int(s.turn),
        "turns_left": None if s.turns_left == NONE else int(s.turns_left),
        "scores": [int(points) for points in s.points],
        "hands": [cards_by_name(board, hand_of(s, seat)) for seat in seats],
        "known": [cards_by_name(board, known_of(s, seat)) for seat in seats],
        "pieces": [
            {kind.id: int(s.pieces_of(seat, k)) for k, kind in enumerate(board.pieces)}
            for seat in seats
        ],
        "routes": {
            route.id: int(s.owner[r]) for r, route in enumerate(board.routes) if s.owner[r] != NONE
        },
        "tickets": [[tickets[i] for i in tickets_of(s, seat)] for seat in seats],
        "returned": [[tickets[i] for i in returned_by(s, seat)] for seat in seats],
        "faceup": [None if c == NONE else card_name(board, c) for c in s.faceup],
        "deck": [card_name(board, s.deck[i]) for i in range(s.deck_size - 1, -1, -1)],
        "discard": cards_by_name(board, list(s.discard)),
        "rest": "out",
        "ticket_deck": [tickets[i] for i in ticket_deck_of(s)],
        "ticket_rest": "out",
        "passes": int(s.passes),
        "first_player": int(s.first_player),
        "seed": int(s.seed),
        "reshuffles": int(s.reshuffles),
    }
    bonuses = [bonus_values(s, seat) for seat in seats]
    for key in bonuses[0]:
        position[key] = [values[key] for values in bonuses]
    if s.phase == SETUP:
        position["offer"] = [o if c else [] for o, c in zip(offers, choosing, strict=True)]
        position["set_aside"] = [[] if c else o for o, c in zip(offers, choosing, strict=True)]
    elif s.phase == KEEP:
        position["offer"] = offers[s.seat]
    return position
