"""A crew on a cluster, through the package Ray.

The workers are actors, one for each processor of the cluster, wherever Ray finds room for them. An
actor that dies, with its machine or alone, costs the jobs that it had not finished: others do them
again, and a new actor takes its place as soon as there is room for it.
"""

from __future__ import annotations

import logging
import socket
import time
from collections import deque
from collections.abc import Generator, Iterator
from importlib import import_module
from typing import Any, Generic

from fernzug.build import build
from fernzug.sim.crew import Job, Result, Work, WorkerLost

LOCAL = "local"
AUTO = "auto"

MAX_TRIES = 4
"""How often to begin a job whose worker dies. Machines die more often than processes."""

AHEAD = 3
"""Jobs that an actor may have at a time, so that it need not wait for the next one to arrive."""

SAVE_EVERY = 400
"""Jobs after which an actor saves its file and begins another: no more than these can be lost."""

LOOK_EVERY = 10.0
"""Seconds between looks at the size of the cluster."""

PATIENCE = 10.0
"""Seconds that a cluster has to answer; Ray by itself would wait for minutes."""

OBJECTS = 100_000_000
"""Bytes of shared memory of a cluster of our own; results are small and need little of it."""


class NoCluster(RuntimeError):
    """There is no cluster to work with; the message says why."""


class Cluster:
    """The machines of a cluster.

    ``address`` is ``auto`` for the cluster that this machine belongs to, ``local`` for one that is
    started here and ends with the work, or the address of a cluster. A program that has called
    ``ray.init`` itself keeps its connection, whatever the address. ``workers`` is the number of
    actors; without it, there is one for each processor.
    """

    apart = True
    chunks = 10
    """How much larger than on one machine a chunk of games is, because it travels further."""

    def __init__(self, address: str = AUTO, workers: int | None = None) -> None:
        self.address = address
        self._wanted = workers
        self._ours = False
        try:
            self.ray: Any = import_module("ray")
        except ImportError:
            raise NoCluster(
                "a cluster needs the package ray, which is not installed "
                "(pip install 'fernzug[cluster]')"
            ) from None
        self._connect()

    def _connect(self) -> None:
        if self.ray.is_initialized():
            return
        _expect_answer(self.address)
        options: dict[str, Any] = {"address": self.address, "namespace": "fernzug"}
        if self.address == LOCAL:
            options |= {
                "num_cpus": self._wanted,
                "object_store_memory": OBJECTS,
                "include_dashboard": False,
                "_node_ip_address": "127.0.0.1",
            }
        try:
            self.ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise NoCluster(f"there is no cluster at '{self.address}': {error}") from None
        self._ours = True

    @property
    def workers(self) -> int:
        """The number of workers: as many as were asked for, or as the cluster has processors."""
        if self._wanted is not None:
            return self._wanted
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def close(self) -> None:
        """Leave the cluster, which ends if it was started here."""
        if self._ours:
            self.ray.shutdown()
            self._ours = False

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def do_all(
        self, work: Work[Job, Result], jobs: Iterator[Job]
    ) -> Generator[tuple[Job, Result], None, None]:
        """Yield the results of jobs as they come in."""
        sources: dict[str, bytes] = {}
        if work.bots:
            from fernzug import bots  # which random games can do without

            bots.own.expect_elsewhere(work.bots)
            sources = bots.sources(work.bots)
        yield from _Run(self, work, sources).do_all(jobs)


def _expect_answer(address: str) -> None:
    """Raise :class:`NoCluster` if nobody answers at an address; Ray judges other names of one."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal() and int(port) < 1 << 16):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise NoCluster(f"there is no cluster at '{address}': {reason}") from None


class _Actor(Generic[Job]):
    """A worker of the cluster, as this process sees it."""

    def __init__(self, handle: Any, file: str | None) -> None:
        self.handle = handle
        self.file = file
        self.following: str | None = None
        """The file that it writes next, while it saves the present one."""
        self.awaited: Any = handle.ready.remote(file)
        """What it was asked last for: whether it is there, or to save its file."""
        self.ready = False
        self.jobs: deque[tuple[Job, int, Any]] = deque()
        """Under way and waiting: the job, how often it was begun, and the result to come."""
        self.unsaved: list[Job] = []
        """Done, but the file with what they have written is not complete."""

    @property
    def next_answer(self) -> Any:
        return self.awaited if self.awaited is not None else self.jobs[0][2] if self.jobs else None


class _Run(Generic[Job, Result]):
    """One piece of work on a cluster."""

    def __init__(
        self, cluster: Cluster, work: Work[Job, Result], sources: dict[str, bytes]
    ) -> None:
        self.ray = cluster.ray
        self.cluster = cluster
        self.work = work
        self.ahead = AHEAD if work.ahead > 1 else 1
        self.given: Any = self.ray.put((work, sources))
        # A dead actor must not come to life by itself: its jobs are given to others.
        self.remote: Any = self.ray.remote(num_cpus=1, max_restarts=0)(_Worker)
        self.lost: tuple[type[Exception], ...] = (
            self.ray.exceptions.RayActorError,
            self.ray.exceptions.NodeDiedError,
            # Ray kills actors of a machine that runs out of memory, and says so in this way.
            self.ray.exceptions.OutOfMemoryError,
            # A result that nobody has fetched dies with its machine.
            self.ray.exceptions.ObjectLostError,
        )
        self.actors: list[_Actor[Job]] = []
        self.again: deque[tuple[Job, int]] = deque()
        self.more = True
        """Whether there may be jobs that nobody was given yet."""
        self.looked = 0.0
        """When the size of the cluster was last looked at."""
        self.stillborn = 0
        """How many actors in a row have died before they were ready."""
        self.told: set[int] = set()
        """Of the jobs to do again, those whose results were told already, by identity."""

    def do_all(self, jobs: Iterator[Job]) -> Generator[tuple[Job, Result], None, None]:
        for first in jobs:
            self.again.append((first, 1))
            break
        try:
            while not self._finished():
                self._grow()
                for actor in self.actors:
                    self._feed(actor, jobs)
                if not self._finished():
                    yield from self._answers()
        finally:
            for actor in self.actors:
                self._end(actor)

    def _grow(self) -> None:
        """Start actors until there are as many as the cluster has room for.

        The cluster may be larger than it was: a machine has joined it, or is back.
        """
        now = time.monotonic()
        if self.actors and now < self.looked + LOOK_EVERY:
            return
        self.looked = now
        while len(self.actors) < self.cluster.workers:
            self._start()

    def _start(self) -> None:
        self.actors.append(_Actor(self.remote.remote(self.given), self.work.new_file()))

    def _finished(self) -> bool:
        """Whether everything is done; ask actors to save their files if only that is missing."""
        if self.again or self.more or any(actor.jobs for actor in self.actors):
            return False
        for actor in self.actors:
            if actor.unsaved and actor.awaited is None:
                self._save(actor)
        return not any(actor.unsaved for actor in self.actors)

    def _feed(self, actor: _Actor[Job], jobs: Iterator[Job]) -> None:
        """Give an actor jobs, or have it save its file when it has done enough of them."""
        if actor.awaited is not None:
            return
        if len(actor.unsaved) >= SAVE_EVERY and not actor.jobs:
            self._save(actor)
            return
        while len(actor.jobs) < self.ahead and len(actor.unsaved) < SAVE_EVERY:
            given = self.again.popleft() if self.again else next(((j, 1) for j in jobs), None)
            if given is None:
                self.more = False
                return
            job, tries = given
            actor.jobs.append((job, tries, actor.handle.do.remote(job)))

    def _save(self, actor: _Actor[Job]) -> None:
        """Have an actor save its file and begin another.

        Even the last file is followed by another: if an actor dies while it saves, others do its
        jobs again, and must have somewhere to write.
        """
        actor.following = self.work.new_file()
        actor.awaited = actor.handle.save.remote(actor.following)

    def _answers(self) -> Iterator[tuple[Job, Result]]:
        """Wait for an actor, and yield the results that have come in."""
        by_answer = {
            actor.next_answer: actor for actor in self.actors if actor.next_answer is not None
        }
        come, _ = self.ray.wait(list(by_answer), num_returns=1)
        for answer in come:
            actor = by_answer[answer]
            try:
                value = self.ray.get(answer)
            except self.lost as error:
                self._lose(actor, error)
                continue
            except self.ray.exceptions.RayTaskError as error:
                raise error.cause or error from None
            if actor.awaited is not None:
                self._hear(actor, value)
                continue
            job, _, _ = actor.jobs.popleft()
            if actor.file is not None:
                actor.unsaved.append(job)
            if id(job) in self.told:
                self.told.remove(id(job))
            else:
                yield job, value

    def _hear(self, actor: _Actor[Job], value: Any) -> None:
        """An actor says that it is there, or that its file is saved and which comes next."""
        actor.awaited = None
        if not actor.ready:
            if value != build():
                raise NoCluster(
                    f"a machine of the cluster has another version of Fernzug (build {value}, "
                    f"here {build()})"
                )
            actor.ready = True
            self.stillborn = 0
            return
        actor.unsaved = []
        actor.file, actor.following = actor.following, None

    def _end(self, actor: _Actor[Job]) -> None:
        """Stop an actor, and remove the files that it has not saved."""
        self.ray.kill(actor.handle)
        for file in (actor.file, actor.following):
            if file is not None:
                self.work.forget(file)

    def _lose(self, actor: _Actor[Job], error: Exception) -> None:
        """Take over the jobs of an actor that has died."""
        self.actors.remove(actor)
        self.looked = 0.0
        if not actor.ready:
            self.stillborn += 1
            if self.stillborn > MAX_TRIES * self.cluster.workers:
                raise WorkerLost(f"no worker can be started on the cluster: {error}")
        self._end(actor)
        for job in actor.unsaved:
            self.told.add(id(job))
            self.again.append((job, 1))
        for number, (job, tries, _) in enumerate(actor.jobs):
            if number == 0 and tries >= MAX_TRIES:
                raise WorkerLost(f"the worker with {self.work.name(job)} has died {tries} times")
            self.again.append((job, tries + (number == 0)))


class _Worker:
    """An actor, on its machine."""

    def __init__(self, given: tuple[Work[Any, Any], dict[str, bytes]]) -> None:
        self.work, self.sources = given

    def ready(self, file: str | None) -> str:
        """Get ready to write to this file, and say which version of Fernzug this is."""
        if self.sources:
            from fernzug.bots import files

            files.provide(self.sources)
        self.work.begin()
        self.work.open(file)
        return build()

    def do(self, job: Any) -> Any:
        """Do a job."""
        return self.work.do(job)

    def save(self, following: str | None) -> None:
        """Save the file, and go on with another."""
        self.work.save()
        self.work.open(following)
