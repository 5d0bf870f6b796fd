"""Flag: points in play for laying down one card of each colour of a flag (E6).

Of the cards played for a route of one of its colours, a player may keep one in front. A flag that
is complete is worth its points at once, and its cards are discarded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from fernzug.engine import bits
from fernzug.engine.bonus import MOST, UNIT, Bonus, FactKind, Step, Terms
from fernzug.engine.network import Network

if TYPE_CHECKING:
    from fernzug.engine.state import State

KEPT: Final = 12  # seat, colour
SCORED: Final = 13  # seat

# What it keeps for each seat.
LYING: Final = 0  # the colours lying in front, as bits
SETS: Final = 1  # completed flags

MAX_SETS: Final = 1_000_000
"""More flags than any game sees; larger numbers are mistakes, and could overflow."""


@final
class Flag(Bonus):
    """Points in play for each complete set of the flag's colours."""

    RULES: ClassVar[tuple[str, ...]] = ("E6",)
    NEEDS: ClassVar[frozenset[str]] = frozenset({"points", "colors"})
    SLOTS: ClassVar[int] = 2
    OPTIONS: ClassVar[tuple[str, ...]] = ("flag",)
    FACTS: ClassVar[tuple[FactKind, ...]] = (
        FactKind(KEPT, "flag_kept", ("seat", "color")),
        FactKind(SCORED, "flag_scored", ("seat",), scores=True),
    )
    KEYS: ClassVar[tuple[str, ...]] = ("flags", "flag_sets")
    # Views and positions of version 0.1 say so on every board.
    ON_EVERY_BOARD: ClassVar[bool] = True

    def __init__(self, network: Network, terms: Terms) -> None:
        super().__init__(network, terms)
        self.colors = terms.colors
        self.complete: i64 = 0  # all its colours, as bits
        for color in terms.colors:
            self.complete |= 1 << color

    @classmethod
    def blank(cls) -> list[Any]:
        """Return what is said of a seat with no card in front and no completed flag."""
        return [[], 0]

    def lying(self, s: State, seat: i64) -> i64:
        """Return the colours lying in front of a seat, as bits."""
        return s.bonus[seat * s.tables.slots + self.slot + LYING]

    # ------------------------------------------------------------------------ points

    def given(self, s: State, seat: i64) -> i64:
        """Return the points for completed flags."""
        return s.bonus[seat * s.tables.slots + self.slot + SETS] * self.points

    def progress(self, s: State, seat: i64) -> list[Step]:
        """Return the colours that lie in front of the seat."""
        lying = self.names(self.lying(s, seat))
        return [Step(None, len(lying), len(self.colors), lying)]

    def names(self, colors: i64) -> list[str]:
        """Return the flag's colours that are among these bits, in the board's order."""
        numbers = sorted(
            (int(number), name)
            for number, name in zip(self.colors, self.spec.colors, strict=True)
            if (colors >> number) & 1
        )
        return [name for _, name in numbers]

    # ------------------------------------------------------------------------ in play

    def offers(self, color: i64, gray: bool) -> bool:
        """Only a route of one of its colours gives a card for it."""
        return not gray and bool((self.complete >> color) & 1)

    def allowed(self, s: State, seat: i64, option: i64) -> i64:
        """Return the colours of which a card may be kept in front: those that do not lie there."""
        return self.complete & ~s.bonus[seat * s.tables.slots + self.slot]

    def choose(self, s: State, seat: i64, color: i64, option: i64) -> None:
        """Keep one of the cards just played."""
        self.keep(s, seat, color)

    def chosen(self, fact: tuple[int, ...]) -> int | None:
        """Return whether a fact tells that a card was kept."""
        return 0 if fact[0] == KEPT else None

    def keep(self, s: State, seat: i64, color: i64) -> None:
        """One of the cards just played lies in front of the seat instead of being discarded."""
        s.discard[color] -= 1
        s.discard_size -= 1
        s.bonus[seat * s.tables.slots + self.slot + LYING] |= 1 << color
        if s.journal is not None:
            s.journal.append((KEPT, seat, color))

    def is_due(self, s: State, seat: i64, route: i64) -> bool:
        """Whether the seat's flag is complete."""
        return s.bonus[seat * s.tables.slots + self.slot] == self.complete

    def settle(self, s: State, seat: i64, route: i64) -> None:
        """Score a complete flag."""
        self.score(s, seat)

    def score(self, s: State, seat: i64) -> None:
        """A complete flag is worth its points, and its cards are discarded."""
        for color in self.colors:
            s.discard[color] += 1
            s.discard_size += 1
        first = seat * s.tables.slots + self.slot
        s.bonus[first + LYING] = 0
        s.bonus[first + SETS] += 1
        s.points[seat] += self.points
        if s.journal is not None:
            s.journal.append((SCORED, seat))

    def fold(self, s: State, fact: tuple[int, ...]) -> None:
        """Keep a card or score a flag as the fact says."""
        seat: i64 = fact[1]
        if fact[0] == KEPT:
            color: i64 = fact[2]
            if s.discard[color] <= 0:
                raise ValueError("no such card was played")
            if not (self.allowed(s, seat, 0) >> color) & 1:
                raise ValueError("no such card may be kept (E6)")
            self.keep(s, seat, color)
        else:
            if self.lying(s, seat) != self.complete:
                raise ValueError("the flag is not complete")
            self.score(s, seat)

    def count_cards(self, s: State, counts: vec[i64]) -> None:
        """Add the cards lying in front of the seats."""
        for seat in range(s.players):
            lying = self.lying(s, seat)
            for color in self.colors:
                counts[color] += (lying >> color) & 1

    def describe(self, s: State, seat: i64) -> list[Any]:
        """Return the colours lying in front, and the number of completed flags."""
        sets = s.bonus[seat * s.tables.slots + self.slot + SETS]
        return [self.names(self.lying(s, seat)), int(sets)]

    def read(self, s: State, seat: i64, key: str, value: Any) -> None:
        """Take over what lies in front of a seat, or how many flags it has completed."""
        first = seat * s.tables.slots + self.slot
        if key == "flag_sets":
            if type(value) is not int or not 0 <= value <= MAX_SETS:
                raise ValueError(f"'flag_sets' must hold whole numbers, not {value!r}")
            s.bonus[first + SETS] = value
            return
        if not isinstance(value, list | tuple):
            raise ValueError(f"'flags' must hold a list, not {value!r}")
        colors = dict(zip(self.spec.colors, self.colors, strict=True))
        for name in value:
            color = colors.get(name) if isinstance(name, str) else None
            if color is None or (s.bonus[first + LYING] >> color) & 1:
                raise ValueError(f"{name} cannot lie in front of seat {seat} (E6)")
            s.bonus[first + LYING] |= 1 << color
        if self.lying(s, seat) == self.complete:
            raise ValueError(f"the flag of seat {seat} was complete, so it was scored (E6)")

    # ------------------------------------------------------------------------ for learners

    def traits(self) -> list[str]:
        """Return the colours, and how many flags are complete."""
        return [*(f"{self.kind} {color}" for color in self.spec.colors), f"{self.kind} sets"]

    def observe(self, s: State, seat: i64, row: vec[i16], at: i64) -> i64:
        """Write 1 for each colour that lies in front, and the number of completed flags."""
        lying = self.lying(s, seat)
        for color in self.colors:
            row[at] = i16((lying >> color) & 1)
            at += 1
        row[at] = i16(min(s.bonus[seat * s.tables.slots + self.slot + SETS], MOST))
        return at + 1

    # ------------------------------------------------------------------------ for planners

    def claim_value(self, s: State, seat: i64, route: i64) -> i64:
        """Return what a card of the route's colour is worth for the seat's flag.

        The nearer the flag is to being complete the more: three cards of which the last brings the
        points are worth a sixth of them, two sixths and three sixths.
        """
        color = s.tables.route_color[route]
        if color >= s.tables.colors or not (self.allowed(s, seat, 0) >> color) & 1:
            return 0
        size = i64(len(self.colors))
        lying = bits.count(self.lying(s, seat))
        if s.turns_left >= 0:  # the last round
            return self.points * UNIT if lying + 1 == size else 0
        return self.points * UNIT * 2 * (lying + 1) // (size * (size + 1))
