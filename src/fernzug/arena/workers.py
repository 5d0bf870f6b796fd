"""Games on several cores.

Each worker has a connection of its own, so that the end of either side is seen by the other: a
worker that dies is replaced, and workers whose parent was killed end themselves and the programs
that they have started.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from fernzug.arena.playing import GameResult, Task, play
from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.bots import Budget, guard
from fernzug.sim.processes import WorkerLost, exit_now, interrupts_held_back

PATIENCE = 5.0
"""Seconds that a worker has to end its game and its programs when the contest is stopped."""

MAX_TRIES = 2
"""How often a game is begun whose worker has died."""


def play_all(
    tasks: Iterator[Task], board: Board, budget: Budget, workers: int
) -> Iterator[tuple[Task, GameResult]]:
    """Yield the results of games as they come in; closing the iterator ends the workers."""
    if workers > 1:
        yield from Crew(board, budget).play_all(tasks, workers)
        return
    for task in tasks:
        yield task, play(task, board, budget)


class Worker:
    """A process that plays one game after the other."""

    def __init__(self, board: Board, budget: Budget) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        arguments = (theirs, board.source, (budget.iterations, budget.seconds))
        self.process: BaseProcess = context.Process(target=_work, args=arguments, daemon=True)
        with interrupts_held_back():
            self.process.start()
        # With our copy closed, a worker that dies is noticed as the end of its connection.
        theirs.close()
        self.task: Task | None = None
        self.tries = 0

    def give(self, task: Task, tries: int) -> None:
        """Let the worker play a game."""
        self.task = task
        self.tries = tries
        # A worker that is already dead is noticed when the answer is read.
        with suppress(ConnectionError):
            self.connection.send(task)


class Crew:
    """The workers of one contest."""

    def __init__(self, board: Board, budget: Budget) -> None:
        self.board = board
        self.budget = budget
        self._busy: dict[Connection, Worker] = {}
        self._all: list[Worker] = []

    def play_all(self, tasks: Iterator[Task], workers: int) -> Iterator[tuple[Task, GameResult]]:
        """Yield the results of games as they come in."""
        try:
            for _ in range(workers):
                task = next(tasks, None)
                if task is not None:
                    self._give(self._hire(), task)
            while self._busy:
                for connection in wait(list(self._busy)):
                    assert isinstance(connection, Connection)
                    worker = self._busy.pop(connection)
                    result = self._receive(worker)
                    if result is None:
                        continue
                    assert worker.task is not None
                    # The caller first notes the result, which may decide what is played next.
                    yield worker.task, result
                    task = next(tasks, None)
                    if task is not None:
                        self._give(worker, task)
        finally:
            self._dismiss()

    def _hire(self) -> Worker:
        worker = Worker(self.board, self.budget)
        self._all.append(worker)
        return worker

    def _give(self, worker: Worker, task: Task, tries: int = 1) -> None:
        worker.give(task, tries)
        self._busy[worker.connection] = worker

    def _receive(self, worker: Worker) -> GameResult | None:
        """Return the result of a worker's game; None if it died and another now plays the game."""
        try:
            answer = worker.connection.recv()
        except (EOFError, ConnectionError):
            self._replace(worker)
            return None
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, GameResult)
        for row in answer.seats:
            # Workers keep silent: their lines would run into each other.
            if row.failure is not None:
                guard.log.warning("the bot '%s' has failed: %s", row.bot, row.failure)
        return answer

    def _replace(self, worker: Worker) -> None:
        assert worker.task is not None
        worker.process.join(PATIENCE)
        worker.connection.close()
        self._all.remove(worker)
        if worker.tries >= MAX_TRIES:
            bots = ", ".join(worker.task.bots)
            raise WorkerLost(
                f"the process that played the game of {bots} with seed {worker.task.seed} has died "
                f"{worker.tries} times (exit code {worker.process.exitcode})"
            )
        self._give(self._hire(), worker.task, worker.tries + 1)

    def _dismiss(self) -> None:
        for worker in self._all:
            if worker in self._busy.values():
                worker.process.terminate()
            worker.connection.close()
        for worker in self._all:
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _work(connection: Connection, source: str, limits: tuple[int | None, float | None]) -> None:
    """Play the games that come through a connection until there are no more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, _interrupt)
    guard.log.disabled = True
    board = board_files.parse(source)
    budget = Budget(*limits)
    try:
        while True:
            task = connection.recv()
            try:
                connection.send(play(task, board, budget))
            except (OSError, ValueError) as error:
                connection.send(error)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        # There is nobody left to play for. Bots are closed by now.
        return


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Wait for the end of a parent that was killed, and leave nothing behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        exit_now()
