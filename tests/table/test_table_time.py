"""Clocks, absence, and bots that stand in; the time is passed in."""

from __future__ import annotations

import pytest

from fernzug.table import ClockSetup, Moment, Refused, restore
from fernzug.table.clock import Clock, Stopwatch
from fernzug.table.telling import clock_state, table_info
from fernzug.table.tokens import hash_of
from situations import BOARDS
from table.tabletop import Tabletop, bot, here, link

BOARD = BOARDS[0]


def test_a_stopwatch_counts_only_while_it_runs() -> None:
    watch = Stopwatch()
    assert watch.read(100) == 0
    watch.start(100)
    watch.start(105)
    assert watch.read(110) == 10
    watch.stop(110)
    assert watch.read(500) == 10
    watch.start(1000)
    assert watch.read(1001) == 11


def test_a_turn_clock_gives_every_turn_the_same_time() -> None:
    clock = Clock(ClockSetup("turn", 30), 2)
    clock.begin(0, 0)
    assert clock.remaining(0, 10) == 20
    clock.charge(0, 10)
    clock.end(0)
    assert not clock.runs_for(0)
    clock.turn_began(0)
    assert clock.left[0] == 30


def test_a_bank_shrinks_and_every_turn_adds_its_increment() -> None:
    clock = Clock(ClockSetup("bank", 60, 5), 2)
    clock.charge(0, 20)
    clock.turn_began(0)
    assert clock.left[0] == 45
    clock.charge(0, 100)
    assert clock.left[0] == 0


def seated(*seats: object, **setup: object) -> Tabletop:
    top = Tabletop(BOARD, *seats, first_player=0, **setup)  # type: ignore[arg-type]
    for seat in range(len(seats)):
        if not top.table.seats.is_bot(seat):
            top.table.seats.arrive([seat], top.now)
    return top


def test_time_is_never_up_without_a_clock() -> None:
    top = seated(here, here)
    top.now = 1e6
    assert top.table.stand_in(0, top.now) is None
    assert clock_state(top.table, top.now) is None
    assert top.table.next_stand_in(top.now) is None


def test_when_time_is_up_a_bot_decides_once_and_the_owner_goes_on() -> None:
    top = seated(here, here, clock=ClockSetup("turn", 30))
    top.keep_all()
    assert top.table.next_stand_in(top.now) == 30
    top.now = 29.9
    assert top.table.bots_to_move(top.now) == []
    top.now = 30.1
    assert top.table.stand_in(0, top.now) == "clock"
    assert top.table.bots_to_move(top.now) == [0]
    top.play(0, "draw deck", bot=True)
    top.play(0, "draw deck", bot=True)
    assert top.table.stand_in(0, top.now) is None
    top.play(1, "draw deck")
    top.play(1, "draw deck")
    assert clock_state(top.table, top.now) == {"left": [30_000, 30_000], "running": [0]}


def test_time_runs_for_everybody_who_is_choosing() -> None:
    top = seated(here, here, clock=ClockSetup("turn", 30))
    top.now = 10
    assert clock_state(top.table, top.now) == {"left": [20_000, 20_000], "running": [0, 1]}
    top.play(1, "keep 1 2")
    top.now = 31
    assert top.table.bots_to_move(top.now) == [0]


def test_a_bank_is_restored_with_what_was_left() -> None:
    top = seated(here, here, clock=ClockSetup("bank", 100, 0))
    top.keep_all()
    top.now = 40
    top.play(0, "draw deck")
    again = restore(top.setup, top.changes)
    assert again.clock.left == [60, 100]
    # While the server was down no time has passed.
    assert again.clock.remaining(0, again.seats.watch.read(1e9)) == 60


def test_a_bot_plays_for_somebody_who_has_been_gone_for_the_grace_time() -> None:
    top = seated(here, here, grace=60)
    top.keep_all()
    top.now = 10
    top.table.seats.depart([0], top.now)
    assert top.table.next_stand_in(top.now) == 60
    top.now = 69
    assert top.table.bots_to_move(top.now) == []
    top.now = 71
    assert top.table.stand_in(0, top.now) == "away"
    assert top.table.bots_to_move(top.now) == [0]
    assert table_info(top.table, top.now)["seats"][0]["bot"] == "away"
    top.table.seats.arrive([0], top.now)
    assert top.table.bots_to_move(top.now) == []


def test_a_table_can_wait_forever() -> None:
    top = seated(here, here, grace=None)
    top.table.seats.depart([0], 0)
    assert top.table.bots_to_move(1e9) == []


@pytest.mark.parametrize("spectators", [0, 1])
def test_bots_wait_while_all_people_are_away_whoever_watches(spectators: int) -> None:
    top = seated(here, here, bot, grace=60)
    assert top.table.bots_to_move(0) == [2]
    top.table.seats.depart([1], 5)
    top.table.seats.depart([0], 5)
    for _ in range(spectators):
        top.table.seats.arrive([], 5)
    assert top.table.bots_to_move(1e6) == []
    assert top.table.next_stand_in(1e6) is None
    top.table.seats.arrive([1], 1e6)
    assert top.table.bots_to_move(1e6) == [2]
    # The grace time of the other one begins only now.
    assert top.table.stand_in(0, 1e6 + 59) is None
    assert top.table.stand_in(0, 1e6 + 61) == "away"


def test_a_clock_stands_still_before_spectators_alone() -> None:
    top = seated(here, here, clock=ClockSetup("turn", 30))
    top.keep_all()
    top.table.seats.arrive([], 0)
    top.now = 10
    for seat in (0, 1):
        top.table.seats.depart([seat], top.now)
    assert clock_state(top.table, 1e6) == {"left": [20_000, 30_000], "running": []}
    assert top.table.stand_in(0, 1e6) is None
    top.table.seats.arrive([1], 1e6)
    assert clock_state(top.table, 1e6 + 5) == {"left": [15_000, 30_000], "running": [0]}


def test_a_table_of_bots_does_not_play_for_spectators() -> None:
    top = Tabletop(BOARD, bot, bot)
    top.table.seats.arrive([], 0)
    assert top.table.bots_to_move(1e6) == []


def test_a_second_device_keeps_the_seat() -> None:
    top = seated(here, here, grace=10)
    top.table.seats.arrive([0], 0)
    top.table.seats.depart([0], 0)
    assert top.table.seats.is_connected(0)
    assert top.table.stand_in(0, 100) is None


def test_a_seat_that_was_left_is_played_by_a_bot_until_its_owner_takes_it_back() -> None:
    top = seated(here, here)
    top.keep_all()
    top.do(top.table.leave(0, id="leave", at=1000))
    assert top.table.stand_in(0, top.now) == "left"
    assert top.table.bots_to_move(top.now) == [0]
    again = restore(top.setup, top.changes)
    assert again.stand_in(0, 0.0) == "left"
    top.do(top.table.takeover(0, id="back", at=1000))
    assert top.table.bots_to_move(top.now) == []


def test_only_a_running_game_can_be_left() -> None:
    top = Tabletop(BOARD, here, link)
    with pytest.raises(Refused, match="not begun"):
        top.table.leave(0, id="leave", at=1000)
    with pytest.raises(Refused, match="not begun"):
        top.table.takeover(0, id="back", at=1000)


def test_bots_are_never_away_or_out_of_time() -> None:
    top = seated(here, bot, clock=ClockSetup("turn", 5), grace=5)
    assert top.table.stand_in(1, 1e6) is None


def test_the_grace_time_of_a_newcomer_begins_on_joining() -> None:
    top = Tabletop(BOARD, here, link, grace=60)
    top.table.seats.arrive([0], 0)
    top.now = 1000
    top.do(top.table.join("Ann", hash_of("ann"), None, at=1000))
    assert top.table.stand_in(1, 1059) is None
    assert top.table.stand_in(1, 1061) == "away"


def test_time_spent_is_measured_in_the_tables_own_time() -> None:
    top = seated(here, here, clock=ClockSetup("bank", 100, 0))
    top.now = 10
    top.table.seats.depart([0], 10)
    top.table.seats.depart([1], 10)
    top.now = 500
    top.table.seats.arrive([0], 500)
    top.now = 505
    change = top.table.play(0, top.table.seq, "keep 1 2", now=Moment(505, 0))[0]
    assert change.data["spent"] == 15
