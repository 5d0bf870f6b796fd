"""Compile the engine with mypyc if there is a C compiler; everything else is in pyproject.toml.

If compilation fails, the same files are installed and run as plain Python. ``FERNZUG_PLAIN=1``
skips compilation.
"""

import os
import sys
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = ("src/fernzug/bonuses", "src/fernzug/engine", "src/fernzug/players")


class BuildAllOrNone(build_ext):
    """Builds every extension or, if one fails, none: half an engine cannot be imported."""

    def run(self) -> None:
        """Build the extensions, or fall back to the plain files."""
        try:
            super().run()
        except Exception as error:  # compilers fail in many ways
            print(
                f"warning: could not compile the engine, using plain Python: {error}",
                file=sys.stderr,
            )
            self.extensions = []


def extensions() -> list[Any]:
    """Return the extension modules; none with ``FERNZUG_PLAIN=1``."""
    if os.environ.get("FERNZUG_PLAIN", "") not in ("", "0"):
        return []
    from mypyc.build import mypycify

    files = [
        str(path)
        for folder in COMPILED
        for path in sorted(Path(folder).glob("*.py"))
        if path.name != "__init__.py"  # these choose between compiled and plain
    ]
    modules = mypycify(["--strict", *files], opt_level="3", group_name="fernzug")
    for module in modules:
        # Calls between the modules of this library need not go through the dynamic linker.
        if os.name == "posix":
            module.extra_compile_args.append("-fno-semantic-interposition")
    return modules


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildAllOrNone})
