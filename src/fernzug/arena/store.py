"""The results, in one SQLite file.

Every game is written as soon as it is over, so a contest that was stopped for any reason carries on
where it was. ``docs/arena.md`` describes the tables.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import fernzug
from fernzug.arena.contest import Contest, LineUp
from fernzug.arena.playing import GameResult, SeatResult, Task
from fernzug.bots import Budget
from fernzug.build import build
from fernzug.engine import COMPILED

SCHEMA = 1
"""The version of the tables."""

APPLICATION = 0x465A4152
"""SQLite's application id, which marks the file as one of the arena."""

TABLES = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, version TEXT NOT NULL, build TEXT NOT NULL,
    compiled INTEGER NOT NULL, python TEXT NOT NULL
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, board TEXT NOT NULL, board_hash TEXT NOT NULL,
    players INTEGER NOT NULL, bots TEXT NOT NULL, seed INTEGER NOT NULL, budget TEXT NOT NULL,
    UNIQUE (board_hash, players, bots, seed, budget)
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES matches, block INTEGER NOT NULL,
    rotation INTEGER NOT NULL, seed INTEGER NOT NULL, first_player INTEGER NOT NULL,
    turns INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs,
    UNIQUE (match, block, rotation)
);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games, seat INTEGER NOT NULL, bot TEXT NOT NULL,
    points INTEGER NOT NULL, rank INTEGER NOT NULL, tickets_completed INTEGER NOT NULL,
    tickets_kept INTEGER NOT NULL, turns INTEGER NOT NULL, decisions INTEGER NOT NULL,
    seconds REAL NOT NULL, slowest REAL NOT NULL, failure TEXT, PRIMARY KEY (game, seat)
) WITHOUT ROWID;
"""

RAW_COLUMNS = (
    *("board", "players", "line_up", "contest_seed", "budget", "block", "rotation", "seed"),
    *("first_player", "game_turns", "version", "build", "game", "seat", "bot", "points", "rank"),
    *("tickets_completed", "tickets_kept", "turns", "decisions", "seconds", "slowest", "failure"),
)
"""The columns of :meth:`Store.rows`."""

_RAW = """
SELECT m.board, m.players, m.bots, m.seed, m.budget, g.block, g.rotation, g.seed,
       g.first_player, g.turns, r.version, r.build, s.game, s.seat, s.bot, s.points, s.rank,
       s.tickets_completed, s.tickets_kept, s.turns, s.decisions, s.seconds, s.slowest, s.failure
FROM seats s JOIN games g ON g.id = s.game JOIN matches m ON m.id = g.match
             JOIN runs r ON r.id = g.run
ORDER BY m.id, g.block, g.rotation, s.seat
"""


# The ids of new runs and games follow those that are there.
_MERGE = (
    """
    INSERT INTO runs (id, started, version, build, compiled, python)
    SELECT id + :runs, started, version, build, compiled, python FROM other.runs
    """,
    """
    INSERT OR IGNORE INTO matches (board, board_hash, players, bots, seed, budget)
    SELECT board, board_hash, players, bots, seed, budget FROM other.matches ORDER BY id
    """,
    """
    INSERT OR IGNORE INTO games (id, match, block, rotation, seed, first_player, turns, run)
    SELECT g.id + :games, m.id, g.block, g.rotation, g.seed, g.first_player, g.turns, g.run + :runs
    FROM other.games g JOIN other.matches o ON o.id = g.match
    JOIN main.matches m ON (m.board_hash, m.players, m.bots, m.seed, m.budget)
                         = (o.board_hash, o.players, o.bots, o.seed, o.budget)
    ORDER BY g.id
    """,
    """
    INSERT INTO seats
    SELECT s.game + :games, s.seat, s.bot, s.points, s.rank, s.tickets_completed, s.tickets_kept,
           s.turns, s.decisions, s.seconds, s.slowest, s.failure
    FROM other.seats s WHERE s.game + :games IN (SELECT id FROM main.games WHERE id > :games)
    """,
    "DELETE FROM runs WHERE id > :runs AND id NOT IN (SELECT run FROM main.games)",
)


class StoreError(Exception):
    """The file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line-up in the store, and the conditions under which it plays."""

    id: int
    board: str
    board_hash: str
    players: int
    bots: LineUp
    seed: int
    budget: Budget


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game in the store."""

    series: int
    block: int
    rotation: int
    seats: list[SeatResult]


class Store:
    """The results in a file; ``:memory:`` keeps them only while the process runs."""

    def __init__(self, path: str | os.PathLike[str], create: bool = True) -> None:
        self.path = os.fspath(path)
        if not create and not Path(self.path).is_file():
            raise StoreError(f"there is no file '{self.path}'")
        try:
            # Autocommit; wait for other readers and writers.
            self._db = sqlite3.connect(self.path, timeout=30.0, isolation_level=None)
            self._open()
        except sqlite3.Error as error:
            raise StoreError(f"'{self.path}' cannot be used: {error}") from None
        self._run: int | None = None

    def _open(self) -> None:
        version = self._one("PRAGMA user_version")
        if version == 0 and self._one("SELECT count(*) FROM sqlite_master") == 0:
            self._db.executescript(
                f"BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};"
                f"{TABLES} COMMIT;"
            )
        elif self._one("PRAGMA application_id") != APPLICATION:
            raise StoreError(f"'{self.path}' is not a file of the arena")
        elif version != SCHEMA:
            raise StoreError(
                f"'{self.path}' has version {version}, but this program needs version {SCHEMA}"
            )
        # With a write-ahead log, a game does not have to wait for the disk, and a process that is
        # killed loses nothing it has committed.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")

    def _one(self, query: str, values: tuple[object, ...] = ()) -> object:
        row = self._db.execute(query, values).fetchone()
        return None if row is None else row[0]

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ------------------------------------------------------------------------ writing

    def builds(self) -> set[str]:
        """Return the builds of the engine and the bots that played the games in this file."""
        return {
            build
            for (build,) in self._db.execute(
                "SELECT DISTINCT build FROM runs WHERE id IN (SELECT run FROM games)"
            )
        }

    def series_of(self, contest: Contest, line_up: LineUp) -> int:
        """Return the number of a line-up in a contest, adding it if necessary."""
        key = (
            contest.board.hash,
            contest.players,
            json.dumps(line_up),
            contest.seed,
            _budget_text(contest.budget),
        )
        self._db.execute(
            "INSERT OR IGNORE INTO matches (board, board_hash, players, bots, seed, budget) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (contest.board.id, *key),
        )
        number = self._one(
            "SELECT id FROM matches WHERE board_hash = ? AND players = ? AND bots = ? "
            "AND seed = ? AND budget = ?",
            key,
        )
        assert isinstance(number, int)
        return number

    def done(self, series: int) -> set[tuple[int, int]]:
        """Return the games of a series that have been played, by block and rotation."""
        return set(self._db.execute("SELECT block, rotation FROM games WHERE match = ?", (series,)))

    def add(self, task: Task, result: GameResult) -> None:
        """Write a game unless it is there already."""
        if self._run is None:
            self._run = self._begin_run()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            cursor = self._db.execute(
                "INSERT OR IGNORE INTO games "
                "(match, block, rotation, seed, first_player, turns, run) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*task[:4], result.first_player, result.turns, self._run),
            )
            if cursor.rowcount == 1:
                self._db.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [(cursor.lastrowid, i, *astuple(row)) for i, row in enumerate(result.seats)],
                )
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _begin_run(self) -> int:
        cursor = self._db.execute(
            "INSERT INTO runs (started, version, build, compiled, python) VALUES (?, ?, ?, ?, ?)",
            (
                time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                fernzug.__version__,
                build(),
                int(COMPILED),
                platform.python_version(),
            ),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def merge(self, other: Store, mix: bool = False) -> int:
        """Add the games of another file that this one does not have; return how many.

        ``mix`` allows games of different builds of engine and bots in one file.
        """
        builds = self.builds() | other.builds()
        if len(builds) > 1 and not mix:
            raise StoreError(
                f"'{self.path}' and '{other.path}' have games from different versions of the "
                f"engine or the bots (builds {', '.join(sorted(builds))}), which should not be "
                "mixed"
            )
        self._db.execute("ATTACH ? AS other", (other.path,))
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                # Asked only now, because another process may have added games until here.
                runs, games = (
                    self._one(f"SELECT max(id) FROM main.{name}") or 0 for name in ("runs", "games")
                )
                for statement in _MERGE:
                    self._db.execute(statement, {"runs": runs, "games": games})
                added = self._one("SELECT count(*) FROM main.games WHERE id > ?", (games,))
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        finally:
            self._db.execute("DETACH other")
        assert isinstance(added, int)
        return added

    # ------------------------------------------------------------------------ reading

    def all_series(self) -> list[Series]:
        """Return all series."""
        query = "SELECT id, board, board_hash, players, bots, seed, budget FROM matches ORDER BY id"
        return [
            Series(id, board, hash, players, tuple(json.loads(bots)), seed, _budget(budget))
            for id, board, hash, players, bots, seed, budget in self._db.execute(query)
        ]

    def games(self, ids: Iterable[int]) -> Iterator[StoredGame]:
        """Yield the games of some series, block by block."""
        for series in ids:
            game: StoredGame | None = None
            query = (
                "SELECT g.block, g.rotation, s.bot, s.points, s.rank, s.tickets_completed, "
                "s.tickets_kept, s.turns, s.decisions, s.seconds, s.slowest, s.failure "
                "FROM games g JOIN seats s ON s.game = g.id WHERE g.match = ? "
                "ORDER BY g.block, g.rotation, s.seat"
            )
            for block, rotation, *row in self._db.execute(query, (series,)):
                if game is None or (game.block, game.rotation) != (block, rotation):
                    if game is not None:
                        yield game
                    game = StoredGame(series, block, rotation, [])
                game.seats.append(SeatResult(*row))
            if game is not None:
                yield game

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield everything, one row per seat, in :data:`RAW_COLUMNS`."""
        yield from self._db.execute(_RAW)


def _budget_text(budget: Budget) -> str:
    return json.dumps({"iterations": budget.iterations, "seconds": budget.seconds})


def _budget(text: str) -> Budget:
    data = json.loads(text)
    return Budget(data["iterations"], data["seconds"])
