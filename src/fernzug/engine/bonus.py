"""What a bonus is: a part of a board that gives points besides routes and tickets.

A kind of bonus is a subclass of :class:`Bonus` in :mod:`fernzug.bonuses` and says only what is
special about it: every method here has a default that does nothing. Nobody else asks for the kind
of a bonus. ``docs/bonuses.md`` shows how to write one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from fernzug.engine.network import Network

if TYPE_CHECKING:
    from fernzug.board.model import Bonus as Spec
    from fernzug.engine.state import State
    from fernzug.json_types import BonusStep

UNIT: Final = 100
"""What a bonus is worth to a planner is counted in hundredths of a point."""

MOST: Final = 32767
"""The largest number in an observation; larger ones are written as this."""


@final
class Terms:
    """What a board file says of a bonus, with places and colours as numbers."""

    def __init__(self, spec: Spec, places: dict[str, int], colors: dict[str, int]) -> None:
        self.spec = spec
        self.kind: str = spec.kind
        self.points: i64 = spec.points
        self.places = vec[i64](places[place] for place in spec.locations)
        self.colors = vec[i64](colors[color] for color in spec.colors)
        self.groups: list[tuple[vec[i64], i64]] = [
            (vec[i64](places[place] for place in group.locations), group.points)
            for group in spec.groups
        ]


@final
class FactKind:
    """A kind of fact that a bonus adds to the game.

    ``number`` stands first in the fact, and the values of ``fields`` follow: the seat, then other
    fields of an event (``color``, ``place``, ``route``, ``points``). ``word`` is the kind of the
    event that tells it. The event of a fact that ``scores`` also tells the points of the bonus.
    """

    def __init__(
        self, number: int, word: str, fields: tuple[str, ...], scores: bool = False
    ) -> None:
        self.number = number
        self.word = word
        self.fields = fields
        self.scores = scores


@final
class Goal:
    """Places that are worth points to whoever joins them all."""

    def __init__(self, places: vec[i64], points: i64) -> None:
        self.places = places
        self.points = points


@final
class Step:
    """How far a seat has come with one thing that a bonus asks for.

    ``group`` is the id of the board's group it is about, if it is about one; ``have`` counts what
    the seat has and ``need`` what it takes, 0 where more is always better; ``items`` are the ids of
    the places, or the colours, that the seat has; ``routes`` are the ids of the routes that it runs
    along, in order, if it is about a way.
    """

    def __init__(
        self,
        group: str | None,
        have: int,
        need: int,
        items: list[str],
        routes: list[str] | None = None,
    ) -> None:
        self.group = group
        self.have = have
        self.need = need
        self.items = items
        self.routes: list[str] = [] if routes is None else routes

    def __repr__(self) -> str:
        return f"Step({self.group!r}, have={self.have}, need={self.need}, items={self.items})"

    def to_json(self) -> BonusStep:
        """Return the step as a JSON object."""
        return {
            "group": self.group,
            "have": self.have,
            "need": self.need,
            "items": self.items,
            "routes": self.routes,
        }


class Bonus:
    """One bonus of one board."""

    # ------------------------------------------------------------------------ what the kind is

    RULES: ClassVar[tuple[str, ...]] = ()
    """The ids of its rules."""

    NEEDS: ClassVar[frozenset[str]] = frozenset()
    """What a board file must say of it: any of points, locations, colors and groups."""

    NUMBERS: ClassVar[tuple[str, ...]] = ()
    """Whole numbers that a board file must say under these names."""

    SLOTS: ClassVar[int] = 0
    """How many numbers it keeps for each seat while the game goes on; everybody may know them."""

    OPTIONS: ClassVar[tuple[str, ...]] = ()
    """Words that may follow the cards of a claim, for what the player may choose to do with it."""

    FACTS: ClassVar[tuple[FactKind, ...]] = ()
    """The facts of its own."""

    KEYS: ClassVar[tuple[str, ...]] = ()
    """What positions and views say of each seat, in the words of the JSON."""

    ON_EVERY_BOARD: ClassVar[bool] = False
    """Whether positions and views say it even on boards without such a bonus."""

    def __init__(self, network: Network, terms: Terms) -> None:
        self.network = network
        self.spec = terms.spec
        self.kind = terms.kind
        self.points = terms.points
        self.slot: i64 = 0  # where its numbers begin among those of a seat
        self.first_option: i64 = 0  # the number of its first option among those of the board

    @classmethod
    def check(cls, bonus: Any) -> list[tuple[tuple[str | int, ...], str]]:
        """Return what is wrong with its entry in a board file, beyond what :attr:`NEEDS` says.

        Each finding is the path of a value and a sentence.
        """
        return []

    @classmethod
    def blank(cls) -> list[Any]:
        """Return the value of each of :attr:`KEYS` for a seat that has got nothing yet."""
        return []

    # ------------------------------------------------------------------------ points

    def award(self, s: State, awards: vec[i64]) -> None:
        """Add the points that each seat gets at the end to ``awards``."""

    def given(self, s: State, seat: i64) -> i64:
        """Return the points that were given to a seat in play; they are among ``s.points``."""
        return 0

    def progress(self, s: State, seat: i64) -> list[Step]:
        """Return how far a seat has come, for people to look at."""
        return []

    # ------------------------------------------------------------------------ in play

    def offers(self, color: i64, gray: bool) -> bool:
        """Whether a claim paid with a colour may have its options, on a gray route or another."""
        return True

    def allowed(self, s: State, seat: i64, option: i64) -> i64:
        """Return the colours, as bits, with which a seat may now take an option, counted from 0."""
        return -1

    def choose(self, s: State, seat: i64, color: i64, option: i64) -> None:
        """Let the facts of a chosen option follow; the cards played are among the discards."""

    def chosen(self, fact: tuple[int, ...]) -> int | None:
        """Return the option that a fact right after a claim tells, if it tells one."""
        return None

    def is_due(self, s: State, seat: i64, route: i64) -> bool:
        """Whether :meth:`settle` has something to do after a seat has claimed a route."""
        return False

    def settle(self, s: State, seat: i64, route: i64) -> None:
        """Let its facts follow at the end of the turn in which a seat has claimed a route."""

    def fold(self, s: State, fact: tuple[int, ...]) -> None:
        """Apply one of its facts that was written down; ``ValueError`` if it does not fit."""
        raise ValueError("there is no such fact")

    def count_cards(self, s: State, counts: vec[i64]) -> None:
        """Add the cards that lie neither in a hand nor in a deck because of it, by colour."""

    def describe(self, s: State, seat: i64) -> list[Any]:
        """Return the value of each of :attr:`KEYS` for a seat."""
        return []

    def read(self, s: State, seat: i64, key: str, value: Any) -> None:
        """Take over a value that a position gives for a seat; ``ValueError`` if it cannot be."""

    # ------------------------------------------------------------------------ for learners

    def traits(self) -> list[str]:
        """Return what an observation says of each seat: the numbers kept, unless overridden."""
        return [f"{self.kind} {number}" for number in range(self.SLOTS)]

    def observe(self, s: State, seat: i64, row: vec[i16], at: i64) -> i64:
        """Write the :meth:`traits` of a seat into an observation; return where they end."""
        first = seat * s.tables.slots + self.slot
        for number in range(i64(self.SLOTS)):
            row[at + number] = i16(min(s.bonus[first + number], MOST))
        return at + i64(self.SLOTS)

    # ------------------------------------------------------------------------ for planners

    def claim_value(self, s: State, seat: i64, route: i64) -> i64:
        """Return what claiming a route brings a seat now, in hundredths of a point."""
        return 0

    def spare_value(self, s: State, seat: i64, route: i64) -> i64:
        """Return what a route promises a seat whose tickets are done, in hundredths of a point."""
        return 0

    def goals(self) -> list[Goal]:
        """Return places that are worth joining."""
        return []


def overrides(bonus: Bonus, method: str) -> bool:
    """Whether the kind of a bonus has a method of its own."""
    return getattr(type(bonus), method) is not getattr(Bonus, method)
