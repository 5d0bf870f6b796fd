"""Who sits where, which token opens a seat, and who is connected."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import replace

from fernzug.table.clock import Stopwatch
from fernzug.table.protocol import Face
from fernzug.table.refused import Refused
from fernzug.table.setup import BOT, LINK, SeatSetup, TableSetup
from fernzug.table.tokens import hash_of


def distinct_name(name: str, others: Iterable[str | None]) -> str:
    """Return a name that none of the others has: the name itself, or with a number behind it."""
    taken = {other.casefold() for other in others if other}
    numbered = name
    number = 1
    while numbered.casefold() in taken:
        number += 1
        numbered = f"{name} {number}"
    return numbered


class Seats:
    """The seats of one table."""

    def __init__(self, setup: TableSetup) -> None:
        self.all: list[SeatSetup] = list(setup.seats)
        self.left: set[int] = set()
        """Seats that their owners have left to a bot."""
        self.spectators = 0
        self.watch = Stopwatch()
        self._host = setup.host
        self.grace: float | None = setup.grace
        """Seconds before a bot plays for an owner who is gone; None if it never does."""
        self._by_link = [seat.kind == LINK for seat in setup.seats]
        self._present = [0] * len(self.all)
        self._away_since = [0.0] * len(self.all)

    @property
    def count(self) -> int:
        """The number of seats."""
        return len(self.all)

    def is_bot(self, seat: int) -> bool:
        """Whether the seat belongs to a bot, not to a person whom a bot stands in for."""
        return self.all[seat].kind == BOT

    def is_free(self, seat: int) -> bool:
        """Whether somebody may still join by link."""
        return self.all[seat].kind == LINK and self.all[seat].token is None

    def is_person(self, seat: int) -> bool:
        """Whether the seat belongs to a person."""
        return not self.is_bot(seat) and not self.is_free(seat)

    def came_by_link(self, seat: int) -> bool:
        """Whether the seat belongs to somebody who joined by link."""
        return self.all[seat].kind == LINK and self.all[seat].token is not None

    def can_be_freed(self, seat: int) -> bool:
        """Whether the seat was meant for joining by link and is taken, by a person or a bot."""
        return self._by_link[seat] and not self.is_free(seat)

    @property
    def free(self) -> list[int]:
        """The seats that nobody has taken yet."""
        return [seat for seat in range(self.count) if self.is_free(seat)]

    def distinct(self, name: str) -> str:
        """Return a name for somebody who sits down, which nobody else at the table has."""
        return distinct_name(name, (seat.name for seat in self.all))

    def find_free(self, seat: int | None) -> int:
        """Return the given seat if it is free, or the first free one if none is given."""
        if seat is None:
            if self.free:
                return self.free[0]
            raise Refused("table_full", "no seat is free at this table")
        if not 0 <= seat < self.count:
            raise Refused("not_found", f"there is no seat {seat} at this table")
        if not self.is_free(seat):
            raise Refused("seat_taken", "this seat is already taken")
        return seat

    @property
    def alone(self) -> bool:
        """Whether a single person plays, and everybody else is a bot."""
        return sum(not self.is_bot(seat) for seat in range(self.count)) == 1

    def sit(self, seat: int, name: str, token: str, reading: float) -> None:
        """Give a seat to a person."""
        self.all[seat] = replace(self.all[seat], name=name, token=token)
        self._away_since[seat] = reading

    def sit_bot(self, seat: int, name: str, level: str, face: Face | None) -> None:
        """Give a seat to a bot."""
        self.all[seat] = SeatSetup(BOT, name=name, level=level, face=face)
        self.left.discard(seat)

    def clear(self, seat: int) -> None:
        """Clear a seat; its token no longer opens it."""
        self.all[seat] = SeatSetup(LINK)

    def opened_by(self, tokens: Iterable[str]) -> tuple[tuple[int, ...], bool]:
        """Return the seats that the tokens open, and whether one of them is the host's."""
        hashes = [hash_of(token) for token in tokens]
        own = [
            number
            for number, seat in enumerate(self.all)
            if seat.token is not None and any(hmac.compare_digest(seat.token, h) for h in hashes)
        ]
        return tuple(own), any(hmac.compare_digest(self._host, h) for h in hashes)

    # ------------------------------------------------------------------------ presence

    def arrive(self, own: Iterable[int], now: float) -> None:
        """Count a new connection; one without seats is a spectator's."""
        seats = list(own)
        if seats:
            self.watch.start(now)
        for seat in seats:
            self._present[seat] += 1
        self.spectators += not seats

    def depart(self, own: Iterable[int], now: float) -> None:
        """Count a connection that is gone."""
        seats = list(own)
        for seat in seats:
            self._present[seat] -= 1
            if not self._present[seat]:
                self._away_since[seat] = self.watch.read(now)
        self.spectators -= not seats
        if not any(self._present):
            self.watch.stop(now)

    def away_since(self) -> list[float]:
        """Return since when each owner who is not connected has been gone."""
        return list(self._away_since)

    def set_away(self, since: Iterable[float]) -> None:
        """Set since when each owner who is not connected has been gone."""
        self._away_since = list(since)

    def is_connected(self, seat: int) -> bool:
        """Whether the owner is connected."""
        return self._present[seat] > 0

    @property
    def all_here(self) -> bool:
        """Whether people play all seats, and all of them are connected."""
        return not self.left and 0 not in self._present

    def grace_left(self, seat: int, reading: float) -> float | None:
        """Return how long a bot still waits for an owner who is gone; None if it need not."""
        if self.grace is None or self.is_bot(seat) or self.is_connected(seat):
            return None
        return max(0.0, self._away_since[seat] + self.grace - reading)
