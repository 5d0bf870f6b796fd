"""Many games in step: each takes one decision, and observations and masks lie in flat vectors."""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64, u8

from fernzug.engine import chance, scoring
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import Stream
from fernzug.engine.observation import Observer, short_count, shortened
from fernzug.engine.rules import apply, canonical, legal, set_up
from fernzug.engine.state import OVER, State, filled


@final
class Lockstep:
    """Games that are played side by side from a blank table; one that ends begins anew.

    The vectors are laid out game by game. ``short`` is for the short action table.
    """

    def __init__(self, start: State, games: i64, short: bool) -> None:
        t = start.tables
        self.start = start
        self.games = games
        self.short = short
        self.actions: i64 = short_count(t) if short else t.actions
        self.observer = Observer(t, start.players)
        self.seed: i64 = 0
        self.dealt: i64 = 0  # how many games have begun
        self.states: list[State] = []
        self.observation = vec[i16]([0] * int(games * self.observer.size))
        self.mask = vec[u8]([0] * int(games * self.actions))
        self.seat = filled(games, 0)
        self.done = vec[u8]([0] * int(games))
        self.points = filled(games * start.players, 0)  # of the games that have just ended
        self.game = filled(games, 0)  # the number of each game, from which its seed follows
        self._legal = vec[i32]([0] * int(games * self.actions))
        self._count = filled(games, 0)

    def begin(self, seed: i64) -> None:
        """Begin all games anew."""
        self.seed = seed
        self.dealt = 0
        self.states = []
        for game in range(self.games):
            self.states.append(self._deal(game))
            self.done[game] = 0

    def _deal(self, game: i64) -> State:
        s = self.start.copy()
        s.seed = game_seed(self.seed, self.dealt)
        s.first_player = Stream(s.seed, chance.FIRST_PLAYER).below(s.players)
        set_up(s)
        self.game[game] = self.dealt
        self.dealt += 1
        return s

    def illegal(self, actions: list[int]) -> i64:
        """Return the first game whose action is not legal, or -1."""
        for game in range(self.games):
            action: i64 = actions[game]
            if action < 0 or action >= self.actions or not self.mask[game * self.actions + action]:
                return game
        return -1

    def play(self, actions: list[int]) -> list[tuple[int, State]]:
        """Take a legal action in every game, and begin those anew that end.

        Returns the ended games in which several seats have the same points, for the score sheets
        to decide their ranks (E7).
        """
        tied: list[tuple[int, State]] = []
        states = self.states
        t = self.start.tables
        for game in range(self.games):
            s = states[game]
            action: i64 = actions[game]
            if self.short and action >= t.claim:
                action = canonical(s, s.seat, action - t.claim)
            apply(s, s.seat, action)
            self.done[game] = 0
            if s.phase == OVER:
                self.done[game] = 1
                if self._count_points(s, game):
                    tied.append((int(game), s))
                states[game] = self._deal(game)
        return tied

    def _count_points(self, s: State, game: i64) -> bool:
        """Write the points of a game that has ended; return whether some are equal."""
        points = scoring.totals(s)
        first = game * s.players
        tied = False
        for seat in range(s.players):
            self.points[first + seat] = points[seat]
            for other in range(seat):
                if points[other] == points[seat]:
                    tied = True
        return tied

    def look(self) -> None:
        """Write whose decision it is, its observation and its mask, for every game.

        The observations must hold zeros.
        """
        t = self.start.tables
        observer = self.observer
        rows = self.observation
        size = observer.size
        mask = self.mask
        listed = self._legal
        for game in range(self.games):
            s = self.states[game]
            seat = s.seat
            self.seat[game] = seat
            observer.write(s, seat, rows, game * size)
            first = game * self.actions
            for i in range(first, first + self._count[game]):
                mask[first + i64(listed[i])] = 0
            number = first
            actions = legal(s, seat)
            for i in range(i64(len(actions))):
                action = actions[i]
                if self.short and action >= t.claim:
                    action = shortened(t, action)
                    if mask[first + action]:
                        continue
                mask[first + action] = 1
                listed[number] = i32(action)
                number += 1
            self._count[game] = number - first

    def sample(self, stream: Stream, chosen: vec[i64]) -> None:
        """Write a random legal action for every game, all equally likely."""
        for game in range(self.games):
            chosen[game] = i64(self._legal[game * self.actions + stream.below(self._count[game])])
