"""Crews: who does a piece of work that consists of many jobs.

A :class:`Work` says how to do one job; it is sent to each worker once. A crew has workers: none but
this process (:class:`Alone`), processes on this machine (:mod:`fernzug.sim.processes`), or the
machines of a cluster (:mod:`fernzug.sim.cluster`). All of them do the same jobs with the same
results, in whatever order. A worker that dies costs only the jobs that it had not finished, which
others do again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkerLost(RuntimeError):
    """Workers that did the same job have died again and again."""


class Work(ABC, Generic[Job, Result]):
    """What workers do.

    A work may write files, one for each worker: their results count only once the file is saved.
    """

    ahead = 1
    """How many jobs a worker may be given at a time."""

    bots: Sequence[str] = ()
    """The names of the bots that play."""

    @abstractmethod
    def do(self, job: Job) -> Result:
        """Do a job."""

    def name(self, job: Job) -> str:
        """Describe a job."""
        return f"the job {job}"

    def begin(self) -> None:
        """Get ready, in a worker."""

    # ------------------------------------------------------------------------ files

    def new_file(self) -> str | None:
        """Return the name of a file for a worker to write; None if there is nothing to write."""
        return None

    def open(self, file: str | None) -> None:
        """Write to this file from now on, in a worker."""

    def save(self) -> None:
        """Complete the file, in a worker."""

    def forget(self, file: str) -> None:
        """Remove what a worker that has died may have left of its file."""


class Crew(Protocol):
    """Workers."""

    @property
    def workers(self) -> int:
        """How many there are now."""

    @property
    def apart(self) -> bool:
        """Whether they are other processes than this one."""

    def do_all(
        self, work: Work[Job, Result], jobs: Iterator[Job]
    ) -> Generator[tuple[Job, Result], None, None]:
        """Yield the results of jobs as they come in; closing the generator stops the workers.

        The caller handles a result before the next job is asked for, so it may decide what to do
        next.
        """


class Alone:
    """This process does everything."""

    workers = 1
    apart = False

    def do_all(
        self, work: Work[Job, Result], jobs: Iterator[Job]
    ) -> Generator[tuple[Job, Result], None, None]:
        """Yield the results of jobs in their order."""
        file = work.new_file()
        try:
            work.begin()
            work.open(file)
            for job in jobs:
                yield job, work.do(job)
            work.save()
        except BaseException:
            if file is not None:
                work.forget(file)
            raise
