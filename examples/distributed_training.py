"""Train a policy on a Ray cluster: many actors play, one learner learns.

    python examples/distributed_training.py                       # on this machine
    python examples/distributed_training.py --cluster auto        # on the cluster it belongs to

Every actor has a ``rl.vector_env`` of its own and plays both sides with a copy of the policy. When
a game is over, all decisions of a seat are given its result. The learner gathers what the actors
have played, takes a step of policy gradient and sends the new weights out. The number of actors and
their seeds are fixed, so the same games are played wherever the actors are.

It needs ``pip install 'fernzug[rl,cluster]' torch``.
"""

import argparse

import numpy as np
import ray
import torch
from torch import nn

from fernzug import rl


class Policy(nn.Module):
    """A small network: what to do, and what to expect."""

    def __init__(self, size, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.choice = nn.Linear(128, actions)
        self.value = nn.Linear(128, 1)

    def forward(self, observation, mask):
        """Return the logarithms of the chances of all actions, and the expected result."""
        hidden = self.body(observation.float() / 10)
        logits = self.choice(hidden).masked_fill(~mask, -1e9)
        return logits.log_softmax(-1), self.value(hidden).squeeze(-1)


@ray.remote(num_cpus=1)
class Shard:
    """Some of the games, on some machine."""

    def __init__(self, board, games, seed):
        torch.set_num_threads(1)
        self.env = rl.vector_env(board, players=2, games=games, seed=seed, actions="canonical")
        self.policy = Policy(self.env.layout.size, self.env.layout.actions)
        self.random = torch.Generator().manual_seed(seed)
        self.state = self.env.reset()
        self.open = [[] for _ in range(games)]  # the decisions of the games under way

    def play(self, weights, steps):
        """Play with these weights; return the decisions of all games that have ended."""
        self.policy.load_state_dict(weights)
        closed = []
        observation, mask, seat = self.state
        for _ in range(steps):
            # The arrays are windows on the engine's memory, so what is kept has to be copied.
            seen, legal, who = observation.copy(), mask.copy(), seat.copy()
            actions = choose(self.policy, seen, legal, self.random)
            observation, mask, seat, reward, done = self.env.step(actions)
            for game, decisions in enumerate(self.open):
                decisions.append((seen[game], legal[game], actions[game], who[game]))
                if done[game]:
                    closed += [(o, m, a, reward[game][s]) for o, m, a, s in decisions]
                    decisions.clear()
        self.state = observation, mask, seat
        return [np.array(column) for column in zip(*closed, strict=True)]  # empty if none has ended


def choose(policy, observation, mask, random):
    """Draw an action for every game."""
    with torch.no_grad():
        chances, _ = policy(torch.from_numpy(observation), torch.from_numpy(mask))
    return torch.multinomial(chances.exp(), 1, generator=random).squeeze(-1).numpy()


def learn(policy, optimiser, played):
    """Take a step of policy gradient for each batch of decisions."""
    observation, mask, action, result = (torch.from_numpy(np.concatenate(c)) for c in played)
    for batch in torch.randperm(len(action)).split(4096):
        chances, value = policy(observation[batch], mask[batch])
        chosen = chances.gather(1, action[batch, None]).squeeze(-1)
        better = result[batch] - value
        spread = -(chances.exp() * chances.clamp(min=-50)).sum(-1).mean()
        loss = -(better.detach() * chosen).mean() + 0.5 * better.square().mean() - 0.01 * spread
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return len(action)


def won(policy, board, games=200, seed=99):
    """Return the share of games that the policy wins against a random player."""
    env = rl.vector_env(board, players=2, games=games, seed=seed, actions="canonical")
    random = torch.Generator().manual_seed(seed)
    mine = np.arange(games) % 2
    results = np.full(games, np.nan)
    observation, mask, seat = env.reset()
    while np.isnan(results).any():
        ours = choose(policy, observation.copy(), mask.copy(), random)
        actions = np.where(seat == mine, ours, env.sample())
        observation, mask, seat, reward, done = env.step(actions)
        ended = done & np.isnan(results)
        results[ended] = reward[ended, mine[ended]]
    return float((results + 1).mean() / 2)


def main():
    """Train, and say how it goes."""
    parser = argparse.ArgumentParser(description="Train a policy on a Ray cluster.")
    parser.add_argument("--board", default="london")
    parser.add_argument("--cluster", default="local", help="'local', 'auto' or an address")
    parser.add_argument("--shards", type=int, default=2, help="actors that play")
    parser.add_argument("--games", type=int, default=64, help="games of each of them, in step")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--steps", type=int, default=200, help="steps of each round")
    args = parser.parse_args()
    if not ray.is_initialized():
        local = {"num_cpus": args.shards, "include_dashboard": False, "object_store_memory": 10**8}
        ray.init(args.cluster, log_to_driver=False, **(local if args.cluster == "local" else {}))
    torch.manual_seed(0)
    layout = rl.layout(args.board, players=2, actions="canonical")
    policy = Policy(layout.size, layout.actions)
    optimiser = torch.optim.Adam(policy.parameters(), lr=1e-3)
    shards = [Shard.remote(args.board, args.games, seed) for seed in range(args.shards)]
    print(f"round 0: wins {won(policy, args.board):.0%} against a random player")
    for number in range(1, args.rounds + 1):
        weights = ray.put(policy.state_dict())  # sent to each machine once
        played = ray.get([shard.play.remote(weights, args.steps) for shard in shards])
        ended = [columns for columns in played if columns]
        decisions = learn(policy, optimiser, zip(*ended, strict=True)) if ended else 0
        share = won(policy, args.board)
        print(f"round {number}: {decisions} decisions, wins {share:.0%} against a random player")


if __name__ == "__main__":
    main()
