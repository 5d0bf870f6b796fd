"""Advice: what the compiled bots would do in games that are played in step."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from fernzug import Board, Game, bots
from fernzug.engine.lockstep import Lockstep
from fernzug.engine.observation import shortened
from fernzug.engine.state import blank
from fernzug.players.advice import GREEDY, PLANNER, RACER, Adviser
from fernzug.tables import tables_of
from situations import on_every_board


@pytest.mark.parametrize(("name", "bot"), [("greedy", 0), ("racer", 1), ("planner", 2)])
@on_every_board
def test_advice_is_what_the_bot_does(board: Board, name: str, bot: int) -> None:
    assert (GREEDY, RACER, PLANNER) == (0, 1, 2)
    for short in (False, True):
        games = Lockstep(blank(tables_of(board), 2, 0), 1, short)
        games.begin(4)
        adviser = Adviser(games, bot)
        game = Game(board, 2, seed=int(games.states[0].seed))
        players = [bots.make(name, board, seat) for seat in range(2)]
        chosen = vec[i64]([-1])
        adviser.advise([False], chosen)
        assert chosen[0] == -1
        # In the short table claims are paid for in the usual way, so the games go apart in time.
        for _ in range(12 if short else 50):
            if game.seat is None:
                break
            games.look()
            adviser.advise([True], chosen)
            view = game.view(game.seat)
            choice = players[game.seat].choose(view, view.legal)
            number = choice.number
            assert chosen[0] == (shortened(games.start.tables, number) if short else number)
            game.play(choice)
            games.play([int(chosen[0])])
            if short and choice.kind == "claim":
                break
