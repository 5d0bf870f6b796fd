"""Play the games of a contest in several processes.

A pool of :mod:`concurrent.futures` gives up when a worker dies, but a bot that crashes its process
must not end a long contest. So each worker has its own connection, by which either side notices the
end of the other: a worker that dies is replaced, and workers whose parent was killed end, along
with the programs they have started.
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
from fernzug.board.model import Board
from fernzug.bots import Budget, guard
from fernzug.sim.processes import WorkerLost, exit_now, interrupts_held_back

PATIENCE = 5.0
"""Seconds that a worker has to end its programs and exit when the contest is stopped."""

MAX_TRIES = 2
"""How often to start a game whose worker dies."""


def play_all(
    tasks: Iterator[Task], board: Board, budget: Budget, workers: int
) -> Iterator[tuple[Task, GameResult]]:
    """Yield the results of games as they come in; closing the iterator stops the workers."""
    if workers > 1:
        yield from WorkerPool(board, budget).play_all(tasks, workers)
        return
    for task in tasks:
        yield task, play(task, board, budget)


class Worker:
    """A process that plays one game after another."""

    def __init__(self, board: Board, budget: Budget) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        arguments = (theirs, board, budget)
        self.process: BaseProcess = context.Process(target=_work, args=arguments, daemon=True)
        with interrupts_held_back():
            self.process.start()
        # With our copy closed, the connection ends when the worker dies.
        theirs.close()
        self.task: Task | None = None
        self.tries = 0

    def give(self, task: Task, tries: int) -> None:
        """Have the worker play a game."""
        self.task = task
        self.tries = tries
        # If the worker is already dead, we notice when we read its answer.
        with suppress(ConnectionError):
            self.connection.send(task)


class WorkerPool:
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
                    self._give(self._start_worker(), task)
            while self._busy:
                for connection in wait(list(self._busy)):
                    assert isinstance(connection, Connection)
                    worker = self._busy.pop(connection)
                    result = self._receive(worker)
                    if result is None:
                        continue
                    assert worker.task is not None
                    # The caller handles the result first: it may decide what to play next.
                    yield worker.task, result
                    task = next(tasks, None)
                    if task is not None:
                        self._give(worker, task)
        finally:
            self._stop()

    def _start_worker(self) -> Worker:
        worker = Worker(self.board, self.budget)
        self._all.append(worker)
        return worker

    def _give(self, worker: Worker, task: Task, tries: int = 1) -> None:
        worker.give(task, tries)
        self._busy[worker.connection] = worker

    def _receive(self, worker: Worker) -> GameResult | None:
        """Return the result of a worker's game; None if it has died and been replaced."""
        try:
            answer = worker.connection.recv()
        except (EOFError, ConnectionError):
            self._replace(worker)
            return None
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, GameResult)
        for row in answer.seats:
            # Workers do not log failures themselves: their lines would get mixed up.
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
        self._give(self._start_worker(), worker.task, worker.tries + 1)

    def _stop(self) -> None:
        for worker in self._all:
            if worker in self._busy.values():
                worker.process.terminate()
            worker.connection.close()
        for worker in self._all:
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _work(connection: Connection, board: Board, budget: Budget) -> None:
    """Play the games that arrive on a connection until it is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, _interrupt)
    guard.log.disabled = True
    try:
        while True:
            task = connection.recv()
            try:
                connection.send(play(task, board, budget))
            except (OSError, ValueError) as error:
                connection.send(error)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        # Nobody wants more games. The bots are closed by now.
        return


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Wait for the parent to die, and leave nothing behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        exit_now()
