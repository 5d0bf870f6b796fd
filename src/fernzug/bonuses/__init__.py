"""The kinds of bonus, one module each, with everything that is special about it.

A new kind is a module here with a subclass of :class:`fernzug.engine.bonus.Bonus`, and its line in
the index below; ``docs/bonuses.md`` shows how.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fernzug import compiled as compiled  # chooses plain or compiled before the modules are loaded
from fernzug.bonuses.districts import Districts
from fernzug.bonuses.flag import Flag
from fernzug.bonuses.longest_path import LongestPath
from fernzug.bonuses.sights import Sights
from fernzug.engine.bonus import Bonus

KINDS: Mapping[str, type[Bonus]] = MappingProxyType(
    {
        "longest_path": LongestPath,
        "sights": Sights,
        "districts": Districts,
        "flag": Flag,
    }
)
"""The kinds of bonus by the word that board files use."""

__all__ = ["KINDS", "Bonus"]
