"""Hints: legal, few, with reasons, and the same whatever the seat may not know."""

from collections.abc import Sequence

from fernzug import Board, Game, analysis, bots
from fernzug.analysis.evaluation import outlook_of
from fernzug.analysis.statistics import proven_best
from fernzug.engine import COMPILED, bits
from fernzug.notation import Action, notation_of
from fernzug.players import planner
from fernzug.players.plan import Plan
from fernzug.players.trials import MIN_WORLDS, Tally
from fernzug.view import View
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


# ---- Advisers ------------------------------------------------------------------------------------


@on_every_board
def test_an_adviser_sticks_to_its_plan_as_a_planner_does(board: Board) -> None:
    """After so few worlds nothing is proved, so whoever follows the hints plays as a planner."""
    game = Game(board, board.min_players, seed=5)
    adviser = analysis.Adviser()
    players = [bots.make("planner", board, seat) for seat in range(game.players)]
    decisions = 0
    while (seat := game.seat) is not None and (COMPILED or decisions < 6):
        view = game.view(seat)
        choice = players[seat].choose(view, view.legal)
        if seat == 0:
            hint = adviser.hints(view, 1, seconds=0)[0]
            assert hint.action == choice
            assert adviser.hints(view, 1, seconds=0)[0] == hint, "asked again, it says the same"
        game.play(choice)
        decisions += 1


def test_an_adviser_remembers_its_plan() -> None:
    """In some decisions of a game, a plan that is kept leads to something else than a new one."""
    differ = 0
    for seed in range(4):
        game = Game("usa", 2, seed=seed)
        adviser = analysis.Adviser()
        for _ in range(120 if COMPILED else 0):
            if game.seat is None:
                break
            view = game.view(game.seat)
            if game.seat == 1:
                game.play(analysis.hints(view, 1, seconds=0)[0].action)
                continue
            hint = adviser.hints(view, 1, seconds=0)[0]
            differ += hint != analysis.hints(view, 1, seconds=0)[0]
            game.play(hint.action)
    assert differ or not COMPILED


@on_every_board
def test_an_adviser_makes_a_new_plan_where_the_seat_goes_its_own_way(board: Board) -> None:
    """After a claim that nobody advised, what was taken back, and in another game or seat."""
    game = Game(board, 2, seed=3)
    adviser = analysis.Adviser()
    claims = 0
    while claims < (5 if COMPILED else 1):
        assert game.seat is not None
        if game.seat == 1:
            game.play(game.legal()[-1])
            continue
        view = game.view(0)
        wanted = advised(adviser, view)
        own = [each for each in view.legal if each.kind == "claim" and each.route not in wanted]
        if not own:
            game.play(view.legal[0] if game.phase != "turn" else card(view.legal))
            continue
        before = game.copy()
        game.play(own[-1])
        claims += 1
        while game.seat != 0:
            game.play(game.legal()[0])
        assert same_as_new(adviser, game), "it has built what nobody advised"
        assert same_as_new(adviser, before), "it was taken back"
    other = Game(board, 2, seed=4)
    assert same_as_new(adviser, other), "another game has begun"
    while other.seat != 1:
        other.play(other.legal()[0])
    assert same_as_new(adviser, other), "somebody else asks"


def advised(adviser: analysis.Adviser, view: View) -> set[str | None]:
    """Return the routes that the hints are about, and those that the adviser has in mind."""
    routes = {hint.action.route for hint in adviser.hints(view, ITERATIONS, seconds=0)}
    plan = adviser._plan
    assert plan is not None
    return routes | {view.board.routes[route].id for route in bits.members(plan.wanted)}


def card(legal: Sequence[Action]) -> Action:
    """Return an action that draws a card, if there is one."""
    return next((action for action in legal if action.kind == "draw"), legal[-1])


def same_as_new(adviser: analysis.Adviser, game: Game) -> bool:
    """Whether an adviser says what somebody says who sees the game for the first time."""
    assert game.seat is not None
    view = game.view(game.seat)
    mine = adviser.hints(view, ITERATIONS, seconds=0)
    return mine == analysis.hints(view, ITERATIONS, seconds=0)


# ---- Secrets -------------------------------------------------------------------------------------


@on_every_board
def test_hints_are_the_same_whatever_the_seat_may_not_know(board: Board) -> None:
    """With a memory and without one."""
    first, second, script = twins(board, 2, 0, seed=1)
    games = [Game.from_position(first), Game.from_position(second)]
    advisers = [analysis.Adviser(), analysis.Adviser()]
    compared = 0
    for seat, action in script:
        if seat == 0 and compared < (8 if COMPILED else 1):
            for ask in (
                [adviser.hints for adviser in advisers],
                [analysis.hints, analysis.hints],
            ):
                mine, its = (
                    [hint.to_json() for hint in hints(game.view(0), ITERATIONS, seconds=0)]
                    for hints, game in zip(ask, games, strict=True)
                )
                assert mine
                assert mine == its
            compared += 1
        for game in games:
            game.play(action, seat=seat)
    assert compared
