"""Many random games and their results, without leaving the compiled core.

Each game is a row of numbers: those of the game (:data:`GAME_COLUMNS`), then for each seat those of
the seat (:data:`SEAT_COLUMNS`) and its points for each bonus of the board.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import chance, scoring
from fernzug.engine.chance import Stream
from fernzug.engine.playout import play_out
from fernzug.engine.rules import set_up
from fernzug.engine.state import State

GAME_COLUMNS: Final = ("first_player", "turns", "decisions", "passed_out", "first_player_won")
SEAT_COLUMNS: Final = (
    "points",
    "won",
    "routes",
    "route_points",
    "tickets_completed",
    "tickets_failed",
    "ticket_points",
)
GAME: Final = 5
SEAT: Final = 7

WHOLE: Final = 840
"""A win; divisible by the number of seats that share it, up to eight."""


def game_seed(seed: i64, number: i64) -> i64:
    """Return the seed of one game of a batch; batches of different seeds have no game in common."""
    stream = Stream(seed, number)
    high = stream.next() & 0x3FFFFFFF
    return (high << 32) | stream.next()


def width(start: State) -> i64:
    """Return the number of columns in a row."""
    return GAME + start.players * (SEAT + i64(len(start.tables.bonuses)))


def play_batch(start: State, seed: i64, first: i64, rows: vec[i64]) -> list[tuple[int, State]]:
    """Play random games from a blank table, one for each row, and write the rows.

    Returns the games in which several seats have most points, by the number of their row: who of
    them has won (E7) is written by :func:`share_win` once the score sheets have decided it.
    """
    columns = width(start)
    tied: list[tuple[int, State]] = []
    for i in range(i64(len(rows)) // columns):
        s = start.copy()
        s.seed = game_seed(seed, first + i)
        s.first_player = Stream(s.seed, chance.FIRST_PLAYER).below(s.players)
        set_up(s)
        decisions = play_out(s, Stream(s.seed, chance.PLAYERS))
        best = write_row(s, decisions, rows, i * columns)
        if best >= 0:
            share_win(s, 1 << best, rows, i * columns)
        else:
            tied.append((int(i), s))
    return tied


def write_row(s: State, decisions: i64, rows: vec[i64], at: i64) -> i64:
    """Write the row of a finished game; return the seat with most points, or -1 for a tie."""
    t = s.tables
    players = s.players
    rows[at] = s.first_player
    rows[at + 1] = s.turn
    rows[at + 2] = decisions
    # The game ends by passing if no last round has started, which is seen from the pieces (E1).
    rows[at + 3] = 1
    for seat in range(players):
        if s.pieces_left(seat) <= t.last_round_at:
            rows[at + 3] = 0
    columns = SEAT + i64(len(t.bonuses))
    at += GAME
    column = at + SEAT
    for bonus in t.bonuses:
        awards = vec[i64]([0] * int(players))
        bonus.award(s, awards)
        for seat in range(players):
            rows[column + seat * columns] = awards[seat] + bonus.given(s, seat)
        column += 1
    for seat in range(players):
        _write_seat(s, seat, rows, at + seat * columns, columns)
    best: i64 = 0
    for seat in range(i64(1), players):
        if rows[at + seat * columns] > rows[at + best * columns]:
            best = seat
    for seat in range(players):
        if seat != best and rows[at + seat * columns] == rows[at + best * columns]:
            return -1
    return best


def _write_seat(s: State, seat: i64, rows: vec[i64], at: i64, columns: i64) -> None:
    t = s.tables
    won, lost, completed = scoring.ticket_points(s, seat)
    routes: i64 = 0
    for route in range(t.routes):
        if s.owner[route] == seat:
            routes += 1
    tickets: i64 = 0
    for ticket in range(t.tickets):
        if s.ticket_owner[ticket] == seat:
            tickets += 1
    route_points = scoring.route_points(s, seat)
    points = route_points + won - lost
    for column in range(SEAT, columns):
        points += rows[at + column]
    rows[at] = points
    rows[at + 2] = routes
    rows[at + 3] = route_points
    rows[at + 4] = completed
    rows[at + 5] = tickets - completed
    rows[at + 6] = won - lost


def share_win(s: State, winners: i64, rows: vec[i64], at: i64) -> None:
    """Write who has won a game, the winning seats as bits."""
    number: i64 = 0
    for seat in range(s.players):
        number += (winners >> seat) & 1
    columns = SEAT + i64(len(s.tables.bonuses))
    for seat in range(s.players):
        part = WHOLE // number if (winners >> seat) & 1 else 0
        rows[at + GAME + seat * columns + 1] = part
        if seat == s.first_player:
            rows[at + 4] = part


def add_up(rows: vec[i64], columns: i64) -> vec[i64]:
    """Return for all columns the sum, the sum of squares, the least and the most, in that order.

    Sums of whole numbers do not depend on the order, so any process may play any games.
    """
    tally = vec[i64]([0] * int(4 * columns))
    for column in range(columns):
        total: i64 = 0
        squares: i64 = 0
        least = rows[column]
        most = rows[column]
        at = column
        while at < i64(len(rows)):
            value = rows[at]
            total += value
            squares += value * value
            least = min(least, value)
            most = max(most, value)
            at += columns
        tally[column] = total
        tally[columns + column] = squares
        tally[2 * columns + column] = least
        tally[3 * columns + column] = most
    return tally
