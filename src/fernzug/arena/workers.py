"""Play the games of a contest with a crew."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from fernzug.arena.playing import GameResult, Task, play
from fernzug.board.model import Board
from fernzug.bots import Budget, guard
from fernzug.sim.crew import Alone, Crew, Work
from fernzug.sim.processes import Processes


class Games(Work[Task, GameResult]):
    """The games of a contest."""

    def __init__(self, board: Board, budget: Budget, bots: Sequence[str]) -> None:
        self.board = board
        self.budget = budget
        self.bots = bots

    def do(self, job: Task) -> GameResult:
        """Play a game."""
        return play(job, self.board, self.budget)

    def name(self, job: Task) -> str:
        """Describe a game."""
        return f"the game of {', '.join(job.bots)} with seed {job.seed}"


class GamesApart(Games):
    """The games of a contest, played by other processes."""

    def begin(self) -> None:
        """Do not log failures: the lines of several workers would get mixed up."""
        guard.log.disabled = True


def play_all(
    tasks: Iterator[Task], board: Board, budget: Budget, bots: Sequence[str], crew: Crew
) -> Generator[tuple[Task, GameResult], None, None]:
    """Yield the results of games as they come in; closing the generator stops the workers."""
    work = GamesApart(board, budget, bots) if crew.apart else Games(board, budget, bots)
    for task, result in crew.do_all(work, tasks):
        for row in result.seats:
            if row.failure is not None and crew.apart:
                guard.log.warning("the bot '%s' has failed: %s", row.bot, row.failure)
        yield task, result


def crew_of(workers: int) -> Crew:
    """Return a crew of processes on this machine, or this process alone."""
    return Processes(workers) if workers > 1 else Alone()
