"""A learned policy is a bot like any other."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

import fernzug  # noqa: E402
from fernzug import Board, bots, cli, rl  # noqa: E402
from fernzug.arena import Contest, Store, run, summaries  # noqa: E402
from fernzug.rl.policy import LearnedBot, Network, PolicyBot  # noqa: E402
from situations import on_every_board  # noqa: E402


def network(board: Board, actions: str = "canonical") -> Network:
    layout = rl.layout(board, actions=actions)
    chance = np.random.default_rng(1)
    sizes = [layout.size, 8, layout.actions]
    layers = [
        (chance.normal(size=(a, b)).astype(np.float32), np.zeros(b, np.float32))
        for a, b in pairwise(sizes)
    ]
    return Network(board.id, 2, actions, np.ones(layout.size, np.float32), layers)


@pytest.mark.parametrize("actions", ["all", "canonical"])
@on_every_board
def test_a_network_plays_legally(board: Board, actions: str, tmp_path: Path) -> None:
    file = tmp_path / "agent.npz"
    network(board, actions).save(file)
    game = fernzug.Game(board, 2, seed=1)
    bot = bots.make(f"policy:file={file}", board, 1)
    assert isinstance(bot, PolicyBot)
    for _ in range(30):
        if game.seat is None:
            break
        view = game.view(game.seat)
        action = bot.choose(view, view.legal)
        assert action in view.legal
        game.play(action)


def test_a_network_is_the_same_after_reading_it_back(tmp_path: Path) -> None:
    board = fernzug.board(fernzug.boards()[0])
    written = network(board)
    written.save(tmp_path / "agent.npz")
    read = Network.load(tmp_path / "agent.npz")
    assert (read.board, read.players, read.actions) == (board.id, 2, "canonical")
    rows = rl.vector_env(board, games=4).reset().observation
    assert np.allclose(read.values(rows), written.values(rows), rtol=1e-2, atol=0.5)
    assert np.allclose(read.values(rows[1]), read.values(rows)[1], rtol=1e-4, atol=1e-3)


def test_a_policy_is_refused_on_another_board(tmp_path: Path) -> None:
    first, second, *_ = (fernzug.board(name) for name in fernzug.boards())
    network(first).save(tmp_path / "agent.npz")
    with pytest.raises(ValueError, match=f"was trained on {first.id}, not on {second.id}"):
        bots.make(f"policy:file={tmp_path}/agent.npz", second)
    with pytest.raises(ValueError, match="needs its file"):
        bots.make("policy", first)


def test_what_is_wrong_with_a_file_is_told(tmp_path: Path) -> None:
    board = fernzug.board(fernzug.boards()[0])
    with pytest.raises(ValueError, match="cannot read the bot's file"):
        bots.make(f"policy:file={tmp_path}/none.npz", board)
    for number, text in enumerate((b"", b"hello", b"PK\3\4")):
        file = tmp_path / f"{number}.npz"
        file.write_bytes(text)
        with pytest.raises(ValueError, match="is not the file of a policy"):
            bots.make(f"policy:file={file}", board)


def test_a_policy_is_for_its_number_of_players(tmp_path: Path) -> None:
    board = next(
        fernzug.board(name) for name in fernzug.boards() if 3 in fernzug.board(name).players
    )
    network(board).save(tmp_path / "agent.npz")
    bot = bots.make(f"policy:file={tmp_path}/agent.npz", board)
    view = fernzug.Game(board, 3, seed=1).view(0)
    wrong = "was trained for 2 players, not for 3"
    with pytest.raises(ValueError, match=wrong):
        bot.choose(view, view.legal)
    # It is noticed before any game is played.
    spec = f"policy:file={tmp_path}/agent.npz"
    contest = Contest(board, players=3, bots=[spec, "random"], games=2)
    with Store(":memory:") as store, pytest.raises(ValueError, match=wrong):
        run(contest, store)
    with pytest.raises(ValueError, match=wrong):
        rl.gym_env(board, 3, [spec, "random"])
    words = ["sim", "--board", board.id, "--games", "1", "--bots", spec, "random", "random"]
    assert cli.main(words) == 2


def test_a_policy_that_is_trained_further_is_another_bot(tmp_path: Path) -> None:
    board = fernzug.board(fernzug.boards()[0])
    file = tmp_path / "agent.npz"
    spec = f"policy:file={file}"
    names = []
    for factor in (1, -1):
        trained = network(board)
        trained.scale *= factor
        trained.save(file)
        bot = bots.make(spec, board)
        assert isinstance(bot, PolicyBot)
        assert (bot.network.scale == factor).all()
        names.append(Contest(board, 2, [spec, "random"], games=2).entrants[0])
    assert names[0] != names[1]


def test_a_policy_of_another_layout_is_refused(tmp_path: Path) -> None:
    board = fernzug.board(fernzug.boards()[0])
    for cut in ("scale", "actions"):
        other = network(board)
        if cut == "scale":
            other.scale = other.scale[1:]
        else:
            weight, bias = other.layers[-1]
            other.layers[-1] = weight[:, 1:], bias[1:]
        other.save(tmp_path / f"{cut}.npz")
        bot = bots.make(f"policy:file={tmp_path}/{cut}.npz", board)
        view = fernzug.Game(board, 2, seed=1).view(0)
        with pytest.raises(ValueError, match="was trained with another layout"):
            bot.choose(view, view.legal)


class First(LearnedBot):
    """A policy of one's own: the first legal action."""

    def act(self, observation: Any, mask: Any) -> int:
        return int(mask.argmax())


def test_a_policy_is_rated_in_the_arena(tmp_path: Path) -> None:
    board = fernzug.board(fernzug.boards()[0])
    network(board).save(tmp_path / "agent.npz")
    names = (First, f"policy:file={tmp_path}/agent.npz", "random")
    contest = Contest(board, players=2, bots=names, games=4)
    with Store(":memory:") as store:
        assert run(contest, store).played == 12
        (summary,) = summaries(store)
    assert len(summary.lines) == 3
    assert sum(line.won.value for line in summary.lines) == pytest.approx(1.5)
