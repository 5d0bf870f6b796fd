"""From the JSON object of a view back to the view, for programs that are told what a seat knows.

The opposite of :meth:`fernzug.View.to_json`. The object is trusted to be a view of the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mypy_extensions import i64

from fernzug.board.model import Board
from fernzug.bonus_values import bonus_keys
from fernzug.engine import facts
from fernzug.engine.knowledge import SPECTATOR, Knowledge
from fernzug.engine.state import NONE, OVER, SETUP, blank, filled
from fernzug.events import PHASES
from fernzug.notation import card_number
from fernzug.tables import tables_of
from fernzug.view import View


def view_from(data: Mapping[str, Any], board: Board, reshuffles: int = 0) -> View:
    """Return the view that a JSON object describes.

    ``reshuffles`` is how often the deck has been reshuffled so far. A view does not say it, but its
    events do; a bot that imagines the rest of the game deals the same cards only if it knows.
    """
    return View(_Reader(data, board, reshuffles).knowledge(), data["board"])


class _Reader:
    def __init__(self, data: Mapping[str, Any], board: Board, reshuffles: int) -> None:
        self.data = data
        self.board = board
        self.tables = tables_of(board)
        self.players: list[Mapping[str, Any]] = data["players"]
        self.viewer = SPECTATOR if data["viewer"] is None else int(data["viewer"])
        self.state = blank(self.tables, len(self.players), 0)
        self.state.reshuffles = reshuffles

    def knowledge(self) -> Knowledge:
        s, t = self.state, self.tables
        self._turn()
        self._routes()
        self._cards()
        offer_count = self._tickets()
        hidden = filled(t.colors + 1, 0)
        last = 0
        for color, number in self._counts(self.data["unseen"]):
            hidden[color] = number
        for color in range(t.colors + 1):
            for _ in range(hidden[color]):
                s.deck[last] = color
                last += 1
        hand_count = filled(s.players, 0)
        ticket_count = filled(s.players, 0)
        for seat, player in enumerate(self.players):
            hand_count[seat] = player["hand_count"]
            ticket_count[seat] = player["ticket_count"]
        placed = {ticket for ticket in range(t.tickets) if s.ticket_owner[ticket] != NONE}
        if self.viewer != SPECTATOR:
            first = int(s.offer_start(self.viewer))
            placed |= {int(s.offer[first + 1 + i]) for i in range(s.offer[first])}
        unplaced = [ticket for ticket in range(t.tickets) if ticket not in placed]
        for i, ticket in enumerate(unplaced):
            s.ticket_deck[i] = ticket
        return Knowledge(
            self.viewer, s, hidden, hand_count, ticket_count, offer_count, len(unplaced)
        )

    def _turn(self) -> None:
        s, data = self.state, self.data
        s.phase = PHASES.index(data["phase"])
        for seat, player in enumerate(self.players):
            if player["choosing"]:
                s.choosing |= 1 << seat
        if s.phase == SETUP:
            s.seat = min(i for i, player in enumerate(self.players) if player["choosing"])
        else:
            s.seat = NONE if s.phase == OVER else data["seat"]
        s.first_player = data["first_player"]
        s.turn = data["turn"]
        s.turns_left = NONE if data["turns_left"] is None else data["turns_left"]
        s.passes = data["passes"]

    def _routes(self) -> None:
        s, t = self.state, self.tables
        for name, owner in self.data["routes"].items():
            route = self.board.routes.index(name)
            s.owner[route] = owner
            facts.shut(s, owner, route)
        keys = bonus_keys(t)
        for seat, player in enumerate(self.players):
            for k, kind in enumerate(self.board.pieces):
                s.pieces[seat * t.kinds + k] = player["pieces"][kind.id]
            for key, (nothing, bonus) in keys.items():
                if bonus is not None and player[key] != nothing:
                    bonus.read(s, seat, key, player[key])
            if player["points"] is not None:
                s.points[seat] = player["points"]
            else:
                s.points[seat] = sum(bonus.given(s, seat) for bonus in t.bonuses)

    def _cards(self) -> None:
        s, data = self.state, self.data
        for seat, player in enumerate(self.players):
            first = int(s.hand_start(seat))
            held = player["known"] if player["hand"] is None else player["hand"]
            for color, number in self._counts(player["known"]):
                s.known[first + color] = number
            for color, number in self._counts(held):
                s.hands[first + color] = number
        for place, name in enumerate(data["faceup"]):
            s.faceup[place] = NONE if name is None else card_number(self.board, name)
        for color, number in self._counts(data["discard"]):
            s.discard[color] = number
            s.discard_size += number
        s.deck_size = data["deck_count"]

    def _counts(self, cards: Mapping[str, int]) -> list[tuple[int, int]]:
        return [(card_number(self.board, name), number) for name, number in cards.items()]

    def _tickets(self) -> Any:
        """Place the tickets that the viewer knows; return how many lie before each seat."""
        s, t, data = self.state, self.tables, self.data
        number = self.board.tickets.index
        s.ticket_count = data["ticket_deck_count"]
        for seat, player in enumerate(self.players):
            for name in player["tickets"] or ():
                s.ticket_owner[number(name)] = seat
        lying = filled(s.players, 0)
        for seat, player in enumerate(self.players):
            if player["choosing"]:
                lying[seat] = player["offer_count"]
            elif s.phase == SETUP:
                # What a seat has not kept lies before it until all have chosen (S2).
                lying[seat] = t.deal_tickets - i64(player["ticket_count"])
        if self.viewer != SPECTATOR:
            returned = [number(name) for name in data["returned"]]
            for ticket in returned:
                s.returned[ticket] = 1 << self.viewer
            mine = [number(name) for name in data["offer"]]
            if s.phase == SETUP and not self.players[self.viewer]["choosing"]:
                mine = returned
            first = int(s.offer_start(self.viewer))
            s.offer[first] = len(mine)
            for i, ticket in enumerate(mine):
                s.offer[first + 1 + i] = ticket
        return lying
