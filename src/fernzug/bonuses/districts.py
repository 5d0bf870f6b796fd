"""Districts: points for joining all places of a district (E5)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.bonuses.bonus import Bonus, Terms
from fernzug.bonuses.network import Network


class Districts(Bonus):
    """A district is completed when the player's own routes join all its places."""

    def __init__(self, network: Network, terms: Terms) -> None:
        super().__init__(network, terms)
        self.districts = terms.groups

    def award(self, owner: vec[i64], awards: vec[i64]) -> None:
        """Add the points of the districts that each seat has completed (E5)."""
        for seat in range(i64(len(awards))):
            label = self.network.join(owner, seat)
            for members, points in self.districts:
                # The joining path may leave the district: only the labels are compared.
                joined = True
                for place in members:
                    if label[place] != label[members[0]]:
                        joined = False
                if joined:
                    awards[seat] += points
