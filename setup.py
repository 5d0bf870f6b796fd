"""Compile the engine with mypyc where a C compiler is at hand; everything else is pyproject.toml.

Each extension is optional: where none can be built the same files are installed and run as plain
Python. ``FERNZUG_PLAIN=1`` asks for that outright.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

COMPILED = ("src/fernzug/bonuses", "src/fernzug/engine")


def extensions() -> list[Extension]:
    """Return the extension modules, or none if the plain package is asked for."""
    if os.environ.get("FERNZUG_PLAIN", "") not in ("", "0"):
        return []
    from mypyc.build import mypycify

    files = [
        str(path)
        for folder in COMPILED
        for path in sorted(Path(folder).glob("*.py"))
        if path.name != "__init__.py"  # these choose between compiled and plain
    ]
    modules: list[Extension] = mypycify(["--strict", *files], opt_level="3", group_name="fernzug")
    for module in modules:
        module.optional = True
        # Calls between the modules of this library need not go through the dynamic linker.
        if os.name == "posix":
            module.extra_compile_args.append("-fno-semantic-interposition")
    return modules


setup(ext_modules=extensions())
