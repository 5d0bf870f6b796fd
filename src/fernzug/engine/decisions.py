"""Decisions as columns of numbers: who chose what, out of how many, and what became of it.

A column is a vector that grows as needed and whose first ``size`` numbers count. Vectors export
their memory, so whoever writes files sees the columns without copying them.
"""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from fernzug.engine import bits, chance
from fernzug.engine.batch import (
    GAME,
    SEAT,
    SEAT_COLUMNS,
    game_seed,
    share_win,
    width,
    write_row,
)
from fernzug.engine.bits import WORD
from fernzug.engine.chance import Stream
from fernzug.engine.observation import Observer
from fernzug.engine.playout import pick
from fernzug.engine.rules import apply, claimable, keep_least, offer_count, set_up, shown
from fernzug.engine.state import KEEP, OVER, SECOND_CARD, SETUP, State, filled

COMPLETED = SEAT_COLUMNS.index("tickets_completed")


@final
class Decisions:
    """The decisions of games on one board, one row each."""

    def __init__(self, start: State, capacity: i64, observer: Observer | None) -> None:
        self.size: i64 = 0
        self.observer = observer  # if observations are wanted
        self.observed: i64 = 0 if observer is None else observer.size  # numbers in each of them
        self.observation = vec[i16]([0] * int(capacity * self.observed))
        self.capacity: i64 = capacity
        self.game = filled(capacity, 0)
        self.seed = filled(capacity, 0)
        self.number = vec[i16]([0] * int(capacity))  # of the decision in its game
        self.turn = vec[i16]([0] * int(capacity))
        self.seat = vec[i16]([0] * int(capacity))
        self.phase = vec[i16]([0] * int(capacity))
        self.action = vec[i32]([0] * int(capacity))
        self.legal = vec[i16]([0] * int(capacity))  # how many actions were legal
        self.points = vec[i16]([0] * int(capacity))  # for routes and in play, so far
        self.pieces = vec[i16]([0] * int(capacity))  # left, all kinds together
        self.final_points = vec[i16]([0] * int(capacity))
        self.rank = vec[i16]([0] * int(capacity))
        self._first: i64 = 0  # row of the game under way
        self._game: i64 = 0
        self._seed: i64 = 0
        self._built = filled(start.players, 0)  # points for routes, by seat
        self._routes = filled(start.tables.words, 0)
        # Of a seat's columns those that break a tie, in their order (E7).
        kinds = [bonus.kind for bonus in start.tables.bonuses]
        self._breaks = vec[i64](
            COMPLETED if word == "tickets" else SEAT + kinds.index(word)
            for word in start.tables.board.tie_breaks
        )

    def clear(self) -> None:
        """Forget all rows."""
        self.size = 0

    def begin(self, game: i64, seed: i64) -> None:
        """The decisions that follow belong to another game."""
        self._first = self.size
        self._game = game
        self._seed = seed
        for seat in range(i64(len(self._built))):
            self._built[seat] = 0

    def note(self, s: State, seat: i64, action: i64) -> None:
        """Write the row of a decision that a seat is about to carry out."""
        t = s.tables
        row = self.size
        if row == self.capacity:
            self._grow()
        self.game[row] = self._game
        self.seed[row] = self._seed
        self.number[row] = i16(row - self._first)
        self.turn[row] = i16(s.turn)
        self.seat[row] = i16(seat)
        self.phase[row] = i16(s.phase)
        self.action[row] = i32(action)
        self.legal[row] = i16(legal_count(s, seat, self._routes))
        # Where there is a score track, the points so far include those for routes (C8).
        points = s.points[seat] if t.score_track else s.points[seat] + self._built[seat]
        self.points[row] = i16(points)
        self.pieces[row] = i16(s.pieces_left(seat))
        observer = self.observer
        if observer is not None:
            first = row * self.observed
            # The observer writes only what is not 0, and older rows may be left here.
            for i in range(first, first + self.observed):
                self.observation[i] = 0
            observer.write(s, seat, self.observation, first)
        if action >= t.claim:
            self._built[seat] += t.route_points[t.claim_route[action - t.claim]]
        self.size = row + 1

    def end(self, s: State, rows: vec[i64], at: i64) -> None:
        """Write what became of the game's decisions, from the row of the finished game."""
        players = s.players
        columns = SEAT + i64(len(s.tables.bonuses))
        first = at + GAME
        rank = filled(players, 1)
        for seat in range(players):
            for other in range(players):
                if self._beats(rows, first + other * columns, first + seat * columns):
                    rank[seat] += 1
        for row in range(self._first, self.size):
            seat = i64(self.seat[row])
            self.final_points[row] = i16(rows[first + seat * columns])
            self.rank[row] = i16(rank[seat])

    def _beats(self, rows: vec[i64], one: i64, other: i64) -> bool:
        """Whether the seat with the columns at ``one`` has a better rank than the other (E7)."""
        if rows[one] != rows[other]:
            return rows[one] > rows[other]
        for column in self._breaks:
            if rows[one + column] != rows[other + column]:
                return rows[one + column] > rows[other + column]
        return False

    def _grow(self) -> None:
        more = int(self.capacity)
        self.capacity *= 2
        self.game = _longer(self.game, more)
        self.seed = _longer(self.seed, more)
        self.number = _longer_short(self.number, more)
        self.turn = _longer_short(self.turn, more)
        self.seat = _longer_short(self.seat, more)
        self.phase = _longer_short(self.phase, more)
        action = vec[i32]([0] * int(self.capacity))
        for i in range(i64(more)):
            action[i] = self.action[i]
        self.action = action
        self.legal = _longer_short(self.legal, more)
        self.points = _longer_short(self.points, more)
        self.pieces = _longer_short(self.pieces, more)
        self.final_points = _longer_short(self.final_points, more)
        self.rank = _longer_short(self.rank, more)
        self.observation = _longer_short(self.observation, more * self.observed)


def _longer(column: vec[i64], more: i64) -> vec[i64]:
    longer = filled(i64(len(column)) + more, 0)
    for i in range(i64(len(column))):
        longer[i] = column[i]
    return longer


def _longer_short(column: vec[i16], more: i64) -> vec[i16]:
    longer = vec[i16]([0] * (len(column) + int(more)))
    for i in range(i64(len(column))):
        longer[i] = column[i]
    return longer


def play_noted(
    start: State, seed: i64, first: i64, rows: vec[i64], decisions: Decisions
) -> list[tuple[int, State]]:
    """Do as :func:`fernzug.engine.batch.play_batch` does, and note every decision."""
    columns = width(start)
    tied: list[tuple[int, State]] = []
    routes = filled(start.tables.words, 0)
    for i in range(i64(len(rows)) // columns):
        s = start.copy()
        s.seed = game_seed(seed, first + i)
        s.first_player = Stream(s.seed, chance.FIRST_PLAYER).below(s.players)
        set_up(s)
        stream = Stream(s.seed, chance.PLAYERS)
        decisions.begin(first + i, s.seed)
        number: i64 = 0
        while s.phase != OVER:
            action = pick(s, s.seat, stream, routes)
            decisions.note(s, s.seat, action)
            apply(s, s.seat, action)
            number += 1
        best = write_row(s, number, rows, i * columns)
        decisions.end(s, rows, i * columns)
        if best >= 0:
            share_win(s, 1 << best, rows, i * columns)
        else:
            tied.append((int(i), s))
    return tied


# ---------------------------------------------------------------------------- counting


def legal_count(s: State, seat: i64, routes: vec[i64]) -> i64:
    """Return how many actions a seat whose decision is awaited may take.

    As many as :func:`fernzug.engine.rules.legal` lists, without listing them. ``routes`` is scratch
    space for a set of routes.
    """
    if s.phase == SETUP or s.phase == KEEP:
        least = keep_least(s, seat)
        subsets: i64 = 0
        for places in range(i64(1) << offer_count(s, seat)):
            if bits.count(places) >= least:
                subsets += 1
        return subsets
    number = bits.count(shown(s))
    if s.deck_size > 0:
        number += 1
    if s.phase == SECOND_CARD:
        return number
    if s.ticket_count > 0:
        number += 1
    if claimable(s, seat, routes) > 0:
        number += _payments(s, seat, routes)
    return max(number, 1)  # T2: who can do nothing passes.


def _payments(s: State, seat: i64, routes: vec[i64]) -> i64:
    """Return in how many ways the routes of a set can be paid for (C2)."""
    t = s.tables
    hands = s.hands
    hand = s.hand_start(seat)
    wild = hands[hand + t.wild]
    number: i64 = 0
    for w in range(t.words):
        left = routes[w]
        while left:
            route = w * WORD + bits.lowest(left)
            left &= left - 1
            cost = t.route_cost[route]
            # With wild cards only: one way, whatever the colour.
            if wild >= cost:
                number += 1
            most = min(wild, cost - 1)
            first = t.claim_first[route] - t.claim
            for choice in range(first, first + t.claim_step[route]):
                color = t.claim_color[choice]
                ways = most - max(cost - hands[hand + color], 0) + 1
                if ways > 0 and _may_choose(s, seat, t.claim_option[choice], color):
                    number += ways
    return number


def _may_choose(s: State, seat: i64, option: i64, color: i64) -> bool:
    """Whether a seat may claim with an option of a bonus; 0 is none."""
    if option == 0:
        return True
    bonus = s.tables.option_bonus[option - 1]
    return (bonus.allowed(s, seat, option - bonus.first_option) >> color) & 1 == 1
