"""A bot of version 0.1, from a checkout of it, as a program that speaks the bot protocol.

    git worktree add ../fernzug-0.1 0e10169
    (cd ../fernzug-0.1 && python setup.py build_ext --inplace)
    fernzug arena planner "stdio:python benchmarks/old_bot.py ../fernzug-0.1 planner" --board london

Version 0.1 can only host programs, not be one, so this puts its views together from what the
protocol says. ``benchmarks/against_old.py`` plays whole contests.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer requests until the other side says goodbye."""
    checkout, spec = sys.argv[1:]
    sys.path.insert(0, str(Path(checkout) / "src"))
    speaker: Speaker | None = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "hello":
            speaker = Speaker(spec, request)
            answer = {"type": "ready", "name": f"{spec} 0.1", "events": True}
        elif request["type"] == "decide" and speaker is not None:
            answer = {"type": "action", "action": speaker.decide(request)}
        else:
            return
        print(json.dumps(answer), flush=True)


class Speaker:
    """An old bot, and the board it plays on."""

    def __init__(self, spec: str, hello: dict[str, Any]) -> None:
        # These are the modules of the checkout, which is why they cannot be imported earlier and
        # are not what mypy would find under these names.
        from importlib import import_module

        package = import_module("fernzug")
        bots = import_module("fernzug.bots")
        self.facts: Any = import_module("fernzug.engine.facts")
        self.sight: Any = import_module("fernzug.engine.sight")
        self.state: Any = import_module("fernzug.engine.state")
        self.events: Any = import_module("fernzug.events")
        self.notation: Any = import_module("fernzug.notation")
        self.view: Any = import_module("fernzug.view")
        self.board: Any = package.board(hello["board"]["id"])
        self.tables: Any = self.notation.notation_of(self.board).tables
        self.seat: int = hello["seat"]
        self.bot: Any = bots.make(spec, self.board, hello["seed"])
        self.reshuffles = 0

    def decide(self, request: dict[str, Any]) -> str:
        """Return the text of the bot's choice."""
        self.reshuffles += sum(event["event"] == "reshuffled" for event in request["events"])
        view = self.view.View(self.known(request["view"]), request["view"]["board"])
        text: str = self.bot.choose(view, view.legal).text
        return text

    def known(self, data: dict[str, Any]) -> Any:
        """Return what the seat knows, in the numbers of the old engine."""
        t, none = self.tables, self.state.NONE
        players = data["players"]
        s = self.state.blank(t, len(players), 0)
        s.reshuffles = self.reshuffles
        s.phase = self.events.PHASES.index(data["phase"])
        for seat, player in enumerate(players):
            if player["choosing"]:
                s.choosing |= 1 << seat
        s.seat = self.seat if data["seat"] is None else data["seat"]
        s.first_player = data["first_player"]
        s.turn = data["turn"]
        s.turns_left = none if data["turns_left"] is None else data["turns_left"]
        s.passes = data["passes"]
        self.lay_routes(s, data)
        self.lay_cards(s, data)
        offers = self.lay_tickets(s, data)
        filled = self.state.filled
        hidden = filled(t.colors + 1, 0)
        for color, count in self.counts(data["unseen"]):
            hidden[color] = count
        cards = [color for color in range(t.colors + 1) for _ in range(hidden[color])]
        for place, color in enumerate(cards):
            s.deck[place] = color
        hand_count = filled(s.players, 0)
        ticket_count = filled(s.players, 0)
        for seat, player in enumerate(players):
            hand_count[seat] = player["hand_count"]
            ticket_count[seat] = player["ticket_count"]
        first = self.seat * (t.offer_size + 1)
        placed = {n for n in range(t.tickets) if s.ticket_owner[n] != none}
        placed |= {s.offer[first + 1 + i] for i in range(s.offer[first])}
        unplaced = [n for n in range(t.tickets) if n not in placed]
        for place, ticket in enumerate(unplaced):
            s.ticket_deck[place] = ticket
        return self.sight.Sight(
            self.seat, s, hidden, hand_count, ticket_count, offers, len(unplaced)
        )

    def lay_routes(self, s: Any, data: dict[str, Any]) -> None:
        """Lay out what has been built, and the points for it."""
        t = self.tables
        number = {route.id: n for n, route in enumerate(self.board.routes)}
        for name, owner in data["routes"].items():
            s.owner[number[name]] = owner
            self.facts.shut(s, owner, number[name])
        for seat, player in enumerate(data["players"]):
            for k, kind in enumerate(self.board.pieces):
                s.pieces[seat * t.kinds + k] = player["pieces"][kind.id]
            for color in player["flags"]:
                s.flags[2 * seat] |= 1 << self.number_of(color)
            s.flags[2 * seat + 1] = player["flag_sets"]
            if player["points"] is None:
                s.points[seat] = player["flag_sets"] * t.flag_points
            else:
                s.points[seat] = player["points"]

    def lay_cards(self, s: Any, data: dict[str, Any]) -> None:
        """Lay out the cards that the seat can place."""
        size = self.tables.colors + 1
        for seat, player in enumerate(data["players"]):
            for color, count in self.counts(player["known"]):
                s.known[seat * size + color] = count
            held = player["known"] if player["hand"] is None else player["hand"]
            for color, count in self.counts(held):
                s.hands[seat * size + color] = count
        for place, name in enumerate(data["faceup"]):
            s.faceup[place] = self.state.NONE if name is None else self.number_of(name)
        for color, count in self.counts(data["discard"]):
            s.discard[color] = count
            s.discard_size += count
        s.deck_size = data["deck_count"]

    def lay_tickets(self, s: Any, data: dict[str, Any]) -> Any:
        """Lay out the tickets that the seat can place; return how many lie before each seat."""
        t = self.tables
        number = {ticket.id: n for n, ticket in enumerate(self.board.tickets)}
        s.ticket_count = data["ticket_deck_count"]
        offers = self.state.filled(s.players, 0)
        for seat, player in enumerate(data["players"]):
            for name in player["tickets"] or ():
                s.ticket_owner[number[name]] = seat
            if player["choosing"]:
                offers[seat] = player["offer_count"]
            elif data["phase"] == "setup":
                offers[seat] = t.deal_tickets - player["ticket_count"]
        for name in data["returned"]:
            s.returned[number[name]] = 1 << self.seat
        first = self.seat * (t.offer_size + 1)
        s.offer[first] = len(data["offer"])
        for place, name in enumerate(data["offer"]):
            s.offer[first + 1 + place] = number[name]
        return offers

    def counts(self, cards: dict[str, int]) -> list[tuple[int, int]]:
        """Return the cards by the number of their colour."""
        return [(self.number_of(name), count) for name, count in cards.items()]

    def number_of(self, name: str) -> int:
        """Return the number of a colour; wild comes last."""
        colors = list(self.board.colors)
        return colors.index(name) if name in colors else len(colors)


if __name__ == "__main__":
    main()
