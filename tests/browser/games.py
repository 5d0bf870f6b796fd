"""Games in progress, for tests that need not point their way through the beginning."""

from __future__ import annotations

from functools import cache
from typing import Any

from browser.site import Site
from fernzug import bots
from fernzug.board.files import load
from server.live import Browser

EVERYTHING = 10_000
"""More moves than a game has."""


class Games:
    """Plays games over the wire, against bots; each is opened by a path."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.shared = cache(self.begun)
        """A game that others look at as well, so that nobody may play in it."""

    def begun(self, board: str, moves: int, able_to_build: bool = False, opponents: int = 2) -> str:
        """Play at least so many moves of a new game; return the path that opens its first seat.

        It stops when the first seat is to take a turn, or when the game is over.
        """
        bot = {"kind": "bot", "level": bots.DEFAULT_LEVEL}
        made = self._make(board, {"kind": "here", "name": "Anna"}, *[bot] * opponents)
        token = made["tokens"][0]["token"]
        player = Browser(self._site, made["table"], [token])
        costs = {route.id: route.cost for route in load(board).routes}
        while player.view(0)["view"]["phase"] != "over":
            legal = player.legal(0)
            if not legal:
                player.receive()
                continue
            ready = any(text.startswith("claim") for text in legal) or not able_to_build
            if moves <= 0 and ready and player.view(0)["view"]["phase"] == "turn":
                break
            player.play(0, chosen(legal, costs))
            moves -= 1
        player.close()
        return f"#/seat/{made['table']}/0.{token}"

    def dealt(self, board: str) -> str:
        """Return the path of a new game in which the first seat chooses its tickets."""
        bot = {"kind": "bot", "level": bots.DEFAULT_LEVEL}
        seats = [{"kind": "here", "name": "Anna"}, bot]
        wanted = {"board": board, "seats": seats, "first_player": 0, "seed": 5}
        made = self._site.post("/api/tables", wanted)
        return f"#/seat/{made['table']}/0.{made['tokens'][0]['token']}"

    def invitation(self, board: str) -> str:
        """Make a table that waits for a friend; return its code."""
        code: str = self._make(board, {"kind": "here", "name": "Anna"}, {"kind": "link"})["code"]
        return code

    def _make(self, board: str, *seats: dict[str, str]) -> Any:
        return self._site.post("/api/tables", {"board": board, "seats": list(seats)})

    def about_to_build(self, board: str) -> str:
        """Return the path of a game in which the first seat can claim a route."""
        return self.shared(board, 4, able_to_build=True)

    def finished(self, board: str) -> str:
        """Return the path of a game that is over."""
        return self.shared(board, EVERYTHING)


def chosen(legal: list[str], costs: dict[str, int]) -> str:
    """Return the action of a player in a hurry: the longest route, else a card, else anything."""
    claims = [text for text in legal if text.startswith("claim")]
    if claims:
        return max(claims, key=lambda text: costs[text.split()[1]])
    draws = [text for text in legal if text.startswith("draw")]
    return ([text for text in draws if text == "draw deck"] or draws or legal)[-1]
