"""Choose between the compiled and the plain form of the compiled packages.

Python prefers an extension module to a source file of the same name. With ``FERNZUG_PLAIN=1``, a
finder in front of all others reverses that preference for the compiled packages.
"""

import importlib.machinery
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

COMPILED_PACKAGES = ("fernzug.bonuses.", "fernzug.engine.", "fernzug.players.")


class PlainFinder:
    """Finds the source files of the compiled packages and ignores the extension modules."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find modules of the compiled packages; leave all others to the usual finders."""
        if path is None or not name.startswith(COMPILED_PACKAGES):
            return None
        plain = (SourceFileLoader, list(importlib.machinery.SOURCE_SUFFIXES))
        for entry in path:
            spec = importlib.machinery.FileFinder(entry, plain).find_spec(name)
            if spec is not None:
                return spec
        return PathFinder.find_spec(name, path, target)


if os.environ.get("FERNZUG_PLAIN", "") not in ("", "0"):
    sys.meta_path.insert(0, PlainFinder())
