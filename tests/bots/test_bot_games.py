"""Bots play whole games: legally, on every board, the same way every time, and not for nothing."""

import itertools

import pytest

import fernzug
from fernzug import Board, Game, bots
from fernzug.arena import Contest, Store, run, summaries
from fernzug.bots import Budget
from fernzug.engine import COMPILED
from fernzug.match import Match
from situations import at_every_table_slowly, on_every_board

every_bot = pytest.mark.parametrize("name", list(bots.BUILTIN))

BUDGET = Budget(iterations=4 if COMPILED else 1)


def play_out(name: str, board: Board, players: int, seed: int) -> Game:
    """Play a game with the bot on all seats; an illegal action raises.

    Without the compiled engine a searching bot is slow: it only begins, and planners go on.
    """
    game = Game(board, players, seed=seed)
    seats = [bots.make(name, board, seed + seat, BUDGET) for seat in range(players)]
    while (seat := game.seat) is not None:
        if game.phase == "turn" and name == "search" and not COMPILED:
            seats = [bots.make("planner", board, seed) for _ in range(players)]
        view = game.view(seat)
        game.play(seats[seat].choose(view, view.legal))
    return game


@at_every_table_slowly
@every_bot
def test_every_bot_plays_whole_games(name: str, board: Board, players: int) -> None:
    for seed in range(5 if COMPILED and name != "search" else 1):
        game = play_out(name, board, players, seed)
        assert game.over
        assert sorted(sheet.rank for sheet in game.scores())[0] == 1


@on_every_board
@every_bot
def test_the_same_seed_gives_the_same_decisions(name: str, board: Board) -> None:
    first, again = (play_out(name, board, 2, seed=6).facts for _ in range(2))
    assert first == again


@on_every_board
def test_another_seed_gives_other_decisions_by_chance(board: Board) -> None:
    games = []
    for seed in range(2):
        game = Game(board, 2, seed=1)
        Match(game, {seat: bots.make("random", board, seed) for seat in range(2)}).play_out()
        games.append(game.facts)
    assert games[0] != games[1]


# How well a bot plays does not depend on how fast the engine is, and it takes many games to see.
measured = pytest.mark.skipif(not COMPILED, reason="measured with the compiled engine")


@pytest.mark.slow
@measured
@on_every_board
@pytest.mark.parametrize(
    ("name", "games"), [("greedy", 200), ("racer", 200), ("planner", 200), ("search", 20)]
)
def test_nobody_loses_to_random(name: str, games: int, board: Board) -> None:
    # The bar is one game in a hundred; so few games can only show that it is not far off.
    with Store(":memory:") as store:
        run(Contest(board, 2, (name, "random"), games, seed=5, budget=Budget(iterations=40)), store)
        (summary,) = summaries(store, rounds=50)
    lost = summary.pairs["random", name].value * summary.games
    assert lost <= max(1, games / 50)


@pytest.mark.slow
@measured
@on_every_board
def test_the_planner_beats_the_greedy_one(board: Board) -> None:
    with Store(":memory:") as store:
        run(Contest(board, 2, ("planner", "greedy"), 60, seed=2), store)
        (summary,) = summaries(store, rounds=200)
    assert summary.lines[0].won.low > 0.6


@pytest.mark.slow
@measured
@on_every_board
def test_every_level_beats_the_one_below_it(board: Board) -> None:
    # What tells the strongest from the next is measured in the arena: it needs its seconds.
    levels = list(bots.LEVELS)[:-1]
    for weaker, stronger in itertools.pairwise(levels):
        with Store(":memory:") as store:
            run(Contest(board, 2, (stronger, weaker), 400, seed=8), store)
            (summary,) = summaries(store, rounds=50)
        assert summary.pairs[stronger, weaker].value > 0.53


def test_bots_work_where_there_is_nothing_to_choose() -> None:
    # T2: with no card, no ticket and no route left, all that can be done is to pass.
    for board in map(fernzug.board, fernzug.boards()):
        game = Game.from_position(
            {
                "board": board.id,
                "players": 2,
                "rest": "out",
                "ticket_rest": "out",
                "faceup": [None] * 5,
                "deck": [],
            }
        )
        view = game.view(0)
        assert [action.text for action in view.legal] == ["pass"]
        for name in bots.BUILTIN:
            assert bots.make(name, board, budget=BUDGET).choose(view, view.legal).text == "pass"


@pytest.mark.parametrize("name", ["greedy", "racer", "planner"])
def test_a_bot_keeps_tickets_that_cannot_be_completed_if_it_must(name: str) -> None:
    board = fernzug.board("usa")
    # Everything around Miami and Vancouver is the other player's.
    ends = ("miami", "vancouver")
    routes = {r.id: 1 for r in board.routes if r.lane != 2 and {r.a, r.b} & set(ends)}
    offer = [ticket.id for ticket in board.tickets if {ticket.a, ticket.b} & set(ends)]
    position = {"board": "usa", "players": 2, "phase": "keep", "routes": routes, "offer": offer[:3]}
    game = fernzug.Game.from_position(position)
    view = game.view(0)
    game.play(bots.make(name, board).choose(view, view.legal))
    assert game.phase == "turn"
