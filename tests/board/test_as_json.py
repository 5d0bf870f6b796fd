"""What clients are told of a board: everything that is drawn or named, in all languages."""

import json
import re

import pytest

from fernzug.board import as_json, files
from fernzug.i18n import LANGUAGES

TEXTS = ("names", "special", "rules", "options", "events")


@pytest.mark.parametrize("name", files.boards())
def test_clients_are_told_of_bonuses_in_words(name: str) -> None:
    board = files.load(name)
    told = as_json.for_clients(board)
    assert json.loads(json.dumps(told)) == told
    assert [bonus["kind"] for bonus in told["bonuses"]] == [each.kind for each in board.bonuses]
    for bonus in told["bonuses"]:
        assert set(bonus["names"]) == set(LANGUAGES)
        for rule in bonus["rules"]:
            assert set(rule) == set(LANGUAGES)
            # Nothing is left to be filled in, and the rules of each language are its own.
            assert not any(re.search(r"[{}]", text) for text in rule.values())
            assert len(set(rule.values())) == len(LANGUAGES)
        for texts in (*bonus["options"].values(), *bonus["events"].values()):
            assert set(texts) == set(LANGUAGES)
