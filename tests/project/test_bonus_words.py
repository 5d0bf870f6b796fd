"""What bonuses say about themselves, for clients that know no kind of bonus by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fernzug
from fernzug.board import bonus_words
from fernzug.board.model import Bonus
from fernzug.i18n import LANGUAGES

ALL = [(name, bonus) for name in fernzug.boards() for bonus in fernzug.board(name).bonuses]


@pytest.mark.parametrize(("board", "bonus"), ALL, ids=[f"{b}-{bonus.kind}" for b, bonus in ALL])
def test_every_bonus_has_its_rules_in_every_language(board: str, bonus: Bonus) -> None:
    rules = bonus_words.rules_in_all_languages(fernzug.board(board), bonus)
    assert rules
    for texts in rules.values():
        assert list(texts) == list(LANGUAGES)
        for text in texts.values():
            assert text.strip()
            assert "{" not in text


def test_rules_name_what_the_board_says() -> None:
    board = fernzug.board("paris")
    (rule,) = bonus_words.rules_in_all_languages(board, board.bonuses[0]).values()
    assert "blue, white, red" in rule["en"]
    assert "4 points" in rule["en"]
    assert "blau, weiß, rot" in rule["de"]


def test_options_and_events_have_words() -> None:
    (flag,) = fernzug.board("paris").bonuses
    assert bonus_words.buttons(flag)["flag"]["en"] == "keep a card"
    assert set(bonus_words.log_lines(flag)) == {"flag_kept", "flag_scored"}


def test_a_kind_without_words_says_nothing() -> None:
    board = fernzug.board("paris")
    strange = replace(board.bonuses[0], kind="lanterns")
    assert bonus_words.rules_in_all_languages(board, strange) == {}
    assert bonus_words.buttons(strange) == bonus_words.log_lines(strange) == {}
