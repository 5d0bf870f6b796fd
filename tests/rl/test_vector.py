"""Many games in step: numpy in and out, the same games as everywhere, rewards by choice."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")

from fernzug import Board, Game, bots, rl  # noqa: E402
from fernzug.engine.batch import game_seed  # noqa: E402
from fernzug.rl.layout import MEANINGS  # noqa: E402
from fernzug.rl.rewards import rank_rewards, rewards_of  # noqa: E402
from situations import at_every_table, on_every_board  # noqa: E402


@at_every_table
def test_the_layout_is_the_observation(board: Board, players: int) -> None:
    layout = rl.layout(board, players)
    env = rl.vector_env(board, players, games=2)
    observation, mask, seat = env.reset()
    assert observation.shape == (2, layout.size)
    assert mask.shape == (2, layout.actions)
    assert seat.shape == (2,)
    assert sum(field.size for field in layout.fields) == layout.size
    assert all(len(field.dimensions) == len(field.shape) for field in layout.fields)
    assert str(layout).count("\n") == len(layout.fields)
    hand = observation[0, layout["hand"].slice]
    assert hand.sum() == board.deal_cards
    with pytest.raises(KeyError):
        layout["nothing"]
    if layout.traits:
        assert layout["bonuses"].shape == (players, len(layout.traits))


def test_every_field_has_a_meaning_and_none_is_left_over() -> None:
    used = {
        field.name
        for board in map(rl_board, rl_names())
        for field in rl.layout(board, board.min_players).fields
    }
    assert used == set(MEANINGS)


def rl_names() -> list[str]:
    import fernzug

    return fernzug.boards()


def rl_board(name: str) -> Board:
    import fernzug

    return fernzug.board(name)


@on_every_board
def test_actions_have_a_text_in_both_tables(board: Board) -> None:
    every, short = rl.layout(board), rl.layout(board, actions="canonical")
    assert short.actions < every.actions
    claim = short.actions - len(board.routes)
    assert short.action_text(1) == every.action_text(1) == "draw deck"
    assert short.action_text(claim) == f"claim {board.routes[0].id}"
    assert every.action_text(claim).startswith(f"claim {board.routes[0].id} ")


def play(env: Any, steps: int) -> list[Any]:
    """Play at random; return copies of what every step gave."""
    env.reset()
    found = []
    for _ in range(steps):
        found.append([array.copy() for array in env.step(env.sample())])
    return found


@at_every_table
def test_the_games_are_those_of_their_seeds(board: Board, players: int) -> None:
    """The k-th game that begins has the k-th seed, and ends with the referee's rewards."""
    env = rl.vector_env(board, players, games=3, seed=5)
    env.reset()
    games = [Game(board, players, seed=int(game_seed(5, number))) for number in range(3)]
    dealt, ended = 3, 0
    while ended < 4:
        actions = env.sample()
        for game, action in zip(games, actions.tolist(), strict=True):
            assert game.seat is not None
            game.play(env.layout.action_text(action))
        step = env.step(actions)
        for number, game in enumerate(games):
            assert step.done[number] == game.over
            if game.over:
                ended += 1
                wanted = np.float32(rewards_of(game.state, "rank"))
                assert step.reward[number].tolist() == wanted.tolist()
                assert env.points[number].tolist() == [sheet.total for sheet in game.scores()]
                games[number] = Game(board, players, seed=int(game_seed(5, dealt)))
                dealt += 1
            else:
                assert not step.reward[number].any()
        assert step.seat.tolist() == [game.seat for game in games]


def test_the_same_seed_gives_the_same_games_and_another_gives_others() -> None:
    board = rl_names()[0]
    one, two = (play(rl.vector_env(board, 2, games=8, seed=3), 200) for _ in range(2))
    other = play(rl.vector_env(board, 2, games=8, seed=4), 200)
    for mine, same in zip(one, two, strict=True):
        assert all((a == b).all() for a, b in zip(mine, same, strict=True))
    assert any((a[0] != b[0]).any() for a, b in zip(one, other, strict=True))
    env = rl.vector_env(board, 2, games=8, seed=4)
    env.reset(seed=3)
    assert (env.step(env.sample()).observation == one[0][0]).all()


@pytest.mark.parametrize("reward", rl.REWARDS)
def test_rewards_by_choice(reward: str) -> None:
    board = rl_names()[-1]
    env = rl.vector_env(board, 3, games=16, reward=reward)
    seen = 0
    env.reset()
    while seen < 8:
        step = env.step(env.sample())
        for number in np.flatnonzero(step.done):
            seen += 1
            points, given = env.points[number], step.reward[number]
            if reward == "points":
                assert given.tolist() == points.tolist()
            elif reward == "margin":
                others = [max(np.delete(points, seat)) for seat in range(3)]
                assert given.tolist() == (points - others).tolist()
            else:
                assert given.sum() == pytest.approx(0)
                assert given.argmax() == points.argmax()


def test_seats_that_tie_share_their_rewards() -> None:
    assert rank_rewards([1, 2]) == [1, -1]
    assert rank_rewards([1, 1]) == [0, 0]
    assert rank_rewards([2, 1, 3]) == [0, 1, -1]
    assert rank_rewards([1, 1, 3]) == [0.5, 0.5, -1]
    assert rank_rewards([2, 2, 1, 4]) == pytest.approx([0, 0, 1, -1])


def test_an_illegal_action_changes_nothing() -> None:
    env = rl.vector_env(rl_names()[0], games=4)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.zeros(4, np.int64))
    before = [array.copy() for array in env.reset()]
    actions = env.sample()
    for wrong in (0, -1, env.layout.actions):
        with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 2"):
            env.step(np.where(np.arange(4) == 2, wrong, actions))
    with pytest.raises(ValueError, match="there are 4 games, but 3 actions"):
        env.step(actions[:3])
    env.step(actions)
    env.reset()
    again = rl.vector_env(rl_names()[0], games=4).reset()
    assert all((a == b).all() for a, b in zip(before, again, strict=True))


def test_wrong_words_are_refused() -> None:
    name = rl_names()[0]
    for wrong in ({"games": 0}, {"actions": "few"}, {"reward": "fame"}, {"seed": -1}):
        with pytest.raises(ValueError, match="not"):
            rl.vector_env(name, **wrong)
    with pytest.raises(ValueError, match="players, not 9"):
        rl.vector_env(name, 9)
    with pytest.raises(ValueError, match="there is advice of"):
        rl.vector_env(name).advise("search")


@pytest.mark.parametrize("bot", ["greedy", "racer", "planner"])
@on_every_board
def test_advice_is_what_the_bot_does(board: Board, bot: str) -> None:
    """A bot that advises all seats plays the games that it plays against itself."""
    env = rl.vector_env(board, 2, games=2, seed=8)
    env.reset()
    games = [Game(board, 2, seed=int(game_seed(8, number))) for number in range(2)]
    players = [[bots.make(bot, board, seat) for seat in range(2)] for _ in games]
    for _ in range(80):
        asked = np.array([not game.over for game in games])
        if not asked.any():
            break
        actions = np.where(asked, env.advise(bot, asked), env.sample())
        for number, game in enumerate(games):
            if game.seat is not None:
                view = game.view(game.seat)
                choice = players[number][game.seat].choose(view, view.legal)
                assert choice.number == actions[number]
                game.play(choice)
        env.step(actions)


@on_every_board
def test_advice_in_the_short_table_can_be_followed(board: Board) -> None:
    env = rl.vector_env(board, 2, games=4, seed=8, actions="canonical")
    env.reset()
    for _ in range(60):
        env.step(env.advise("planner"))


def test_numbers_may_be_those_of_numpy() -> None:
    name = rl_names()[0]
    two, seed = np.int32(2), np.int64(7)
    env = rl.vector_env(name, two, games=two, seed=seed)
    same = rl.vector_env(name, 2, games=2, seed=7)
    assert (env.reset()[0] == same.reset(seed=seed)[0]).all()
    assert {type(number) for number in (env.players, env.games, env.seed)} == {int}
    agents = rl.aec_env(name, two)
    agents.reset(seed=seed)
    assert agents.layout.players == 2
    assert rl.gym_env(name, two, seat=np.int8(1)).learner == 1
    for wrong in ({"players": 2.0}, {"seed": True}, {"games": np.bool_(True)}):
        with pytest.raises(ValueError, match="not"):
            rl.vector_env(name, **wrong)


def test_wrong_arrays_are_refused_in_words() -> None:
    env = rl.vector_env(rl_names()[0], games=4)
    for asked in (env.sample, lambda: env.advise("greedy")):
        with pytest.raises(ValueError, match="call reset"):
            asked()
    env.reset()
    for wrong in (np.ones(4), env.sample()[:, None], np.int64(1)):
        with pytest.raises(ValueError, match="actions are a row of whole numbers"):
            env.step(wrong)
    with pytest.raises(ValueError, match=r"there are 4 games, but .* has the shape \(3,\)"):
        env.advise("greedy", np.ones(3, np.bool_))
    with pytest.raises(ValueError, match="from 1 to"):
        rl.vector_env(rl_names()[0], games=1 << 21)
