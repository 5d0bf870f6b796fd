"""Who the bots of a table are."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from fernzug import bots
from fernzug.table import SeatSetup
from fernzug.table.characters import CHARACTERS, somebody
from fernzug.table.protocol import Face


def test_every_face_belongs_to_one_character_and_every_level_has_some() -> None:
    assert sorted(one.face for one in CHARACTERS) == sorted(get_args(Face))
    assert len({one.name for one in CHARACTERS}) == len(CHARACTERS)
    assert {one.level for one in CHARACTERS} == set(bots.OPPONENTS)


@pytest.mark.parametrize("seed", range(20))
def test_no_two_bots_at_a_table_are_the_same(seed: int) -> None:
    dice = random.Random(seed)
    seats = [SeatSetup("here", name="ADA"), SeatSetup("link")]
    number = len(CHARACTERS) - 1  # a person has the name of one of them
    for _ in range(number):
        who = somebody("regular", seats, dice)
        seats.append(SeatSetup("bot", name=who.name, face=who.face))
    bots_there = seats[2:]
    assert len({seat.name for seat in bots_there}) == len({seat.face for seat in bots_there})
    assert len({seat.name for seat in bots_there}) == number
    assert "Ada" not in {seat.name for seat in bots_there}
    usual = {one.face for one in CHARACTERS if one.level == "regular"}
    assert {seat.face for seat in bots_there[: len(usual)]} == usual
    # Who has a personality stands in only when nobody else is left.
    apart = {one.face for one in CHARACTERS if one.level in bots.PERSONALITIES}
    assert {seat.face for seat in bots_there[-len(apart) :]} == apart


def test_a_crowded_table_and_an_unknown_level_get_somebody_too() -> None:
    crowd = [SeatSetup("bot", name=one.name, face=one.face) for one in CHARACTERS]
    assert somebody("master", crowd, random.Random(1)) in CHARACTERS
    assert somebody("my own", [], random.Random(1)) in CHARACTERS
