"""Many games on one board, played by one process, several or a cluster, and what they add up to.

The same board, players, seed and bots give the same rows and the same sums for any number of
workers: every game has a seed of its own, made from the simulation's seed and the game's number,
and only whole numbers are added up.
"""

from fernzug.sim.crew import Alone, Crew, WorkerLost
from fernzug.sim.playing import Part, Simulator, play_bots
from fernzug.sim.running import Parts, chunk_size, simulate, useful_workers
from fernzug.sim.simulation import MAX_GAMES, RANDOM, Simulation
from fernzug.sim.totals import Totals

__all__ = [
    "MAX_GAMES",
    "RANDOM",
    "Alone",
    "Crew",
    "Part",
    "Parts",
    "Simulation",
    "Simulator",
    "Totals",
    "WorkerLost",
    "chunk_size",
    "play_bots",
    "simulate",
    "useful_workers",
]
