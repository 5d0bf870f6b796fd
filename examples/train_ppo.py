"""Train an agent with PPO in plain PyTorch, on many games in step.

    python examples/train_ppo.py --board london --minutes 30 --out agent.npz
    fernzug arena policy:file=agent.npz greedy --board london --games 1000 --seed 1

First the network imitates the planner for a while, which teaches it what tickets are for; then it
improves by playing against itself, the planner and the greedy bot, with the final rank as its only
reward. One network has two heads: a value for each action, and the expected reward.

Needs torch and fernzug[rl].
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from fernzug import rl
from fernzug.rl.policy import Network
from fernzug.rl.vector import VectorEnv


class Agent(nn.Module):
    """Two hidden layers, a policy and a value."""

    def __init__(self, layout: rl.Layout, width: int) -> None:
        super().__init__()
        scale = np.ones(layout.size, np.float32)
        for field in layout.fields:
            # Numbers of cards and points become about as large as the flags that are 0 or 1.
            scale[field.slice] = 1.0 if field.high == 1 else 1 / 8 if field.high < 128 else 1 / 32
        self.register_buffer("scale", torch.from_numpy(scale))
        self.body = nn.Sequential(
            nn.Linear(layout.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, layout.actions)
        self.value = nn.Linear(width, 1)

    def forward(
        self, observation: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logarithms of the chances of all actions, and the expected reward."""
        x = self.body(observation.float() * self.scale)
        logits = self.policy(x).masked_fill(~mask, -1e9)
        return logits.log_softmax(dim=1), self.value(x).squeeze(1)

    def network(self, layout: rl.Layout) -> Network:
        """Return the policy as layers of numpy arrays, which play without torch."""
        linear = [self.body[0], self.body[2], self.policy]
        layers = [(m.weight.detach().numpy().T.copy(), m.bias.detach().numpy()) for m in linear]
        return Network(
            layout.board.id, layout.players, layout.action_table, self.scale.numpy(), layers
        )


def tensors(observation: np.ndarray, mask: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Return copies as tensors: the next step overwrites the arrays."""
    return torch.from_numpy(observation.copy()), torch.from_numpy(mask.copy())


def sampled(logs: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return an action for every row, by its chances."""
    return torch.multinomial(logs.exp(), 1, generator=rng).squeeze(1)


# ---------------------------------------------------------------------------- imitation


def imitate(agent: Agent, env: VectorEnv, until: float, rng: torch.Generator) -> float:
    """Learn to decide as the planner does, in games that agent and planner play in turns."""
    optimizer = torch.optim.Adam(agent.parameters(), 1e-3)
    observation, mask, _ = env.reset()
    own = np.arange(env.games) % 2 == 0  # in these games the agent's own actions are played
    loss = torch.zeros(())
    while time.process_time() < until:
        batch = []
        for _ in range(8):
            rows, legal = tensors(observation, mask)
            advice = env.advise("planner")
            batch.append((rows, legal, torch.from_numpy(advice)))
            with torch.no_grad():
                chosen = sampled(agent(rows, legal)[0], rng).numpy()
            observation, mask, *_ = env.step(np.where(own, chosen, advice))
        rows, legal, advice = (torch.cat(parts) for parts in zip(*batch, strict=True))
        logs, _ = agent(rows, legal)
        loss = nn.functional.nll_loss(logs, advice)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float(loss.detach())


# ---------------------------------------------------------------------------- PPO


class Rollout:
    """The decisions of some steps of all games, and how much better than expected they were."""

    def __init__(self, agent: Agent, env: VectorEnv, steps: int) -> None:
        self.agent = agent
        self.env = env
        self.steps = steps
        self.observation, self.mask, self.seat = env.reset()
        games = np.arange(env.games)
        # In half of the games the agent has both seats; in the others a bot has one of them.
        self.bot_seat = np.where(games % 4 < 2, -1, games // 4 % env.players)
        self.greedy = games % 4 == 2
        self.planner = games % 4 == 3
        self.wins: list[float] = []

    def collect(self, rng: torch.Generator) -> tuple[torch.Tensor, ...]:
        """Play; return observations, masks, actions, logarithms of chances, advantages, targets."""
        env, agent = self.env, self.agent
        kept = []
        self.wins = []
        for _ in range(self.steps):
            seat = self.seat.copy()
            rows, legal = tensors(self.observation, self.mask)
            with torch.no_grad():
                logs, value = agent(rows, legal)
                action = sampled(logs, rng)
                chance = logs.gather(1, action[:, None]).squeeze(1)
            bot = seat == self.bot_seat
            actions = action.numpy()
            for name, where in (("greedy", self.greedy & bot), ("planner", self.planner & bot)):
                actions = np.where(where, env.advise(name, where), actions)
            step = env.step(actions)
            self.observation, self.mask, self.seat = step.observation, step.mask, step.seat
            for game in np.flatnonzero(step.done & self.greedy):
                self.wins.append(-float(step.reward[game, self.bot_seat[game]]))
            kept.append(
                (rows, legal, action, chance, value.numpy(), seat, ~bot,
                 step.reward.copy(), step.done.copy())
            )  # fmt: skip
        return self._advantages(kept)

    def _advantages(self, kept: list[tuple], trace: float = 0.95) -> tuple[torch.Tensor, ...]:
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
        return tuple(torch.cat(parts) for parts in zip(*found, strict=True))


def improve(
    agent: Agent,
    optimizer: torch.optim.Optimizer,
    batch: tuple[torch.Tensor, ...],
    rng: torch.Generator,
    entropy: float,
) -> None:
    """Make what went better than expected more likely, in small steps (PPO)."""
    advantage = batch[4]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for _ in range(2):
        for rows in torch.randperm(len(advantage), generator=rng).split(4096):
            observation, mask, action, old, _, target = (part[rows] for part in batch)
            logs, value = agent(observation, mask)
            ratio = (logs.gather(1, action[:, None]).squeeze(1) - old).exp()
            better = advantage[rows]
            gain = torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better).mean()
            spread = -(logs.exp() * logs).sum(dim=1).mean()
            loss = -gain + 0.5 * nn.functional.mse_loss(value, target) - entropy * spread
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


# ---------------------------------------------------------------------------- measuring


def win_share(agent: Agent, layout: rl.Layout, bot: str, games: int, seed: int) -> float:
    """Return the share of games that the agent's best actions win against a bot; ties are halves.

    The agent has each seat in half of the games.
    """
    env = rl.vector_env(
        layout.board, layout.players, min(games, 256), seed, actions=layout.action_table
    )
    own = np.arange(env.games) % layout.players
    wins, played = 0.0, 0
    under_way = np.zeros(env.games, np.bool_)
    while True:
        if not under_way.any():
            if played == games:
                return wins / games
            # One game at each place and no second one, so that short games do not count more.
            observation, mask, seat = env.reset(seed + played)
            under_way[: games - played] = True
        with torch.no_grad():
            actions = agent(*tensors(observation, mask))[0].argmax(dim=1).numpy()
        other = seat != own
        actions = np.where(other, env.advise(bot, other), actions)
        observation, mask, seat, reward, done = env.step(actions)
        over = np.flatnonzero(done & under_way)
        wins += float(((reward[over, own[over]] + 1) / 2).sum())
        played += len(over)
        under_way[over] = False


def main() -> None:
    """Train, write the agent and the curve, and say how strong it is."""
    parser = argparse.ArgumentParser(description="Train an agent with PPO.")
    parser.add_argument("--board", default="london", help="id or path (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=float, default=30.0, help="processor time for all of it (default: 30)"
    )
    parser.add_argument(
        "--imitation", type=float, default=0.25, help="part of the time (default: 0.25)"
    )
    parser.add_argument("--games", type=int, default=512, help="games in step (default: 512)")
    parser.add_argument("--steps", type=int, default=64, help="steps of a rollout (default: 64)")
    parser.add_argument(
        "--width", type=int, default=256, help="width of the hidden layers (default: 256)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of everything (default: 0)")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch (default: 1)")
    parser.add_argument("--trials", type=int, default=1000, help="games at the end (default: 1000)")
    parser.add_argument("--out", type=Path, default=Path("agent.npz"), help="file of the agent")
    parser.add_argument("--curve", type=Path, help="a CSV file for the curve")
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = torch.Generator().manual_seed(options.seed)
    env = rl.vector_env(options.board, 2, options.games, options.seed, actions="canonical")
    agent = Agent(env.layout, options.width)
    start = time.process_time()
    end = start + 60 * options.minutes
    curve: list[tuple[float, str, float]] = []

    def note(stage: str, games: int = 256) -> None:
        share = win_share(agent, env.layout, "greedy", games, seed=1 << 40)
        minutes = (time.process_time() - start) / 60
        curve.append((round(minutes, 2), stage, round(share, 4)))
        print(f"{minutes:6.1f} min  {stage:9}  {share:.1%} against greedy", flush=True)
        agent.network(env.layout).save(options.out)
        if options.curve:
            with options.curve.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([("minutes", "stage", "share"), *curve])

    share = options.imitation * 60 * options.minutes
    for part in range(4):
        imitate(agent, env, start + share * (part + 1) / 4, rng)
        note("imitation")
    optimizer = torch.optim.Adam(agent.parameters(), 3e-4)
    rollout = Rollout(agent, env, options.steps)
    last = time.process_time()
    while (now := time.process_time()) < end:
        left = (end - now) / (end - start)
        for group in optimizer.param_groups:
            group["lr"] = 3e-4 * max(left, 0.05)
        improve(agent, optimizer, rollout.collect(rng), rng, entropy=0.01 * left)
        if now - last > (end - start) / 16:
            last = now
            note("PPO")
    note("end")
    for bot in ("greedy", "planner"):
        share = win_share(agent, env.layout, bot, options.trials, seed=1 << 41)
        print(f"The agent wins {share:.1%} of {options.trials} games against {bot}.")


if __name__ == "__main__":
    main()
