"""Time at a table, handed in from outside."""

from __future__ import annotations

from typing import NamedTuple

from fernzug.table.setup import BANK_CLOCK, NO_CLOCK, TURN_CLOCK, ClockSetup


class Moment(NamedTuple):
    """A point in time."""

    monotonic: float
    """Seconds of a clock that is never set: only differences mean something."""
    wall: int
    """Milliseconds since 1970."""


class Stopwatch:
    """A table's own time: it stands still while nobody is there."""

    def __init__(self) -> None:
        self._ran = 0.0
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether somebody is there."""
        return self._since is not None

    def read(self, now: float) -> float:
        """Return the seconds that have passed for the table."""
        return self._ran + (0.0 if self._since is None else now - self._since)

    def start(self, now: float) -> None:
        """Somebody has come."""
        if self._since is None:
            self._since = now

    def stop(self, now: float) -> None:
        """Everybody has gone."""
        self._ran = self.read(now)
        self._since = None


class Clock:
    """The time that each seat has left, in seconds of the table's time."""

    def __init__(self, setup: ClockSetup, players: int) -> None:
        self.setup = setup
        self.left = [float(setup.seconds)] * players
        self._began: list[float | None] = [None] * players

    @property
    def used(self) -> bool:
        """Whether time is limited at all."""
        return self.setup.kind != NO_CLOCK

    def begin(self, seat: int, reading: float) -> None:
        """A decision of the seat begins."""
        self._began[seat] = reading

    def end(self, seat: int) -> None:
        """The decision of the seat is made, or gone."""
        self._began[seat] = None

    def spent(self, seat: int, reading: float) -> float:
        """Return what the seat's present decision has cost so far."""
        began = self._began[seat]
        return 0.0 if began is None or not self.used else reading - began

    def charge(self, seat: int, seconds: float) -> None:
        """Take the cost of a decision from what the seat has left; nobody has less than nothing."""
        self.left[seat] = max(0.0, self.left[seat] - seconds)

    def turn_began(self, seat: int) -> None:
        """A turn of the seat begins: time for it is given."""
        if self.setup.kind == TURN_CLOCK:
            self.left[seat] = float(self.setup.seconds)
        elif self.setup.kind == BANK_CLOCK:
            self.left[seat] += self.setup.increment

    def turn_taken_back(self, seat: int) -> None:
        """A turn of the seat did not begin after all."""
        if self.setup.kind == BANK_CLOCK:
            self.left[seat] = max(0.0, self.left[seat] - self.setup.increment)

    def remaining(self, seat: int, reading: float) -> float:
        """Return what the seat has left now."""
        return max(0.0, self.left[seat] - self.spent(seat, reading))

    def awaited(self, seat: int) -> bool:
        """Whether a decision of the seat has begun."""
        return self._began[seat] is not None

    def runs_for(self, seat: int) -> bool:
        """Whether the seat's time runs."""
        return self.used and self.awaited(seat)
