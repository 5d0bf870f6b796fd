"""Evaluations and reviews: fair, repeatable, and their numbers add up."""

import math
import random
import statistics
from typing import Any

import pytest

import fernzug
from fernzug import Board, Game, analysis
from fernzug.analysis import Reviewer
from fernzug.engine import COMPILED
from fernzug.record import Record, RecordError
from fernzug.view import view_of
from situations import on_every_board
from twins import shaken, twins

ITERATIONS = 20 if COMPILED else 2


def after(board: Board, players: int, steps: int) -> Game:
    """A game after some random decisions."""
    dice = random.Random(steps)
    game = Game(board, players, seed=steps)
    for _ in range(steps):
        game.play(dice.choice(game.legal()))
    return game


def finished(board: Board, players: int, seed: int = 3) -> Game:
    dice = random.Random(seed)
    game = Game(board, players, seed=seed)
    while not game.over:
        claims = [action for action in game.legal() if action.kind == "claim"]
        game.play(dice.choice(claims or game.legal()))
    return game


@on_every_board
@pytest.mark.parametrize("steps", [0, 9, 24])
def test_an_evaluation_depends_only_on_what_the_seat_may_know(board: Board, steps: int) -> None:
    game = after(board, board.min_players, steps)
    for viewer in (0, 1, None):
        other = shaken(game.state, viewer, random.Random(1))
        mine = analysis.evaluate(game.view(viewer), ITERATIONS)
        assert mine == analysis.evaluate(view_of(other, viewer, board.id), ITERATIONS)


@on_every_board
def test_an_evaluation_tells_chances_and_options(board: Board) -> None:
    game = after(board, board.max_players, 12)
    assert game.seat is not None
    found = analysis.evaluate(game.view(game.seat), ITERATIONS, seed=4)
    assert sum(found.win) == pytest.approx(1)
    assert len(found.points) == board.max_players
    wins = [option.win for option in found.actions]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] == pytest.approx(found.win[game.seat])
    assert {option.action for option in found.actions} <= set(game.legal())
    assert found == analysis.evaluate(game.view(game.seat), ITERATIONS, seed=4)
    assert not analysis.evaluate(game.view(None), 2).actions


@on_every_board
def test_the_end_of_a_game_is_certain(board: Board) -> None:
    game = finished(board, 2)
    won = [sheet.rank == 1 for sheet in game.scores()]
    assert analysis.evaluate(game.view(0)).win == tuple(each / sum(won) for each in won)


@pytest.mark.parametrize(("iterations", "seed"), [(0, 0), (True, 0), (5, -1), (5, 1 << 62)])
def test_senseless_numbers_are_refused(iterations: int, seed: int) -> None:
    with pytest.raises(ValueError, match="whole number"):
        analysis.evaluate(Game("london", 2, seed=1).view(0), iterations, seed)


@on_every_board
def test_start_and_losses_and_luck_add_up_to_the_end(board: Board) -> None:
    game = finished(board, board.max_players if COMPILED else 2)
    found = analysis.review(game.record(), ITERATIONS // 2)
    assert found.complete
    assert len(found.win) == len(game.events)
    won = [sheet.rank == 1 for sheet in game.scores()]
    for seat in range(game.players):
        total = found.start[seat] - found.losses(seat) + found.gifts(seat) + found.luck[seat]
        assert total == pytest.approx(won[seat] / sum(won))
        assert found.win[-1][seat] == pytest.approx(won[seat] / sum(won))
        chance = sum(each.brought[seat] for each in found.chances)
        assert chance + found.unseen[seat] == pytest.approx(found.luck[seat])
    assert all(sum(row) == pytest.approx(1) for row in found.win)
    assert all(each.loss >= 0 for each in found.decisions)
    assert all((each.loss == 0) == (each.verdict == "best") for each in found.decisions)
    assert sum(found.luck) == pytest.approx(0)


@on_every_board
def test_a_decision_is_judged_by_what_the_seat_could_know(board: Board) -> None:
    """Whatever lay in other hands and in the decks, it cost the same."""
    compared = 0
    for seed in range(2):
        first, second, script = twins(board, 2, 0, seed, steps=12 if COMPILED else 3)
        games = [Game.from_position(first), Game.from_position(second)]
        for seat, action in script:
            for game in games:
                game.play(action, seat=seat)
        one, other = (Reviewer(game.record(), ITERATIONS) for game in games)
        assert one.number == other.number
        for job in range(one.number):
            decision = one.decision(job)
            if decision is not None and decision.seat == 0:
                assert decision == other.decision(job)
                compared += 1
    assert compared


def test_a_review_can_be_stopped_and_gives_what_it_has() -> None:
    record = finished(fernzug.board("london"), 2).record()
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 9

    part = analysis.review(record, 3, progress=progress)
    whole = analysis.review(record, 3)
    assert told[-1][0] == 9
    assert not part.complete
    assert 0 < len(part.win) < len(whole.win)
    assert whole.win[: len(part.win)] == part.win
    assert whole.decisions[: len(part.decisions)] == part.decisions
    for seat in range(2):
        total = part.start[seat] - part.losses(seat) + part.gifts(seat) + part.luck[seat]
        assert total == pytest.approx(part.win[-1][seat])


def test_a_review_by_several_processes_is_the_same() -> None:
    record = after(fernzug.board("london"), 2, 10).record()
    assert analysis.review(record, 3, seed=5, workers=2) == analysis.review(record, 3, seed=5)


@on_every_board
def test_an_unfinished_game_is_reviewed_as_far_as_it_goes(board: Board) -> None:
    game = after(board, 2, 15)
    found = analysis.review(game.record(), 2)
    assert found.complete
    assert len(found.win) == len(game.events)
    assert 0 < found.win[-1][0] < 1
    assert found.to_json()["complete"] is True


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    record = finished(fernzug.board("london"), 2).record()
    with pytest.raises(RecordError):
        analysis.review(Record(record.board, record.header, record.facts[:-1]), 2)


def test_throwing_a_game_away_is_found() -> None:
    """Whoever can win in the last turn, and passes the chance up, has blundered."""
    game = Game.from_position(
        {
            "board": "london",
            "players": 2,
            "turns_left": 1,
            "hands": [{"wild": 8}, {}],
            "tickets": [[], []],
        }
    )
    best = analysis.evaluate(game.view(0), ITERATIONS).actions[0]
    assert best.action.kind == "claim"
    assert best.win == 1
    game.play("draw deck")
    game.play("draw deck")
    (first, *_) = analysis.review(game.record(), ITERATIONS).decisions
    assert first.verdict == "blunder"
    assert first.best.kind == "claim"


@on_every_board
@pytest.mark.parametrize("action", ["draw deck", "tickets"])
def test_luck_is_zero_in_the_mean_over_what_could_have_come(board: Board, action: str) -> None:
    """The same action is played on many decks, so what chance brings must balance out."""
    samples = 150 if COMPILED else 3
    position = _in_play(board)
    dice = random.Random(11)
    brought = []
    for sample in range(samples):
        for deck in ("deck", "ticket_deck"):
            dice.shuffle(position[deck])
        game = Game.from_position(position)
        game.play(action)
        (chance,) = analysis.review(game.record(), 4, seed=sample).chances
        assert sum(chance.brought) == pytest.approx(0)
        brought.append(chance.brought[0])
    middle = statistics.fmean(brought)
    error = statistics.stdev(brought) / math.sqrt(samples)
    assert 0 < error < 0.05 or not COMPILED
    assert abs(middle) < 3.5 * error or not COMPILED


def _in_play(board: Board) -> dict[str, Any]:
    """A position in which seat 0 has a whole turn before it, and tickets lie in no known order."""
    game = after(board, 2, 8)
    while game.phase != "turn" or game.seat != 0:
        game.play(game.legal()[0])
    position = game.position()
    position.pop("returned", None)
    return position


@pytest.mark.parametrize("name", ["london", "usa"])
def test_the_luck_of_the_deal_is_zero_in_the_mean(name: str) -> None:
    samples = 150 if COMPILED else 3
    brought = []
    for seed in range(samples):
        record = Game(name, 2, seed=seed, first_player=0).record()
        (deal,) = analysis.review(record, 4, seed=seed).chances
        assert deal.kind == "deal"
        brought.append(deal.brought[0])
    error = statistics.stdev(brought) / math.sqrt(samples)
    assert 0 < error < 0.05 or not COMPILED
    assert abs(statistics.fmean(brought)) < 3.5 * error or not COMPILED
