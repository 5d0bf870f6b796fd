"""The referee: making a game, asking it, and the sheets of its scores."""

import json
from typing import Any

import pytest

import fernzug
from fernzug import Board, Event, Game
from fernzug.engine.scoring import totals
from situations import at_every_table, on_every_board, situation


@at_every_table
def test_a_board_by_id_path_or_value(board: Board, players: int, tmp_path: Any) -> None:
    file = tmp_path / "own.toml"
    file.write_text(board.source, encoding="utf-8")
    games = [Game(each, players, seed=3) for each in (board.id, board, str(file), file)]
    assert len({json.dumps(game.position()["deck"]) for game in games}) == 1
    assert [game.position()["board"] for game in games] == [board.id, board.id, *[str(file)] * 2]
    assert {game.players for game in games} == {players}
    assert all(game.view(0).board == board for game in games)


@on_every_board
def test_wrong_numbers_of_players_are_refused_in_words(board: Board) -> None:
    wrong: list[Any] = [0, 1, board.max_players + 1, -2, None, "two", 2.0, True]
    for players in wrong:
        with pytest.raises(ValueError, match=rf"{board.name} is for {board.min_players} to "):
            Game(board, players)
    for first in (-1, board.min_players, 1.0, "0", True):
        with pytest.raises(ValueError, match="there is no seat"):
            Game(board, board.min_players, first_player=first)  # type: ignore[arg-type]


def test_an_unknown_board_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"there is no board 'pairs', did you mean 'paris'\?"):
        Game("pairs", 2)


@at_every_table
def test_a_score_sheet_adds_up_and_is_json(board: Board, players: int) -> None:
    game = Game(board, players, seed=2)
    while not game.over:
        game.play(game.legal()[-1])
    sheets = game.scores()
    assert [sheet.seat for sheet in sheets] == list(range(players))
    assert list(totals(game.state)) == [sheet.total for sheet in sheets]
    for sheet in sheets:
        bonus = sum(sheet.bonuses.values())
        assert sheet.total == sheet.routes + sheet.tickets_won - sheet.tickets_lost + bonus
        assert set(sheet.bonuses) == {bonus.kind for bonus in board.bonuses}
        data = json.loads(json.dumps(sheet.to_json()))
        assert data["total"] == sheet.total
        assert data["bonuses"] == sheet.bonuses
    assert min(sheet.rank for sheet in sheets) == 1


def test_scores_can_be_asked_for_at_any_time() -> None:
    game = situation(fernzug.board("london"), scores=[5, 3])
    assert [(sheet.total, sheet.rank) for sheet in game.scores()] == [(5, 1), (3, 2)]


def test_events_are_told_as_json_without_what_is_not_there() -> None:
    assert Event("swept").to_json() == {"event": "swept"}
    claimed = Event("claimed", seat=0, route="a-b", cards={"blue": 1}, points=1)
    assert claimed.to_json() == {
        "event": "claimed",
        "seat": 0,
        "route": "a-b",
        "cards": {"blue": 1},
        "points": 1,
    }
    assert Event("offered", seat=1, tickets=("a-b",), count=1).to_json()["tickets"] == ["a-b"]


def test_the_seat_of_a_play_is_the_awaited_one_unless_said() -> None:
    game = situation(fernzug.board("london"), 3, seat=2)
    game.play("draw deck")
    assert game.play("draw deck", seat=2)[0].seat == 2
    assert game.seat == 0


def test_the_public_face() -> None:
    """The fixed names, and nothing that would slow the import down."""
    assert fernzug.boards() == sorted(fernzug.boards())
    for name in fernzug.boards():
        assert fernzug.board(name).id == name
    for name in fernzug.__all__:
        assert getattr(fernzug, name) is not None
    assert fernzug.__version__
