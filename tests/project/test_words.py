"""One word for one thing: what the glossary decides holds for every text that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import fernzug
from fernzug.board.as_json import for_clients
from fernzug.i18n import LANGUAGES, _file
from fernzug.lessons import lesson, lessons
from paths import ROOT

WORDS = ROOT / "web" / "src" / "words"
ENTRY = re.compile(
    r"^  (?:'([\w.]+)'|(\w+)): w\(\s*" + r",\s*".join([r"'((?:[^'\\]|\\.)*)'"] * 3), re.M
)

PLACEHOLDER = re.compile(r"\{\w+\}")
OTHER_WORDS = {
    "de": {
        r"\bBots?\b": "Computer",
        r"\b[Bb]eanspruch": "bauen",
        r"\bBrett\b|\bSpielbrett|\b([Gg]anzer|diesem) Plan\b": "Spielplan",
        r"\bFahrr[aä]d|\bLokomotiv": "Joker",
        r"\bKenn?er\b|\bKönner\b": "fortgeschritten, stark",
        r"\bRouten?\b": "Strecke",
        r"\bSpielstein|\bWaggon": "Figur",
        r"\bStartzahl": "Startwert",
        r"\bTickets?\b(?! to Ride)": "Zielkarte",
        r"\bTrikolore": "Fahne",
        r"\bUnterhaltung": "Chat",
        r"\bSie\b(?= (haben|sind|können|müssen))|\bIhre?n?\b(?= (Name|Zug|Karte))": "du",
        r"\bZuruf": "Reaktion",
    },
    "en": {
        r"\b[Cc]olor\b": "colour",
        r"\b[Cc]omputer": "bot",
        r"\b[Ll]ocomotive": "wild card",
        r"\b[Tt]ricolou?r": "flag",
        r"\b[Tt]rain cards?\b": "card",
    },
    "fr": {
        r"\b[Bb]ots?\b": "robot",
        r"\b[Cc]hat\b": "discussion",
        r"\b[Ll]ocomotive|\b[Vv]élo": "joker",
        r"\b[Rr]outes?\b": "ligne",
        r"\b[Ss]ièges?\b": "place",
        r"\b[Tt]ickets?\b(?! to Ride)": "billet",
        r"\b[Tt]ricolore": "drapeau",
        # Several people at one screen are still "vous".
        r"\b[Vv]otre\b|\b[Vv]os\b|\b[Vv]ous\b(?! construisez| plaît)": "tu",
    },
}
"""What must not be said in a language, and what is said instead."""


def screen_texts(language: str) -> Iterator[tuple[str, str]]:
    """The texts of the browser client by key."""
    found = 0
    for file in sorted(WORDS.glob("*.ts")):
        for entry in ENTRY.finditer(file.read_text(encoding="utf-8")):
            found += 1
            yield entry[1] or entry[2], entry[3 + LANGUAGES.index(language)]
    assert found > 300


def leaves(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{before}{key}.")
        else:
            yield before + key, value


def board_texts(language: str) -> Iterator[tuple[str, str]]:
    """The names and notes of the boards, except what their wild cards show."""
    for id in fernzug.boards():
        whole: dict[str, Any] = dict(for_clients(fernzug.board(id)))
        del whole["wild_names"]
        yield from _names(whole, language, id)


def _names(part: object, language: str, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(part, Mapping):
        for key, value in part.items():
            if isinstance(value, str) and key in (language, "name"):
                yield where, value
            else:
                yield from _names(value, language, f"{where}.{key}")
    elif isinstance(part, list):
        for value in part:
            yield from _names(value, language, where)


def lesson_texts(language: str) -> Iterator[tuple[str, str]]:
    """The texts of the lessons."""
    for id in lessons():
        found = lesson(id)
        yield from ((id, text[language]) for text in (found.title, found.about))
        for number, step in enumerate(found.steps, start=1):
            texts = [step.title, step.text, *(reply.text for reply in step.replies)]
            texts += [step.task] if step.task else []
            yield from ((f"{id}, step {number}", text[language]) for text in texts)


def all_texts(language: str) -> Iterator[tuple[str, str]]:
    yield from screen_texts(language)
    yield from leaves(_file(language))
    yield from board_texts(language)
    yield from lesson_texts(language)


def faults(language: str, texts: Iterator[tuple[str, str]]) -> list[str]:
    """Every word that the glossary does not know, with the one that it has."""
    return [
        f"{key}: {found[0]!r} should be {instead!r}"
        for key, text in texts
        for pattern, instead in OTHER_WORDS[language].items()
        if (found := re.search(pattern, PLACEHOLDER.sub("", text)))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word(language: str) -> None:
    # The terminal's own notation is English in every language.
    notation = {"help.examples", "start.own"}
    texts = ((key, text) for key, text in all_texts(language) if key not in notation)
    assert faults(language, texts) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Der Bot zieht eine Lokomotive"),
        ("en", "Draw a locomotive of any color"),
        ("fr", "Prenez vos tickets"),
    ],
)
def test_a_mixed_word_is_found(language: str, text: str) -> None:
    assert len(faults(language, iter([("key", text)]))) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_apostrophes_and_quotes_are_typographic(language: str) -> None:
    # Around what is typed into the terminal, English has the plain quotes that programs print.
    straight = re.compile(r"[\w}]['](?=\w)|[\"]" if language == "en" else r"['\"]")
    notation = re.compile(r"'\{\w+\}( PLACE)?'|'[a-z][\w* -]*( COLOUR)?'")
    for key, text in all_texts(language):
        shown = notation.sub("", text) if language == "en" else text
        assert not straight.search(shown), (key, text)


@pytest.mark.parametrize("language", ["fr"])
def test_french_spaces_stand_before_high_signs(language: str) -> None:
    for key, text in all_texts(language):
        assert not re.search(r"\w[;!?»]", text), (key, text)
