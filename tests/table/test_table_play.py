"""Whose decision is awaited, which version counts, and commands that arrive twice."""

from __future__ import annotations

import random

import pytest

from fernzug import Board
from fernzug.table import Refused
from situations import BOARDS, on_every_board
from table.tabletop import Tabletop, bot, here, link

BOARD = BOARDS[0]


def code_of(refusal: pytest.ExceptionInfo[Refused]) -> str:
    return refusal.value.code


@on_every_board
def test_all_choose_their_first_tickets_at_the_same_time(board: Board) -> None:
    """S2: in any order, whatever the others have done since."""
    top = Tabletop(board, here, here, here)
    version = top.table.seq
    for seat in (2, 0, 1):
        assert seat in top.awaited()
        top.play(seat, "keep 1 2", version=version)
    assert top.game.phase == "turn"


def test_a_seat_chooses_its_first_tickets_once() -> None:
    top = Tabletop(BOARD, here, here)
    top.play(1, "keep 1 2")
    with pytest.raises(Refused, match="has chosen") as refusal:
        top.play(1, "keep 1 2")
    assert code_of(refusal) == "illegal"


def test_nobody_plays_out_of_turn() -> None:
    top = Tabletop(BOARD, here, here, first_player=0)
    top.keep_all()
    with pytest.raises(Refused, match="seat 0’s turn") as refusal:
        top.play(1, "draw deck")
    assert code_of(refusal) == "illegal"


def test_a_choice_made_for_an_earlier_decision_is_stale() -> None:
    top = Tabletop(BOARD, here, here, first_player=0)
    top.keep_all()
    old = top.table.seq
    top.play(0, "draw deck")
    with pytest.raises(Refused, match="situation has changed") as refusal:
        top.play(0, "draw deck", version=old)
    assert code_of(refusal) == "stale"
    top.play(0, "draw deck")


def test_a_version_from_the_future_is_stale() -> None:
    top = Tabletop(BOARD, here, here)
    with pytest.raises(Refused) as refusal:
        top.play(0, "keep 1 2", version=top.table.seq + 1)
    assert code_of(refusal) == "stale"


def test_chat_does_not_make_a_choice_stale() -> None:
    top = Tabletop(BOARD, here, here, first_player=0)
    top.keep_all()
    version = top.table.seq
    top.do(top.table.say(1, "hello", id="chat", at=1000))
    top.play(0, "draw deck", version=version)


@pytest.mark.parametrize("text", ["fly", "claim nowhere blue*2", "draw", "", "keep 9", "pass"])
def test_invalid_actions_are_refused_with_a_reason(text: str) -> None:
    top = Tabletop(BOARD, here, here)
    position = top.game.position()
    with pytest.raises(Refused) as refusal:
        top.play(0, text)
    assert code_of(refusal) == "illegal"
    assert refusal.value.message
    assert top.game.position() == position


def test_a_request_changes_nothing_until_it_is_applied() -> None:
    top = Tabletop(BOARD, here, here)
    position, seq = top.game.position(), top.table.seq
    top.table.play(0, seq, "keep 1 2", now=top.moment)
    assert (top.game.position(), top.table.seq) == (position, seq)


def test_an_accepted_command_is_remembered_by_its_id() -> None:
    top = Tabletop(BOARD, here, here)
    change = top.play(0, "keep 1 2", id="mine")[0]
    assert top.table.accepted(0, "mine") == change.seq
    assert top.table.accepted(1, "mine") is None
    assert top.table.accepted(0, "other") is None


def test_only_the_latest_commands_are_remembered() -> None:
    top = Tabletop(BOARD, here, here)
    for number in range(100):
        top.do(top.table.say(0, "x", id=f"line {number}", at=1000))
    assert top.table.accepted(0, "line 99") is not None
    assert top.table.accepted(0, "line 0") is None


def test_changes_must_be_applied_in_order() -> None:
    top = Tabletop(BOARD, here, here)
    change = top.table.say(0, "x", id="id", at=1000)[0]
    top.table.apply(change, 0.0)
    with pytest.raises(ValueError, match="cannot follow"):
        top.table.apply(change, 0.0)


def test_nobody_plays_before_or_after_the_game() -> None:
    waiting = Tabletop(BOARD, here, link)
    with pytest.raises(Refused, match="not begun"):
        waiting.play(0, "draw deck")
    with pytest.raises(Refused, match="not begun"):
        waiting.undo(0)
    over = Tabletop(BOARD, here, here)
    luck = random.Random(1)
    while over.table.state == "playing":
        over.play_at_random(luck)
    with pytest.raises(Refused, match="is over"):
        over.play(0, "draw deck")
    with pytest.raises(Refused, match="is over"):
        over.undo(0)


def test_a_table_may_do_without_chat() -> None:
    top = Tabletop(BOARD, here, here, chat=False)
    with pytest.raises(Refused) as refusal:
        top.table.say(0, "hello", id="id", at=1000)
    assert code_of(refusal) == "chat_off"


def test_a_finished_game_has_one_rematch() -> None:
    top = Tabletop(BOARD, here, bot)
    with pytest.raises(Refused, match="not over"):
        top.table.ask_rematch("next", "FGHIJ", id="id", at=1000)
    luck = random.Random(1)
    while top.table.state == "playing":
        top.play_at_random(luck)
    top.do(top.table.ask_rematch("next", "FGHIJ", id="id", at=1000))
    assert top.table.rematch == {"table": "next", "code": "FGHIJ"}
    with pytest.raises(Refused, match="already"):
        top.table.ask_rematch("other", "KLMNP", id="id2", at=1000)
    again = top.setup.for_rematch(
        id="next", code="FGHIJ", seats=tuple(top.table.seats.all), created=5
    )
    assert again.seats == top.setup.seats
    assert again.seed is None
