"""Kinds of bonus: the parts that a board file names.

A new kind is one module here with a subclass of :class:`fernzug.bonuses.bonus.Bonus`, and its line
in the two tables below.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fernzug import compiled as compiled  # chooses plain or compiled before the modules are loaded
from fernzug.bonuses.bonus import Bonus, Terms
from fernzug.bonuses.districts import Districts
from fernzug.bonuses.flag import Flag
from fernzug.bonuses.longest_path import LongestPath
from fernzug.bonuses.network import Network
from fernzug.bonuses.sights import Sights

KINDS: Mapping[str, type[Bonus]] = MappingProxyType(
    {
        "longest_path": LongestPath,
        "sights": Sights,
        "districts": Districts,
        "flag": Flag,
    }
)
"""The kinds of bonus by the word that board files use."""

NEEDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "longest_path": frozenset({"points"}),
        "sights": frozenset({"points", "locations"}),
        "districts": frozenset({"groups"}),
        "flag": frozenset({"points", "colors"}),
    }
)
"""What a board file must say of a bonus of each kind."""

__all__ = ["KINDS", "NEEDS", "Bonus", "Network", "Terms"]
