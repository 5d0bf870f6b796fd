"""The environments of PettingZoo and Gymnasium pass the tests of their own libraries."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import Any

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

import fernzug  # noqa: E402
from fernzug import Action, Board, Event, Game, IllegalAction, View, rl  # noqa: E402
from fernzug.bots import Bot  # noqa: E402
from situations import at_every_table, at_every_table_slowly, on_every_board  # noqa: E402


def first_legal(mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


# ---------------------------------------------------------------------------- PettingZoo


@at_every_table_slowly
def test_the_api_test_of_pettingzoo(board: Board, players: int) -> None:
    api_test(rl.aec_env(board, players), num_cycles=400)


@at_every_table_slowly
def test_the_seed_test_of_pettingzoo(board: Board, players: int) -> None:
    seed_test(lambda: rl.aec_env(board, players), num_cycles=50)


@at_every_table
def test_a_game_of_agents_is_the_game_of_its_seed(board: Board, players: int) -> None:
    env = rl.aec_env(board, players)
    env.reset(seed=7)
    game = Game(board, players, seed=7)
    chance = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, _, over, _, info = env.last()
        assert env.observation_space(agent).contains(observation)
        if over:
            env.step(None)
            continue
        assert agent == f"seat_{game.seat}"
        legal = np.flatnonzero(info["action_mask"])
        assert legal.tolist() == [action.number for action in game.legal()]
        action = int(chance.choice(legal))
        game.play(env.layout.action_text(action))
        env.step(action)
        if game.over:
            rewards = env.rewards
            assert sum(rewards.values()) == pytest.approx(0)
            best = min(game.scores(), key=lambda sheet: sheet.rank).seat
            assert rewards[f"seat_{best}"] == max(rewards.values())
    assert game.over


@on_every_board
def test_an_action_that_is_not_legal_is_refused_with_the_reason(board: Board) -> None:
    for actions in ("all", "canonical"):
        env = rl.aec_env(board, actions=actions)
        env.reset(seed=1)
        before = env.observe("seat_0")
        for wrong in (0, 1, -1, env.layout.actions, None):
            with pytest.raises(IllegalAction) as refused:
                env.step(wrong)
            assert refused.value.position
            assert refused.value.reason
        assert (env.observe("seat_0") == before).all()


@on_every_board
def test_a_copy_is_played_by_itself(board: Board) -> None:
    """As a search does that looks ahead."""
    env = rl.aec_env(board)
    env.reset(seed=3)
    for _ in range(9):
        env.step(first_legal(env.last()[4]["action_mask"]))
    ahead = copy.deepcopy(env)
    before = env.observe(env.agent_selection)
    results = []
    for each in (ahead, env):
        if each is env:
            assert (env.observe(env.agent_selection) == before).all()
        while not each.terminations[each.agent_selection]:
            each.step(first_legal(each.last()[4]["action_mask"]))
        results.append((each.rewards, each.observe("seat_1").tolist()))
    assert results[0] == results[1]


@at_every_table
def test_a_pickled_game_goes_on_elsewhere(board: Board, players: int) -> None:
    env = rl.aec_env(board, players, actions="canonical")
    env.reset(seed=3)
    for moves in (0, 1, 40):
        for _ in range(moves):
            env.step(first_legal(env.last()[4]["action_mask"]))
        other = pickle.loads(pickle.dumps(env))
        assert other.agent_selection == env.agent_selection
        for agent in env.agents:
            assert (other.observe(agent) == env.observe(agent)).all()
    results = []
    for each in (other, env):
        while not each.terminations[each.agent_selection]:
            each.step(first_legal(each.last()[4]["action_mask"]))
        ended = each.rewards, each.observe("seat_1").tolist()
        each.reset()
        results.append((*ended, each.observe("seat_0").tolist()))
    assert results[0] == results[1]


def test_environments_are_pickled_before_the_first_reset_and_say_if_they_cannot_be() -> None:
    """As libraries do that send them to other processes."""
    name = fernzug.boards()[0]
    gym = rl.gym_env(name, 3, ["greedy", "racer"], seat=1, illegal=None)
    other = pickle.loads(pickle.dumps(gym))
    assert (other.reset(seed=5)[0] == gym.reset(seed=5)[0]).all()
    vector = rl.vector_env(name, 3, games=4, seed=9, actions="canonical", reward="margin")
    same = copy.deepcopy(vector)
    assert (same.reset()[0] == vector.reset()[0]).all()
    assert same.reward == "margin"
    for begun in (gym, vector):
        for made in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be copied"):
                made(begun)
    gym.close()
    pickle.dumps(gym)


def test_wrappers_of_pettingzoo_find_a_mask_at_every_moment() -> None:
    wrappers = pytest.importorskip("pettingzoo.utils.wrappers")
    env = rl.aec_env(fernzug.boards()[0], 3)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
    env.reset(seed=1)
    ended = 0
    for agent in env.agent_iter():
        _, _, over, _, info = env.last()
        assert info["action_mask"].any() != over
        assert not any(
            env.infos[other]["action_mask"].any() for other in env.agents if other != agent
        )
        env.step(None if over else first_legal(info["action_mask"]))
        ended += over
    assert ended == 3


def test_agents_can_be_watched() -> None:
    name = fernzug.boards()[0]
    env = rl.aec_env(name)
    env.reset(seed=1)
    assert env.render() is None
    env = rl.aec_env(name, render_mode="ansi")
    env.reset(seed=1)
    assert "phase" in str(env.render())
    env.close()
    for made in (rl.aec_env, rl.gym_env):
        with pytest.raises(ValueError, match="the render mode is 'ansi' or None, not 'human'"):
            made(name, render_mode="human")


# ---------------------------------------------------------------------------- Gymnasium


@at_every_table
def test_the_checker_of_gymnasium(board: Board, players: int) -> None:
    env = gymnasium.make(f"fernzug/{board.id}-v0", players=players)
    check_env(env.unwrapped)


@at_every_table
def test_the_checker_of_stable_baselines(board: Board, players: int) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(rl.gym_env(board, players, ["greedy"] * (players - 1)))


@at_every_table
def test_the_learner_plays_whole_games_against_bots(board: Board, players: int) -> None:
    opponents = ["greedy", "racer", "random", "planner"][: players - 1]
    env = rl.gym_env(board, players, opponents, actions="canonical")
    observation, info = env.reset(seed=3)
    games = 0
    while games < 2:
        assert env.observation_space.contains(observation)
        assert (env.action_masks() == info["action_mask"]).all()
        observation, reward, over, cut, info = env.step(first_legal(info["action_mask"]))
        assert not cut
        assert over or reward == 0
        if over:
            games += 1
            assert -1 <= reward <= 1
            observation, info = env.reset()
    env.close()
    env.close()


@pytest.mark.parametrize("mode", ["SAME_STEP", "NEXT_STEP"])
def test_vectors_of_gymnasium_begin_anew(mode: str) -> None:
    """After the last decision of a game there is no legal action, unless it restarts at once."""
    env = gymnasium.make_vec(
        f"fernzug/{fernzug.boards()[0]}-v0",
        num_envs=2,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": getattr(gymnasium.vector.AutoresetMode, mode)},
    )
    _, info = env.reset(seed=1)
    ended = 0
    over = np.zeros(2, np.bool_)
    while ended < 4:
        masks = info["action_mask"]
        assert (masks.any(axis=1) != (over if mode == "NEXT_STEP" else False)).all()
        _, _, over, _, info = env.step(masks.argmax(axis=1))
        ended += over.sum()
    env.close()


def test_stable_baselines_makes_vectors_by_the_id() -> None:
    """It asks for pictures first, which there are none of."""
    util = pytest.importorskip("stable_baselines3.common.env_util")
    name = f"fernzug/{fernzug.boards()[0]}-v0"
    with pytest.warns(UserWarning, match="rgb_array"):
        env = util.make_vec_env(name, n_envs=2, seed=0, env_kwargs={"actions": "canonical"})
    assert env.reset().shape[0] == 2
    assert all(mask.any() for mask in env.env_method("action_masks"))
    env.close()


def test_the_seed_decides_the_seat_unless_it_is_named() -> None:
    name = fernzug.boards()[0]
    env = rl.gym_env(name, 3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(6)} == {0, 1, 2}
    env = rl.gym_env(name, 3, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(6)} == {2}
    for wrong in ({"seat": 3}, {"opponents": ["random"]}, {"reward": "fame"}):
        with pytest.raises(ValueError, match=r"seat|opponents|reward"):
            rl.gym_env(name, 3, **wrong)


def test_an_illegal_action_loses_or_raises() -> None:
    name = fernzug.boards()[0]
    env = rl.gym_env(name, illegal=-3.0)
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-3.0, True, True)
    env = rl.gym_env(name, illegal=None)
    _, info = env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(0)
    env.step(first_legal(info["action_mask"]))


class Watcher(Bot):
    """A bot of one's own that listens and takes the first action."""

    heard = 0

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        return legal[0]

    def watch(self, events: Sequence[Event]) -> None:
        Watcher.heard += len(events)


def test_classes_play_as_opponents_and_watch() -> None:
    env = rl.gym_env(fernzug.boards()[0], 2, [Watcher])
    _, info = env.reset(seed=2)
    over = False
    while not over:
        _, _, over, _, info = env.step(first_legal(info["action_mask"]))
    assert Watcher.heard > 50
    env.render_mode = "ansi"
    text = env.render()
    assert text is not None
    assert "phase" in text
    assert env.action_text(1) == "draw deck"


def test_a_bot_that_cheats_is_found_out() -> None:
    class Cheat(Watcher):
        def choose(self, view: View, legal: Sequence[Action]) -> Action:
            return Action(0, "pass", "pass")

    with pytest.raises(ValueError, match="not legal"):
        rl.gym_env(fernzug.boards()[0], 2, [Cheat], seat=1).reset(seed=2)


def test_opponents_are_checked_at_once() -> None:
    name = fernzug.boards()[0]
    with pytest.raises(ValueError, match=r"opponents are a list of bots: \['planner'\]"):
        rl.gym_env(name, 2, "planner")
    with pytest.raises(ValueError, match="did you mean 'planner'"):
        rl.gym_env(name, 2, ["plannr"])
    with pytest.raises(ValueError, match="2 players need 1 opponent, not 0"):
        rl.gym_env(name, 2, [])
    with pytest.raises(ValueError, match="a bot's name or class, not 3"):
        rl.gym_env(name, 2, [3])  # type: ignore[list-item]


def test_agents_wait_for_the_deal() -> None:
    with pytest.raises(ValueError, match="call reset"):
        rl.aec_env(fernzug.boards()[0]).step(1)
    with pytest.raises(ValueError, match="call reset"):
        rl.aec_env(fernzug.boards()[0]).last()
