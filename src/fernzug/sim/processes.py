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
"""Chunks per worker that may be under way or waiting. It is enough to keep all workers busy while
one chunk takes long, and few enough to keep in memory."""


PATIENCE = 1.0
"""Seconds that workers have to exit by themselves when a simulation is stopped."""


class WorkerLost(RuntimeError):
    """A worker process ended before its games did."""


def chunk_size(simulation: Simulation) -> int:
    """Return how many games a worker plays in one go: worth sending, but not long to wait for."""
    if not simulation.at_random or simulation.records is not None:
        return 2
    return 500 if COMPILED else 10


def useful_workers(simulation: Simulation, workers: int) -> int:
    """Return how many workers are worth the time it takes to start them."""
    chunks = -(-simulation.games // chunk_size(simulation))
    return min(workers, chunks // 16 + 1 if simulation.at_random else chunks)


def simulate(
    simulation: Simulation, workers: int = 1, rows: bool = False
) -> Generator[Part, None, None]:
    """Yield the parts of a simulation in order.

    Two or more workers are processes (started by ``spawn``), so a script that asks for them must be
    safe to import. Closing the generator stops them.
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
            # Do not wait for games in progress, which bots can make long.
            _stop_workers(ours)
            raise


def _stop_workers(pipe: Connection) -> None:
    """Stop the workers at the other end of a pipe, by force if they do not stop by themselves."""
    pids = []
    while pipe.poll():
        pids.append(pipe.recv())
    pipe.close()
    deadline = time.monotonic() + PATIENCE
    for process in multiprocessing.active_children():
        if process.pid in pids:
            process.join(max(deadline - time.monotonic(), 0.0))
            process.terminate()


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


class _Worker:
    """Plays chunks of games in a process of its own, until its parent stops it or dies."""

    def __init__(self, simulation: Simulation, rows: bool, parent: Connection) -> None:
        self._simulator = Simulator(simulation)
        self._rows = rows
        self._parent = parent
        self._lock = threading.Lock()
        self._playing = False
        self._stopping = False
        try:
            parent.send(os.getpid())
        except OSError:
            exit_now()  # The parent is gone.
        threading.Thread(target=self._end_with_parent, daemon=True).start()

    def play(self, first: int, games: int) -> Part:
        with self._lock:
            if self._stopping:
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
            self._stopping = True
            # If this process exited while sending a result, the parent would wait for the rest.
            if self._playing:
                exit_now()
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        exit_now()


_worker: _Worker
"""Exists in worker processes only."""


def _begin(simulation: Simulation, rows: bool, parent: Connection) -> None:
    global _worker
    _worker = _Worker(simulation, rows, parent)


def _play(first: int, games: int) -> Part:
    return _worker.play(first, games)


def exit_now() -> None:
    """Exit at once, and kill the programs of bots that this process has started."""
    from fernzug.bots.program import kill_all

    kill_all()
    os._exit(1)
