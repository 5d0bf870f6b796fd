"""Play the games of a contest that the store does not have yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from fernzug import bots
from fernzug.arena.contest import Contest, LineUp, seatings
from fernzug.arena.playing import SeatResult, Task
from fernzug.arena.sprt import Sprt, Verdict, Watch
from fernzug.arena.store import Store, StoreError
from fernzug.arena.workers import crew_of, play_all
from fernzug.build import build
from fernzug.sim.crew import Crew


@dataclass
class Course:
    """The progress of one line-up through its blocks."""

    line_up: LineUp
    series: int
    blocks: int
    done: set[tuple[int, int]]
    watch: Watch | None = None
    _scores: dict[int, list[float]] = field(default_factory=dict)
    """By block: the first bot's shares of the games played so far."""

    @property
    def decided(self) -> bool:
        """Whether the comparison needs no more games."""
        return self.watch is not None and self.watch.verdict is not None

    @property
    def missing(self) -> int:
        """The number of games still to be played."""
        games = sum(len(seatings(self.line_up, block)) for block in range(self.blocks))
        return games - sum(block < self.blocks for block, _ in self.done)

    def tasks(self, block: int, seed: int) -> Iterator[Task]:
        """Yield the missing games of a block."""
        if block < self.blocks and not self.decided:
            for rotation, seating in enumerate(seatings(self.line_up, block)):
                if (block, rotation) not in self.done:
                    yield Task(self.series, block, rotation, seed, seating)

    def note(self, block: int, seats: list[SeatResult]) -> None:
        """Pass the result of a game on to the test.

        Blocks are judged in order, whatever the order in which they end, so the decision does not
        depend on the number of workers.
        """
        if self.watch is None:
            return
        self._scores.setdefault(block, []).append(share(seats, self.line_up[0]))
        games = len(seatings(self.line_up, 0))
        while len(self._scores.get(self.watch.blocks, ())) == games and not self.decided:
            self.watch.add(sum(self._scores.pop(self.watch.blocks)) / games)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run: the number of games played, and the verdicts by line-up."""

    played: int
    verdicts: dict[LineUp, Verdict]


def run(
    contest: Contest,
    store: Store,
    workers: int = 1,
    sprt: Sprt | None = None,
    mix: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    crew: Crew | None = None,
) -> Outcome:
    """Play all games of a contest that are not in the store yet, and add them to it.

    Two or more workers are processes (started by ``spawn``), so a script that asks for them must be
    safe to import. ``progress`` is called after every game with the number done and the total.
    ``mix`` allows games of different builds of engine and bots in one file. ``crew`` may be another
    kind of crew than processes on this machine, such as a cluster.
    """
    _check(contest, store, sprt, mix)
    every = [_course(contest, store, line_up, sprt) for line_up in contest.line_ups]
    courses = {course.series: course for course in every}
    if sprt is not None:
        for game in store.games(courses):
            courses[game.series].note(game.block, game.seats)
    total = sum(course.missing for course in courses.values() if not course.decided)
    played = 0
    progress(played, total)
    crew = crew or crew_of(workers)
    tasks = _tasks(contest, every)
    with closing(play_all(tasks, contest.board, contest.budget, contest.entrants, crew)) as results:
        for task, result in results:
            store.add(task, result)
            courses[task.series].note(task.block, result.seats)
            played += 1
            progress(played, total)
    return Outcome(played, _verdicts(every))


def _check(contest: Contest, store: Store, sprt: Sprt | None, mix: bool) -> None:
    for spec in contest.entrants:
        bots.check(spec, contest.board, contest.players, contest.budget)
    if sprt is not None:
        unclear = [line_up for line_up in contest.line_ups if not _alone(line_up)]
        if unclear:
            raise ValueError(
                "an early stop needs line-ups of two bots with the first one alone, not "
                f"{', '.join(unclear[0])}"
            )
    others = store.builds() - {build()}
    if others and not mix:
        raise StoreError(
            f"'{store.path}' has games from another version of the engine or the bots (build "
            f"{', '.join(sorted(others))}, now {build()}); use another file, or allow both to be "
            "mixed"
        )


def _alone(line_up: LineUp) -> bool:
    """Whether the first bot of a line-up sits alone against another."""
    return len(set(line_up)) == 2 and line_up.count(line_up[0]) == 1


def _course(contest: Contest, store: Store, line_up: LineUp, sprt: Sprt | None) -> Course:
    series = store.series_of(contest, line_up)
    watch = None if sprt is None else Watch(sprt)
    return Course(line_up, series, contest.blocks(line_up), store.done(series), watch)


def _tasks(contest: Contest, courses: list[Course]) -> Iterator[Task]:
    """Yield the missing games block by block, so that a stopped contest has balanced results."""
    for block in range(max(course.blocks for course in courses)):
        for course in courses:
            yield from course.tasks(block, contest.block_seed(block))


def _verdicts(courses: list[Course]) -> dict[LineUp, Verdict]:
    return {
        course.line_up: course.watch.verdict
        for course in courses
        if course.watch is not None and course.watch.verdict is not None
    }


def share(seats: list[SeatResult], bot: str) -> float:
    """Return a bot's share of the win, from any of its seats; tied winners share it."""
    winners = [row.bot for row in seats if row.rank == 1]
    return winners.count(bot) / len(winners)
