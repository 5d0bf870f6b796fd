"""Who sits where, and which tokens open a seat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fernzug import Board
from fernzug.table import Refused, SeatSetup, Table, TableSetup
from fernzug.table.characters import CHARACTERS
from fernzug.table.setup import fault_of
from fernzug.table.tokens import hash_of, new_code, new_id, new_token
from situations import BOARDS, on_every_board
from table.tabletop import HOST, Tabletop, bot, here, link, token

BOARD = BOARDS[0]
CLARA = next(one for one in CHARACTERS if one.name == "Clara")


@on_every_board
def test_the_game_begins_when_every_seat_is_taken(board: Board) -> None:
    top = Tabletop(board, here, link, bot)
    before = top.table.state
    top.do(top.table.join("Ann", hash_of("ann"), None, at=2000))
    assert (before, top.table.state) == ("waiting", "playing")
    assert [seat.name for seat in top.table.seats.all] == ["Player 0", "Ann", "Bot 2"]


def test_a_table_without_free_seats_begins_at_once() -> None:
    assert Tabletop(BOARD, here, bot).table.state == "playing"


def test_a_token_opens_only_its_own_seat() -> None:
    seats = Tabletop(BOARD, here, here).table.seats
    assert seats.opened_by([token(0)]) == ((0,), False)
    assert seats.opened_by([token(1)]) == ((1,), False)
    assert seats.opened_by([]) == ((), False)
    assert seats.opened_by(["something else"]) == ((), False)


def test_one_browser_may_hold_several_seats() -> None:
    seats = Tabletop(BOARD, here, here).table.seats
    assert seats.opened_by([token(1), token(0)]) == ((0, 1), False)


def test_the_hosts_token_opens_no_seat() -> None:
    assert Tabletop(BOARD, here, here).table.seats.opened_by([HOST]) == ((), True)


def test_the_hash_of_a_token_does_not_open_the_seat() -> None:
    seats = Tabletop(BOARD, here, here).table.seats
    kept = seats.all[0].token
    assert kept is not None
    assert seats.opened_by([kept]) == ((), False)


def test_nothing_opens_a_bots_seat_or_a_free_seat() -> None:
    seats = Tabletop(BOARD, bot, link).table.seats
    assert seats.opened_by(["", "None"]) == ((), False)


def test_a_seat_is_taken_once() -> None:
    top = Tabletop(BOARD, link, link, link)
    top.do(top.table.join("Ann", hash_of("ann"), 1, at=2000))
    with pytest.raises(Refused, match="already taken") as refusal:
        top.table.join("Ben", hash_of("ben"), 1, at=2000)
    assert refusal.value.code == "seat_taken"
    assert top.table.join("Ben", hash_of("ben"), None, at=2000)[0].data["seat"] == 0


def test_a_full_table_takes_nobody() -> None:
    with pytest.raises(Refused, match="no seat is free"):
        Tabletop(BOARD, here, bot).table.join("Ann", hash_of("ann"), None, at=2000)


def test_seats_that_do_not_exist_are_refused() -> None:
    top = Tabletop(BOARD, here, link)
    for seat in (-1, 2, 99):
        with pytest.raises(Refused, match="no seat"):
            top.table.join("Ann", hash_of("ann"), seat, at=2000)
        with pytest.raises(Refused, match="no seat"):
            top.table.leave(seat, id="x", at=2000)
        with pytest.raises(Refused, match="no seat"):
            top.table.remove(seat, id="x", at=2000)


def test_the_host_fills_a_free_seat_with_a_bot() -> None:
    top = Tabletop(BOARD, here, link)
    top.do(top.table.fill(1, CLARA, "regular", id="fill", at=2000))
    assert top.table.state == "playing"
    assert top.table.seats.is_bot(1)
    seat = top.table.seats.all[1]
    assert (seat.name, seat.face, seat.level) == ("Clara", "clara", "regular")
    with pytest.raises(Refused, match="has begun"):
        top.table.fill(1, CLARA, "regular", id="again", at=2000)


def test_the_token_of_a_freed_seat_opens_nothing() -> None:
    top = Tabletop(BOARD, here, link, link)
    top.do(top.table.join("Rude", hash_of("rude"), 1, at=2000))
    top.do(top.table.remove(1, id="remove", at=2000))
    assert top.table.seats.opened_by(["rude"]) == ((), False)
    assert top.table.seats.free_count == 2
    for seat in (0, 1):
        with pytest.raises(Refused, match="by link") as refusal:
            top.table.remove(seat, id="other", at=2000)
        assert refusal.value.code == "seat_taken"


def test_the_host_may_send_a_bot_away_again() -> None:
    top = Tabletop(BOARD, link, link, bot)
    top.do(top.table.fill(0, CLARA, "regular", id="fill", at=2000))
    top.do(top.table.remove(0, id="remove", at=2000))
    assert top.table.seats.is_free(0)
    with pytest.raises(Refused) as refusal:
        top.table.remove(2, id="other", at=2000)
    assert refusal.value.code == "bot_seat"


def test_somebody_who_leaves_before_the_game_frees_the_seat() -> None:
    top = Tabletop(BOARD, here, link, link)
    top.do(top.table.join("Ann", hash_of("ann"), 1, at=2000))
    top.do(top.table.leave(1, id="leave", at=2000))
    assert top.table.seats.is_free(1)


@on_every_board
def test_impossible_setups_are_refused_with_a_reason(board: Board) -> None:
    def setup(players: int, **other: object) -> TableSetup:
        seats = tuple(SeatSetup("bot") for _ in range(players))
        made: dict[str, object] = {
            "id": "a",
            "code": "b",
            "board": board.id,
            "board_hash": board.hash,
            "seats": seats,
            "host": "",
            "created": 0,
            **other,
        }
        return TableSetup(**made)  # type: ignore[arg-type]

    assert fault_of(setup(2), board) is None
    assert "players" in str(fault_of(setup(1), board))
    assert "players" in str(fault_of(setup(board.max_players + 1), board))
    assert "no seat" in str(fault_of(setup(2, first_player=2), board))


def test_a_setup_is_read_as_it_was_written() -> None:
    setup = Tabletop(BOARD, here, link, bot).setup
    assert TableSetup.from_json(setup.to_json()) == setup


def test_a_table_of_another_version_of_its_board_is_refused() -> None:
    setup = replace(Tabletop(BOARD, here, here).setup, board_hash="other")
    with pytest.raises(Refused, match="has changed since"):
        Table(setup)


def test_ids_codes_and_tokens_are_different_every_time() -> None:
    for make in (new_id, new_code, new_token):
        assert len({make() for _ in range(200)}) > 190
    assert len(new_token()) >= 32
