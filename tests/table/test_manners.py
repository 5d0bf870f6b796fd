"""Bots react now and then, to what everybody knows, and never often."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from fernzug import Board
from fernzug.table import SeatSetup
from fernzug.table.characters import Manner
from fernzug.table.manners import SEAT_REST, TABLE_REST, Manners, Occasion, usual_reaction
from situations import BOARDS, on_every_board
from table.tabletop import Tabletop, here


class Eager(random.Random):
    """Dice that let everybody react who may."""

    def random(self) -> float:
        return 0.0


def rosa(seat: int) -> SeatSetup:
    return SeatSetup("bot", name="Rosa", level="regular", face="rosa")


def clara(seat: int) -> SeatSetup:
    return SeatSetup("bot", name="Clara", level="regular", face="clara")


def reactions(board: Board, seed: int, dice: random.Random) -> list[tuple[float, int, str]]:
    """Play a game at random, a move every two seconds; return who reacted when and how."""
    top = Tabletop(board, here, rosa, clara, seed=seed)
    manners = Manners(dice)
    chance = random.Random(seed)
    found: list[tuple[float, int, str]] = []
    started = next(change for change in top.changes if change.kind == "started")
    changes = [started]
    while changes:
        for change in changes:
            reacting = manners.after_change(top.table, change, top.now)
            if reacting is not None:
                found.append((top.now, reacting.seat, reacting.reaction))
        top.now += 2.0
        if top.game.over:
            return found
        seat = next(seat for seat in range(3) if top.game.legal(seat))
        changes = top.play(seat, chance.choice(top.game.legal(seat)).text)
    raise AssertionError("the game stood still")


@on_every_board
def test_reactions_are_rare_and_only_of_bots(board: Board) -> None:
    found = reactions(board, 3, Eager())
    assert found[0][2] == "hello"
    assert {seat for _, seat, _ in found} == {1, 2}
    for (before, _, _), (after, _, _) in pairwise(found):
        assert after - before >= TABLE_REST
    for seat in (1, 2):
        times = [time for time, who, _ in found if who == seat]
        assert all(b - a >= SEAT_REST for a, b in pairwise(times))


def ada(seat: int) -> SeatSetup:
    return SeatSetup("bot", name="Ada", level="master", face="ada")


def test_the_lively_react_more_than_the_quiet() -> None:
    greetings: Counter[str] = Counter()
    for who in (rosa, ada):
        top = Tabletop(BOARDS[0], here, who)
        started = next(change for change in top.changes if change.kind == "started")
        for seed in range(400):
            reacting = Manners(random.Random(seed)).after_change(top.table, started, 1.0)
            greetings[who.__name__] += reacting is not None
    assert greetings["rosa"] > 2 * greetings["ada"] > 0


def test_a_bot_answers_a_greeting_and_praise_but_no_other_bot() -> None:
    top = Tabletop(BOARDS[0], here, clara)
    answer = Manners(Eager()).after_reaction(top.table, 0, "hello", 1.0)
    assert answer is not None
    assert (answer.seat, answer.reaction) == (1, "hello")
    praised = Manners(Eager()).after_reaction(top.table, 0, "bravo", 1.0)
    assert praised is not None
    assert praised.reaction == "thanks"
    assert Manners(Eager()).after_reaction(top.table, 0, "hurry", 1.0) is None
    assert Manners(Eager()).after_reaction(top.table, 1, "hello", 1.0) is None


@pytest.mark.parametrize("occasion", Occasion)
def test_nobody_hurries_anybody(occasion: Occasion) -> None:
    assert all(usual_reaction(occasion, manner) != "hurry" for manner in Manner)
