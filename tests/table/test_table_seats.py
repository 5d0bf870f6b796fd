"""Who sits where, and which tokens open a seat."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from fernzug import Board, Game
from fernzug.table import Moment, Refused, SeatSetup, Table, TableSetup, restore, telling
from fernzug.table.characters import CHARACTERS, some
from fernzug.table.seats import distinct_name
from fernzug.table.setup import fault_of
from fernzug.table.telling import table_info
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


def test_the_host_starts_the_game() -> None:
    top = Tabletop(BOARD, here, link, bot, start="host")
    top.do(top.table.join("Ann", hash_of("ann"), None, at=2000))
    before = top.table.state
    top.do(top.table.start([], "regular", id="start", at=3000))
    assert (before, top.table.state) == ("waiting", "playing")
    assert top.table.accepted(None, "start") == top.table.seq
    with pytest.raises(Refused, match="has begun"):
        top.table.start([], "regular", id="again", at=4000)


def test_bots_are_not_left_among_themselves() -> None:
    top = Tabletop(BOARD, link, bot, start="host")
    with pytest.raises(Refused, match="at least one person"):
        top.table.start([CLARA], "regular", id="start", at=2000)


def test_bots_take_the_seats_that_are_free_when_the_host_starts() -> None:
    top = Tabletop(BOARD, here, link, link, start="host")
    top.do(top.table.join("Clara", hash_of("clara"), 1, at=2000))
    who = some(1, "regular", top.table.seats.all, random.Random(1))
    top.do(top.table.start(who, "expert", id="start", at=3000))
    assert top.table.state == "playing"
    assert top.table.seats.is_bot(2)
    assert top.table.seats.all[2].level == "expert"
    assert len({seat.name for seat in top.table.seats.all}) == 3
    again = restore(top.setup, top.changes)
    assert again.seats.all == top.table.seats.all


def test_a_table_without_free_seats_begins_at_once() -> None:
    for start in ("host", "full"):
        assert Tabletop(BOARD, here, bot, start=start).table.state == "playing"


def test_a_table_that_was_stored_without_a_choice_starts_when_it_is_full() -> None:
    stored = Tabletop(BOARD, here, link).setup.to_json()
    del stored["start"]
    table = Table(TableSetup.from_json(stored))
    assert [change.kind for change in table.join("Ann", "hash", None, at=1)] == [
        *("joined", "started")
    ]


def test_two_of_one_name_are_told_apart() -> None:
    top = Tabletop(BOARD, here, link, link, link)
    for number, name in enumerate(["Anna", "ANNA", "player 0"]):
        top.do(top.table.join(name, hash_of(f"{number}"), None, at=2000))
    assert [seat.name for seat in top.table.seats.all] == [
        *("Player 0", "Anna", "ANNA 2", "player 0 2")
    ]
    names = ["Anna", "Anna 2", None]
    assert distinct_name("Anna", names) == "Anna 3"
    assert distinct_name("Ben", names) == "Ben"


def test_whoever_leaves_and_comes_back_has_the_name_again() -> None:
    top = Tabletop(BOARD, here, link, link)
    top.do(top.table.join("Anna", hash_of("first"), 1, at=2000))
    top.do(top.table.leave(1, id="leave", at=2000))
    top.do(top.table.join("Anna", hash_of("second"), 1, at=2000))
    assert top.table.seats.all[1].name == "Anna"


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
            top.table.remove(seat, CLARA, "regular", id="x", at=2000)


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
    top.do(top.table.remove(1, CLARA, "regular", id="remove", at=2000))
    assert top.table.seats.opened_by(["rude"]) == ((), False)
    assert top.table.seats.free == [1, 2]
    for seat in (0, 1):
        with pytest.raises(Refused, match="by link") as refusal:
            top.table.remove(seat, CLARA, "regular", id="other", at=2000)
        assert refusal.value.code == "seat_taken"


def test_a_bot_takes_over_from_somebody_who_is_removed_from_a_game() -> None:
    top = Tabletop(BOARD, here, link, bot)
    top.do(top.table.join("Rude", hash_of("rude"), 1, at=2000))
    top.do(top.table.leave(1, id="leave", at=2500))
    top.table.seats.arrive([0], 0)
    top.do(top.table.remove(1, CLARA, "expert", id="remove", at=3000))
    assert not top.table.seats.left
    assert top.table.seats.opened_by(["rude"]) == ((), False)
    seat = top.table.seats.all[1]
    assert (seat.kind, seat.name, seat.level) == ("bot", "Clara", "expert")
    assert 1 in top.table.bots_to_move(0)
    assert restore(top.setup, top.changes).seats.all == top.table.seats.all
    for other, code in ((0, "seat_taken"), (1, "bot_seat"), (2, "bot_seat")):
        with pytest.raises(Refused) as refusal:
            top.table.remove(other, CLARA, "expert", id="other", at=3000)
        assert refusal.value.code == code


def test_a_renewed_code_replaces_the_one_before() -> None:
    top = Tabletop(BOARD, here, link)
    assert table_info(top.table, 0, invited=True)["code"] == "ABCDE"
    top.do(top.table.renew_code("VWXYZ", id="renew", at=2000))
    assert table_info(top.table, 0, invited=True)["code"] == "VWXYZ"
    assert restore(top.setup, top.changes).code == "VWXYZ"


def test_only_those_who_are_invited_know_the_code() -> None:
    top = Tabletop(BOARD, here, link)
    now = Moment(0.0, 0)
    for audience, host, knows in (((), False, False), ((), True, True), ((0,), False, True)):
        told = telling.snapshot(top.table, audience, host=host, seen=None, now=now)
        assert (told["table"]["code"] is not None) is knows
    public = Tabletop(BOARD, here, link, public=True)
    assert table_info(public.table, 0)["code"] == "ABCDE"


def test_the_host_may_send_a_bot_away_again() -> None:
    top = Tabletop(BOARD, link, link, bot)
    top.do(top.table.fill(0, CLARA, "regular", id="fill", at=2000))
    top.do(top.table.remove(0, CLARA, "regular", id="remove", at=2000))
    assert top.table.seats.is_free(0)
    with pytest.raises(Refused) as refusal:
        top.table.remove(2, CLARA, "regular", id="other", at=2000)
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


@on_every_board
def test_a_table_may_begin_from_a_position(board: Board) -> None:
    game = Game(board, 2, 3)
    while game.phase == "setup":
        game.play(game.legal()[0])
    top = Tabletop(board, here, bot, seed=None, position=game.position())
    assert top.game.position() == game.position()
    assert top.setup.seeded
    assert TableSetup.from_json(json.loads(json.dumps(top.setup.to_json()))) == top.setup
    restored = restore(top.setup, top.changes).game
    assert restored is not None
    assert restored.position() == game.position()
    assert not top.setup.for_rematch(id="b", code="c", seats=(), created=0).seeded
    assert "position" in str(fault_of(replace(top.setup, seats=(bot(0),) * 3), board))


def test_a_table_of_another_version_of_its_board_is_refused() -> None:
    setup = replace(Tabletop(BOARD, here, here).setup, board_hash="other")
    with pytest.raises(Refused, match="has changed since"):
        Table(setup)


def test_ids_codes_and_tokens_are_different_every_time() -> None:
    for make in (new_id, new_code, new_token):
        assert len({make() for _ in range(200)}) > 190
    assert len(new_token()) >= 32
