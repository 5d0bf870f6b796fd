"""Sights: a point for each sight that a player's routes touch (E4)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.bonuses.bonus import Bonus, Terms
from fernzug.bonuses.network import Network


class Sights(Bonus):
    """Each sight that at least one of the player's routes touches is worth the same points."""

    def __init__(self, network: Network, terms: Terms) -> None:
        super().__init__(network, terms)
        self.sights = terms.places

    def award(self, owner: vec[i64], awards: vec[i64]) -> None:
        """Add the points of the sights that each seat touches (E4)."""
        first = self.network.first
        incident = self.network.incident
        for sight in self.sights:
            touched: i64 = 0  # a bit for each seat, so that no sight counts twice
            for i in range(first[sight], first[sight + 1]):
                seat = owner[incident[i]]
                if seat >= 0 and not (touched >> seat) & 1:
                    touched |= 1 << seat
                    awards[seat] += self.points
