"""Pairs of games that differ only in what one seat may not know, and how to play both alike."""

from __future__ import annotations

import random
from typing import Any

from fernzug import Board, Game
from fernzug.events import as_seen
from situations import TABLES
from test_views import shaken

Script = list[tuple[int, str]]


def twins(
    board: Board, players: int, viewer: int | None, seed: int, steps: int = 60
) -> tuple[dict[str, Any], dict[str, Any], Script]:
    """Return two positions, and actions that look the same to the viewer in both."""
    luck = random.Random(seed)
    game = Game(board, players, seed=seed)
    for _ in range(luck.randrange(4, 30)):
        game.play(luck.choice(game.legal()))
    other = Game.resumed(game.start, shaken(game.state, viewer, luck), [])
    first, second = game.position(), other.position()
    second["deck"] = _alike(first["deck"], second["deck"])
    assert first != second
    mine = Game.from_position(first)
    its = Game.from_position(second)
    script: Script = []
    while len(script) < steps and (step := _step(mine, its, viewer, luck)):
        script.append(step)
        for played in (mine, its):
            played.play(step[1], seat=step[0])
    return first, second, script


def _alike(model: list[str], cards: list[str]) -> list[str]:
    """Return a deck in the order of another one, as far as it goes, but for every fourth card.

    What is turned up or drawn by the viewer has to be the same in both games; the more there is of
    it, the further they can be played alike.
    """
    left = sorted(cards)
    deck = []
    for number, color in enumerate(model):
        same = color if number % 4 != 3 and color in left else None
        card = same or next((other for other in left if other != color), left[0])
        left.remove(card)
        deck.append(card)
    return deck


def _step(mine: Game, its: Game, viewer: int | None, luck: random.Random) -> tuple[int, str] | None:
    """Return an action that is possible in both games and tells the viewer the same."""
    seat = mine.seat
    assert seat is not None
    possible = [action for action in mine.legal(seat) if action in its.legal(seat)]
    luck.shuffle(possible)
    for action in possible:
        one, two = mine.copy(), its.copy()
        same = as_seen(one.play(action), viewer) == as_seen(two.play(action), viewer)
        # When a game is over all tickets lie open, and these differ.
        if same and not one.over:
            return seat, action.text
    return None


def cases() -> list[tuple[Board, int, int | None]]:
    """Return every board and number of players, with every seat and a spectator."""
    return [
        (board, players, viewer) for board, players in TABLES for viewer in (*range(players), None)
    ]
