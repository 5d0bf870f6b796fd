"""The game of the day: one shuffle and the same opponents for everybody, from the date alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

import fernzug
from fernzug import bots
from fernzug.table import daily

DAY = date(2026, 11, 18)


def test_the_seed_of_a_day_never_changes() -> None:
    # Another version of the program, or another server, must offer the same game.
    assert daily.seed_of(DAY, "london") == 4372358821147516957
    assert daily.seed_of(date(2027, 1, 1), "usa") == 884179419820216220
    assert [one.name for one in daily.opponents_on(DAY, fernzug.board("usa"))] == ["Emil", "Bruno"]


def test_every_day_and_board_has_a_seed_of_its_own() -> None:
    days = [DAY + timedelta(days=n) for n in range(400)]
    seeds = {daily.seed_of(day, board) for day in days for board in fernzug.boards()}
    assert len(seeds) == len(days) * len(fernzug.boards())
    for seed in list(seeds)[:5]:
        fernzug.Game("london", 3, seed)


def test_opponents_are_two_of_different_levels_who_decide_at_once() -> None:
    board = fernzug.board("london")
    met = set()
    for n in range(200):
        opponents = daily.opponents_on(DAY + timedelta(days=n), board)
        assert len({one.level for one in opponents}) == len(opponents) == 2
        assert all(bots.LEVELS[one.level].quick for one in opponents)
        met |= {one.face for one in opponents}
    assert len(met) == 9, "everybody has their turn"


def test_a_board_for_few_or_many_players_has_as_many_opponents_as_it_needs() -> None:
    board = fernzug.board("usa")
    for players, number in ((range(2, 3), 1), (range(2, 6), 2), (range(5, 6), 4)):
        odd = replace(board, min_players=players[0], max_players=players[-1])
        opponents = daily.opponents_on(DAY, odd)
        assert len({one.face for one in opponents}) == number


@pytest.mark.parametrize("text", ["", "today", "2026-11-31", "20261118", "2026-W47-3", "2026-1-1"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a date"):
        daily.day_of(text)


def test_a_day_begins_where_it_begins_first() -> None:
    kiritimati = timezone(timedelta(hours=14))
    assert daily.day_of("2026-11-18") == DAY
    assert daily.has_begun(DAY, datetime(2026, 11, 18, 0, 0, tzinfo=kiritimati))
    assert not daily.has_begun(DAY, datetime(2026, 11, 17, 9, 59, tzinfo=UTC))
    assert daily.has_begun(date(2020, 2, 29), datetime(2026, 11, 18, tzinfo=UTC))
