"""Observations and masks: complete, fair, and the same compiled and plain."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i16, i64

from fernzug import Board, Game
from fernzug.engine import rules
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.lockstep import Lockstep
from fernzug.engine.observation import Observer, short_count, short_legal, shortened
from fernzug.engine.state import OVER, State, blank
from fernzug.tables import tables_of
from paths import DATA
from situations import at_every_table, at_every_table_slowly, situation, some_steps
from twins import shaken

GOLDEN = DATA / "observations.json"


def row_of(observer: Observer, s: State, seat: int) -> list[int]:
    row = vec[i16]([0] * int(observer.size))
    observer.write(s, seat, row, 0)
    return list(row)


def known_row(observer: Observer, game: Game, seat: int) -> list[int]:
    row = vec[i16]([0] * int(observer.size))
    observer.write_known(game.view(seat).knowledge, row, 0)
    return list(row)


@at_every_table_slowly
def test_views_differ_exactly_where_observations_do(board: Board, players: int) -> None:
    """All seats of some games, compared with each other."""
    observer = Observer(tables_of(board), players)
    views: dict[str, list[int]] = {}
    for seed in (1, 2):
        for game in some_steps(board, players, seed, every=5):
            for seat in range(players):
                view = json.dumps({**game.view(seat).to_json(), "board": ""})
                row = row_of(observer, game.state, seat)
                assert views.setdefault(view, row) == row
    rows = {tuple(row) for row in views.values()}
    assert len(rows) == len(views)


@at_every_table
def test_a_change_of_anything_that_a_view_says_changes_the_observation(
    board: Board, players: int
) -> None:
    """Single differences, which random games hardly ever show."""
    observer = Observer(tables_of(board), players)
    first, second, *_ = board.colors
    route, other, *_ = (route.id for route in board.routes)
    tickets = [ticket.id for ticket in board.tickets][:6]
    empty: list[dict[str, int]] = [{}] * players
    positions: list[dict[str, Any]] = [
        {},
        {"seat": 1},
        {"phase": "second_card"},
        {"turns_left": 1},
        {"hands": [{first: 1}, *empty[1:]]},
        {"hands": [{second: 1}, *empty[1:]]},
        {"hands": [*empty[1:], {second: 2}]},
        {"routes": {route: 0}},
        {"routes": {route: 1}},
        {"routes": {other: 0}},
        {"tickets": [[tickets[0]], *[[]] * (players - 1)]},
        {"tickets": [[tickets[1]], *[[]] * (players - 1)]},
        {"tickets": [*[[]] * (players - 1), tickets[:2]]},
        {"phase": "keep", "offer": [tickets[0]]},
        {"phase": "keep", "offer": tickets[:2]},
        {"phase": "keep", "offer": tickets[1::-1]},
        {"faceup": [first, second, second, first, first]},
        {"faceup": [second, first, first, second, first]},
        {"faceup": [None, first, first, second, first]},
        {"faceup": [None] * 5, "discard": {first: 2}, "rest": "out"},
        {"faceup": [None] * 5, "discard": {first: 2}, "deck": [first], "rest": "out"},
        {"faceup": [None] * 5, "discard": {first: 2}, "deck": [second], "rest": "out"},
    ]
    seen: dict[tuple[int, ...], str] = {}
    for position in positions:
        named = {"faceup": [first, first, second, second, first], **position}
        view = situation(board, players, **named).view(0)
        row = vec[i16]([0] * int(observer.size))
        observer.write_known(view.knowledge, row, 0)
        text = json.dumps(view.to_json())
        assert seen.setdefault(tuple(int(number) for number in row), text) == text
    assert len(seen) == len(positions)


@at_every_table_slowly
def test_an_observation_is_the_same_from_knowledge_alone(board: Board, players: int) -> None:
    observer = Observer(tables_of(board), players)
    for game in some_steps(board, players, seed=5, every=6):
        for seat in range(players):
            assert row_of(observer, game.state, seat) == known_row(observer, game, seat)


@at_every_table_slowly
def test_observations_and_masks_tell_nothing_secret(board: Board, players: int) -> None:
    """Two states that differ only in what a seat may not know look the same to it."""
    observer = Observer(tables_of(board), players)
    for game in some_steps(board, players, seed=6, every=6):
        for seat in range(players):
            other = shaken(game.state, seat, random.Random(seat))
            assert row_of(observer, game.state, seat) == row_of(observer, other, seat)
            assert list(rules.legal(game.state, seat)) == list(rules.legal(other, seat))


@at_every_table_slowly
def test_every_number_is_within_its_bounds(board: Board, players: int) -> None:
    observer = Observer(tables_of(board), players)
    fields = observer.fields
    assert [field.offset for field in fields[1:]] == [f.offset + f.size for f in fields[:-1]]
    assert fields[-1].offset + fields[-1].size == observer.size
    for game in some_steps(board, players, seed=7, every=5):
        row = row_of(observer, game.state, players - 1)
        for field in fields:
            numbers = row[field.offset : field.offset + field.size]
            assert min(numbers) >= field.low
            assert max(numbers) <= field.high


@pytest.mark.parametrize("short", [False, True])
@at_every_table_slowly
def test_games_in_step_are_the_games_of_the_referee(
    board: Board, players: int, short: bool
) -> None:
    """Masks equal the legal actions, rows what the seat may know, and points the score sheets."""
    tables = tables_of(board)
    games = Lockstep(blank(tables, players, 0), 2, short)
    games.begin(9)
    assert games.actions == (short_count(tables) if short else tables.actions)
    referees = [referee(board, players, int(s.seed)) for s in games.states]
    stream = Stream(1, PLAYERS)
    chosen = vec[i64]([0] * 2)
    ended = 0
    while ended < 2:
        for i in range(len(games.observation)):
            games.observation[i] = 0
        games.look()
        for number, game in enumerate(referees):
            seat = int(game.state.seat)
            assert seat == games.seat[number]
            first = number * int(games.actions)
            mask = list(games.mask[first : first + int(games.actions)])
            legal = [action.number for action in game.legal()]
            if short:
                legal = sorted({int(shortened(tables, action)) for action in legal})
                assert legal == [int(action) for action in short_legal(game.state, seat)]
            assert [action for action, bit in enumerate(mask) if bit] == legal
            size = int(games.observer.size)
            row = list(games.observation[number * size : (number + 1) * size])
            assert row == row_of(games.observer, game.state, seat)
        games.sample(stream, chosen)
        actions = [int(action) for action in chosen]
        assert games.illegal(actions) == -1
        assert games.illegal([actions[0], -1]) == 1
        tied = dict(games.play(actions))
        for number, game in enumerate(referees):
            state = game.state.copy()
            action = actions[number]
            if short and action >= tables.claim:
                action = int(rules.canonical(state, state.seat, action - tables.claim))
            game.play(game_action(game, action))
            assert games.done[number] == game.over
            if game.over:
                ended += 1
                points = [sheet.total for sheet in game.scores()]
                first = number * players
                assert [int(n) for n in games.points[first : first + players]] == points
                assert (number in tied) == (len(set(points)) < players)
                referees[number] = referee(board, players, int(games.states[number].seed))


def referee(board: Board, players: int, seed: int) -> Game:
    return Game(board, players, seed=seed)


def game_action(game: Game, number: int) -> str:
    return next(action.text for action in game.legal() if action.number == number)


def digest(board: Board, players: int) -> str:
    """A hash of all observations of a random game."""
    observer = Observer(tables_of(board), players)
    game = Game(board, players, seed=1)
    stream = Stream(1, PLAYERS)
    found = hashlib.sha256()
    while game.state.phase != OVER:
        for seat in range(players):
            found.update(json.dumps(row_of(observer, game.state, seat)).encode())
        legal = game.legal()
        game.play(legal[int(stream.below(len(legal)))])
    return found.hexdigest()[:12]


@at_every_table
def test_the_layout_has_not_changed_and_is_the_same_compiled_and_plain(
    board: Board, players: int
) -> None:
    """A trained policy is worthless with another layout; ``make golden`` writes the hashes."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert golden[f"{board.id}-{players}"] == digest(board, players)


def renew() -> None:
    """Write the golden hashes."""
    from situations import TABLES

    found = {f"{board.id}-{players}": digest(board, players) for board, players in TABLES}
    GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
