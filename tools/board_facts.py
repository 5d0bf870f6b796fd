#!/usr/bin/env python3
"""Measure how long a game on each board is, and write ``src/fernzug/server/facts.toml``.

Planners play the games. From them come the turns and the decisions of a player, and a position
out of the middle of a game, for pictures of the board in use. Run it with ``make facts`` after a
board has changed; it takes a few seconds.
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean

from fernzug import Board, Game
from fernzug.board.files import boards, load
from fernzug.sim.playing import play_bots

FACTS = Path(__file__).parent.parent / "src/fernzug/server/facts.toml"
GAMES = 200
PLAYERS = 3
PICTURED = 4
"""The number of players in the picture."""
SHARE = 0.6
"""The part of a game's claims that have been made in the picture."""
HEADER = """\
# How long games are: turns and decisions of a player, on average over {games} games of {players}
# planners; and a position for pictures of the board. Measured with tools/board_facts.py.
"""


def measured(board: Board) -> str:
    """Return the section of a board."""
    games = [play_bots(board, ["planner"] * PLAYERS, seed) for seed in range(GAMES)]
    turns = mean(game.view(None).turn / PLAYERS for game, _ in games)
    decisions = mean(number / PLAYERS for _, number in games)
    owners = position(play_bots(board, ["planner"] * PICTURED, 1)[0])
    return "\n".join(
        [
            f"[{board.id}]",
            f"turns = {turns:.1f}",
            f"decisions = {decisions:.1f}",
            "[" + board.id + ".picture]",
            *(f'"{route}" = {seat}' for route, seat in owners.items()),
            "",
        ]
    )


def position(game: Game) -> dict[str, int]:
    """Return the owners of the routes in the middle of a game."""
    claims = [event for event in game.events if event.kind == "claimed"]
    made = claims[: round(SHARE * len(claims))]
    return {str(event.route): int(event.seat or 0) for event in made}


if __name__ == "__main__":
    sections = [measured(load(name)) for name in boards()]
    header = HEADER.format(games=GAMES, players=PLAYERS)
    FACTS.write_text("\n".join([header, *sections]), encoding="utf-8")
