"""Several processes that search together find what one of them finds."""

import pytest

import fernzug
from fernzug import bots
from fernzug.engine import COMPILED
from fernzug.players.crew import Crew

ITERATIONS = 150 if COMPILED else 64


def found(parameters: str) -> list[str]:
    """Return what a search decides in the first turns of a game."""
    board = fernzug.board("london")
    game = fernzug.Game(board, 2, seed=11)
    bot = bots.make(f"search:iterations={ITERATIONS},{parameters}", board, seed=3)
    other = bots.make("planner", board)
    decided = []
    for _ in range(24 if COMPILED else 8):
        view = game.view(game.seat)
        action = (bot if game.seat == 0 else other).choose(view, view.legal)
        if game.seat == 0:
            decided.append(action.text)
        game.play(action)
    return decided


@pytest.mark.parametrize("parameters", ["net=1", "net=0"])
def test_the_result_does_not_depend_on_the_number_of_workers(parameters: str) -> None:
    alone = found(parameters)
    assert found(f"{parameters},workers=2") == alone
    assert found(f"{parameters},workers=5") == alone


def work(actions: list[int], first: int, worlds: int) -> list[float]:
    """Find something that tells which action was tried in which world."""
    return [
        float(100 * world + action) for world in range(first, first + worlds) for action in actions
    ]


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_worlds_are_shared_out_and_come_back_in_their_order(workers: int) -> None:
    crew = Crew(workers)
    crew.begin(work)
    for worlds in (1, 7, 64):
        assert crew.share([3, 5], 10, worlds) == work([3, 5], 10, worlds)
    crew.end()


def test_a_helper_that_dies_is_not_missed() -> None:
    crew = Crew(3)
    crew.begin(work)
    crew.lines[0].close()
    assert crew.share([1, 2], 0, 30) == work([1, 2], 0, 30)
    crew.end()
