"""Names of everything in a game, in colour and in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fernzug.board.model import GRAY, WILD, Board, Route
from fernzug.i18n import Texts
from fernzug.notation import OPTIONS
from fernzug.terminal.layout import DASH
from fernzug.terminal.style import Style


class Words:
    """Names cards, routes, tickets and players of one game.

    ``you`` is the reader's seat, if the reader plays; ``kinds`` says which kind of player is on
    each seat, where that is worth telling.
    """

    def __init__(
        self,
        board: Board,
        texts: Texts,
        style: Style,
        you: int | None = None,
        kinds: Sequence[str | None] = (),
    ) -> None:
        self.board = board
        self.texts = texts
        self.style = style
        self.you = you
        self.kinds = kinds
        self.language = texts.language

    def player(self, seat: int, kind: bool = False) -> str:
        """A player, counted from 1, with the kind of player if asked for."""
        if seat == self.you:
            return self.style.player(seat, self.texts("player.you"))
        name = self.texts("player.other", n=seat + 1)
        if kind and seat < len(self.kinds) and self.kinds[seat]:
            name += f" ({self.kinds[seat]})"
        return self.style.player(seat, name)

    def subject(self, seat: int) -> str:
        """A player as the subject of a sentence, where French has another word for the reader."""
        if seat == self.you:
            return self.style.player(seat, self.texts("player.subject"))
        return self.player(seat)

    def players(self, seats: Sequence[int]) -> str:
        """Several players."""
        return self.join([self.player(seat) for seat in seats])

    def join(self, items: Sequence[str]) -> str:
        """A list of things, with 'and' before the last."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self.texts('and')} {items[-1]}"

    def color(self, color: str) -> str:
        """The plain word for a colour of cards or routes."""
        if color == GRAY and GRAY not in self.board.colors:
            return self.texts("gray")
        if color == WILD:
            return self.texts("wild")
        return self.board.color_name(color, self.language)

    def card(self, color: str, count: int | None = None) -> str:
        """A card, or a number of cards of a colour."""
        text = self.color(color) if count is None else f"{count} {self.color(color)}"
        return self.style.wild(text) if color == WILD else self.style.card(color, text)

    def cards(self, cards: Mapping[str, int]) -> str:
        """Several cards, such as a payment."""
        return " + ".join(self.card(color, count) for color, count in cards.items())

    def place(self, location: str) -> str:
        """A place."""
        return self.board.locations[location].name_in(self.language)

    def way(self, a: str, b: str) -> str:
        """Two places, as of a route or a ticket."""
        return f"{self.place(a)} {DASH} {self.place(b)}"

    def route(self, route: Route | str) -> str:
        """A route by its places; the second lane of a double route is marked."""
        if isinstance(route, str):
            route = self.board.routes[route]
        lane = f" ({route.lane})" if route.lane == 2 else ""
        return self.way(route.a, route.b) + lane

    def kind_of(self, route: Route) -> str:
        """The kind of piece that a route takes; empty if there is only one kind."""
        if len(self.board.pieces) == 1:
            return ""
        kind = next(kind for kind in self.board.pieces if kind.id == route.piece)
        return kind.name_in(self.language, 1)

    def price(self, route: Route) -> str:
        """What a route costs: cards of its colour, and the kind of piece if there are several."""
        kind = self.kind_of(route)
        return self.card(route.color, route.cost) + (f" {kind}" if kind else "")

    def ticket(self, ticket: str) -> str:
        """A ticket with its points."""
        found = self.board.tickets[ticket]
        return f"{self.way(found.a, found.b)} ({found.points})"

    def piece(self, kind: str, count: int) -> str:
        """A number of pieces of a kind."""
        found = next(each for each in self.board.pieces if each.id == kind)
        return f"{count} {found.name_in(self.language, count)}"

    def bonus(self, kind: str) -> str:
        """The name of a bonus of the board."""
        return next(b for b in self.board.bonuses if b.kind == kind).name_in(self.language)

    def bonus_label(self, kind: str) -> str:
        """A short label for a bonus of the board, or else its name."""
        key = f"bonus.{kind}.label"
        return self.texts(key) if self.texts.has(key) else self.bonus(kind)

    def option(self, word: str) -> str:
        """What a bonus lets the player do with a claim; it follows the payment."""
        key = f"bonus.{OPTIONS[word]}.options.{word}"
        return self.texts(key) if self.texts.has(key) else word
