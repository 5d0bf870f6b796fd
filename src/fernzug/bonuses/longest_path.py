"""The longest path: points for the longest continuous way, each route used once (E3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.bonus import UNIT, Bonus, Step
from fernzug.engine.network import Network

if TYPE_CHECKING:
    from fernzug.engine.state import State

SHARE: Final = 40
"""A planner counts a piece added to its network as this part of the bonus."""


@final
class LongestPath(Bonus):
    """Everybody who ties for the longest path gets the points; nobody for a length of 0.

    So the card lies beside the board (S3) until somebody has a path, and moves with the longest.
    """

    RULES: ClassVar[tuple[str, ...]] = ("S3", "E3")
    NEEDS: ClassVar[frozenset[str]] = frozenset({"points"})

    def award(self, s: State, awards: vec[i64]) -> None:
        """Add the points of the longest path (E3)."""
        seats = i64(len(awards))
        length = vec[i64]([0] * len(awards))
        longest: i64 = 1
        for seat in range(seats):
            length[seat] = longest_path(self.network, s.owner, seat)
            longest = max(longest, length[seat])
        for seat in range(seats):
            if length[seat] == longest:
                awards[seat] += self.points

    def progress(self, s: State, seat: i64) -> list[Step]:
        """Return the length of the seat's longest path."""
        return [Step(None, int(longest_path(self.network, s.owner, seat)), 0, [])]

    def spare_value(self, s: State, seat: i64, route: i64) -> i64:
        """Return what a longer network of its own adds to the seat's chance of the longest path."""
        network = self.network
        if network.touches(s.owner, seat, network.a[route]) or network.touches(
            s.owner, seat, network.b[route]
        ):
            return self.points * UNIT * network.spaces[route] // SHARE
        return 0


@final
class Walk:
    """The search for the longest path in one joined part of a seat's network."""

    def __init__(self, network: Network, free: vec[i64]) -> None:
        self.network = network
        self.free = free  # 1 for each of the seat's routes that the walk has not used
        self.best: i64 = 0

    def go_on(self, place: i64, length: i64, hope: i64) -> None:
        """Try every way on from here; no path from here is longer than ``hope``."""
        self.best = max(self.best, length)
        network = self.network
        free = self.free
        incident = network.incident
        for i in range(network.first[place], network.first[place + 1]):
            if hope <= self.best:
                return
            route = incident[i]
            if free[route]:
                free[route] = 0
                end = network.a[route] + network.b[route] - place
                self.go_on(end, length + network.spaces[route], hope)
                free[route] = 1


def longest_path(network: Network, owner: vec[i64], seat: i64) -> i64:
    """Return the length in spaces of the seat's longest path (E3)."""
    places = network.places
    a = network.a
    b = network.b
    spaces = network.spaces
    free = vec[i64]([0] * int(network.routes))
    odd = vec[i64]([0] * int(places))  # whether an odd number of routes meets at a place
    for route in range(network.routes):
        if owner[route] == seat:
            free[route] = 1
            odd[a[route]] ^= 1
            odd[b[route]] ^= 1
    label = network.join(owner, seat)
    total = vec[i64]([0] * int(places))
    odds = vec[i64]([0] * int(places))
    for route in range(network.routes):
        if free[route]:
            total[label[a[route]]] += spaces[route]
    for place in range(places):
        odds[label[place]] += odd[place]
    walk = Walk(network, free)
    for part in range(places):
        # Euler: a part with at most two odd places is walked in one go.
        if odds[part] <= 2:
            walk.best = max(walk.best, total[part])
    for place in range(places):
        # Elsewhere a path that cannot be made longer has used every route at both its ends, and
        # has not come back to its start: it starts and ends at odd places.
        part = label[place]
        # Each route left out makes at most two odd places even, hence the hope.
        if odd[place] and odds[part] > 2:
            walk.go_on(place, 0, total[part] - (odds[part] - 2) // 2)
    return walk.best
