"""How a game begins: the same value gives the same game, in this process and in another."""

import pickle
from dataclasses import replace

import pytest

import fernzug
from fernzug import Game
from fernzug.start import checked, dealt, from_position


def test_a_start_gives_the_same_game_again() -> None:
    game = Game("paris", players=3, seed=11)
    again = game.start.begin()
    assert again.journal == game.facts
    assert Game.resumed(game.start, again, game.facts).position() == game.position()
    game.play(game.legal()[0])
    assert game.start == dealt(fernzug.board("paris"), 3, seed=11)


def test_the_seed_decides_who_goes_first_unless_the_caller_does() -> None:
    board = fernzug.board("london")
    assert {dealt(board, 4, seed).first_player for seed in range(30)} == {0, 1, 2, 3}
    assert dealt(board, 4, seed=1, first_player=2).first_player == 2
    assert dealt(board, 4).seed != dealt(board, 4).seed


def test_a_game_from_a_position_begins_without_a_deal() -> None:
    board = fernzug.board("london")
    start = from_position(board, {"players": 2, "seat": 1, "seed": 5}, "london")
    assert (start.players, start.seed, start.first_player) == (2, 5, 1)
    assert start.position is not None
    assert start.position == Game.from_position(start.position).position()
    assert start.begin().journal == []


@pytest.mark.parametrize(
    ("players", "seed", "first_player", "words"),
    [
        (9, 0, 0, "players, not 9"),
        (True, 0, 0, "players, not True"),
        (2, -1, 0, "a seed is a whole number"),
        (2, 1.0, 0, "a seed is a whole number"),
        (2, 0, 2, "no seat 2 among 2 players"),
    ],
)
def test_a_start_refuses_wrong_numbers(
    players: int, seed: int, first_player: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        checked(fernzug.board("usa"), players, seed, first_player)


def test_a_start_can_be_sent_to_another_process() -> None:
    start = dealt(fernzug.board("usa"), 2, seed=3)
    sent = pickle.loads(pickle.dumps(start))
    assert sent == start
    assert sent.board is start.board, "a board of the package is sent by its id"
    own = replace(start.board, id="own", source="")
    assert pickle.loads(pickle.dumps(start._replace(board=own))).board == own
