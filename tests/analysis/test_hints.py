"""Hints: legal, few, with reasons, and the same whatever the seat may not know."""

from fernzug import Board, Game, analysis
from fernzug.analysis.evaluation import outlook_of
from fernzug.analysis.statistics import proven_best
from fernzug.engine import COMPILED
from fernzug.notation import notation_of
from fernzug.players import planner
from fernzug.players.plan import Plan
from fernzug.players.trials import MIN_WORLDS, Tally
from situations import on_every_board
from twins import twins

ITERATIONS = 20 if COMPILED else 1


@on_every_board
def test_hints_are_legal_and_few(board: Board) -> None:
    game = Game(board, 2, seed=3)
    for turn in range(12 if COMPILED else 3):
        assert game.seat is not None
        view = game.view(game.seat)
        found = analysis.hints(view, ITERATIONS, seconds=0)
        assert 1 <= len(found) <= 3
        assert {hint.action for hint in found} <= set(view.legal)
        game.play(view.legal[turn * 5 % len(view.legal)])


@on_every_board
def test_few_worlds_prove_nothing_against_the_planner(board: Board) -> None:
    game = Game(board, 2, seed=3)
    for turn in range(12 if COMPILED else 3):
        assert game.seat is not None
        view = game.view(game.seat)
        choice = planner.decide(view.knowledge.state, Plan(outlook_of(board), game.seat))
        found = analysis.hints(view, min(ITERATIONS, MIN_WORLDS - 1), seconds=0)
        assert found[0].action == notation_of(board).action(choice)
        game.play(view.legal[turn * 5 % len(view.legal)])


def tally(action: int, worlds: int, by: float, noise: float) -> Tally:
    """Return an action that is better by so much on average, more in every other world."""
    found = Tally(action, 2)
    found.values = [0.4 + by + (noise if world % 2 else -noise) for world in range(worlds)]
    found.worlds = worlds
    return found


def test_an_action_is_first_if_it_is_proved_better() -> None:
    base = tally(0, 100, 0.0, 0.0)
    better, lucky = tally(1, 100, 0.02, 0.05), tally(2, 100, 0.03, 0.4)
    dropped = tally(3, 50, 0.3, 0.0)
    assert proven_best([base, lucky]) is base
    assert proven_best([base, dropped]) is base
    assert proven_best([base, lucky, better, dropped]) is better
    few = MIN_WORLDS - 1
    assert proven_best([one := tally(0, few, 0.0, 0.0), tally(1, few, 0.3, 0.0)]) is one


def test_whoever_has_nothing_to_decide_gets_no_hint() -> None:
    game = Game.from_position({"board": "london", "players": 2})
    assert game.seat == 0
    assert analysis.hints(game.view(1), ITERATIONS) == ()
    assert analysis.hints(game.view(None), ITERATIONS) == ()


def test_what_costs_the_game_is_not_among_the_hints() -> None:
    """In the last turn, only claims that win are good."""
    game = Game.from_position(
        {
            "board": "london",
            "players": 2,
            "turns_left": 1,
            "hands": [{"wild": 8}, {}],
            "tickets": [[], []],
        }
    )
    found = analysis.hints(game.view(0), ITERATIONS, seconds=0)
    assert {hint.action.kind for hint in found} == {"claim"}
    assert all("advice.last_turn" in {why.code for why in hint.reasons} for hint in found)


@on_every_board
def test_hints_are_the_same_whatever_the_seat_may_not_know(board: Board) -> None:
    first, second, script = twins(board, 2, 0, seed=1)
    one, other = Game.from_position(first), Game.from_position(second)
    compared = 0
    for seat, action in script:
        if seat == 0 and compared < (8 if COMPILED else 1):
            mine, its = (
                [hint.to_json() for hint in analysis.hints(game.view(0), ITERATIONS, seconds=0)]
                for game in (one, other)
            )
            assert mine
            assert mine == its
            compared += 1
        for game in (one, other):
            game.play(action, seat=seat)
    assert compared
