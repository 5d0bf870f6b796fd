"""The texts: the same keys in every language, all of them used, none of them missing."""

import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import fernzug
from fernzug import bots
from fernzug.i18n import LANGUAGES, Texts, _file, language_of
from fernzug.terminal.commands import COMMANDS
from fernzug.terminal.naming import plain

SOURCE = Path(fernzug.__file__).parent
USERS = [*(SOURCE / "terminal").glob("*.py"), *(SOURCE / "cli").glob("*.py")]


def leaves(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{before}{key}.")
        else:
            yield before + key, value


def texts_of(language: str) -> dict[str, str]:
    return dict(leaves(_file(language)))


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(texts_of(language)) == list(texts_of("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_places_to_fill_in(language: str) -> None:
    english = texts_of("en")
    for key, text in texts_of(language).items():
        assert places(text) == places(english[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_left_in_another_language(language: str) -> None:
    for key, text in texts_of(language).items():
        assert text.strip(), key
    if language == "en":
        return
    long = {key: text for key, text in texts_of(language).items() if text.count(" ") > 2}
    # The notation is the same in every language.
    same = {key for key, text in long.items() if text == texts_of("en")[key]}
    assert same <= {"help.examples"}


def literal_keys() -> set[str]:
    """The keys that the code names, with the parts that it fills in as stars."""
    found: set[str] = set()
    for file in USERS:
        code = file.read_text(encoding="utf-8")
        for match in re.finditer(r"""f?(["'])([a-z_{}]+(?:\.[\w{}]+)*)\1""", code):
            found.add(re.sub(r"\{[^}]+\}", "*", match[2]))
    return found


def test_every_text_is_used() -> None:
    patterns = [re.compile(re.escape(key).replace(r"\*", r"\w+")) for key in literal_keys()]
    dynamic = re.compile(r"(bonus|deed|table|rules|reason|advice|command|level)\..*")
    for key in texts_of("en"):
        name = key.removesuffix(".one").removesuffix(".other")
        used = any(pattern.fullmatch(name) for pattern in patterns)
        assert used or dynamic.fullmatch(name), key


def test_every_key_that_the_code_names_exists() -> None:
    known = set(texts_of("en"))
    tables = {key.split(".")[0] for key in known if "." in key}
    for key in literal_keys():
        if "*" in key or key.split(".")[0] not in tables or "." not in key:
            continue
        assert key in known or f"{key}.one" in known, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_looked_up_by_name_is_there(language: str) -> None:
    texts = Texts(language)
    for name in COMMANDS:
        assert texts(f"command.{name}.line")
    for level in bots.OPPONENTS:
        assert texts(f"level.{level}.name")
        assert texts(f"level.{level}.line")
    # They may be typed without accents, and on any keyboard.
    words = [plain(texts(f"command.{name}.word")) for name in COMMANDS]
    assert len(set(words)) == len(words)
    assert all(word.isascii() for word in words)


def test_a_missing_key_and_a_strange_language_are_errors() -> None:
    with pytest.raises(KeyError, match="nothing"):
        Texts("en")("menu.nothing")
    with pytest.raises(KeyError):
        Texts("en")("gray.more")
    with pytest.raises(ValueError, match="there is no language 'xx'"):
        Texts("xx")


def test_numbers_follow_the_language() -> None:
    assert Texts("en").number("points", 1) == "1 point"
    assert Texts("en").number("points", 0) == "0 points"
    assert Texts("fr").number("points", 0) == "0 point"
    assert Texts("fr").number("points", 2) == "2 points"
    assert Texts("de").number("points", -1) == "-1 Punkte"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr_CA", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr", "LANG": "de"}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP"}, "en"),
        ({"LC_ALL": "", "LANG": "de"}, "de"),
        ({}, "en"),
    ],
)
def test_the_environment_decides_the_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language
