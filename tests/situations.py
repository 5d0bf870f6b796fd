"""Short helpers to set up situations for the tests of the rules.

Nothing here knows a board by name: the helpers ask the board itself for whatever differs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import fernzug
from fernzug import Board, Event, Game
from fernzug.bonuses import KINDS
from fernzug.engine import COMPILED

BOARDS: list[Board] = [fernzug.board(name) for name in fernzug.boards()]
TABLES: list[tuple[Board, int]] = [(board, n) for board in BOARDS for n in board.players]

EMPTY: list[str | None] = [None] * 5
"""A display without cards."""


def boards_with(condition: Callable[[Board], object]) -> pytest.MarkDecorator:
    """Run a test on every board that meets a condition."""
    chosen = [board for board in BOARDS if condition(board)]
    assert chosen, "no board meets the condition"
    return pytest.mark.parametrize("board", chosen)


def tables_with(condition: Callable[[Board, int], object]) -> pytest.MarkDecorator:
    """Run a test on every board and number of players that meet a condition."""
    chosen = [table for table in TABLES if condition(*table)]
    assert chosen, "no board meets the condition"
    return pytest.mark.parametrize(("board", "players"), chosen)


on_every_board = boards_with(lambda board: True)
at_every_table = tables_with(lambda board, players: True)

ONE_TABLE_EACH = [
    (board, board.players[number % len(board.players)]) for number, board in enumerate(BOARDS)
]
"""A table for each board, with as many different numbers of players as there are."""


def slow_but_for_one_each(tables: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Return parameters, all but those of one table for each board slow, or left out if plain.

    The plain engine runs the same files as the compiled one and takes fifty times as long.
    """
    return [
        pytest.param(*table, marks=() if table[:2] in ONE_TABLE_EACH else pytest.mark.slow)
        for table in tables
        if COMPILED or table[:2] in ONE_TABLE_EACH
    ]


at_every_table_slowly = pytest.mark.parametrize(("board", "players"), slow_but_for_one_each(TABLES))
"""Run a test that plays many games at every table, but quickly only at one for each board."""


def situation(board: Board, players: int = 2, **position: Any) -> Game:
    """Return a game that starts from a position."""
    return Game.from_position({"board": board.id, "players": players, **position})


def shortage(board: Board, players: int = 2, **position: Any) -> Game:
    """Return a game with only the given cards and tickets."""
    scarce: dict[str, Any] = {"faceup": EMPTY, "rest": "out", "ticket_rest": "out"}
    return situation(board, players, **{**scarce, **position})


def hands(players: int, *named: dict[str, int]) -> list[dict[str, int]]:
    """Return the hands of all seats; those not given are empty."""
    return [*named, *({} for _ in range(players - len(named)))]


def by_seat(players: int, seat: int, entry: Any, other: Any) -> list[Any]:
    """Return a list with one entry for a seat and another for all other seats."""
    return [entry if each == seat else other for each in range(players)]


def texts(game: Game, seat: int | None = None) -> list[str]:
    """Return the texts of the legal actions."""
    return [action.text for action in game.legal(seat)]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return the kinds of the events, leaving out `awaited` and those of bonuses unknown here."""
    left_out = {"awaited"}
    for word, kind in KINDS.items():
        if word != "flag":
            left_out |= {fact.word for fact in kind.FACTS}
    return [event.kind for event in events if event.kind not in left_out]


def drawing(game: Game) -> set[str]:
    """Return the cards that may be drawn now."""
    return {text.removeprefix("draw ") for text in texts(game) if text.startswith("draw ")}


def faceup(game: Game) -> list[str | None]:
    """Return the face-up cards."""
    return list(game.position()["faceup"])


def has_bonus(kind: str) -> Callable[[Board], bool]:
    """Return the condition that a board has a bonus of this kind."""
    return lambda board: any(bonus.kind == kind for bonus in board.bonuses)


def bonus_of(board: Board, kind: str) -> Any:
    """Return a board's bonus of a kind."""
    return next(bonus for bonus in board.bonuses if bonus.kind == kind)


def single(board: Board) -> Any:
    """Return a coloured route with one lane."""
    return next(r for r in board.routes if r.twin is None and r.color != "gray")


def route_of_cost(board: Board, cost: int) -> Any:
    """Return a coloured route with this cost, single or double."""
    return next(r for r in board.routes if r.color != "gray" and r.cost == cost)


def joined(board: Board, routes: Iterable[str], a: str, b: str) -> bool:
    """Whether routes connect two places, found by following them (K3)."""
    reached = {a}
    while True:
        more = {
            end
            for name in routes
            for end in (board.routes[name].a, board.routes[name].b)
            if reached & {board.routes[name].a, board.routes[name].b}
        }
        if more <= reached:
            return b in reached
        reached |= more


def way(board: Board, a: str, b: str) -> list[str]:
    """Return the routes of a way between two places that takes the fewest pieces."""
    best: dict[str, tuple[int, list[str]]] = {a: (0, [])}
    for _ in board.locations:
        for route in board.routes:
            for start, end in ((route.a, route.b), (route.b, route.a)):
                if start in best:
                    length = best[start][0] + route.pieces
                    if length < best.get(end, (1000, []))[0]:
                        best[end] = (length, [*best[start][1], route.id])
    return best[b][1]


def without_bonus_keys(data: Any) -> Any:
    """Return JSON without the keys that bonuses add to views, which the protocol's types omit."""
    if isinstance(data, list):
        return [without_bonus_keys(each) for each in data]
    if not isinstance(data, dict):
        return data
    added = {key for kind in KINDS.values() for key in kind.KEYS} if "hand_count" in data else set()
    return {key: without_bonus_keys(value) for key, value in data.items() if key not in added}


def some_steps(board: Board, players: int, seed: int, every: int) -> Iterator[Game]:
    """Play a random game; yield it at the start, at the end and at some steps between."""
    game = Game(board, players, seed=seed)
    chance = random.Random(seed)
    step = 0
    while not game.over:
        if step % every == 0:
            yield game
        step += 1
        game.play(chance.choice(game.legal()))
    yield game
