"""Reasons as sentences in each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from fernzug.errors import Reason
from fernzug.i18n import DEFAULT, Texts

if TYPE_CHECKING:
    from fernzug.board.model import Board

ANY_COLOR = "gray"
"""The colour of a route that takes any one colour (C1)."""


class Names(Protocol):
    """What the reader calls the things of a game."""

    def player(self, seat: int) -> str:
        """A player."""

    def route(self, route: str) -> str:
        """A route."""

    def ticket(self, ticket: str) -> str:
        """A ticket."""

    def card(self, color: str) -> str:
        """A colour of cards."""

    def cards(self, cards: Mapping[str, int]) -> str:
        """Several cards."""

    def piece(self, kind: str, count: int) -> str:
        """So many pieces of a kind."""


class Ids:
    """The names that programs use: ids, except for pieces of a given board."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board

    def player(self, seat: int) -> str:
        """A seat."""
        return f"seat {seat}"

    def route(self, route: str) -> str:
        """A route's id."""
        return route

    def ticket(self, ticket: str) -> str:
        """A ticket's id."""
        return ticket

    def card(self, color: str) -> str:
        """A colour's id."""
        return color

    def cards(self, cards: Mapping[str, int]) -> str:
        """Several cards."""
        return " and ".join(f"{count} {color}" for color, count in cards.items())

    def piece(self, kind: str, count: int) -> str:
        """So many pieces of a kind."""
        if self.board is not None:
            found = next(each for each in self.board.pieces if each.id == kind)
            kind = found.name_in(DEFAULT, count)
        return f"{count} {kind}"


def sentence(texts: Texts, reason: Reason, names: Names) -> str:
    """Return a reason as a sentence, with the names that the reader uses.

    If there is no text for the code, such as for a bonus without words in this language, the
    sentence says only that it is not possible.
    """
    key = reason.code if "." in reason.code else f"reason.{reason.code}"
    if not texts.has(key):
        return texts("reason.other")
    values = _named(texts, reason.parts, names)
    if isinstance(texts.find(key), str):
        text = texts(key, **values)
    else:
        text = texts.number(key, _count(reason), **values)
    # A suggestion is more helpful than a list of everything possible.
    for addition in ("meant", "known"):
        if addition in values:
            said = text.removesuffix(".")
            return texts(f"reason.{addition}", sentence=said, **{addition: values[addition]})
    return text


def _count(reason: Reason) -> int:
    """Return the number that decides between singular and plural."""
    count = reason.parts["count"]
    assert isinstance(count, int)
    return count


def _named(texts: Texts, parts: Mapping[str, Any], names: Names) -> dict[str, object]:
    """Return the parts of a reason by the names that the reader uses."""
    values = dict(parts)
    for part in ("player", "other_player"):
        if part in parts:
            values[part] = names.player(parts[part])
    if "route" in parts:
        values["route"] = names.route(parts["route"])
    if "ticket" in parts:
        values["ticket"] = names.ticket(parts["ticket"])
    for part in ("color", "other"):
        if part in parts and parts[part] != ANY_COLOR:
            values[part] = names.card(parts[part])
    if "colors" in parts:
        values["known"] = _list([names.card(color) for color in parts["colors"]])
    elif "known" in parts:
        values["known"] = _list(parts["known"])
    if "piece" in parts:
        values["left"] = names.piece(parts["piece"], parts["left"])
        values["needed"] = parts["left"] + parts["missing"]
    if "cards" in parts:
        values["cards"] = names.cards(parts["cards"])
    elif parts.get("color") == ANY_COLOR:
        values["cards"] = texts.number("reason.any_color", parts["missing"])
    elif "missing" in parts and "color" in parts:
        values["cards"] = names.cards({parts["color"]: parts["missing"]})
    return values


def _list(words: Sequence[str]) -> str:
    return ", ".join(words)


@cache
def _english() -> Texts:
    return Texts(DEFAULT)


def english(reason: Reason, board: Board | None = None) -> str:
    """Return a reason in English in the style of errors: no initial capital and no full stop."""
    text = sentence(_english(), reason, Ids(board)).removesuffix(".")
    return text[:1].lower() + text[1:]
