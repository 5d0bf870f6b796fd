"""Measure the environments for learning on one core, beside a plain loop over the engine.

    python benchmarks/learning.py [--seconds S] [--json]

Every environment makes the observation and the mask of every step; actions are random. The time is
that of the processor, so that other programs disturb less. Absolute figures depend on the machine,
so compare ratios within one run: the first row plays at random inside the engine and makes neither
observations nor masks.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator

from fernzug import rl
from fernzug.engine import COMPILED, rules
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.playout import play_out
from fernzug.engine.state import OVER, blank
from fernzug.start import dealt
from fernzug.tables import tables_of

BOARDS = ("usa", "london")
GAMES = 256

Loop = Callable[[str], Iterator[int]]
"""Plays on a board without end; yields how many steps it has made since the last time."""


def engine(board: str) -> Iterator[int]:
    """Random games inside the engine."""
    start = blank(tables_of(rl.layout(board).board), 2, 0)
    seed = 0
    while True:
        state = start.copy()
        state.seed = seed
        rules.set_up(state)
        yield int(play_out(state, Stream(seed, PLAYERS)))
        seed += 1


def plain_loop(board: str) -> Iterator[int]:
    """A loop in Python that asks the engine for the legal actions of every step."""
    loaded = rl.layout(board).board
    seed = 0
    while True:
        state = dealt(loaded, 2, seed).begin()
        state.journal = None
        steps = 0
        while state.phase != OVER:
            legal = rules.legal(state, state.seat)
            rules.apply(state, state.seat, legal[random.randrange(len(legal))])
            steps += 1
        yield steps
        seed += 1


def vector(board: str, actions: str = "all") -> Iterator[int]:
    """Many games in step."""
    env = rl.vector_env(board, 2, GAMES, actions=actions)
    env.reset()
    while True:
        for _ in range(20):
            env.step(env.sample())
        yield 20 * GAMES


def short_vector(board: str) -> Iterator[int]:
    """Many games in step, with the short action table."""
    return vector(board, "canonical")


def agents(board: str) -> Iterator[int]:
    """A game of PettingZoo."""
    env = rl.aec_env(board, 2)
    seed = 0
    while True:
        env.reset(seed=seed)
        steps = 0
        for _ in env.agent_iter():
            _, _, over, _, info = env.last()
            if over:
                env.step(None)
            else:
                legal = info["action_mask"].nonzero()[0]
                env.step(int(legal[int(random.random() * len(legal))]))
                steps += 1
        yield steps
        seed += 1


def learner(board: str) -> Iterator[int]:
    """The learner's steps in games of Gymnasium against the random bot."""
    env = rl.gym_env(board, 2, ["random"])
    _, info = env.reset(seed=0)
    while True:
        for _ in range(100):
            legal = info["action_mask"].nonzero()[0]
            _, _, over, _, info = env.step(int(legal[int(random.random() * len(legal))]))
            if over:
                _, info = env.reset()
        yield 100


def openspiel(board: str) -> Iterator[int]:
    """Games of OpenSpiel from a loop in Python; a chance outcome is a step too."""
    game = rl.openspiel_game(board, 2)
    while True:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                luck = random.random()
                for number, chance in state.chance_outcomes():  # noqa: B007
                    luck -= chance
                    if luck < 0:
                        break
                state.apply_action(number)
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(random.random() * len(legal))])
            steps += 1
        yield steps


ROWS: dict[str, Loop] = {
    "engine, random playouts": engine,
    "engine, legal and apply from Python": plain_loop,
    "vector_env": vector,
    "vector_env, canonical actions": short_vector,
    "aec_env": agents,
    "gym_env against random": learner,
    "OpenSpiel": openspiel,
}


def measure(loop: Loop, board: str, seconds: float) -> float:
    """Return the steps in a second of the processor, the best of three measurements."""
    best = 0.0
    steps = loop(board)
    next(steps)
    for _ in range(3):
        made = 0
        start = time.process_time()
        while (took := time.process_time() - start) < seconds / 3:
            made += next(steps)
        best = max(best, made / took)
    return best


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Measure the environments for learning.")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure (default 3)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    if not COMPILED:
        print("The engine is not compiled: these are the figures of plain Python.", file=sys.stderr)
    figures = {
        name: {board: round(measure(loop, board, options.seconds)) for board in BOARDS}
        for name, loop in ROWS.items()
    }
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    print(f"{'steps a second, two players':38}" + "".join(f"{board:>12}" for board in BOARDS))
    for name, row in figures.items():
        print(f"{name:38}" + "".join(f"{row[board]:12,}" for board in BOARDS))


if __name__ == "__main__":
    main()
