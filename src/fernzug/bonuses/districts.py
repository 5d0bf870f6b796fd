"""Districts: points for joining all places of a district (E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.bonus import Bonus, Goal, Step, Terms
from fernzug.engine.network import Network

if TYPE_CHECKING:
    from fernzug.engine.state import State


@final
class Districts(Bonus):
    """A district is completed when the player's own routes join all its places."""

    RULES: ClassVar[tuple[str, ...]] = ("E5",)
    NEEDS: ClassVar[frozenset[str]] = frozenset({"groups"})

    def __init__(self, network: Network, terms: Terms) -> None:
        super().__init__(network, terms)
        self.districts = terms.groups

    @classmethod
    def check(cls, bonus: Any) -> list[tuple[tuple[str | int, ...], str]]:
        """Return the districts that are joined from the start."""
        return [
            (group.path, "a group needs at least 2 places")
            for group in bonus["groups"] or ()
            if len(group.get("locations", "ab")) < 2
        ]

    def award(self, s: State, awards: vec[i64]) -> None:
        """Add the points of the districts that each seat has completed (E5)."""
        for seat in range(i64(len(awards))):
            label = self.network.join(s.owner, seat)
            for members, points in self.districts:
                # The joining path may leave the district: only the labels are compared.
                joined = True
                for place in members:
                    if label[place] != label[members[0]]:
                        joined = False
                if joined:
                    awards[seat] += points

    def progress(self, s: State, seat: i64) -> list[Step]:
        """Return for each district the largest part of it that the seat has joined."""
        label = self.network.join(s.owner, seat)
        steps: list[Step] = []
        for group, (members, _) in zip(self.spec.groups, self.districts, strict=True):
            best: list[str] = []
            for first in members:
                part = [
                    name
                    for name, place in zip(group.locations, members, strict=True)
                    if label[place] == label[first]
                ]
                # A place joined to no other is not a part of anything yet.
                if len(part) > max(len(best), 1):
                    best = part
            steps.append(Step(group.id, len(best), len(members), best))
        return steps

    def goals(self) -> list[Goal]:
        """Return the districts."""
        return [Goal(members, points) for members, points in self.districts]
