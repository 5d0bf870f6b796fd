"""A bot decides the same way whatever it cannot know: no bot looks at hidden cards."""

import random

import pytest

from fernzug import Board, Game, bots
from fernzug.bots import Budget
from fernzug.engine import COMPILED
from fernzug.engine.chance import BOTS, Stream
from fernzug.engine.knowledge import determinise
from fernzug.engine.state import State
from fernzug.view import View, view_of
from situations import at_every_table_slowly
from twins import shaken

every_bot = pytest.mark.parametrize("name", list(bots.BUILTIN))

BUDGET = Budget(iterations=12 if COMPILED else 1)
"""Small: whether a bot looks at hidden cards does not depend on how long it thinks."""

SAMPLES = 4 if COMPILED else 1
"""The decisions of each phase that are looked at in a game."""

GAMES = 2 if COMPILED else 1

PHASES = {"setup", "turn", "second_card", "keep"}


def samples(board: Board, players: int) -> list[tuple[Game, int, str]]:
    """Return some decisions of every phase, from games between random players and planners."""
    found: list[tuple[Game, int, str]] = []
    dice = random.Random(17)
    for seed in range(50):
        if seed >= GAMES and {phase for _, _, phase in found} == PHASES:
            break
        makers = ["planner" if seat % 2 else "random" for seat in range(players)]
        players_of = [bots.make(spec, board, seed) for seed, spec in enumerate(makers)]
        game = Game(board, players, seed=seed)
        decisions: dict[str, list[tuple[Game, int, str]]] = {}
        while (seat := game.seat) is not None:
            decisions.setdefault(game.phase, []).append((game.copy(), seat, game.phase))
            view = game.view(seat)
            game.play(players_of[seat].choose(view, view.legal))
        for group in decisions.values():
            found += dice.sample(group, min(SAMPLES, len(group)))
    assert {phase for _, _, phase in found} == PHASES
    return found


_samples: dict[tuple[str, int], list[tuple[Game, int, str]]] = {}


def samples_of(board: Board, players: int) -> list[tuple[Game, int, str]]:
    key = (board.id, players)
    if key not in _samples:
        _samples[key] = samples(board, players)
    return _samples[key]


def decision(name: str, board: Board, view: View) -> str:
    bot = bots.make(name, board, seed=3, budget=BUDGET)
    return bot.choose(view, view.legal).text


def others(state: State, view: View, seat: int) -> list[State]:
    """Return states that agree with what a seat knows, made in two ways that share no code."""
    return [
        shaken(state, seat, random.Random(5)),
        determinise(view.knowledge, Stream(6, BOTS)),
    ]


@at_every_table_slowly
@every_bot
def test_decisions_do_not_depend_on_what_is_hidden(name: str, board: Board, players: int) -> None:
    for game, seat, phase in samples_of(board, players):
        view = game.view(seat)
        chosen = decision(name, board, view)
        assert chosen in [action.text for action in view.legal]
        for state in others(game.state, view, seat):
            assert decision(name, board, view_of(state, seat, board.id)) == chosen, phase


@at_every_table_slowly
@every_bot
def test_every_seat_may_choose_its_tickets_first(name: str, board: Board, players: int) -> None:
    # S2: all choose at the same time, so a bot may be asked before the seats in front of it.
    game = Game(board, players, seed=4)
    for seat in reversed(range(players)):
        view = game.view(seat)
        chosen = decision(name, board, view)
        for state in others(game.state, view, seat):
            assert decision(name, board, view_of(state, seat, board.id)) == chosen
        game.play(chosen, seat=seat)
    assert game.phase == "turn"


@at_every_table_slowly
@every_bot
def test_deciding_changes_nothing(name: str, board: Board, players: int) -> None:
    for game, seat, _ in samples_of(board, players):
        before = game.position()
        view = game.view(seat)
        told = view.to_json()
        decision(name, board, view)
        assert game.position() == before
        assert view.to_json() == told == game.view(seat).to_json()
