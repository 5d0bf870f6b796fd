"""A simulation spread over worker processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

from fernzug.engine import COMPILED
from fernzug.sim.playing import Part, Simulator
from fernzug.sim.simulation import Simulation

AHEAD = 4
"""Chunks for each worker that are played or wait: enough to keep all of them busy while the oldest
chunk is waited for, and few enough to hold in memory."""


PATIENCE = 1.0
"""Seconds that workers have to end by themselves when a simulation is stopped."""


class WorkerLost(RuntimeError):
    """A worker process ended before its games did."""


def chunk_size(simulation: Simulation) -> int:
    """Return how many games a worker plays in one go: worth sending, and short to wait for."""
    if not simulation.at_random or simulation.records is not None:
        return 2
    return 500 if COMPILED else 10


def useful_workers(simulation: Simulation, workers: int) -> int:
    """Return how many of the workers are worth the time it takes to start them."""
    chunks = -(-simulation.games // chunk_size(simulation))
    return min(workers, chunks // 16 + 1 if simulation.at_random else chunks)


def simulate(
    simulation: Simulation, workers: int = 1, rows: bool = False
) -> Generator[Part, None, None]:
    """Yield the parts of a simulation in order.

    Worker processes are started afresh (the method ``spawn``), so a script that asks for several
    must be safe to import. Closing the iterator ends them.
    """
    size = chunk_size(simulation)
    chunks = (
        (first, min(size, simulation.games - first)) for first in range(0, simulation.games, size)
    )
    workers = useful_workers(simulation, workers)
    if workers > 1:
        yield from _spread(simulation, chunks, workers, rows)
        return
    simulator = Simulator(simulation)
    for first, games in chunks:
        yield simulator.play(first, games, rows)


def _spread(
    simulation: Simulation, chunks: Iterator[tuple[int, int]], workers: int, rows: bool
) -> Iterator[Part]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    pending: deque[Future[Part]] = deque()
    with (
        ours,
        theirs,
        ProcessPoolExecutor(workers, context, _begin, (simulation, rows, theirs)) as pool,
    ):
        try:
            for chunk in chunks:
                if len(pending) == AHEAD * workers:
                    yield pending.popleft().result()
                # The pool starts its workers one by one as it is given work.
                with interrupts_held_back():
                    pending.append(pool.submit(_play, *chunk))
            while pending:
                yield pending.popleft().result()
        except BrokenProcessPool:
            raise WorkerLost("a worker process has died") from None
        except BaseException:
            # Games in progress are not waited for: bots can make them long.
            _dismiss(ours)
            raise


def _dismiss(pipe: Connection) -> None:
    """End the workers at the other end of a pipe, by force if they think for too long."""
    numbers = []
    while pipe.poll():
        numbers.append(pipe.recv())
    pipe.close()
    deadline = time.monotonic() + PATIENCE
    for process in multiprocessing.active_children():
        if process.pid in numbers:
            process.join(max(deadline - time.monotonic(), 0.0))
            process.terminate()


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Let new processes inherit that Ctrl-C is their parent's business, and heed it afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # It would lift the block again if it were started by the first of the new processes.
    resource_tracker.ensure_running()
    held: list[int] = []
    # Other threads are not blocked, so a signal can still get through to the handler.
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


class _Worker:
    """Plays chunks in a process of its own until they are done or the parent wants no more."""

    def __init__(self, simulation: Simulation, rows: bool, parent: Connection) -> None:
        self._simulator = Simulator(simulation)
        self._rows = rows
        self._parent = parent
        self._lock = threading.Lock()
        self._playing = False
        self._dismissed = False
        try:
            parent.send(os.getpid())
        except OSError:
            exit_now()  # The parent has gone in the meantime.
        threading.Thread(target=self._end_with_parent, daemon=True).start()

    def play(self, first: int, games: int) -> Part:
        with self._lock:
            if self._dismissed:
                exit_now()
            self._playing = True
        try:
            return self._simulator.play(first, games, self._rows)
        finally:
            with self._lock:
                self._playing = False

    def _end_with_parent(self) -> None:
        """Wait until the parent closes its end of the pipe, or dies."""
        with suppress(OSError):
            self._parent.poll(None)
        with self._lock:
            self._dismissed = True
            # Half a result on its way would leave the parent waiting for the other half.
            if self._playing:
                exit_now()
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        exit_now()


_worker: _Worker
"""The worker that this process is, if it is one."""


def _begin(simulation: Simulation, rows: bool, parent: Connection) -> None:
    global _worker
    _worker = _Worker(simulation, rows, parent)


def _play(first: int, games: int) -> Part:
    return _worker.play(first, games)


def exit_now() -> None:
    """End this process, and the programs of bots that it has started."""
    from fernzug.bots.program import kill_all

    kill_all()
    os._exit(1)
