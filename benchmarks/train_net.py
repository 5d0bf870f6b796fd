"""Train the network of a board: what ``search`` believes about actions and positions.

    python benchmarks/train_net.py --board london --minutes 60 --state london.pt --out london.npz
    fernzug arena policy:file=london.npz planner --board london --games 1000 --seed 1

First the network imitates planners and learns who wins their games; then it improves by playing
against itself and against planners (PPO). It has two heads: how likely each action is, and what
the game is worth to the seat that decides: its rank from 1 to -1, and a little for the margin.
With a state file it can be stopped and carried on; ``--start`` begins with the layers of an agent
of ``examples/train_ppo.py``.

Needs torch and fernzug[rl].
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from fernzug import rl
from fernzug.players.guide import MARGIN, WIDE_MARGIN
from fernzug.rl.policy import Network
from fernzug.rl.vector import VectorEnv


class Net(nn.Module):  # type: ignore[misc]  # torch may be missing here
    """Two hidden layers, a policy and a value."""

    def __init__(self, layout: rl.Layout, widths: tuple[int, int], coarse: bool = False) -> None:
        super().__init__()
        self.layout = layout
        self.coarse = coarse
        self.widths = widths
        scale = np.ones(layout.size, np.float32)
        for field in layout.fields:
            # Numbers of cards and points become about as large as the flags that are 0 or 1.
            scale[field.slice] = 1.0 if field.high == 1 else 1 / 8 if field.high < 128 else 1 / 32
        self.register_buffer("scale", torch.from_numpy(scale))
        self.first = nn.Linear(layout.size, widths[0])
        self.second = nn.Linear(widths[0], widths[1])
        self.policy = nn.Linear(widths[1], layout.actions)
        self.value = nn.Linear(widths[1], 1)

    def forward(
        self, observation: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logarithms of the chances of all actions, and the expected reward."""
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.coarse):
            x = self.first(observation.float() * self.scale).relu()
            x = self.second(x).relu()
            logits = self.policy(x)
        logits = logits.float().masked_fill(~mask, -1e9)
        return logits.log_softmax(dim=1), self.value(x.float()).squeeze(1)

    def save(self, file: Path) -> None:
        """Write the policy as an agent that plays without torch, and the value beside it."""
        layers = [
            (m.weight.detach().numpy().T.copy(), m.bias.detach().numpy())
            for m in (self.first, self.second, self.policy)
        ]
        layout = self.layout
        network = Network(
            layout.board.id, layout.players, layout.action_table, self.scale.numpy(), layers
        )
        value = (self.value.weight.detach().numpy().T.copy(), self.value.bias.detach().numpy())
        network.save(file, value)

    def start_from(self, network: Network) -> None:
        """Take over the layers of an agent."""
        with torch.no_grad():
            for module, (weight, bias) in zip(
                (self.first, self.second, self.policy), network.layers, strict=True
            ):
                module.weight.copy_(torch.from_numpy(weight.T.copy()))
                module.bias.copy_(torch.from_numpy(bias))


def tensors(observation: np.ndarray, mask: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Return copies as tensors: the next step overwrites the arrays."""
    return torch.from_numpy(observation.copy()), torch.from_numpy(mask.copy())


def sampled(logs: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return an action for every row, by its chances."""
    return torch.multinomial(logs.exp(), 1, generator=rng).squeeze(1)


def worth(reward: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return what the ends of games are worth to their seats: the rank, and a little the margin."""
    players = points.shape[1]
    others = np.repeat(points[:, None, :], players, axis=1).astype(np.float32)
    others[:, np.arange(players), np.arange(players)] = -np.inf
    margin = points - others.max(axis=2)
    total: np.ndarray = (reward + MARGIN * np.tanh(margin / WIDE_MARGIN)) / (1 + MARGIN)
    return total


class Rollout:
    """The decisions of some steps of all games, and how much better than expected they were."""

    def __init__(self, net: Net, env: VectorEnv, steps: int) -> None:
        self.net = net
        self.env = env
        self.steps = steps
        self.observation, self.mask, self.seat = env.reset()
        games = np.arange(env.games)
        # In three quarters of the games the net has all seats; in the others planners have all
        # seats but one.
        self.lonely_seat = np.where(games % 4 < 3, -1, games // 4 % env.players)
        self.decisions = 0
        self.games = 0

    def collect(self, rng: torch.Generator, imitation: bool) -> dict[str, torch.Tensor]:
        """Play some steps.

        Returns observations, masks, actions, logarithms of their chances, advantages, targets of
        the value, and the advice of planners, which is played while they are imitated.
        """
        env, net = self.env, self.net
        kept = []
        for _ in range(self.steps):
            seat = self.seat.copy()
            rows, legal = tensors(self.observation, self.mask)
            with torch.no_grad():
                logs, value = net(rows, legal)
                action = sampled(logs, rng)
                chance = logs.gather(1, action[:, None]).squeeze(1)
            bot = (self.lonely_seat >= 0) & (seat != self.lonely_seat)
            asked = np.ones_like(bot) if imitation else bot
            advice = env.advise("planner", asked)
            if imitation:
                # In a half of the games planners play alone, in the others the net decides: so
                # the net also sees, and learns to put right, what its own faults lead to.
                bot = np.arange(env.games) % 2 == 0
            step = env.step(np.where(bot, advice, action.numpy()))
            self.observation, self.mask, self.seat = step.observation, step.mask, step.seat
            reward = step.reward.copy()
            over = step.done.copy()
            reward[over] = worth(reward[over], env.points[over])
            use = np.ones_like(bot) if imitation else ~bot
            kept.append(
                (rows, legal, action, chance, torch.from_numpy(advice), value.numpy(), seat, use,
                 reward, over)
            )  # fmt: skip
            self.decisions += int(use.sum())
            self.games += int(over.sum())
        return self._advantages(kept)

    def _advantages(
        self, kept: list[tuple[Any, ...]], trace: float = 0.95
    ) -> dict[str, torch.Tensor]:
        """Compute generalised advantages backwards, for every seat of every game by itself."""
        games = np.arange(self.env.games)
        following = np.full((self.env.games, self.env.players), np.nan, np.float32)
        gain = np.zeros_like(following)
        found = []
        for *given, value, seat, own, reward, done in reversed(kept):
            following[done] = reward[done]  # what the end of the game was worth to each seat
            gain[done] = 0
            expected = following[games, seat]
            known = ~np.isnan(expected)
            advantage = np.where(known, expected - value + trace * gain[games, seat], 0)
            following[games, seat] = value
            gain[games, seat] = advantage
            use = torch.from_numpy(own & known)
            advantages = torch.from_numpy(advantage.astype(np.float32))
            targets = torch.from_numpy((advantage + value).astype(np.float32))
            found.append([part[use] for part in (*given, advantages, targets)])
        names = ("rows", "mask", "action", "chance", "advice", "advantage", "target")
        return dict(zip(names, (torch.cat(p) for p in zip(*found, strict=True)), strict=True))


def imitate(
    net: Net, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor], rng: torch.Generator
) -> None:
    """Learn to decide as planners do, and who wins."""
    for rows in torch.randperm(len(batch["advice"]), generator=rng).split(4096):
        logs, value = net(batch["rows"][rows], batch["mask"][rows])
        loss = nn.functional.nll_loss(logs, batch["advice"][rows])
        loss = loss + 0.5 * nn.functional.mse_loss(value, batch["target"][rows])
        descend(net, optimizer, loss)


def improve(
    net: Net,
    optimizer: torch.optim.Optimizer,
    batch: dict[str, torch.Tensor],
    rng: torch.Generator,
    entropy: float,
    only_value: bool,
) -> None:
    """Make what went better than expected more likely, in small steps (PPO)."""
    advantage = batch["advantage"]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for _ in range(2):
        for rows in torch.randperm(len(advantage), generator=rng).split(4096):
            logs, value = net(batch["rows"][rows], batch["mask"][rows])
            loss = 0.5 * nn.functional.mse_loss(value, batch["target"][rows])
            if not only_value:
                taken = logs.gather(1, batch["action"][rows][:, None]).squeeze(1)
                ratio = (taken - batch["chance"][rows]).exp()
                better = advantage[rows]
                gain = torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better).mean()
                spread = -(logs.exp() * logs).sum(dim=1).mean()
                loss = loss - gain - entropy * spread
            descend(net, optimizer, loss)


def descend(net: Net, optimizer: torch.optim.Optimizer, loss: torch.Tensor) -> None:
    """Take a step down the slope of a loss."""
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()


def win_share(net: Net, bot: str, games: int, seed: int) -> float:
    """Return the mean rank, 1 for won and 0 for lost, of the net's best actions against bots."""
    layout = net.layout
    env = rl.vector_env(
        layout.board, layout.players, min(games, 256), seed, actions=layout.action_table
    )
    own = np.arange(env.games) % layout.players
    wins, played = 0.0, 0
    while played < games:
        observation, mask, seat = env.reset(seed + played)
        under_way = np.ones(env.games, np.bool_)  # all are played out: no bias to short ones
        while under_way.any():
            with torch.no_grad():
                actions = net(*tensors(observation, mask))[0].argmax(dim=1).numpy()
            other = seat != own
            actions = np.where(other, env.advise(bot, other), actions)
            observation, mask, seat, reward, done = env.step(actions)
            over = np.flatnonzero(done & under_way)
            wins += float(((reward[over, own[over]] + 1) / 2).sum())
            played += len(over)
            under_way[over] = False
    return wins / played


def main() -> None:
    """Train, and write the network from time to time."""
    parser = argparse.ArgumentParser(description="Train the network of a board.")
    parser.add_argument("--board", required=True)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60.0, help="of processor time, in all")
    parser.add_argument("--imitation", type=float, default=0.1, help="part of the time")
    parser.add_argument("--games", type=int, default=512, help="in step")
    parser.add_argument("--steps", type=int, default=64, help="of a rollout")
    parser.add_argument("--widths", type=int, nargs=2, default=(256, 64), help="of the layers")
    parser.add_argument("--rate", type=float, default=5e-4, help="of learning, at the beginning")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trials", type=int, default=512, help="games to measure it by")
    parser.add_argument(
        "--coarse",
        action="store_true",
        help="train in bfloat16: half the time on processors that can compute with it",
    )
    parser.add_argument("--start", type=Path, help="an agent to begin with")
    parser.add_argument("--state", type=Path, help="a file to stop and carry on with")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    env = rl.vector_env(
        options.board, options.players, options.games, options.seed, actions="canonical"
    )
    widths = tuple(options.widths)
    spent = 0.0
    saved = None
    if options.state and options.state.exists():
        saved = torch.load(options.state)
        widths, spent = saved["widths"], saved["spent"]
        env.reset(options.seed + int(1000 * spent) + 1)
    net = Net(env.layout, widths, options.coarse)
    if saved:
        net.load_state_dict(saved["net"])
    elif options.start:
        net.start_from(Network.load(options.start))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    if saved:
        optimizer.load_state_dict(saved["optimizer"])
    rng = torch.Generator().manual_seed(options.seed + int(1000 * spent))
    rollout = Rollout(net, env, options.steps)
    begun = time.process_time() - 60 * spent
    noted = spent
    while spent < options.minutes:
        imitation = spent < options.imitation * options.minutes and not options.start
        left = 1 - spent / options.minutes
        rate = 1e-3 if imitation else options.rate * max(left, 0.05)
        for group in optimizer.param_groups:
            group["lr"] = rate
        batch = rollout.collect(rng, imitation)
        if imitation:
            imitate(net, optimizer, batch, rng)
        else:
            only_value = bool(options.start) and spent < options.minutes / 50
            improve(net, optimizer, batch, rng, 0.01 * left, only_value)
        spent = (time.process_time() - begun) / 60
        if spent - noted > min(options.minutes / 20, 2.0) or spent >= options.minutes:
            noted = spent
            error = float((batch["target"] - batch["target"].mean()).var())
            with torch.no_grad():
                _, value = net(batch["rows"][:20000], batch["mask"][:20000])
            unexplained = float((batch["target"][:20000] - value).var()) / error
            share = win_share(net, "planner", options.trials, seed=1 << 40)
            print(
                f"{spent:6.1f} min  {rollout.games:8} games  "
                f"{'imitation' if imitation else 'self-play'}  {share:.1%} against planner, "
                f"{unexplained:.2f} of the value unexplained",
                flush=True,
            )
            net.save(options.out)
            if options.state:
                torch.save(
                    {
                        "net": net.state_dict(), "optimizer": optimizer.state_dict(),
                        "widths": widths, "spent": spent,
                    },
                    options.state,
                )  # fmt: skip


if __name__ == "__main__":
    main()
