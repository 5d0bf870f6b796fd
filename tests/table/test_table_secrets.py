"""Every byte told to a seat is the same for games that differ only in what it may not know."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from fernzug import Board, Game
from fernzug.engine.state import State
from fernzug.table import ClockSetup, telling
from situations import on_every_board, slow_but_for_one_each
from table.tabletop import Tabletop, beginning_at, bot, here
from twins import Script, cases, twins

SEEDS = (1, 2, 3)


def told(board: Board, players: int, viewer: int | None, start: Any, script: Script) -> bytes:
    """Return every byte that a seat, or a spectator, is told while a script is played."""
    clock = ClockSetup("bank", 600, 5)
    top = Tabletop(board, *[here] * players, game_factory=beginning_at(start), clock=clock)
    audience = () if viewer is None else (viewer,)
    top.table.seats.arrive(audience, 0.0)
    record: list[object] = [
        telling.snapshot(top.table, audience, host=False, seen=None, now=top.moment)
    ]
    for number, (seat, action) in enumerate(script):
        top.now += 1.5
        seen = top.table.seq
        for change in top.play(seat, action):
            record.append(top.told(change, audience))
        if top.table.can_undo(seat) and number % 3 == 0:
            for change in top.undo(seat):
                record.append(top.told(change, audience))
            top.play(seat, action)
        record.append(telling.table_info(top.table, top.now))
        record.append(telling.snapshot(top.table, audience, host=False, seen=None, now=top.moment))
        record.append(telling.snapshot(top.table, audience, host=False, seen=seen, now=top.moment))
    return "\n".join(json.dumps(each) for each in record).encode()


@pytest.mark.parametrize(("board", "players", "viewer"), slow_but_for_one_each(cases()))
def test_every_byte_is_the_same(board: Board, players: int, viewer: int | None) -> None:
    played = 0
    for seed in SEEDS:
        first, second, script = twins(board, players, viewer, seed, steps=25)
        played += len(script)
        assert told(board, players, viewer, first, script) == told(
            board, players, viewer, second, script
        )
    assert played > 10, "the games were too different to be compared"


class SealedGame(Game):
    """A game that shows itself only in views."""

    @property
    def state(self) -> State:
        raise AssertionError("somebody looks at the referee's state")


@on_every_board
def test_messages_are_built_from_views_alone(board: Board) -> None:
    luck = random.Random(9)
    top = Tabletop(board, here, here, bot)
    while top.table.state == "playing":
        change = top.play_at_random(luck)[0]
        top.game.__class__ = SealedGame
        for audience in ((), (0,), (0, 1)):
            top.told(change, audience)
            if top.table.seq % 20 == 0:
                telling.snapshot(top.table, audience, host=True, seen=None, now=top.moment)
        top.game.__class__ = Game


def test_the_comparison_notices_a_difference() -> None:
    """A seat that knows more is told other bytes: the test above can fail."""
    board, players, _ = next(case for case in cases() if case[2] == 0)
    first, second, script = twins(board, players, 0, seed=1, steps=25)
    others = [
        told(board, players, 1, first, script) != told(board, players, 1, second, script),
        told(board, players, 0, first, script) != told(board, players, 0, first, script[:-1]),
    ]
    assert all(others)
