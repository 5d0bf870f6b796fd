"""The opponents of a single learner: any bots, on the seats that the learner leaves them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fernzug import bots
from fernzug.board.model import Board
from fernzug.bots.base import Bot, EngineBot
from fernzug.engine import rules
from fernzug.engine.knowledge import knowledge_of
from fernzug.engine.state import State
from fernzug.events import as_seen, event_of
from fernzug.view import view_of

Opponent = str | Callable[..., Bot]
"""A bot as :func:`fernzug.bots.make` names it, or a class that is called with board and seed."""


class Opponents:
    """The bots at a table, for one game."""

    def __init__(
        self, board: Board, seats: Sequence[int], opponents: Sequence[Opponent], seed: int
    ) -> None:
        self.board = board
        self.bots: dict[int, Bot] = {}
        for seat, opponent in zip(seats, opponents, strict=True):
            own = bots.seed_of(seed, seat)
            maker = bots.BUILTIN.get(opponent) if isinstance(opponent, str) else opponent
            if maker is not None:
                self.bots[seat] = maker(board=board, seed=own)
            else:
                self.bots[seat] = bots.make(str(opponent), board, own)
        self.watch = any(bot.watches for bot in self.bots.values())

    def play(self, s: State) -> None:
        """Let the bots decide until it is the learner's turn, or the game is over."""
        while (seat := int(s.seat)) in self.bots:  # nobody decides when the game is over
            rules.apply(s, seat, self._decide(self.bots[seat], s, seat))
            if self.watch:
                self.tell(s)

    def _decide(self, bot: Bot, s: State, seat: int) -> int:
        if isinstance(bot, EngineBot):
            return bot.decide(knowledge_of(s, seat))
        view = view_of(s, seat, self.board.id)
        action = bot.choose(view, view.legal)
        if action not in view.legal:
            raise ValueError(f"the bot on seat {seat} chose {action}, which is not legal")
        return action.number

    def tell(self, s: State) -> None:
        """Tell the bots that watch what has happened since the last time."""
        events = [event_of(s.tables, fact) for fact in s.journal or []]
        s.journal = []
        for seat, bot in self.bots.items():
            if bot.watches:
                bot.watch(as_seen(events, seat))

    def close(self) -> None:
        """Close all bots."""
        for bot in self.bots.values():
            bot.close()
