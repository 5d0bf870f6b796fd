"""Sights: a point for each sight that a player's routes touch (E4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.bonus import UNIT, Bonus, Step, Terms
from fernzug.engine.network import Network

if TYPE_CHECKING:
    from fernzug.engine.state import State


@final
class Sights(Bonus):
    """Each sight that at least one of the player's routes touches is worth the same points."""

    RULES: ClassVar[tuple[str, ...]] = ("E4",)
    NEEDS: ClassVar[frozenset[str]] = frozenset({"points", "locations"})

    def __init__(self, network: Network, terms: Terms) -> None:
        super().__init__(network, terms)
        self.sights = terms.places
        self.is_sight = vec[i64]([0] * int(network.places))
        for sight in self.sights:
            self.is_sight[sight] = 1

    def award(self, s: State, awards: vec[i64]) -> None:
        """Add the points of the sights that each seat touches (E4)."""
        first = self.network.first
        incident = self.network.incident
        for sight in self.sights:
            touched: i64 = 0  # a bit for each seat, so that no sight counts twice
            for i in range(first[sight], first[sight + 1]):
                seat = s.owner[incident[i]]
                if seat >= 0 and not (touched >> seat) & 1:
                    touched |= 1 << seat
                    awards[seat] += self.points

    def progress(self, s: State, seat: i64) -> list[Step]:
        """Return the sights that the seat touches."""
        touched = [
            name
            for name, place in zip(self.spec.locations, self.sights, strict=True)
            if self.network.touches(s.owner, seat, place)
        ]
        return [Step(None, len(touched), len(self.sights), touched)]

    def claim_value(self, s: State, seat: i64, route: i64) -> i64:
        """Return the points for the sights at the ends of a route that are new to the seat."""
        value: i64 = 0
        a = self.network.a[route]
        if self.is_sight[a] and not self.network.touches(s.owner, seat, a):
            value += self.points * UNIT
        b = self.network.b[route]
        if self.is_sight[b] and not self.network.touches(s.owner, seat, b):
            value += self.points * UNIT
        return value
