"""Make a trained network part of the package: ``python benchmarks/pack_net.py london.npz``.

Rounds it to whole numbers, says how much that changes, and writes the file that ``search`` reads.
Needs numpy.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import fernzug
from fernzug import rl
from fernzug.bots import nets
from fernzug.engine.observation import Observer
from fernzug.players.net import (
    HALF,
    HIDDEN_BITS,
    INPUT_BITS,
    SCORE_BITS,
    VALUE_BITS,
    WEIGHT_BITS,
    Net,
)
from fernzug.tables import tables_of

SUM_BITS = HIDDEN_BITS + WEIGHT_BITS


def whole(numbers: Any, bits: int) -> Any:
    """Return numbers in units of a power of two."""
    return np.rint(np.asarray(numbers, np.float64) * (1 << bits)).astype(np.int64)


def pack(file: Path, about: str) -> tuple[fernzug.Board, int, bytes]:
    """Return a board, a number of players, and the file of their network."""
    with np.load(file) as arrays:
        board = fernzug.board(str(arrays["board"]))
        players = int(arrays["players"])
        weights = [arrays[f"weight{n}"].astype(np.float64) for n in range(3)]
        weights[0] *= arrays["scale"][:, None]
        biases = [arrays[f"bias{n}"] for n in range(3)]
        value, value_bias = arrays["value_weight"][:, 0], arrays["value_bias"]
    # Only differences between actions count, so the scores are moved to lie around 0.
    weights[2] -= weights[2].mean(axis=1, keepdims=True)
    biases[2] = biases[2] - biases[2].mean()
    few = [
        *whole(biases[0], INPUT_BITS),
        *whole(biases[1], SUM_BITS),
        *whole(biases[2], HIDDEN_BITS + SCORE_BITS),
        *whole(value, VALUE_BITS),
        *whole(value_bias, VALUE_BITS + SUM_BITS),
    ]
    bits = (INPUT_BITS, WEIGHT_BITS, SCORE_BITS)
    many = np.concatenate([whole(w, b).ravel() for w, b in zip(weights, bits, strict=True)])
    sizes = [len(weights[0]), *(each.shape[1] for each in weights)]
    data = nets.packed(sizes, [int(n) for n in few], many.tolist(), about)
    check(board, players, weights, biases, value, float(value_bias[0]), data)
    return board, players, data


def check(
    board: Any, players: int, weights: Any, biases: Any, value: Any, bias: float, data: Any
) -> None:
    """Compare the whole numbers with the fractions on positions of planners' games."""
    env = rl.vector_env(board, players, 16, 7, actions="canonical")
    net = Net(Observer(tables_of(board), players), nets.weights_of(*nets.numbers_of(data)))
    differ = most = largest = 0.0
    same = seen = 0
    step: Any = env.reset()
    for _ in range(100):
        x = step.observation.astype(np.float64)
        for n, bits in enumerate((INPUT_BITS, SUM_BITS, HIDDEN_BITS + SCORE_BITS)):
            sums = x @ weights[n] + biases[n]
            largest = max(largest, float(np.abs(sums).max()) * (1 << bits) / HALF)
            x, last = np.maximum(sums, 0), x
        sums[~step.mask] = -np.inf
        worth = last @ value + bias
        for game, state in enumerate(env._games.states):
            net.look(state, state.seat)
            net.score()
            scores = np.array(net.scores)[: sums.shape[1]].astype(float)
            scores[~step.mask[game]] = -np.inf
            same += int(scores.argmax() == sums[game].argmax())
            error = abs(net.value() - worth[game])
            differ += error
            most = max(most, error)
            seen += 1
        step = env.step(env.advise("planner"))
    print(
        f"{board.id}, {players} players: the same choice in {same / seen:.1%} of {seen} positions; "
        f"the value differs by {differ / seen:.4f} on average, {most:.4f} at most; "
        f"the largest sum is {largest:.0%} of what fits"
    )


def main() -> None:
    """Pack the files that are named."""
    parser = argparse.ArgumentParser(description="Make trained networks part of the package.")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--about", default="", help="how they were trained")
    parser.add_argument("--folder", type=Path, default=nets.FOLDER, help="that of the package")
    options = parser.parse_args()
    for file in options.files:
        board, players, data = pack(file, options.about)
        target = options.folder / nets.file_name(board, players)
        target.write_bytes(data)
        print(f"{target.name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
