"""Who plays whom, from which seats and with which luck.

A *line-up* is the bots at one table. A *block* of a line-up is one seed played in every rotation:
the bots move on by one seat after each game, so everybody gets the same luck and the same place in
the order of play. The statistics count blocks, because the games of one block are correlated and
those of different blocks are independent.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, permutations
from typing import cast

from fernzug.board.files import at_hand
from fernzug.board.model import Board
from fernzug.bots import Bot, Budget, name_of, pinned
from fernzug.engine import batch
from fernzug.errors import is_one_of, plain
from fernzug.start import checked

LineUp = tuple[str, ...]
"""The bots at a table, in the order in which they were given."""


@dataclass(frozen=True)
class Contest:
    """What to play, on a board that may be given by its id or path.

    ``bots`` are names or classes of bots. ``games`` is the number of games per line-up, rounded up
    to whole blocks. With ``alone``, at tables for more than two players, only the first bot sits
    alone against each of the others.
    """

    board: Board
    players: int
    bots: Sequence[str | type[Bot]]
    games: int
    seed: int = 0
    budget: Budget = field(default_factory=Budget)
    alone: bool = False

    def __post_init__(self) -> None:
        # Set in this way because nothing can change them afterwards.
        object.__setattr__(self, "board", at_hand(self.board))
        for name in ("players", "games", "seed"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        checked(self.board, self.players, self.seed, first_player=0)
        object.__setattr__(self, "bots", tuple(pinned(name_of(bot)) for bot in self.bots))
        twice = [bot for bot, times in Counter(self.entrants).items() if times > 1]
        if twice:
            raise ValueError(
                f"'{twice[0]}' is given twice; give a single bot to have it play against itself"
            )
        if not self.bots:
            raise ValueError("a contest needs at least one bot")
        if not is_one_of(self.games, range(1, sys.maxsize)):
            raise ValueError(f"{self.games!r} games cannot be played")

    @property
    def entrants(self) -> LineUp:
        """The names of the bots; of a bot in a file, with the version that the file has now."""
        return cast(LineUp, self.bots)

    @property
    def line_ups(self) -> list[LineUp]:
        """The line-ups that play."""
        return line_ups(self.entrants, self.players, self.alone)

    def blocks(self, line_up: LineUp) -> int:
        """The number of blocks that a line-up plays."""
        return -(-self.games // len(seatings(line_up, 0)))

    def block_seed(self, block: int) -> int:
        """The seed of a block's games: the same for all line-ups, so that luck can be compared."""
        return int(batch.game_seed(self.seed, block))


def line_ups(bots: tuple[str, ...], players: int, alone: bool = False) -> list[LineUp]:
    """Return the line-ups in which the bots meet.

    One bot plays against itself. At a larger table, each of two bots sits alone once against the
    other. Otherwise all bots meet all others, sharing out the seats as evenly as possible.
    """
    if len(bots) == 1:
        return [bots * players]
    if len(bots) == 2 and players > 2:
        first, second = bots
        sides = [(first,) + (second,) * (players - 1), (second,) + (first,) * (players - 1)]
        return sides[:1] if alone else sides
    if alone and players > 2:
        return [(bots[0],) + (other,) * (players - 1) for other in bots[1:]]
    if len(bots) >= players:
        return list(combinations(bots, players))
    least = players // len(bots)
    return [
        line_up
        for line_up in combinations_with_replacement(bots, players)
        if all(least <= line_up.count(bot) <= least + 1 for bot in bots)
    ]


def seatings(line_up: LineUp, block: int) -> list[tuple[str, ...]]:
    """Return the seatings of a block: every bot sits on every seat once.

    The order around the table changes from block to block, going through all orders in turn.
    """
    orders = list(dict.fromkeys(permutations(line_up[1:])))
    circle = (line_up[0], *orders[block % len(orders)])
    return list(dict.fromkeys(circle[-i:] + circle[:-i] for i in range(len(circle))))
