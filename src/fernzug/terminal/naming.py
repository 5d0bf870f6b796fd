"""What people mean when they name places and routes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from fernzug.board.model import WILD, Location, Route
from fernzug.spelling import closest
from fernzug.terminal.words import Words

SEPARATOR = re.compile(r"[\s\-\N{EN DASH}\N{EM DASH}]+")
SHORTEST = 3
"""How many letters of a name are enough to find a place."""


def plain(text: str) -> str:
    """Return a text without capitals, accents and punctuation, to compare what people type."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def _names(words: Words, place: Location) -> set[str]:
    return {plain(name) for name in (place.id, place.name, words.place(place.id))}


def places_like(words: Words, text: str) -> list[Location]:
    """Return the places whose name or id contains the text."""
    sought = plain(text)
    return [
        place
        for place in words.board.locations
        if any(sought in name for name in _names(words, place))
    ]


def _places_called(words: Words, text: str) -> list[Location]:
    """Return the places with that name; if there are none, those whose name contains it."""
    sought = plain(text)
    exact = [place for place in words.board.locations if sought in _names(words, place)]
    if exact or len(sought) < SHORTEST:
        return exact
    return places_like(words, text)


def routes_called(words: Words, text: str) -> list[Route]:
    """Return the routes that a text names: by id, by both places, or all routes of one place.

    Names may be in the player's language or the board's, without capitals and accents, and
    shortened.
    """
    routes = words.board.routes
    if text.lower() in routes:
        return [routes[text.lower()]]
    one = _places_called(words, text)
    if any(plain(text) in _names(words, place) for place in one):
        return _touching(routes, one)
    parts = [part for part in SEPARATOR.split(text) if part]
    found: dict[str, Route] = {}
    for cut in range(1, len(parts)):
        # People also say "a to b".
        rest = cut + (parts[cut].casefold() == words.texts("map.to"))
        starts = {place.id for place in _places_called(words, " ".join(parts[:cut]))}
        ends = {place.id for place in _places_called(words, " ".join(parts[rest:]))}
        for route in routes:
            if (route.a in starts and route.b in ends) or (route.b in starts and route.a in ends):
                found[route.id] = route
    return list(found.values()) or _touching(routes, one)


def _touching(routes: Iterable[Route], places: Iterable[Location]) -> list[Route]:
    ids = {place.id for place in places}
    return [route for route in routes if route.a in ids or route.b in ids]


def name_like(words: Words, text: str) -> str | None:
    """Return the id of a route or the name of a place whose spelling is closest to a text."""
    by_name = {words.place(place.id).casefold(): place.id for place in words.board.locations}
    meant = closest(text.casefold(), [*words.board.routes.keys(), *by_name])
    return words.place(by_name[meant]) if meant in by_name else meant


def in_notation(words: Words, word: str) -> str:
    """Return a word with the colour translated from the player's language to the notation."""
    board = words.board
    color, star, count = word.partition("*")
    # A colour of the notation means itself, even if the wild card is called the same.
    if color.lower() in (*board.colors, WILD):
        return word
    names = {words.color(each).casefold(): each for each in (*board.colors, WILD)}
    names.setdefault(board.color_name(WILD, words.language).casefold(), WILD)
    return names.get(color.casefold(), color) + star + count


def split_payment(words: Words, text: str) -> tuple[str, str]:
    """Split what follows ``claim`` into the names of places and the cards, in the notation."""
    parts = text.split()
    first = next((i for i, part in enumerate(parts) if "*" in part), len(parts))
    if parts[0].lower() in words.board.routes:
        first = 1
    if first == len(parts):
        # A single card needs no number, so the last words may be colours, or part of a name.
        cards = (*words.board.colors, WILD)
        while first > 1 and in_notation(words, parts[first - 1]).lower() in cards:
            if routes_called(words, " ".join(parts[:first])):
                break
            first -= 1
    cards_text = " ".join(in_notation(words, part) for part in parts[first:])
    return " ".join(parts[:first]), cards_text
