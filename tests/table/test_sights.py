"""What the coach looks at: up to date for the client's tests, and without secrets."""

from __future__ import annotations

import json
import random

import pytest

from fernzug import Game
from table.sights import FILE, SEAT, SITUATIONS, text, told
from twins import shaken


def test_the_sights_of_the_coach_are_up_to_date() -> None:
    if FILE.read_text(encoding="utf-8") != text():
        pytest.fail("run 'python -m table.sights' in the folder of the tests")


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_coach_sees_the_same_in_games_that_differ_only_in_secrets(name: str) -> None:
    position = SITUATIONS[name]
    game = Game.from_position(position)
    luck = random.Random(3)
    other = Game.resumed(game.start, shaken(game.state, SEAT, luck), []).position()
    assert other != game.position()
    assert json.dumps(told(other)) == json.dumps(told(position))
