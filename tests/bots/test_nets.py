"""The networks that guide searches: how they compute, where they are, and what they may see."""

import dataclasses
import itertools
import random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import fernzug
from fernzug import Board, Game, bots
from fernzug.bots import nets
from fernzug.engine import COMPILED
from fernzug.engine.chance import BOTS, Stream
from fernzug.engine.knowledge import determinise, knowledge_of
from fernzug.engine.observation import short_legal
from fernzug.players.guide import Guide, full, worth
from fernzug.players.net import HIDDEN_BITS, INPUT_BITS, VALUE_BITS, WEIGHT_BITS, Layer
from fernzug.view import view_of
from twins import shaken

GUIDED = [
    (board, players)
    for board in map(fernzug.board, fernzug.boards())
    for players in board.players
    if nets.guide_of(board, players)
]
on_guided_tables = pytest.mark.parametrize(
    ("board", "players"), GUIDED, ids=[f"{board.id}-{players}" for board, players in GUIDED]
)


def guide(board: Board, players: int) -> Guide:
    found = nets.guide_of(board, players)
    assert found is not None
    return found


def middle(board: Board, players: int, seed: int, decisions: int) -> Game:
    """Return a game of planners after some decisions."""
    game = Game(board, players, seed=seed)
    seats = [bots.make("planner", board, seed) for _ in range(players)]
    for _ in range(decisions):
        assert game.seat is not None
        view = game.view(game.seat)
        game.play(seats[game.seat].choose(view, view.legal))
    return game


def games(board: Board, players: int) -> list[Game]:
    return [middle(board, players, seed, 4 + 9 * seed) for seed in range(3)]


@pytest.mark.parametrize("sums", [1, 2, 3, 4, 58])
def test_three_numbers_in_a_word_add_up_like_three_numbers(sums: int) -> None:
    dice = random.Random(sums)
    inputs = 23
    weights = [dice.randint(-4000, 4000) for _ in range(inputs * sums)]
    bias = [dice.randint(-9000, 9000) for _ in range(sums)]
    layer = Layer(sums, weights, bias)
    room = vec[i64]([0] * int(layer.words))
    found = vec[i64]([0] * (sums + 2))
    for count in range(9):
        rows = dice.sample(range(inputs), count)
        amounts = [dice.randint(-20, 20) for _ in rows]
        layer.add_up(vec[i64](rows), vec[i64](amounts), count, room, found)
        for place in range(sums):
            terms = zip(rows, amounts, strict=True)
            expected = bias[place] + sum(weights[row * sums + place] * n for row, n in terms)
            assert found[place] == expected


@on_guided_tables
def test_the_network_computes_what_its_file_says(board: Board, players: int) -> None:
    # Compiled or not, the numbers are those of the textbook, so both make the same choices.
    net = guide(board, players).net
    for game in games(board, players):
        seat = game.seat
        assert seat is not None
        net.look(game.state, seat)
        net.score()
        row = [int(n) for n in net._row]
        value, scores = textbook(board, players, row)
        assert [int(n) for n in net.scores][: len(scores)] == scores
        assert net.value() == value
        net.look_known(knowledge_of(game.state, seat))
        assert [int(n) for n in net._row] == row
        assert net.value() == value


def textbook(board: Board, players: int, row: list[int]) -> tuple[float, list[int]]:
    """Return the value and the scores for an observation, one weight after the other."""
    file = nets.FOLDER / nets.file_name(board, players)
    sizes, few, many = nets.numbers_of(file.read_bytes())
    inputs, at, start = row, 0, 0
    for layer, shift in enumerate((INPUT_BITS - HIDDEN_BITS, WEIGHT_BITS, 0)):
        width, height = sizes[layer : layer + 2]
        sums = list(few[at : at + height])
        for place in range(height):
            for number in range(width):
                sums[place] += inputs[number] * many[start + number * height + place]
        at += height
        start += width * height
        if layer == 1:
            weights = few[-1 - height : -1]
            active = [n for n in range(height) if (sums[n] + (1 << shift - 1)) >> shift > 0]
            total = few[-1] + sum(sums[n] * weights[n] for n in active)
        if shift:
            inputs = [max((n + (1 << shift - 1)) >> shift, 0) for n in sums]
    return total / (1 << VALUE_BITS + HIDDEN_BITS + WEIGHT_BITS), sums


@on_guided_tables
def test_without_proof_the_networks_choice_is_kept(board: Board, players: int) -> None:
    for game in games(board, players):
        seat = game.seat
        assert seat is not None
        view = game.view(seat)
        net = guide(board, players).net
        net.look(game.state, seat)
        net.score()
        best = max(map(int, short_legal(game.state, seat)), key=lambda n: int(net.scores[n]))
        chosen = bots.make("search:iterations=1", board, seed=1).choose(view, view.legal)
        assert chosen.number == full(game.state, seat, best)


@on_guided_tables
def test_a_guided_search_does_not_see_what_is_hidden(board: Board, players: int) -> None:
    # Without the compiled engine trials take too long; the first choice looks at the same things.
    spec = f"search:iterations={150 if COMPILED else 1}"
    for game in games(board, players)[: 3 if COMPILED else 1]:
        seat = game.seat
        assert seat is not None
        view = game.view(seat)
        chosen = bots.make(spec, board, seed=3).choose(view, view.legal)
        assert chosen in view.legal
        for state in (
            shaken(game.state, seat, random.Random(5)),
            determinise(view.knowledge, Stream(6, BOTS)),
        ):
            twin = view_of(state, seat, board.id)
            assert bots.make(spec, board, seed=3).choose(twin, twin.legal) == chosen


@on_guided_tables
def test_a_guide_tries_what_it_likes_best_and_judges_from_minus_one_to_one(
    board: Board, players: int
) -> None:
    guided = guide(board, players)
    for game in games(board, players)[: 3 if COMPILED else 1]:
        seat = game.seat
        assert seat is not None
        legal = {action.number for action in game.legal()}
        liked = [int(action) for action in guided.options(knowledge_of(game.state, seat), 4)]
        assert set(liked) <= legal
        assert len(liked) == len(set(liked)) <= 4
        assert liked[0] == guided.choice(game.state, seat)
        assert -1 <= guided.value(game.state.copy(), seat, 2) <= 1


@on_guided_tables
def test_a_finished_game_is_worth_its_ranks(board: Board, players: int) -> None:
    game = middle(board, players, 5, 6)
    while game.seat is not None:
        game.play(game.legal()[-1])
    worths = [worth(game.state, seat) for seat in range(players)]
    totals = [sheet.total for sheet in game.scores()]
    assert all(-1 <= each <= 1 for each in worths)
    for a, b in itertools.combinations(range(players), 2):
        assert (worths[a] > worths[b]) == (totals[a] > totals[b])
    guided = guide(board, players)
    assert [guided.value(game.state, seat, 2) for seat in range(players)] == worths


def test_every_network_belongs_to_a_board() -> None:
    expected = {nets.file_name(board, players) for board, players in GUIDED}
    assert expected == {file.name for file in nets.FOLDER.iterdir()}
    assert expected


def test_a_changed_board_has_no_network_and_is_searched_with_playouts() -> None:
    board, players = GUIDED[0]
    other = dataclasses.replace(board, last_round_at=board.last_round_at + 1)
    assert nets.guide_of(other, players) is None
    view = Game(other, players, seed=1).view(0)
    chosen = {
        bots.make(f"search:iterations=40{net}", other, seed=2).choose(view, view.legal)
        for net in ("", ",net=0")
    }
    assert len(chosen) == 1
