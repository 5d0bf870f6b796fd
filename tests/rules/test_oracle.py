"""Compare the engine with the naive rules at every step of whole games, at every table."""

import random
from collections import Counter
from typing import Any

import pytest

from fernzug import Board, Game
from oracle import Oracle, knows
from situations import at_every_table_slowly, texts

MOODS = (
    {"claim": 2, "draw": 2, "tickets": 1},
    {"claim": 9, "draw": 3, "tickets": 1},
    {"claim": 1, "draw": 30, "tickets": 1},
    {"claim": 1, "draw": 60, "tickets": 20},
)
"""How the players of a game choose: hoarders empty the deck, builders soon end the game."""


def chosen(legal: list[str], mood: dict[str, int], chance: random.Random) -> str:
    """Return a random action: first choose its kind, then one of that kind."""
    kinds = sorted({text.split()[0] for text in legal})
    kind = chance.choices(kinds, [mood.get(kind, 1) for kind in kinds])[0]
    return chance.choice([text for text in legal if text.startswith(kind)])


def referee(game: Game) -> dict[str, Any]:
    """Return what the referee says about the game, in the oracle's terms."""
    position = game.position()
    names = ("phase", "seat", "turns_left", "scores", "routes", "faceup", "deck", "ticket_deck")
    return {
        **{name: position[name] for name in names},
        "hands": [Counter(hand) for hand in position["hands"]],
        "discard": Counter(position["discard"]),
        "pieces": [Counter(pieces) for pieces in position["pieces"]],
        "tickets": [set(tickets) for tickets in position["tickets"]],
        "flags": [set(flags) for flags in position["flags"]],
        "flag_sets": position["flag_sets"],
    }


@at_every_table_slowly
def test_every_step_is_the_one_that_the_rules_say(board: Board, players: int) -> None:
    """Legal actions, cards, tickets, pieces, points, whose turn it is, and the places at the end:
    T1, T2, D1 to D7, C1 to C9, K1, E1, E2 to E7.
    """
    if not knows(board):
        pytest.skip("tests/oracle.py has to be taught a kind of bonus of this board")
    for seed, mood in enumerate(MOODS):
        game = Game(board, players, seed=seed)
        oracle = Oracle(board, game.position())
        chance = random.Random(seed)
        while not game.over:
            legal = texts(game)
            assert set(legal) == oracle.legal()
            action = chosen(legal, mood, chance)
            events = game.play(action)
            oracle.play(action, [list(e.cards or ()) for e in events if e.kind == "reshuffled"])
            told = referee(game)
            assert told == {name: getattr(oracle, name) for name in told}, action
        assert [(sheet.total, sheet.rank) for sheet in game.scores()] == oracle.ranking()
