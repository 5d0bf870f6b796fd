"""The clock of a table; the current time is passed in."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from fernzug.table.setup import BANK_CLOCK, NO_CLOCK, TURN_CLOCK, ClockSetup


class Moment(NamedTuple):
    """A point in time."""

    monotonic: float
    """Seconds of a clock that is never set; only differences are meaningful."""
    wall: int
    """Milliseconds since 1970."""


class TableTime(TypedDict):
    """How much time has passed at a table, for another process with the same table."""

    reading: float
    """The seconds that have passed at the table."""
    began: list[float | None]
    """When the current decision of each seat began."""
    away: list[float]
    """Since when each owner who is not connected has been gone."""


class Stopwatch:
    """A table's own time, which stands still while none of its people is connected."""

    def __init__(self) -> None:
        self._ran = 0.0
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether any of the table's people is connected."""
        return self._since is not None

    def read(self, now: float) -> float:
        """Return the seconds that have passed at the table."""
        return self._ran + (0.0 if self._since is None else now - self._since)

    def start(self, now: float) -> None:
        """Start when the first of them connects."""
        if self._since is None:
            self._since = now

    def stop(self, now: float) -> None:
        """Stop when the last of them has gone."""
        self._ran = self.read(now)
        self._since = None

    def set(self, reading: float, now: float) -> None:
        """Set the time that has passed at the table."""
        self._ran += reading - self.read(now)


class Clock:
    """The time that each seat has left, in seconds of table time."""

    def __init__(self, setup: ClockSetup, players: int) -> None:
        self.setup = setup
        self.left = [float(setup.seconds)] * players
        self._began: list[float | None] = [None] * players

    @property
    def used(self) -> bool:
        """Whether time is limited at all."""
        return self.setup.kind != NO_CLOCK

    def begin(self, seat: int, reading: float) -> None:
        """Begin a decision of a seat."""
        self._began[seat] = reading

    def began(self) -> list[float | None]:
        """Return when the current decision of each seat began."""
        return list(self._began)

    def shift(self, seconds: float) -> None:
        """Follow a stopwatch that was set."""
        self._began = [None if began is None else began + seconds for began in self._began]

    def end(self, seat: int) -> None:
        """End the decision of a seat, if any."""
        self._began[seat] = None

    def spent(self, seat: int, reading: float) -> float:
        """Return how long the seat's current decision has taken so far."""
        began = self._began[seat]
        return 0.0 if began is None or not self.used else reading - began

    def charge(self, seat: int, seconds: float) -> None:
        """Subtract the time of a decision, down to zero."""
        self.left[seat] = max(0.0, self.left[seat] - seconds)

    def turn_began(self, seat: int) -> None:
        """Give a seat the time for a turn that begins."""
        if self.setup.kind == TURN_CLOCK:
            self.left[seat] = float(self.setup.seconds)
        elif self.setup.kind == BANK_CLOCK:
            self.left[seat] += self.setup.increment

    def turn_taken_back(self, seat: int) -> None:
        """Take back the time for a turn that was undone."""
        if self.setup.kind == BANK_CLOCK:
            self.left[seat] = max(0.0, self.left[seat] - self.setup.increment)

    def remaining(self, seat: int, reading: float) -> float:
        """Return the time that the seat has left now."""
        return max(0.0, self.left[seat] - self.spent(seat, reading))

    def awaited(self, seat: int) -> bool:
        """Whether a decision of the seat has begun."""
        return self._began[seat] is not None

    def runs_for(self, seat: int) -> bool:
        """Whether the seat's clock is running."""
        return self.used and self.awaited(seat)
