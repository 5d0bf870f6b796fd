"""Undo: possible while nothing hidden was revealed and nobody else has moved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from fernzug import Board, Game
from fernzug.table import ClockSetup, Refused, restore
from fernzug.table.authority import MAX_STATES
from situations import BOARDS, EMPTY, on_every_board
from table.tabletop import Tabletop, beginning_at, bot, here

BOARD = BOARDS[0]


def free_route(board: Board) -> Any:
    return next(route for route in board.routes if route.twin is None and route.color != "gray")


def about_to_claim(board: Board, **other: Any) -> tuple[Tabletop, str]:
    """Return a table at which seat 0 can claim a route, and the text of that claim."""
    route = free_route(board)
    hand = {route.color: route.cost, "wild": 1}
    position = {"players": 2, "hands": [hand, {}], **other}
    top = Tabletop(board, here, here, game_factory=beginning_at(position))
    return top, f"claim {route.id} {route.color}*{route.cost}"


@on_every_board
def test_a_claim_can_be_undone(board: Board) -> None:
    top, claim = about_to_claim(board)
    before = top.game.position()
    top.play(0, claim)
    assert top.table.can_undo(0)
    assert not top.table.can_undo(1)
    top.undo(0)
    assert top.game.position() == before
    assert top.awaited() == [0]
    assert not top.table.can_undo(0)
    top.play(0, claim)


def test_no_undo_once_somebody_else_has_moved() -> None:
    top, claim = about_to_claim(BOARD)
    top.play(0, claim)
    top.play(1, "draw deck")
    with pytest.raises(Refused) as refusal:
        top.undo(0)
    assert refusal.value.code == "no_undo"


def test_drawing_from_the_deck_cannot_be_undone() -> None:
    top, _ = about_to_claim(BOARD)
    top.play(0, "draw deck")
    assert not top.table.can_undo(0)


def test_drawing_a_card_that_was_replaced_cannot_be_undone() -> None:
    faceup = [BOARD.colors[0]] * 5
    top, _ = about_to_claim(BOARD, faceup=faceup)
    top.play(0, f"draw {BOARD.colors[0]}")
    assert not top.table.can_undo(0)


def test_drawing_a_card_that_nothing_replaced_can_be_undone() -> None:
    color = BOARD.colors[0]
    faceup = [color, color, *EMPTY[2:]]
    top, _ = about_to_claim(BOARD, faceup=faceup, deck=[], discard={}, rest="out")
    before = top.game.position()
    top.play(0, f"draw {color}")
    assert top.table.can_undo(0)
    top.undo(0)
    assert top.game.position() == before


def test_drawing_tickets_cannot_be_undone_but_choosing_can() -> None:
    top, _ = about_to_claim(BOARD)
    top.play(0, "tickets")
    assert not top.table.can_undo(0)
    top.play(0, "keep 1")
    assert top.table.can_undo(0), "which of them to keep may be thought over"
    top.undo(0)
    assert top.game.phase == "keep"


def test_the_first_choice_of_tickets_can_be_undone() -> None:
    top = Tabletop(BOARD, here, here)
    top.play(1, "keep 1 2")
    top.undo(1)
    assert top.awaited() == [0, 1]
    top.play(0, "keep 1 2")
    top.play(1, "keep 1 2")
    assert not top.table.can_undo(0)


def test_the_end_of_the_game_cannot_be_undone() -> None:
    top, claim = about_to_claim(BOARD, turns_left=1)
    top.play(0, claim)
    assert top.table.state == "over"
    assert not top.table.can_undo(0)


def test_what_a_bot_did_for_somebody_cannot_be_undone() -> None:
    top, claim = about_to_claim(BOARD)
    top.play(0, claim, bot=True)
    assert not top.table.can_undo(0)


def test_an_undo_must_name_a_version_that_exists() -> None:
    top, claim = about_to_claim(BOARD)
    top.play(0, claim)
    with pytest.raises(Refused, match="does not exist yet"):
        top.table.undo(0, top.table.seq + 1, id="id", at=1000)


def test_an_undo_takes_back_the_increment_of_the_next_turn() -> None:
    route = free_route(BOARD)
    position = {"players": 2, "hands": [{route.color: route.cost}, {}]}
    clock = ClockSetup("bank", 100, 10)
    top = Tabletop(BOARD, here, here, game_factory=beginning_at(position), clock=clock)
    before = top.table.clock.left[1]
    top.play(0, f"claim {route.id} {route.color}*{route.cost}")
    assert top.table.clock.left[1] == before + 10
    top.undo(0)
    assert top.table.clock.left[1] == before


@on_every_board
def test_random_games_with_undos_are_restored_as_they_were(board: Board) -> None:
    luck = random.Random(7)
    top = Tabletop(board, here, here, bot)
    undone = 0
    while top.table.state == "playing":
        before = top.game.position()
        seat = top.play_at_random(luck)[0].data["seat"]
        if top.table.can_undo(seat) and luck.random() < 0.5:
            top.undo(seat)
            undone += 1
            assert top.game.position() == before
    assert undone > 3
    assert restore(top.setup, top.changes).game is not None
    again = restore(top.setup, top.changes).game
    assert again is not None
    assert again.position() == top.game.position()
    assert again.facts == top.game.facts


def test_undone_moves_cost_nothing_at_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an undo nor reading one plays the game again from its start."""
    folded: list[int] = []
    follow = Game.follow

    def counting(game: Game, facts: Sequence[tuple[int, ...]]) -> None:
        folded.append(len(facts))
        follow(game, facts)

    top = Tabletop(BOARDS[0], here, here)
    monkeypatch.setattr(Game, "follow", counting)
    for _ in range(100):
        top.play(0, "keep 1 2")
        top.undo(0)
    assert folded == []
    again = restore(top.setup, top.changes)
    assert again.game is not None
    assert again.game.position() == top.game.position()
    told = sum(len(change.data["facts"]) for change in top.changes if change.kind != "undone")
    assert sum(folded) == told


def test_several_seats_take_back_their_moves_one_after_the_other() -> None:
    """More in a row than are remembered: the rest is played again from the start."""
    top = Tabletop(BOARDS[0], *[here] * 4)
    for remembered in (MAX_STATES, 0):
        before = [top.game.position()]
        for seat in range(4):
            top.play(seat, "keep 1 2")
            before.append(top.game.position())
        before.pop()
        for seat in (3, 2, 1, 0):
            if top.table.can_undo(seat):
                del top.table._states[: len(top.table._states) - remembered]
                top.undo(seat)
                assert top.game.position() == before.pop()
