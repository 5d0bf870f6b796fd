"""Solve the smallest board with counterfactual regret minimisation of OpenSpiel.

    python examples/openspiel_cfr.py --iterations 30

Prints how much two players who knew the strategy could win by playing against it (NashConv): it
approaches 0. Needs fernzug[openspiel].
"""

from __future__ import annotations

import argparse

from open_spiel.python.algorithms import cfr, exploitability

from fernzug import rl
from fernzug.rl.tiny import MICRO


def main() -> None:
    """Iterate, and print the distance from an equilibrium now and then."""
    parser = argparse.ArgumentParser(description="Solve the smallest board with CFR.")
    parser.add_argument("--iterations", type=int, default=30)
    options = parser.parse_args()
    game = rl.openspiel_game(MICRO, actions="canonical")
    solver = cfr.CFRPlusSolver(game)
    for iteration in range(1, options.iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration == options.iterations or iteration % 10 == 0:
            distance = exploitability.nash_conv(game, solver.average_policy())
            print(f"iteration {iteration}: NashConv {distance:.4f}", flush=True)


if __name__ == "__main__":
    main()
