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
        """Return the length of the seat's longest path, and its routes."""
        length = longest_path(self.network, s.owner, seat)
        routes = s.tables.board.routes
        trail = longest_trail(self.network, s.owner, seat, length)
        return [Step(None, int(length), 0, [], [routes[route].id for route in trail])]

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


@final
class Trail:
    """The search for a path of a length that is known to exist; it remembers the routes."""

    def __init__(self, network: Network, free: vec[i64]) -> None:
        self.network = network
        self.free = free  # 1 for each of the seat's routes that the path has not used
        self.routes: list[int] = []

    def go_on(self, place: i64, length: i64) -> bool:
        """Whether a path goes on from here for so many more spaces."""
        if length == 0:
            return True
        network = self.network
        for i in range(network.first[place], network.first[place + 1]):
            route = network.incident[i]
            if self.free[route] and network.spaces[route] <= length:
                self.free[route] = 0
                self.routes.append(int(route))
                end = network.a[route] + network.b[route] - place
                if self.go_on(end, length - network.spaces[route]):
                    return True
                self.routes.pop()
                self.free[route] = 1
        return False

    def walk_all(self, start: i64) -> None:
        """Walk every route of a part in one go, from one of its odd places if it has any."""
        network = self.network
        places: list[i64] = [start]
        taken: list[int] = []
        while places:
            place = places[-1]
            found: i64 = -1
            for i in range(network.first[place], network.first[place + 1]):
                if self.free[network.incident[i]]:
                    found = network.incident[i]
                    break
            if found >= 0:
                self.free[found] = 0
                taken.append(int(found))
                places.append(network.a[found] + network.b[found] - place)
                continue
            # A dead end: what led here comes last. Detours from places on the way go before it.
            places.pop()
            if taken:
                self.routes.append(taken.pop())
        self.routes.reverse()


@final
class Parts:
    """The joined parts of a seat's network, each under the label of one of its places."""

    def __init__(self, network: Network, owner: vec[i64], seat: i64) -> None:
        a = network.a
        b = network.b
        self.free = vec[i64]([0] * int(network.routes))  # 1 for each of the seat's routes
        self.odd = vec[i64]([0] * int(network.places))  # whether an odd number meets at a place
        self.label = network.join(owner, seat)
        self.total = vec[i64]([0] * int(network.places))  # the spaces of each part
        self.odds = vec[i64]([0] * int(network.places))  # the odd places of each part
        for route in range(network.routes):
            if owner[route] == seat:
                self.free[route] = 1
                self.odd[a[route]] ^= 1
                self.odd[b[route]] ^= 1
                self.total[self.label[a[route]]] += network.spaces[route]
        for place in range(network.places):
            self.odds[self.label[place]] += self.odd[place]


def longest_path(network: Network, owner: vec[i64], seat: i64) -> i64:
    """Return the length in spaces of the seat's longest path (E3)."""
    parts = Parts(network, owner, seat)
    walk = Walk(network, parts.free)
    for part in range(network.places):
        # Euler: a part with at most two odd places is walked in one go.
        if parts.odds[part] <= 2:
            walk.best = max(walk.best, parts.total[part])
    for place in range(network.places):
        # Elsewhere a path that cannot be made longer has used every route at both its ends, and
        # has not come back to its start: it starts and ends at odd places.
        part = parts.label[place]
        # Each route left out makes at most two odd places even, hence the hope.
        if parts.odd[place] and parts.odds[part] > 2:
            walk.go_on(place, 0, parts.total[part] - (parts.odds[part] - 2) // 2)
    return walk.best


def longest_trail(network: Network, owner: vec[i64], seat: i64, length: i64) -> list[int]:
    """Return the routes of a path of the seat's greatest length, in order."""
    parts = Parts(network, owner, seat)
    trail = Trail(network, parts.free)
    for place in range(network.places):
        part = parts.label[place]
        ends_here = parts.odd[place] or parts.odds[part] == 0
        if ends_here and parts.odds[part] <= 2 and 0 < length == parts.total[part]:
            trail.walk_all(place)
            return trail.routes
    for place in range(network.places):
        if parts.odd[place] and trail.go_on(place, length):
            break
    return trail.routes
