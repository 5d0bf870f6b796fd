"""Ratings, intervals and early stops, against what is known in closed form."""

import math
import random

import pytest

from fernzug.arena import bootstrap
from fernzug.arena.ratings import ELO, strengths
from fernzug.arena.sprt import MIN_BLOCKS, Sprt

# ---------------------------------------------------------------------------- ratings


@pytest.mark.parametrize(("won", "lost"), [(10, 10), (30, 10), (1, 99), (0.5, 2000.5), (3e6, 1)])
def test_two_bots_differ_by_the_logarithm_of_their_odds(won: float, lost: float) -> None:
    first, second = strengths([[0, won], [lost, 0]])
    assert first == 0
    assert second == pytest.approx(math.log(lost / won), abs=1e-7)


def test_ten_to_one_is_four_hundred_points() -> None:
    _, second = strengths([[0, 1], [10, 0]])
    assert second * ELO == pytest.approx(400)


def expected_wins(values: list[float], games: float) -> list[list[float]]:
    """What bots of known strengths win on average."""
    return [
        [0.0 if i == j else games / (1 + math.exp(b - a)) for j, b in enumerate(values)]
        for i, a in enumerate(values)
    ]


@pytest.mark.parametrize("anchor", [0, 3])
def test_strengths_are_found_again(anchor: int) -> None:
    values = [0.0, 1.5, -2.0, 6.0, 0.1, 3.3]
    found = strengths(expected_wins(values, 50), anchor)
    assert found == pytest.approx([value - values[anchor] for value in values], abs=1e-6)


def test_a_chain_of_comparisons_is_enough() -> None:
    # a met only b, b met only c; the closed form is the sum of the steps.
    wins = [[0.0, 4.0, 0.0], [1.0, 0.0, 9.0], [0.0, 3.0, 0.0]]
    assert strengths(wins) == pytest.approx([0, math.log(1 / 4), math.log(1 / 4) + math.log(3 / 9)])


def test_bots_that_nobody_compares_have_no_rating() -> None:
    found = strengths([[0, 3, 0], [2, 0, 0], [0, 0, 0]])
    assert found[1] == pytest.approx(math.log(2 / 3))
    assert math.isnan(found[2])


def test_three_who_beat_each_other_in_turn_are_equal() -> None:
    assert strengths([[0, 9, 1], [1, 0, 9], [9, 1, 0]]) == pytest.approx([0, 0, 0], abs=1e-9)


def test_places_of_several_players_give_the_same_strengths_as_duels() -> None:
    # Rankings drawn by Plackett's and Luce's model: the strongest left is next, by its weight.
    dice = random.Random(3)
    values = [0.0, 0.8, -0.7, 1.6]
    wins = [[0.0] * 4 for _ in values]
    for _ in range(20_000):
        left = list(range(4))
        order = []
        while left:
            chosen = dice.choices(left, [math.exp(values[i]) for i in left])[0]
            left.remove(chosen)
            order.append(chosen)
        for place, better in enumerate(order):
            for worse in order[place + 1 :]:
                wins[better][worse] += 1
    assert strengths(wins) == pytest.approx(values, abs=0.05)


# ---------------------------------------------------------------------------- intervals


def share_interval(scores: list[float], rounds: int = 2000) -> bootstrap.Interval:
    """The interval of the share won in blocks."""
    columns = [scores, [1.0] * len(scores)]
    samples = []
    for (won, blocks), draw in bootstrap.rounds(columns, seed=1, number=rounds):
        more, less = draw(), draw()
        samples.append((won + more) / (blocks + more + less))
    return bootstrap.interval(samples, sum(scores) / len(scores))


def test_the_interval_of_independent_games_is_that_of_jeffreys() -> None:
    # Quantiles of the beta distribution with 70.5 and 30.5, from tables.
    low, high = share_interval([1.0] * 70 + [0.0] * 30, rounds=8000)
    assert low == pytest.approx(0.6056, abs=0.006)
    assert high == pytest.approx(0.7832, abs=0.006)


def test_a_perfect_record_is_not_certainty() -> None:
    low, high = share_interval([1.0] * 100)
    # Jeffreys's lower bound for 100 of 100.
    assert low == pytest.approx(0.9753, abs=0.004)
    assert high == 1.0


def test_nineteen_intervals_of_twenty_hold_the_truth() -> None:
    dice = random.Random(8)
    truth = 0.6
    held = 0
    for _ in range(300):
        # The two games of a block are alike: both are won, both lost, or one of each.
        scores = [dice.choices([1.0, 0.5, 0.0], [0.45, 0.3, 0.25])[0] for _ in range(40)]
        low, high = share_interval(scores, rounds=200)
        held += low <= truth <= high
    assert 0.91 <= held / 300 <= 0.985


def test_an_interval_of_nothing_is_nothing() -> None:
    assert all(math.isnan(end) for end in bootstrap.interval([math.nan], math.nan))
    assert next(bootstrap.rounds([], number=2))[0] == []


@pytest.mark.parametrize(("part", "value"), [(0.0, 1), (0.25, 2), (0.5, 3), (0.6, 3.4), (1.0, 5)])
def test_quantiles(part: float, value: float) -> None:
    assert bootstrap.quantile([1, 2, 3, 4, 5], part) == pytest.approx(value)


# ---------------------------------------------------------------------------- early stops


def blocks(share: float, dice: random.Random, number: int) -> list[float]:
    """Blocks of two games each, both with the same chance."""
    return [((dice.random() < share) + (dice.random() < share)) / 2 for _ in range(number)]


@pytest.mark.parametrize(("share", "accepted"), [(0.5, "H0"), (0.6, "H1")])
def test_wrong_decisions_are_as_rare_as_promised(share: float, accepted: str) -> None:
    test = Sprt(0.5, 0.6)
    dice = random.Random(4)
    verdicts = [test.decide(blocks(share, dice, 1000)) for _ in range(500)]
    assert all(verdicts)
    wrong = sum(verdict is not None and verdict.accepted != accepted for verdict in verdicts)
    # 5 % are promised; the normal approximation and the overshoot cost or save a little.
    assert wrong / 500 <= 0.075


def test_a_clear_case_is_decided_soon_and_an_even_one_late() -> None:
    test = Sprt(0.5, 0.55)
    clear = test.decide([1.0] * 100)
    assert clear is not None
    assert clear.accepted == "H1"
    assert MIN_BLOCKS <= clear.blocks <= 20
    # Right between the hypotheses nothing is decided for a long time.
    assert test.decide([1.0, 0.05] * 100) is None


def test_no_decision_before_the_variance_has_shown_itself() -> None:
    assert Sprt(0.1, 0.9).decide([1.0] * (MIN_BLOCKS - 1)) is None
    assert Sprt(0.1, 0.9).decide([1.0] * MIN_BLOCKS) is not None


def test_a_decision_stands() -> None:
    test = Sprt(0.4, 0.6)
    scores = [1.0] * 30
    verdict = test.decide(scores)
    assert verdict is not None
    assert test.decide(scores + [0.0] * 500) == verdict


def test_the_bound_is_that_of_wald() -> None:
    assert Sprt(0.5, 0.6, 0.05).bound == pytest.approx(math.log(19))


@pytest.mark.parametrize("shares", [(0.6, 0.5), (0.5, 0.5), (-0.1, 0.5), (0.5, 1.1)])
def test_hypotheses_must_be_two_shares(shares: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="must be two shares"):
        Sprt(*shares)


@pytest.mark.parametrize("error", [0.0, 0.5, -1.0])
def test_an_error_must_be_a_small_chance(error: float) -> None:
    with pytest.raises(ValueError, match=r"is not between 0 and 0\.5"):
        Sprt(0.5, 0.6, error)
