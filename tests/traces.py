"""Traces of games: a hash for every step, of everything that the engine says at that step.

Run as a program, it prints the traces of all tables as JSON, to compare another version of Python,
or the plain engine, with this one::

    FERNZUG_PLAIN=1 python tests/traces.py

The last hash of every trace is kept in ``data/traces.json``. It changes with the rules, the boards,
the numbers of actions, chance, and the words of positions, events, views and score sheets. After
such a change ``make golden`` writes it again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from functools import cache
from pathlib import Path

import fernzug
from fernzug import Board, Game
from fernzug.engine import COMPILED
from fernzug.engine.chance import PLAYERS, Stream

GOLDEN = Path(__file__).parent / "data" / "traces.json"
SEED = 1


def name_of(board: Board, players: int) -> str:
    """Return what a table's trace is called."""
    return f"{board.id}-{players}-{SEED}"


@cache
def trace(board: Board, players: int) -> list[str]:
    """Return a hash for each step of a random game; each depends on all before it."""
    game = Game(board, players, seed=SEED)
    stream = Stream(SEED, PLAYERS)
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


def traces() -> dict[str, list[str]]:
    """Return the traces of games on every board with every number of players."""
    boards = [fernzug.board(name) for name in fernzug.boards()]
    return {
        name_of(board, players): trace(board, players)
        for board in boards
        for players in board.players
    }


def renew() -> None:
    """Write the golden hashes."""
    last = {table: hashes[-1] for table, hashes in traces().items()}
    GOLDEN.write_text(json.dumps(last, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["renew"]:
        renew()
    else:
        json.dump({"compiled": COMPILED, "traces": traces()}, sys.stdout)
