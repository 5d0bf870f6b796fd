"""Sum up the games in a store: ratings, shares and points, each with its interval."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fernzug.arena import bootstrap
from fernzug.arena.bootstrap import Draw, quantile
from fernzug.arena.contest import LineUp, seatings
from fernzug.arena.playing import SeatResult
from fernzug.arena.ratings import ELO, strengths
from fernzug.arena.runner import share
from fernzug.arena.store import Series, Store, StoredGame
from fernzug.bots import Budget

RANDOM = "random"
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BotSummary:
    """One bot in a pool."""

    bot: str
    rating: Figure
    won: Figure
    """The average share of a win per seat."""
    points: Figure
    tickets: Figure
    """The share of its kept tickets that it completed."""
    seats: int
    turns: float
    seconds: float
    """The average time of a decision."""
    slowest: float
    failures: int
    failure: str | None
    """The first of its failures."""
    spread: tuple[float, ...]
    """The :data:`QUANTILES` of its points."""


@dataclass(frozen=True, slots=True)
class LineSummary:
    """One bot in one line-up: the share of games it has won, from any of its seats."""

    line_up: LineUp
    bot: str
    games: int
    won: Figure
    even: float
    """What its share would be if all bots were equally strong."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A pool: all series on one board, for one number of players and with one budget."""

    board: str
    players: int
    budget: Budget
    seeds: tuple[int, ...]
    games: int
    blocks: int
    left_out: int
    """Games in incomplete blocks, which are not counted anywhere."""
    anchor: str
    bots: tuple[BotSummary, ...]
    """Strongest first."""
    lines: tuple[LineSummary, ...]
    pairs: dict[tuple[str, str], Figure]
    """How often the first of two bots had the better rank; equal ranks count half."""


def summaries(store: Store, rounds: int = bootstrap.ROUNDS) -> list[Summary]:
    """Return a summary of each pool that has a complete block."""
    pools: dict[tuple[str, int, Budget], list[Series]] = defaultdict(list)
    for series in store.all_series():
        pools[series.board_hash, series.players, series.budget].append(series)
    found = [Pool(all_series, store).summary(rounds) for all_series in pools.values()]
    return [summary for summary in found if summary is not None]


Key = tuple[str, ...] | tuple[str, LineUp, str]
BLOCK_KEYS = ("seats", "points", "won", "completed", "kept", "turns", "decisions", "seconds")


@dataclass
class Tally:
    """The sums of each block, by the seed of the block."""

    columns: dict[Key, dict[tuple[int, int], float]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(float))
    )

    def add(self, luck: tuple[int, int], line_up: LineUp, seats: Sequence[SeatResult]) -> None:
        """Add a game."""
        columns = self.columns
        winners = sum(row.rank == 1 for row in seats)
        for row in seats:
            won = 1.0 / winners if row.rank == 1 else 0.0
            values = (
                *(1, row.points, won, row.tickets_completed, row.tickets_kept),
                *(row.turns, row.decisions, row.seconds),
            )
            for key, value in zip(BLOCK_KEYS, values, strict=True):
                columns[key, row.bot][luck] += value
            for other in seats:
                if other.bot != row.bot:
                    better = (row.rank < other.rank) + 0.5 * (row.rank == other.rank)
                    columns["beat", row.bot, other.bot][luck] += better
        for bot in dict.fromkeys(line_up):
            columns["line", line_up, bot][luck] += share(list(seats), bot)
            columns["games", line_up, bot][luck] += 1.0


class Pool:
    """The series whose results can be compared."""

    def __init__(self, all_series: list[Series], store: Store) -> None:
        self.all_series = all_series
        self.tally = Tally()
        self.points: dict[str, list[int]] = defaultdict(list)
        self.failures: dict[str, list[str]] = defaultdict(list)
        self.slowest: dict[str, float] = defaultdict(float)
        self.lines: Counter[LineUp] = Counter()
        self.games = 0
        self.left_out = 0
        for series in all_series:
            self._read(series, store.games([series.id]))
        self.bots = list(dict.fromkeys(bot for line_up in self.lines for bot in line_up))
        self.anchor = RANDOM if RANDOM in self.bots else next(iter(self.bots), "")
        columns = self.tally.columns
        self.lucks = sorted({luck for column in columns.values() for luck in column})
        self.keys = list(columns)
        self.columns = [[columns[key].get(luck, 0.0) for luck in self.lucks] for key in self.keys]
        # The average of a column over the blocks that have it: the size of a pseudo block.
        self.size = {key: _mean(columns[key].values()) for key in self.keys}
        self.pairs = {
            (i, j): self._pair_size(i, j)
            for i in self.bots
            for j in self.bots
            if ("beat", i, j) in columns
        }
        self._start: list[float] | None = None

    def _read(self, series: Series, games: Iterable[StoredGame]) -> None:
        block: list[StoredGame] = []
        for game in games:
            if block and block[0].block != game.block:
                self.left_out += len(block)
                block = []
            block.append(game)
            if len(block) == len(seatings(series.bots, game.block)):
                self._add(series, block)
                block = []
        self.left_out += len(block)

    def _add(self, series: Series, block: list[StoredGame]) -> None:
        for game in block:
            self.tally.add((series.seed, game.block), series.bots, game.seats)
            self.games += 1
            self.lines[series.bots] += 1
            for row in game.seats:
                self.points[row.bot].append(row.points)
                self.slowest[row.bot] = max(self.slowest[row.bot], row.slowest)
                if row.failure is not None:
                    self.failures[row.bot].append(row.failure)

    # ------------------------------------------------------------------------ figures

    def summary(self, rounds: int) -> Summary | None:
        """Return the summary, or None if no block is complete."""
        if not self.games:
            return None
        totals = dict(zip(self.keys, map(sum, self.columns), strict=True))
        estimate = self._figures(totals, None)
        self._start = [estimate["rating", bot] / ELO for bot in self.bots]
        samples: dict[Key, list[float]] = {key: [] for key in estimate}
        for sums, draw in bootstrap.rounds(self.columns, number=rounds):
            weighted = dict(zip(self.keys, sums, strict=True))
            for key, value in self._figures(weighted, draw).items():
                samples[key].append(value)
        figures = {
            key: Figure(value, *bootstrap.interval(samples[key], value))
            for key, value in estimate.items()
        }
        first = self.all_series[0]
        bots = [self._bot(bot, totals, figures) for bot in self.bots]
        bots.sort(key=lambda row: -row.rating.value if math.isfinite(row.rating.value) else 1e9)
        return Summary(
            board=first.board,
            players=first.players,
            budget=first.budget,
            seeds=tuple(sorted({series.seed for series in self.all_series})),
            games=self.games,
            blocks=len(self.lucks),
            left_out=self.left_out,
            anchor=self.anchor,
            bots=tuple(bots),
            lines=tuple(self._line(line_up, bot, figures) for line_up, bot in self._line_rows()),
            pairs={
                (key[1], str(key[2])): figure
                for key, figure in figures.items()
                if key[0] == "pair" and isinstance(key[1], str)
            },
        )

    def _figures(self, totals: dict[Key, float], draw: Draw | None) -> dict[Key, float]:
        """Return all figures for the sums of the columns; without a draw, the estimates."""
        found: dict[Key, float] = {}
        for bot in self.bots:
            seats = totals["seats", bot]
            size = self.size["seats", bot]
            found["points", bot] = _ratio(totals["points", bot], seats)
            found["tickets", bot] = _ratio(totals["completed", bot], totals["kept", bot])
            found["won", bot] = self._share(totals["won", bot], seats, size, draw)
        for key in self.keys:
            if key[0] == "line":
                games: Key = ("games", *key[1:])
                found[key] = self._share(totals[key], totals[games], self.size[games], draw)
        for (i, j), size in self.pairs.items():
            won, lost = totals["beat", i, j], totals["beat", j, i]
            found["pair", i, j] = self._share(won, won + lost, size, draw)
        ratings = strengths(
            self._wins(totals, draw), self.bots.index(self.anchor), start=self._start
        )
        for bot, strength in zip(self.bots, ratings, strict=True):
            found["rating", bot] = strength * ELO
        return found

    def _share(self, won: float, games: float, size: float, draw: Draw | None) -> float:
        if draw is None:
            return _ratio(won, games)
        more, less = draw() * size, draw() * size
        return _ratio(won + more, games + more + less)

    def _pair_size(self, i: str, j: str) -> float:
        """Return the average number of comparisons of two bots in the blocks that have any."""
        lucks = self.tally.columns["beat", i, j].keys()
        total = sum(self.tally.columns[key][luck] for key in _both(i, j) for luck in lucks)
        return total / len(lucks)

    def _wins(self, totals: dict[Key, float], draw: Draw | None) -> list[list[float]]:
        """Return how often each bot was better than each other, with half a block added."""
        half = bootstrap.pseudo_blocks(None) if draw is None else draw
        wins = [[0.0] * len(self.bots) for _ in self.bots]
        for (i, j), size in self.pairs.items():
            more = half() * size
            wins[self.bots.index(i)][self.bots.index(j)] = totals["beat", i, j] + more
        return wins

    # ------------------------------------------------------------------------ rows

    def _bot(self, bot: str, totals: dict[Key, float], figures: dict[Key, Figure]) -> BotSummary:
        points = sorted(self.points[bot])
        failures = self.failures[bot]
        return BotSummary(
            bot=bot,
            rating=figures["rating", bot],
            won=figures["won", bot],
            points=figures["points", bot],
            tickets=figures["tickets", bot],
            seats=round(totals["seats", bot]),
            turns=_ratio(totals["turns", bot], totals["seats", bot]),
            seconds=_ratio(totals["seconds", bot], totals["decisions", bot]),
            slowest=self.slowest[bot],
            failures=len(failures),
            failure=failures[0] if failures else None,
            spread=tuple(quantile(points, part) for part in QUANTILES),
        )

    def _line_rows(self) -> list[tuple[LineUp, str]]:
        """Return the bots to list for each line-up: of two, the first is enough."""
        return [
            (line_up, bot)
            for line_up in self.lines
            if len(bots := list(dict.fromkeys(line_up))) > 1
            for bot in (bots[:1] if len(bots) == 2 else bots)
        ]

    def _line(self, line_up: LineUp, bot: str, figures: dict[Key, Figure]) -> LineSummary:
        even = line_up.count(bot) / len(line_up)
        return LineSummary(line_up, bot, self.lines[line_up], figures["line", line_up, bot], even)


def _both(i: str, j: str) -> tuple[Key, Key]:
    return ("beat", i, j), ("beat", j, i)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
