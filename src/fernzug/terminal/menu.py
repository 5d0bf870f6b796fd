"""What the player can do now, as a numbered menu in groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fernzug.board.model import WILD, Route
from fernzug.notation import CLAIM_WORD, DECK_WORD, DRAW_WORD, TICKETS_WORD, Action
from fernzug.terminal.layout import pad, width
from fernzug.terminal.words import Words


@dataclass(frozen=True)
class Option:
    """One line of the menu: an action, or a route with all the ways to pay for it."""

    number: int
    text: str
    actions: tuple[Action, ...]

    @property
    def line(self) -> str:
        """The option with its number."""
        return f"{self.number:>2} {self.text}"


@dataclass(frozen=True)
class Menu:
    """The options by group, numbered through all groups."""

    draws: tuple[Option, ...] = ()
    others: tuple[Option, ...] = ()
    """Drawing tickets, or passing."""
    claims: tuple[Option, ...] = ()

    def option(self, number: int) -> Option | None:
        """Return the option with that number."""
        every = (*self.draws, *self.others, *self.claims)
        return every[number - 1] if 1 <= number <= len(every) else None


def menu_of(words: Words, legal: Sequence[Action], wanted: set[str], tickets: int) -> Menu:
    """Build the menu from the legal actions; ``wanted`` routes come first, with a star.

    ``tickets`` is how many tickets would be drawn.
    """
    number = 1
    draws = []
    for action in legal:
        if action.kind == DRAW_WORD:
            second = not any(each.kind != DRAW_WORD for each in legal)
            draws.append(Option(number, _draw_text(words, action, second), (action,)))
            number += 1
    others = []
    for action in legal:
        if action.kind not in (DRAW_WORD, CLAIM_WORD):
            others.append(Option(number, _other_text(words, action, tickets), (action,)))
            number += 1
    claims = []
    groups = _by_route(words, legal, wanted)
    widest = max((width(words.route(route)) for route, _ in groups), default=0)
    for route, actions in groups:
        star = "*" if route.id in wanted else " "
        text = f"{star} {pad(words.route(route), widest)} {words.price(route)}"
        claims.append(Option(number, text, tuple(actions)))
        number += 1
    return Menu(tuple(draws), tuple(others), tuple(claims))


def _draw_text(words: Words, action: Action, second: bool) -> str:
    color = action.color or DECK_WORD
    if color == DECK_WORD:
        return words.texts("menu.deck")
    if color == WILD and not second:
        return words.texts("menu.only", card=words.card(WILD))
    return words.card(color)


def _other_text(words: Words, action: Action, tickets: int) -> str:
    if action.kind == TICKETS_WORD:
        least = min(words.board.draw_keep, tickets)
        many = words.texts.number("tickets", tickets)
        return words.texts("menu.draw_tickets", tickets=many, least=least)
    return words.texts("menu.pass")


def _by_route(
    words: Words, legal: Sequence[Action], wanted: set[str]
) -> list[tuple[Route, list[Action]]]:
    """Return the claims by route: wanted ones first, then those worth most.

    Of two lanes that cost the same only the first is listed; the notation can name the second.
    """
    claims: dict[str, list[Action]] = {}
    for action in legal:
        if action.route is not None:
            claims.setdefault(action.route, []).append(action)
    groups = []
    for name, actions in claims.items():
        route = words.board.routes[name]
        twin = words.board.routes[route.twin] if route.lane == 2 and route.twin else None
        if twin is None or twin.id not in claims or twin.color != route.color:
            groups.append((route, actions))
    return sorted(groups, key=lambda group: (group[0].id not in wanted, -group[0].points))


def payment_text(words: Words, action: Action) -> str:
    """Return how a claim is paid, in words."""
    cards = words.cards(action.cards)
    if action.option is None:
        return cards
    return f"{cards} {words.option(action.option)}"
