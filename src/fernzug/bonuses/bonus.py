"""What every bonus is: terms from the board file, and an award at the end of the game."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.bonuses.network import Network


class Terms:
    """What a board file says of a bonus, with places and colours as numbers."""

    def __init__(
        self,
        kind: str,
        points: int,
        places: list[int],
        colors: list[int],
        groups: list[tuple[int, list[int]]],
    ) -> None:
        self.kind = kind
        self.points: i64 = points
        self.places = vec[i64](places)
        self.colors = vec[i64](colors)
        self.groups = [(vec[i64](members), points) for points, members in groups]


class Bonus:
    """A way to win points beside routes and tickets.

    A kind of bonus that is given at the end overrides :meth:`award`.
    """

    def __init__(self, network: Network, terms: Terms) -> None:
        self.network = network
        self.kind = terms.kind
        self.points = terms.points

    def award(self, owner: vec[i64], awards: vec[i64]) -> None:
        """Add each seat's points to ``awards``, given the owner of each route (-1 for none)."""
