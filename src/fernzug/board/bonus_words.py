"""What the bonuses of a board say about themselves, for clients that know no kind by name.

The words of a kind are in its section ``[bonus.KIND]`` of the catalogs. It may leave any of them
out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fernzug.board.model import Board, Bonus
from fernzug.i18n import LANGUAGES, Texts

Names = dict[str, str]
"""A text by language."""


def rules(board: Board, bonus: Bonus, texts: Texts) -> dict[str, str]:
    """Return the rules of a bonus by id, with the names and numbers of the board."""
    values = _values(board, bonus, texts)
    return {id: text.format_map(values) for id, text in _section(texts, bonus, "rules").items()}


def rules_in_all_languages(board: Board, bonus: Bonus) -> dict[str, Names]:
    """Return the rules of a bonus by id and language."""
    return _turned({language: rules(board, bonus, Texts(language)) for language in LANGUAGES})


def special(board: Board, bonus: Bonus) -> Names:
    """Return in a few words what is special about a bonus, by language."""
    found: Names = {}
    for language in LANGUAGES:
        texts = Texts(language)
        key = f"bonus.{bonus.kind}.special"
        if texts.has(key):
            found[language] = texts.find(key).format_map(_values(board, bonus, texts))
    return found


def buttons(bonus: Bonus) -> dict[str, Names]:
    """Return the buttons for the options of a claim, by their words in the notation."""
    return _turned({lang: _section(Texts(lang), bonus, "buttons") for lang in LANGUAGES})


def log_lines(bonus: Bonus) -> dict[str, Names]:
    """Return the line of the log for each event of a bonus, with ``{points}`` to be filled in."""
    found = {}
    for language in LANGUAGES:
        events = _section(Texts(language), bonus, "events")
        found[language] = {e: forms["log"] for e, forms in events.items() if "log" in forms}
    return _turned(found)


def _section(texts: Texts, bonus: Bonus, name: str) -> Mapping[str, Any]:
    key = f"bonus.{bonus.kind}.{name}"
    section: Mapping[str, Any] = texts.find(key) if texts.has(key) else {}
    return section


def _turned(by_language: Mapping[str, Mapping[str, str]]) -> dict[str, Names]:
    """Return texts by key and language that are given by language and key."""
    return {
        key: {language: texts[key] for language, texts in by_language.items()}
        for key in by_language[LANGUAGES[0]]
    }


def _values(board: Board, bonus: Bonus, texts: Texts) -> Mapping[str, str]:
    language = texts.language
    groups = [
        texts(
            "list",
            text=f"{group.name_in(language)} ({group.points})",
            items=_places(board, group.locations, language),
        )
        for group in bonus.groups
    ]
    return {
        "points": texts.number("points", bonus.points),
        "places": _places(board, bonus.locations, language),
        "colors": ", ".join(board.color_name(color, language) for color in bonus.colors),
        "groups": ". ".join(groups),
        "count": str(len(bonus.locations)),
        "least": str(min((group.points for group in bonus.groups), default=0)),
        "most": str(max((group.points for group in bonus.groups), default=0)),
        **{name: str(number) for name, number in bonus.numbers.items()},
    }


def _places(board: Board, places: tuple[str, ...], language: str) -> str:
    return ", ".join(board.locations[place].name_in(language) for place in places)
