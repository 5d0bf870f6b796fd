"""A crew of processes on this machine.

A pool of :mod:`concurrent.futures` gives up when a worker dies, but a bot that crashes its process
must not end a long contest. So each worker has its own connection, by which either side notices the
end of the other: a worker that dies is replaced, and workers whose parent was killed end, along
with the programs they have started.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic

from fernzug.sim.crew import Job, Result, Work, WorkerLost

PATIENCE = 2.0
"""Seconds that a worker has to end its programs and exit when the work is stopped."""

MAX_TRIES = 2
"""How often to begin a job whose worker dies."""


class Processes:
    """Processes on this machine, started by ``spawn``."""

    apart = True

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def do_all(
        self, work: Work[Job, Result], jobs: Iterator[Job]
    ) -> Generator[tuple[Job, Result], None, None]:
        """Yield the results of jobs as they come in."""
        if work.bots:
            from fernzug.bots import own  # which random games can do without

            own.expect_elsewhere(work.bots)
        yield from _Pool(work).do_all(jobs, self.workers)


class _Worker(Generic[Job, Result]):
    """A process that does one job after another."""

    def __init__(self, work: Work[Job, Result]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.file = work.new_file()
        arguments = (theirs, work, self.file)
        self.process: BaseProcess = context.Process(target=_work, args=arguments, daemon=True)
        with interrupts_held_back():
            self.process.start()
        # With our copy closed, the connection ends when the worker dies.
        theirs.close()
        self.jobs: deque[tuple[Job, int]] = deque()
        """Under way and waiting, each with the number of times that it was begun."""
        self.unsaved: list[Job] = []
        """Done, but the file with what they have written is not complete."""

    def give(self, job: Job, tries: int) -> None:
        """Have the worker do a job."""
        self.jobs.append((job, tries))
        self.send((_DO, job))

    def send(self, message: object) -> None:
        """Send a message; if the worker is dead, that is noticed when its answer is read."""
        with suppress(ConnectionError):
            self.connection.send(message)


class _Pool(Generic[Job, Result]):
    """The workers of one piece of work."""

    def __init__(self, work: Work[Job, Result]) -> None:
        self.work = work
        self._all: dict[Connection, _Worker[Job, Result]] = {}
        self._again: deque[tuple[Job, int]] = deque()
        """Jobs to do again, because their worker has died."""
        self._told: set[int] = set()
        """Of these, the jobs whose results were told already, by identity."""

    def do_all(
        self, jobs: Iterator[Job], workers: int
    ) -> Generator[tuple[Job, Result], None, None]:
        try:
            for _ in range(workers):
                if not self._start(jobs):
                    break
            yield from self._results(jobs)
            yield from self._save(jobs)
        finally:
            self._stop()

    def _start(self, jobs: Iterator[Job]) -> bool:
        """Start a worker if there is a job for it."""
        first = self._next(jobs)
        if first is None:
            return False
        worker = _Worker(self.work)
        self._all[worker.connection] = worker
        worker.give(*first)
        self._feed(worker, jobs)
        return True

    def _next(self, jobs: Iterator[Job]) -> tuple[Job, int] | None:
        if self._again:
            return self._again.popleft()
        for job in jobs:
            return job, 1
        return None

    def _feed(self, worker: _Worker[Job, Result], jobs: Iterator[Job]) -> None:
        while len(worker.jobs) < self.work.ahead:
            given = self._next(jobs)
            if given is None:
                return
            worker.give(*given)

    def _results(self, jobs: Iterator[Job]) -> Iterator[tuple[Job, Result]]:
        """Yield results until no job is under way."""
        while busy := [c for c, worker in self._all.items() if worker.jobs]:
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                worker = self._all[connection]
                try:
                    result = self._receive(worker)
                except (EOFError, ConnectionError):
                    self._lose(worker)
                    self._start(jobs)
                    continue
                job, _ = worker.jobs.popleft()
                if worker.file is not None:
                    worker.unsaved.append(job)
                if id(job) in self._told:
                    self._told.remove(id(job))
                else:
                    yield job, result
                self._feed(worker, jobs)

    def _receive(self, worker: _Worker[Job, Result]) -> Any:
        answer = worker.connection.recv()
        if isinstance(answer, _Failed):
            raise answer.error
        return answer

    def _save(self, jobs: Iterator[Job]) -> Iterator[tuple[Job, Result]]:
        """Have all files saved; if a worker dies of it, its jobs are done again."""
        while waiting := [worker for worker in self._all.values() if worker.unsaved]:
            for worker in waiting:
                worker.send((_SAVE, None))
            for worker in waiting:
                try:
                    self._receive(worker)
                except (EOFError, ConnectionError):
                    self._lose(worker)
                    self._start(jobs)
                    continue
                worker.unsaved.clear()
                worker.file = None
            yield from self._results(jobs)

    def _lose(self, worker: _Worker[Job, Result]) -> None:
        """Take over the jobs of a worker that has died."""
        worker.process.join(PATIENCE)
        worker.connection.close()
        self._all = {c: other for c, other in self._all.items() if other is not worker}
        if worker.file is not None:
            self.work.forget(worker.file)
        for job in worker.unsaved:
            self._told.add(id(job))
            self._again.append((job, 1))
        for number, (job, tries) in enumerate(worker.jobs):
            if number == 0 and tries >= MAX_TRIES:
                raise WorkerLost(
                    f"the process with {self.work.name(job)} has died {tries} times "
                    f"(exit code {worker.process.exitcode})"
                )
            self._again.append((job, tries + (number == 0)))

    def _stop(self) -> None:
        workers = list(self._all.values())
        for worker in workers:
            if worker.jobs:
                worker.process.terminate()
            worker.connection.close()
        for worker in workers:
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            if worker.file is not None:
                self.work.forget(worker.file)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which is for their parent, and then handle it here."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # Starting this helper of multiprocessing lifts the block, so it has to run already.
    resource_tracker.ensure_running()
    held: list[int] = []
    # A signal can still arrive through other threads.
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    _block_interrupts(True)
    try:
        yield
    finally:
        _block_interrupts(False)
        signal.signal(signal.SIGINT, handler)
        if held:
            signal.raise_signal(signal.SIGINT)


def _block_interrupts(block: bool) -> None:
    if hasattr(signal, "pthread_sigmask"):
        how = signal.SIG_BLOCK if block else signal.SIG_UNBLOCK
        signal.pthread_sigmask(how, [signal.SIGINT])


# ---------------------------------------------------------------------------- in a worker

_DO = "do"
_SAVE = "save"


class _Failed:
    """What a worker answers instead of a result if a job raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _work(connection: Connection, work: Work[Any, Any], file: str | None) -> None:
    """Do the jobs that arrive on a connection until it is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        work.begin()
        work.open(file)
        while True:
            order, job = connection.recv()
            try:
                if order == _DO:
                    connection.send(work.do(job))
                else:
                    work.save()
                    connection.send(None)
            except Exception as error:
                connection.send(_Failed(error))
    except (EOFError, ConnectionError, KeyboardInterrupt):
        # Nobody wants more. The bots are closed by now.
        return


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Wait for the parent to die, and leave nothing behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        exit_now()


def exit_now() -> None:
    """Exit at once, and kill the programs of bots that this process has started."""
    from fernzug.bots.program import kill_all

    kill_all()
    os._exit(1)
