"""Views: what one seat, or a spectator, may know about a game.

A view puts the numbers of :mod:`fernzug.engine.knowledge` into words and sees nothing else, so two
states that differ only in what a seat may not know give that seat equal views.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from fernzug.board.model import Board
from fernzug.bonus_values import bonus_values
from fernzug.engine import rules
from fernzug.engine.bonus import Step
from fernzug.engine.knowledge import SPECTATOR, Knowledge, knowledge_of
from fernzug.engine.seats import hand_of, known_of, offer_of, returned_by, tickets_of
from fernzug.engine.state import KEEP, NONE, OVER, SETUP, State
from fernzug.errors import is_one_of, no_seat
from fernzug.events import PHASES
from fernzug.notation import Action, card_name, cards_by_name, notation_of
from fernzug.score import ScoreSheet, score_sheets

if TYPE_CHECKING:
    from fernzug import json_types


class PlayerView(NamedTuple):
    """What may be known about one player."""

    seat: int
    hand_count: int
    known: Mapping[str, int]
    """Cards that everybody knows to be in the hand: taken face up and not played since."""
    ticket_count: int
    pieces: Mapping[str, int]
    points: int | None
    """Points given so far; None if they are counted only at the end (C8)."""
    bonuses: Mapping[str, Any]
    """What everybody sees of bonuses given in play, with the keys of a position."""
    choosing: bool
    """Whether the player is choosing tickets."""
    offer_count: int
    """The number of tickets that the player is choosing from."""
    hand: Mapping[str, int] | None
    """The cards, for the viewing seat only."""
    tickets: tuple[str, ...] | None
    """The tickets, for the viewing seat only, and for everybody when the game is over (K2)."""

    def to_json(self) -> json_types.PlayerView:
        """Return what may be known about the player as a JSON object."""
        # Written out: servers send this with every move, and asdict() would copy every field.
        told = {
            "seat": self.seat,
            "hand_count": self.hand_count,
            "known": dict(self.known),
            "ticket_count": self.ticket_count,
            "pieces": dict(self.pieces),
            "points": self.points,
            **self.bonuses,
            "choosing": self.choosing,
            "offer_count": self.offer_count,
            "hand": None if self.hand is None else dict(self.hand),
            "tickets": None if self.tickets is None else list(self.tickets),
        }
        return cast("json_types.PlayerView", told)


class View:
    """What one seat may know; for a spectator ``viewer`` is None.

    Everything is computed when it is asked for, from ``knowledge`` alone.
    """

    def __init__(self, known: Knowledge, board_name: str) -> None:
        self.knowledge = known
        """The same knowledge as numbers, for programs that work at the engine's speed."""
        self.board_name = board_name
        self.board: Board = known.state.tables.board
        """The board."""
        self.viewer: int | None = None if known.seat == SPECTATOR else int(known.seat)
        """The seat that looks; None for a spectator."""
        self._state: State = known.state

    @property
    def phase(self) -> json_types.Phase:
        """``setup``, ``turn``, ``second_card``, ``keep`` or ``over``."""
        return PHASES[self._state.phase]

    @property
    def seat(self) -> int | None:
        """Whose decision is awaited; None in the set-up, where all choose at once, and after."""
        return None if self._state.phase in (SETUP, OVER) else int(self._state.seat)

    @property
    def turn(self) -> int:
        """The number of turns begun."""
        return int(self._state.turn)

    @property
    def turns_left(self) -> int | None:
        """In the last round the turns still to be played, including this one (E1)."""
        return None if self._state.turns_left == NONE else int(self._state.turns_left)

    @property
    def first_player(self) -> int:
        """The seat that starts."""
        return int(self._state.first_player)

    @property
    def passes(self) -> int:
        """How many players have passed in a row (T2)."""
        return int(self._state.passes)

    @cached_property
    def players(self) -> tuple[PlayerView, ...]:
        """What may be known of each player."""
        return tuple(self.player(seat) for seat in range(int(self._state.players)))

    def progress(self, seat: int) -> dict[str, list[Step]]:
        """Return how far a seat has come with each bonus of the board, by kind."""
        s = self._state
        return {bonus.kind: bonus.progress(s, seat) for bonus in s.tables.bonuses}

    @cached_property
    def routes(self) -> Mapping[str, int]:
        """The owners of the claimed routes."""
        owners = zip(self.board.routes, list(self._state.owner), strict=True)
        return {route.id: owner for route, owner in owners if owner != NONE}

    @property
    def faceup(self) -> tuple[str | None, ...]:
        """The face-up cards; None for an empty place."""
        return tuple(None if c == NONE else card_name(self.board, c) for c in self._state.faceup)

    @property
    def deck_count(self) -> int:
        """The number of cards in the deck."""
        return int(self._state.deck_size)

    @property
    def discard(self) -> Mapping[str, int]:
        """The discards by colour."""
        return cards_by_name(self.board, list(self._state.discard))

    @property
    def unseen(self) -> Mapping[str, int]:
        """Cards in the deck, or in the hands of others without having been seen.

        All other cards lie open or have been seen, so everybody who counts knows these numbers.
        """
        return cards_by_name(self.board, list(self.knowledge.hidden))

    @property
    def ticket_deck_count(self) -> int:
        """The number of tickets in the ticket deck."""
        return int(self._state.ticket_count)

    @property
    def hand(self) -> Mapping[str, int]:
        """The cards of the viewing seat; a spectator has none."""
        seat = self.viewer
        return {} if seat is None else cards_by_name(self.board, hand_of(self._state, seat))

    @property
    def tickets(self) -> tuple[str, ...]:
        """The tickets that the viewing seat keeps."""
        return () if self.viewer is None else self._tickets(tickets_of(self._state, self.viewer))

    @property
    def offer(self) -> tuple[str, ...]:
        """The tickets that the viewing seat is choosing from."""
        if self.viewer is None or not (self._state.choosing >> self.viewer) & 1:
            return ()
        return self._tickets(offer_of(self._state, self.viewer))

    @property
    def returned(self) -> tuple[str, ...]:
        """The tickets that the viewing seat has given back."""
        return () if self.viewer is None else self._tickets(returned_by(self._state, self.viewer))

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """What the viewing seat may do now."""
        if self.viewer is None or not rules.awaits(self._state, self.viewer):
            return ()
        notation = notation_of(self.board)
        return tuple(notation.action(number) for number in rules.legal(self._state, self.viewer))

    @cached_property
    def scores(self) -> tuple[ScoreSheet, ...] | None:
        """The score sheets, when the game is over."""
        return tuple(score_sheets(self._state)) if self._state.phase == OVER else None

    def _tickets(self, numbers: list[int]) -> tuple[str, ...]:
        tickets = self.board.tickets.values()
        return tuple([tickets[number].id for number in numbers])

    def player(self, seat: int) -> PlayerView:
        """Return what may be known of one player."""
        s = self._state
        kinds = enumerate(self.board.pieces)
        choosing = s.phase in (SETUP, KEEP) and bool((s.choosing >> seat) & 1)
        own = seat == self.viewer
        return PlayerView(
            seat=seat,
            hand_count=int(self.knowledge.hand_count[seat]),
            known=cards_by_name(self.board, known_of(s, seat)),
            ticket_count=int(self.knowledge.ticket_count[seat]),
            pieces={kind.id: int(s.pieces_of(seat, k)) for k, kind in kinds},
            points=int(s.points[seat]) if s.tables.score_track else None,
            bonuses=bonus_values(s, seat),
            choosing=choosing,
            offer_count=int(self.knowledge.offer_count[seat]) if choosing else 0,
            hand=cards_by_name(self.board, hand_of(s, seat)) if own else None,
            tickets=self._tickets(tickets_of(s, seat)) if own or s.phase == OVER else None,
        )

    def to_json(self) -> json_types.View:
        """Return the view as a JSON object; actions are given as texts."""
        over = self._state.phase == OVER
        return {
            "board": self.board_name,
            "viewer": self.viewer,
            "phase": self.phase,
            "seat": self.seat,
            "turn": self.turn,
            "turns_left": self.turns_left,
            "first_player": self.first_player,
            "passes": self.passes,
            "players": [player.to_json() for player in self.players],
            "routes": dict(self.routes),
            "faceup": list(self.faceup),
            "deck_count": self.deck_count,
            "discard": dict(self.discard),
            "unseen": dict(self.unseen),
            "ticket_deck_count": self.ticket_deck_count,
            "offer": list(self.offer),
            "returned": list(self.returned),
            "legal": [action.text for action in self.legal],
            "scores": [sheet.to_json() for sheet in self.scores or ()] if over else None,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]  # equal by content, which is not worth hashing

    def __repr__(self) -> str:
        viewer = "spectator" if self.viewer is None else f"seat {self.viewer}"
        return f"<View of {self.board_name} by {viewer}, {self.phase}>"


def view_of(s: State, viewer: int | None, board_name: str) -> View:
    """Return what a seat may know; ``None`` for a spectator."""
    if viewer is not None and not is_one_of(viewer, range(s.players)):
        raise ValueError(str(no_seat(viewer, int(s.players))))
    return View(knowledge_of(s, SPECTATOR if viewer is None else viewer), board_name)
