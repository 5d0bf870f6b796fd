"""Tune the weights of planners by games against each other (SPSA), and check what they gain.

    python benchmarks/tune.py --boards london,new_york,berlin --steps 5000 --state small.json
    python benchmarks/tune.py --state small.json --check --pairs 2000

In every step all weights are changed at random, up or down; planners with the changed weights play
planners with the opposite changes on the same cards from both seats; and the weights move a little
towards those that did better (simultaneous perturbation stochastic approximation, Spall 1992). The
noise of single steps averages out. The state is saved as it goes, and the same command carries on.
Games are spread over all cores; the result does not depend on how many there are.

``--check`` plays the tuned weights on seeds that no step has used, against the weights of the
package, ``racer`` and ``greedy``, with 95 % intervals: weights that only beat their like are not
better. The numbers that prove good go into ``src/fernzug/players/tuned.py``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import fernzug
from fernzug.engine.state import blank
from fernzug.players.duel import GreedyOnes, Planners, Racers, Side, duel
from fernzug.players.outlook import Outlook
from fernzug.players.tuned import values_for
from fernzug.players.weights import Weights
from fernzug.tables import tables_of

FIXED = {"replan", "max_gray_held"}
"""Switches and limits, which are not changed in small steps."""

SHARE = 0.12
"""How far a weight is changed in a step, as a part of what it was at first."""

LEAST = 4.0
"""Weights near 0 are changed by at least this."""

DECAY = 0.602
"""How fast the steps become smaller, as recommended for the method."""

CHECK_SEED = 1_000_003
"""The seed of the games of a check; those of steps are smaller."""

Values = dict[str, float]


def planners(board: str, values: Values, dice: random.Random) -> Planners:
    """Return planners with these weights, rounded up or down at random."""
    tables = tables_of(fernzug.board(board))
    whole = {name: math.floor(value + dice.random()) for name, value in values.items()}
    return Planners(Outlook(tables, Weights({**values_for(tables), **whole})))


def result(board: str, players: int, one: Side, other: Side, seed: int, pairs: int) -> list[float]:
    """Return the share of its games that one side has won, block by block."""
    table = blank(tables_of(fernzug.board(board)), players, 0)
    return duel(table, one, other, seed, 0, pairs)[0]


def step(args: tuple[list[str], int, Values, Values, int, int]) -> float:
    """Return by how much weights changed one way did better than those changed the other way."""
    boards, players, up, down, seed, pairs = args
    dice = random.Random(seed)
    total = 0.0
    for board in boards:
        one, other = planners(board, up, dice), planners(board, down, dice)
        won = result(board, players, one, other, seed, pairs)
        total += sum(won) / len(won) - 1 / players
    return total / len(boards)


def start(boards: list[str]) -> Values:
    """Return the weights to begin with: the mean of those of the boards."""
    each = [values_for(tables_of(fernzug.board(board))) for board in boards]
    return {name: sum(v[name] for v in each) / len(each) for name in each[0] if name not in FIXED}


def tune(args: argparse.Namespace) -> None:
    """Tune until all steps are done, and save the state now and then."""
    path = Path(args.state)
    if path.exists():
        state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    else:
        boards = args.boards.split(",")
        first = start(boards)
        state = {"boards": boards, "players": args.players, "done": 0, "values": first}
        state["size"] = {name: max(value * SHARE, LEAST) for name, value in first.items()}
        state["mean"] = dict(first)
    # Each batch of steps begins at the same weights, so that cores do not wait for each other.
    batch = 8
    with ProcessPoolExecutor(args.workers) as pool:
        while state["done"] < args.steps:
            jobs = []
            signs = []
            for number in range(state["done"], state["done"] + batch):
                dice = random.Random(f"step {number}")
                sign = {name: dice.choice((-1, 1)) for name in state["values"]}
                moved = [
                    {
                        name: max(value + way * sign[name] * state["size"][name], 0.0)
                        for name, value in state["values"].items()
                    }
                    for way in (1, -1)
                ]
                signs.append(sign)
                jobs.append((state["boards"], state["players"], *moved, number, args.pairs))
            reach = args.steps * 0.1
            pull = args.gain * ((reach + args.steps) / (reach + state["done"] + 1)) ** DECAY
            for sign, better in zip(signs, pool.map(step, jobs), strict=True):
                for name, value in state["values"].items():
                    change = pull * 2 * better * state["size"][name] * sign[name]
                    state["values"][name] = max(value + change, 0.0)
                    state["mean"][name] += 0.002 * (state["values"][name] - state["mean"][name])
            state["done"] += batch
            if state["done"] % (batch * 16) == 0 or state["done"] >= args.steps:
                part = path.with_suffix(".part")
                part.write_text(json.dumps(state, indent=1), encoding="utf-8")
                part.replace(path)
                print(f"\r{state['done']} of {args.steps} steps", end="", flush=True)
    print()


def check(args: argparse.Namespace) -> None:
    """Print how tuned weights do on fresh seeds, also against players they were not tuned on."""
    state = json.loads(Path(args.state).read_text(encoding="utf-8"))
    names = args.boards.split(",") if args.boards else state["boards"]
    for board in names:
        tables = tables_of(fernzug.board(board))
        whole = {name: round(value) for name, value in state["mean"].items()}
        tuned = Planners(Outlook(tables, Weights({**values_for(tables), **whole})))
        rivals: dict[str, Side] = {
            "planner": Planners(Outlook(tables)),
            "racer": Racers(),
            "greedy": GreedyOnes(),
        }
        for name, rival in rivals.items():
            won = result(board, state["players"], tuned, rival, CHECK_SEED, args.pairs)
            mean = sum(won) / len(won)
            error = 1.96 * math.sqrt(sum((x - mean) ** 2 for x in won)) / len(won)
            print(f"{board:10} against {name:8} {100 * mean:5.1f} % ± {100 * error:.1f}")
    print(json.dumps({name: round(value) for name, value in state["mean"].items()}))


def main() -> None:
    """Tune, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", default=None, help="ids of boards, with commas")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--pairs", type=int, default=16, help="of games on each board, per step")
    parser.add_argument("--gain", type=float, default=0.06, help="how far weights move in a step")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--state", required=True, help="file to save the state in")
    parser.add_argument("--check", action="store_true", help="play on fresh seeds")
    args = parser.parse_args()
    if not args.boards and not Path(args.state).exists():
        parser.error(f"name the --boards to tune on: there is no file '{args.state}' yet")
    (check if args.check else tune)(args)


if __name__ == "__main__":
    main()
