"""Train an agent with MaskablePPO of sb3-contrib against the greedy bot.

    python examples/train_sb3.py --board london --steps 500000

Needs sb3-contrib and fernzug[rl].
"""

from __future__ import annotations

import argparse

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from fernzug import rl


def main() -> None:
    """Train, then play some games without exploring."""
    parser = argparse.ArgumentParser(description="Train an agent with MaskablePPO.")
    parser.add_argument("--board", default="london", help="id or path (default: %(default)s)")
    parser.add_argument("--opponent", default="greedy", help="a bot (default: %(default)s)")
    parser.add_argument(
        "--steps", type=int, default=500_000, help="of the learner (default: 500000)"
    )
    parser.add_argument("--rollout", type=int, default=2048, help="steps between two updates")
    parser.add_argument("--trials", type=int, default=100, help="games at the end")
    parser.add_argument("--out", help="a file for the model")
    options = parser.parse_args()
    # Few actions are easier to learn: one claim for each route, paid for in the usual way.
    env = rl.gym_env(options.board, opponents=[options.opponent], actions="canonical")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=options.rollout,
        batch_size=min(512, options.rollout),
        gamma=1.0,  # the only reward is at the end
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=0,
        device="cpu",
        verbose=1,
    )
    model.learn(options.steps)
    mean, _ = evaluate_policy(model, env, n_eval_episodes=options.trials, warn=False)
    share = (mean + 1) / 2
    print(f"The agent wins {share:.0%} of {options.trials} games against {options.opponent}.")
    if options.out:
        model.save(options.out)


if __name__ == "__main__":
    main()
