"""Actions as text.

Every action on a board has one number, one meaning and one text::

    pass                            draw deck       draw blue       draw wild
    tickets                         keep 1 3        claim a-b.2 blue*2 wild*1

As input, the ends of a route may be in either order, ``.1`` is accepted for the first lane, and the
cards may be in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fernzug.board.model import WILD, Board
from fernzug.bonuses import KINDS
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS, Tables
from fernzug.errors import Part, Reason
from fernzug.spelling import closest
from fernzug.tables import tables_of

PASS_WORD = "pass"
DRAW_WORD = "draw"
DECK_WORD = "deck"
TICKETS_WORD = "tickets"
KEEP_WORD = "keep"
CLAIM_WORD = "claim"
WORDS = (DRAW_WORD, TICKETS_WORD, KEEP_WORD, CLAIM_WORD, PASS_WORD)


OPTIONS: Mapping[str, str] = {word: kind for kind in KINDS for word in KINDS[kind].OPTIONS}
"""The options that bonuses add to claims, with the kinds of the bonuses."""
NO_OPTION = -1  # an option that no claim on the board has


@dataclass(frozen=True, order=True, slots=True, repr=False)
class Action:
    """What a player wants to do; ``str(action)`` is its text. Actions are ordered by number."""

    number: int
    """The number of the action on its board."""
    text: str = field(compare=False)
    kind: str = field(compare=False)
    """``draw``, ``tickets``, ``keep``, ``claim`` or ``pass``."""
    color: str | None = field(default=None, compare=False)
    """For ``draw``: the colour of the face-up card, ``wild`` or ``deck``."""
    places: tuple[int, ...] = field(default=(), compare=False)
    """For ``keep``: the places in the offer, counted from 1."""
    route: str | None = field(default=None, compare=False)
    """For ``claim``: the id of the route."""
    cards: Mapping[str, int] = field(default_factory=dict, compare=False)
    """For ``claim``: the cards played, by colour and ``wild``."""
    option: str | None = field(default=None, compare=False)
    """For ``claim``: the option of a bonus, if the player chose one."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Action {self.text}>"


class NotationError(ValueError):
    """A text that is not an action of the board; ``why`` says what is wrong with it."""

    def __init__(self, why: Reason) -> None:
        super().__init__(why)
        self.why = why


def _refuse(code: str, **parts: Part) -> NotationError:
    return NotationError(Reason(code, **parts))


def _suggestion(word: str, known: Iterable[str]) -> dict[str, Part]:
    """Return the closest known word as a part of a reason, if there is one."""
    meant = closest(word, known)
    return {} if meant is None else {"meant": meant}


@lru_cache(maxsize=32)
def notation_of(board: Board) -> Notation:
    """Return the notation of a board, created once per board."""
    return Notation(tables_of(board))


class Notation:
    """The texts of all actions on one board."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.board: Board = tables.board
        self._actions: dict[int, Action] = {}
        self._texts: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def action(self, number: int) -> Action:
        """Return the action with this number."""
        action = self._actions.get(number)
        if action is None:
            action = self._actions[number] = self._make(number)
            self._texts[number] = action.text
            self._numbers[action.text] = number
        return action

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """Return the texts of actions."""
        known = self._texts
        return [known.get(number) or self.action(number).text for number in numbers]

    def number(self, text: str) -> int:
        """Return the number of the action that a text means; see :meth:`parse`."""
        # Nearly everything that is played was offered as a text before.
        known = self._numbers.get(text)
        return self.parse(text).number if known is None else known

    def _make(self, number: int) -> Action:
        t = self.tables
        if not 0 <= number < t.actions or number == t.keep:
            raise ValueError(f"there is no action {number} on this board")
        if number >= t.claim:
            return self._make_claim(number)
        if number > t.keep:
            places = tuple(i + 1 for i in range(t.offer_size) if ((number - int(t.keep)) >> i) & 1)
            text = " ".join([KEEP_WORD, *map(str, places)])
            return Action(number, text, KEEP_WORD, places=places)
        if number == PASS:
            return Action(number, PASS_WORD, PASS_WORD)
        if number == t.draw_tickets_action:
            return Action(number, TICKETS_WORD, TICKETS_WORD)
        color = DECK_WORD if number == DRAW_DECK else card_name(self.board, number - DRAW_CARD)
        return Action(number, f"{DRAW_WORD} {color}", DRAW_WORD, color)

    def _make_claim(self, number: int) -> Action:
        t = self.tables
        i = number - int(t.claim)
        route = self.board.routes[int(t.claim_route[i])]
        cards = {
            card_name(self.board, t.claim_color[i]): route.cost - int(t.claim_wilds[i]),
            WILD: int(t.claim_wilds[i]),
        }
        # With wild cards alone the colour is wild as well, and the second entry is the payment.
        cards = {color: n for color, n in cards.items() if n}
        option = t.option_words[t.claim_option[i] - 1] if t.claim_option[i] else None
        words = [CLAIM_WORD, route.id, *(f"{color}*{n}" for color, n in cards.items())]
        text = " ".join(words if option is None else [*words, option])
        return Action(number, text, CLAIM_WORD, route=route.id, cards=cards, option=option)

    def parse(self, text: str) -> Action:
        """Return the action that a text means; :class:`NotationError` if there is none."""
        words = text.lower().split()
        if not words:
            raise _refuse("empty", known=WORDS)
        word, rest = words[0], words[1:]
        if word in (PASS_WORD, TICKETS_WORD) and rest:
            raise _refuse("alone", word=word, rest=" ".join(rest))
        if word == PASS_WORD:
            return self.action(PASS)
        if word == TICKETS_WORD:
            return self.action(int(self.tables.draw_tickets_action))
        if word == DRAW_WORD:
            return self._parse_draw(rest)
        if word == KEEP_WORD:
            return self._parse_keep(rest)
        if word == CLAIM_WORD:
            return self._parse_claim(rest)
        raise _refuse("word", word=word, known=WORDS, **_suggestion(word, WORDS))

    def _parse_draw(self, words: list[str]) -> Action:
        if len(words) != 1:
            raise _refuse("say_draw")
        if words[0] == DECK_WORD:
            return self.action(DRAW_DECK)
        return self.action(DRAW_CARD + card_number(self.board, words[0]))

    def _parse_keep(self, words: list[str]) -> Action:
        places = 0
        size = int(self.tables.offer_size)
        for word in words:
            if not (word.isascii() and word.isdigit() and 1 <= int(word) <= size):
                raise _refuse("place", word=word, last=size)
            if (places >> (int(word) - 1)) & 1:
                raise _refuse("place_twice", place=int(word))
            places |= 1 << (int(word) - 1)
        if not places:
            raise _refuse("say_keep")
        return self.action(int(self.tables.keep) + places)

    def _parse_claim(self, words: list[str]) -> Action:
        if len(words) < 2:
            raise _refuse("say_claim")
        if words[0] not in self.board.routes:
            known = self.board.routes.keys()
            raise _refuse("route", word=words[0], **_suggestion(words[0], known))
        route = self.board.routes.index(words[0])
        option = words[-1] if words[-1] in OPTIONS else None
        cards = self._parse_cards(words[1:] if option is None else words[1:-1])
        return self.action(self._claim_number(route, cards, option))

    def _parse_cards(self, words: list[str]) -> dict[int, int]:
        cards: dict[int, int] = {}
        for word in words:
            name, star, times = word.partition("*")
            if not star:
                times = "1"
            if not (times.isascii() and times.isdigit() and 1 <= int(times) <= 99):
                raise _refuse("count", word=word)
            color = card_number(self.board, name)
            if color in cards:
                raise _refuse("color_twice", color=name)
            cards[color] = int(times)
        return cards

    def _claim_number(self, route: int, cards: dict[int, int], option: str | None) -> int:
        t = self.tables
        wild = int(t.wild)
        name = self.board.routes[route].id
        wilds = cards.get(wild, 0)
        colors = [color for color in cards if color != wild]
        cost = int(t.route_cost[route])
        if len(colors) > 1:
            raise _refuse("mixed")
        if sum(cards.values()) != cost:
            raise _refuse("cost", route=name, count=cost, paid=sum(cards.values()))
        route_color = int(t.route_color[route])
        if colors and route_color not in (t.colors, colors[0]):
            wanted = card_name(self.board, route_color)
            paid = self.board.colors[colors[0]]
            raise _refuse("route_color", route=name, color=wanted, other=paid)
        chosen = 0
        if option is not None:
            chosen = t.option_words.index(option) + 1 if option in t.option_words else NO_OPTION
        number = int(t.claim_number(route, colors[0] if colors else wild, wilds, chosen))
        if option is not None and number < 0:
            raise _refuse(f"bonus.{OPTIONS[option]}.not_offered", route=name)
        return number


def card_name(board: Board, number: int) -> str:
    """Return the name of a card by its number: a colour of the board, or wild."""
    return board.card_names[number]


def card_number(board: Board, name: str) -> int:
    """Return the number of a card by its name."""
    if name == WILD:
        return len(board.colors)
    if name not in board.colors:
        known = (*board.colors, WILD)
        raise _refuse("color", word=name, colors=known, **_suggestion(name, known))
    return board.colors.index(name)


def cards_by_name(board: Board, counts: list[int]) -> dict[str, int]:
    """Return the counts of cards as a dict by name, without zeros."""
    return {name: n for name, n in zip(board.card_names, counts, strict=True) if n}
