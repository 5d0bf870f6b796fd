"""A match: a game and the players who play it.

This is the only loop of view, choose, play and watch; simulations, contests, the terminal and the
server all use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Protocol

from fernzug.events import Event, as_seen, event_of
from fernzug.game import Game
from fernzug.notation import Action
from fernzug.view import View

Fact = tuple[int, ...]


class Player(Protocol):
    """Decides for a seat; every :class:`fernzug.bots.Bot` is one."""

    @property
    def watches(self) -> bool:
        """Whether the player wants to hear about events."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return one of the legal actions of the viewing seat."""

    def watch(self, events: Sequence[Event]) -> None:
        """Receive what happened, as far as the seat may know it."""

    def close(self) -> None:
        """Release the player's resources, such as a process."""


class Match:
    """A game and the players on its seats; a seat without a player is played from outside.

    Players hear everything that has happened in the game, the set-up included, in order and once.
    """

    def __init__(self, game: Game, players: Mapping[int, Player] | None = None) -> None:
        self.game = game
        self.players: dict[int, Player] = {}
        self._watching: list[int] = []
        for seat, player in (players or {}).items():
            self.join(seat, player)

    def __enter__(self) -> Match:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ------------------------------------------------------------------------ who plays

    def join(self, seat: int, player: Player) -> None:
        """Put a player on an empty seat and tell it what has happened so far."""
        self.players[seat] = player
        if player.watches:
            self._watching.append(seat)
            self._tell([seat], self.game.facts)

    def leave(self, seat: int) -> None:
        """Close the player on a seat, if there is one."""
        player = self.players.pop(seat, None)
        if seat in self._watching:
            self._watching.remove(seat)
        if player is not None:
            player.close()

    def close(self) -> None:
        """Close all players."""
        for seat in list(self.players):
            self.leave(seat)

    # ------------------------------------------------------------------------ what happens

    def choose(self, seat: int) -> Action:
        """Return what the player on a seat chooses from what that seat may know."""
        view = self.game.view(seat)
        return self.players[seat].choose(view, view.legal)

    def play(self, action: Action | str, seat: int | None = None) -> list[Event]:
        """Take an action as :meth:`Game.play` does, and let the players watch."""
        return self._worded(self._take(action, seat))

    def play_out(self, note: Callable[[int, Action], None] | None = None) -> int:
        """Let the players decide until the game is over; return the number of decisions.

        ``note`` is told each decision before it is carried out.
        """
        decisions = 0
        while (seat := self.game.seat) is not None:
            action = self.choose(seat)
            if note is not None:
                note(seat, action)
            self._take(action, seat)
            decisions += 1
        return decisions

    def follow(self, facts: Sequence[Fact]) -> None:
        """Add facts that come from elsewhere, and let the players watch."""
        self.game.follow(facts)
        self._tell(self._watching, facts)

    def _take(self, action: Action | str, seat: int | None) -> Sequence[Fact]:
        facts = self.game.advance(action, seat)
        self._tell(self._watching, facts)
        return facts

    def _tell(self, seats: Iterable[int], facts: Sequence[Fact]) -> None:
        # Most bots only use views, so events are made only if somebody watches.
        events: list[Event] | None = None
        for seat in seats:
            if events is None:
                events = self._worded(facts)
            self.players[seat].watch(as_seen(events, seat))

    def _worded(self, facts: Sequence[Fact]) -> list[Event]:
        tables = self.game.state.tables
        return [event_of(tables, fact) for fact in facts]
