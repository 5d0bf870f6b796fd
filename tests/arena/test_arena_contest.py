"""Who meets whom, from which seats, on which luck."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import fernzug
from fernzug.arena import Contest, line_ups, seatings

BOARD = fernzug.board("usa")


@pytest.mark.parametrize(
    ("bots", "players", "alone", "expected"),
    [
        ("a", 3, False, ["aaa"]),
        ("ab", 2, False, ["ab"]),
        ("abc", 2, False, ["ab", "ac", "bc"]),
        ("ab", 4, False, ["abbb", "baaa"]),
        ("ab", 4, True, ["abbb"]),
        ("abc", 3, True, ["abb", "acc"]),
        ("abc", 3, False, ["abc"]),
        ("abcd", 3, False, ["abc", "abd", "acd", "bcd"]),
        ("abc", 4, False, ["aabc", "abbc", "abcc"]),
        ("abc", 5, False, ["aabbc", "aabcc", "abbcc"]),
    ],
)
def test_line_ups(bots: str, players: int, alone: bool, expected: list[str]) -> None:
    assert ["".join(each) for each in line_ups(tuple(bots), players, alone)] == expected


@pytest.mark.parametrize("line_up", ["ab", "abbb", "abc", "abcd", "abcde", "aabc", "aabbc"])
def test_everybody_sits_equally_often_on_every_seat(line_up: str) -> None:
    for block in range(4):
        games = seatings(tuple(line_up), block)
        for seat in range(len(line_up)):
            on_seat = Counter(game[seat] for game in games)
            for bot in line_up:
                assert on_seat[bot] * len(line_up) == line_up.count(bot) * len(games)


def test_a_bot_against_itself_needs_one_game_a_block() -> None:
    assert seatings(("a", "a", "a"), 5) == [("a", "a", "a")]


def test_neighbours_change_from_block_to_block() -> None:
    # After all orders everybody has sat to the left of everybody else equally often.
    left: Counter[tuple[str, str]] = Counter()
    for block in range(6):
        for game in seatings(("a", "b", "c", "d"), block):
            left.update(pairwise([*game, game[0]]))
    assert len(left) == 12
    assert len(set(left.values())) == 1


def test_games_are_rounded_up_to_whole_blocks() -> None:
    contest = Contest(BOARD, 4, ("a", "b"), games=10)
    assert [contest.blocks(line_up) for line_up in contest.line_ups] == [3, 3]
    assert Contest(BOARD, 4, ("a",), games=10).blocks(("a",) * 4) == 10


def test_luck_is_the_same_for_all_line_ups_and_different_for_all_blocks() -> None:
    contest = Contest(BOARD, 2, ("a", "b"), games=10, seed=3)
    seeds = [contest.block_seed(block) for block in range(100)]
    assert len(set(seeds)) == 100
    other = Contest(BOARD, 2, ("a", "b"), games=10, seed=4)
    assert not {other.block_seed(block) for block in range(100)} & set(seeds)


@pytest.mark.parametrize(
    ("players", "bots", "games", "seed", "words"),
    [
        (6, ("a", "b"), 1, 0, "USA is for 2 to 5 players, not 6"),
        (2, ("a", "b", "a"), 1, 0, "'a' is given twice"),
        (2, (), 1, 0, "at least one bot"),
        (2, ("a",), 0, 0, "0 games cannot be played"),
        (2, ("a",), 2.5, 0, r"2\.5 games cannot be played"),
        (2, ("a",), 1, -1, "a seed is a whole number"),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: int, bots: tuple[str, ...], games: Any, seed: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Contest(BOARD, players, bots, games, seed)
