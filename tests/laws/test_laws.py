"""The laws that hold on every board with every number of players, whatever is played.

The cheap ones are checked after every step of a thousand games a table (:mod:`watch`), the dear
ones after some of the steps of a few games.
"""

import json
import random

import pytest

import fernzug
from fernzug import Board, Game, IllegalAction
from fernzug.engine import COMPILED, playout
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.state import OVER, State, blank
from fernzug.notation import notation_of
from fernzug.tables import tables_of
from situations import (
    at_every_table,
    at_every_table_slowly,
    on_every_board,
    shortage,
    some_steps,
)
from watch import Watch, random_choice, same

GAMES = [range(10), pytest.param(range(10, 1000), marks=pytest.mark.slow)]
"""The seeds of the games that are watched at each table."""

FEW_GAMES = GAMES[:1]
"""Enough for the plain engine, which is the same and some fifty times slower."""

LONGEST = 5000
"""No game has as many decisions."""


@pytest.mark.parametrize("seeds", GAMES if COMPILED else FEW_GAMES, ids=str)
@at_every_table
def test_all_laws_after_every_step(board: Board, players: int, seeds: range) -> None:
    """Cards, pieces and tickets are conserved; legal actions are sorted, unique and never none;
    every legal action can be played; the state is the fold of the facts; every game ends.
    """
    for seed in seeds:
        watch = Watch(tables_of(board), players, seed, first_player=seed % players)
        choose = random_choice(seed)
        for _ in range(LONGEST):
            if watch.state.phase == OVER:
                break
            watch.play(choose)
        else:
            pytest.fail(f"the game with seed {seed} does not end")


@at_every_table
def test_games_with_as_few_claims_as_can_be_end_too(board: Board, players: int) -> None:
    """Players who draw while they can take all cards and tickets before they build."""
    watch = Watch(tables_of(board), players, 1, first_player=0)
    stream = Stream(1, PLAYERS)

    def choose(s: State, legal: list[int]) -> int:
        draws = [action for action in legal if action < s.tables.claim]
        return (draws or legal)[int(stream.below(len(draws or legal)))]

    for _ in range(LONGEST):
        if watch.state.phase == OVER:
            return
        watch.play(choose)
    pytest.fail("the game does not end")


@at_every_table_slowly
def test_playouts_take_legal_actions_only(board: Board, players: int) -> None:
    stream = Stream(1, PLAYERS)
    room = blank(tables_of(board), players, 0).owner  # for a set of routes

    def choose(s: State, legal: list[int]) -> int:
        action = int(playout.pick(s, int(s.seat), stream, room))
        assert action in legal
        return action

    for seed in range(20):
        watch = Watch(tables_of(board), players, seed, first_player=0)
        while watch.state.phase != OVER:
            watch.play(choose)


@at_every_table
def test_a_playout_ends_the_game_and_counts_its_decisions(board: Board, players: int) -> None:
    state = Game(board, players, seed=4).state.copy()
    assert playout.play_out(state, Stream(4, PLAYERS)) >= players
    assert state.phase == OVER
    assert playout.play_out(state, Stream(4, PLAYERS)) == 0


@at_every_table
def test_a_playout_passes_where_nothing_else_can_be_done(board: Board, players: int) -> None:
    """T2: when every player has passed once, the game is over."""
    state = shortage(board, players).state.copy()
    assert playout.play_out(state, Stream(4, PLAYERS)) == players


@at_every_table_slowly
def test_every_action_that_is_not_legal_raises_and_changes_nothing(
    board: Board, players: int
) -> None:
    notation = notation_of(board)
    tables = tables_of(board)
    chance = random.Random(players)
    numbers = [n for n in range(tables.actions) if n != tables.keep]
    for game in some_steps(board, players, seed=11, every=9):
        for seat in range(players):
            legal = {action.number for action in game.legal(seat)}
            before = game.state.copy()
            position = game.position()
            facts = list(game.facts)
            few = list(range(tables.claim)) + chance.sample(numbers, 40)
            for number in few:
                if number in legal or number == tables.keep:
                    continue
                with pytest.raises(IllegalAction) as refused:
                    game.play(notation.action(number), seat=seat)
                assert refused.value.reason
                assert refused.value.position == position
            assert same(game.state, before)
            assert game.facts == facts


@at_every_table
def test_every_legal_action_can_be_played_and_they_are_sorted(board: Board, players: int) -> None:
    for game in some_steps(board, players, seed=12, every=7):
        assert game.legal() == sorted(game.legal())
        for action in game.legal():
            after = game.copy()
            assert after.play(action.text)
            assert after.facts[: len(game.facts)] == game.facts


@at_every_table_slowly
def test_a_copy_is_independent(board: Board, players: int) -> None:
    for game in some_steps(board, players, seed=13, every=11):
        copy = game.copy()
        before = copy.state.copy()
        assert same(game.state, copy.state)
        played = game.copy()
        chance = random.Random(1)
        while not played.over:
            played.play(chance.choice(played.legal()))
        assert same(game.state, before)
        assert same(copy.state, before)
        assert game.facts == copy.facts
        assert len(played.facts) > len(game.facts) or game.over


@at_every_table_slowly
def test_a_position_round_trips_through_its_text(board: Board, players: int) -> None:
    for game in some_steps(board, players, seed=14, every=6):
        text = json.dumps(game.position())
        again = Game.from_position(json.loads(text))
        assert same(again.state, game.state)
        assert json.dumps(again.position()) == text
        assert again.legal() == game.legal()
        assert again.scores() == game.scores()
        for seat in (*range(players), None):
            assert again.view(seat) == game.view(seat)


@at_every_table_slowly
def test_a_position_goes_on_as_the_game_does(board: Board, players: int) -> None:
    for game in some_steps(board, players, seed=15, every=23):
        on, again = game.copy(), Game.from_position(game.position())
        chance = random.Random(2)
        while not on.over:
            action = chance.choice(on.legal())
            assert on.play(action) == again.play(action)
        assert same(on.state, again.state)


@at_every_table_slowly
def test_a_record_round_trips_and_the_game_is_the_fold_of_its_events(
    board: Board, players: int
) -> None:
    for game in some_steps(board, players, seed=16, every=17):
        text = str(game.record())
        again = fernzug.replay(text)
        assert same(again.state, game.state)
        assert again.events == game.events
        assert str(again.record()) == text
        assert again.legal() == game.legal()


@on_every_board
def test_every_action_has_one_number_and_one_text(board: Board) -> None:
    notation, tables = notation_of(board), tables_of(board)
    texts = set()
    for number in range(tables.actions):
        if number == tables.keep:
            with pytest.raises(ValueError, match="there is no action"):
                notation.action(number)
            continue
        action = notation.action(number)
        assert action.number == number
        assert notation.parse(action.text) == action
        assert str(action) == action.text
        texts.add(action.text)
    assert len(texts) == tables.actions - 1
    for number in (-1, tables.actions):
        with pytest.raises(ValueError, match=f"there is no action {number}"):
            notation.action(int(number))


@at_every_table
def test_the_same_seed_lays_the_same_decks_whatever_is_played(board: Board, players: int) -> None:
    """Two games of one seed that are played differently draw the same cards and tickets."""
    decks = []
    for first in (0, players - 1):
        game = Game(board, players, seed=21, first_player=first)
        shuffled = [e for e in game.events if e.kind in ("shuffled", "shuffled_tickets")]
        chance = random.Random(first)
        while not game.over:
            game.play(chance.choice(game.legal()))
        decks.append((shuffled, [e.count for e in game.events if e.kind == "reshuffled"]))
    assert decks[0][0] == decks[1][0]


def test_a_seed_is_a_whole_number_below_its_bound() -> None:
    for seed in (-1, 1 << 62, 1.5, "7", True):
        with pytest.raises(ValueError, match="a seed is a whole number"):
            Game("london", 2, seed=seed)  # type: ignore[arg-type]
    assert Game("london", 2, seed=(1 << 62) - 1).phase == "setup"


def test_without_a_seed_games_differ() -> None:
    assert Game("london", 2).position()["deck"] != Game("london", 2).position()["deck"]


def test_a_blank_table_has_no_card_in_play() -> None:
    board = fernzug.board("london")
    state = blank(tables_of(board), 2, 0)
    assert (state.deck_size, state.ticket_count, sum(state.hands)) == (0, 0, 0)
