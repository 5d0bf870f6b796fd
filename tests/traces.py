"""Traces of games: a hash for every step, of everything that the engine says at that step.

Run as a program, it prints the traces of all tables as JSON, to compare another version of Python,
or the plain engine, with this one::

    FERNZUG_PLAIN=1 python tests/traces.py
"""

from __future__ import annotations

import hashlib
import json
import sys

import fernzug
from fernzug import Board, Game
from fernzug.engine import COMPILED
from fernzug.engine.chance import PLAYERS, Stream

SEEDS = (1,)


def trace(board: Board, players: int, seed: int) -> list[str]:
    """Return a hash for each step of a random game; each depends on all before it."""
    game = Game(board, players, seed=seed)
    stream = Stream(seed, PLAYERS)
    digest = hashlib.sha256()
    hashes = []
    events = game.events
    while True:
        legal = game.legal()
        said = [
            game.position(),
            [action.text for action in legal],
            [event.to_json() for event in events],
            [sheet.to_json() for sheet in game.scores()],
            [game.view(seat).to_json() for seat in (0, None)],
        ]
        digest.update(json.dumps(said, sort_keys=True).encode())
        hashes.append(digest.hexdigest()[:12])
        if game.over:
            return hashes
        events = game.play(legal[int(stream.below(len(legal)))])


def traces(seeds: tuple[int, ...] = SEEDS) -> dict[str, list[str]]:
    """Return the traces of games on every board with every number of players."""
    return {
        f"{name}-{players}-{seed}": trace(fernzug.board(name), players, seed)
        for name in fernzug.boards()
        for players in fernzug.board(name).players
        for seed in seeds
    }


if __name__ == "__main__":
    json.dump({"compiled": COMPILED, "traces": traces()}, sys.stdout)
