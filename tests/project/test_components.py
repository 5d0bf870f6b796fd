"""What some tests need beside Python: it may be missing on a player's machine, but not in CI.

Where a component is missing, the tests that need it are left out; this says so, and why.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from paths import AXE

COMPONENTS: dict[str, Callable[[], object]] = {
    "chromium": lambda: shutil.which("chromium") or shutil.which("chromium-browser"),
    "the Python package playwright": lambda: find_spec("playwright"),
    "the Python package starlette": lambda: find_spec("starlette"),
    "the Python package uvicorn": lambda: find_spec("uvicorn"),
    "Node and npm": lambda: shutil.which("node") and shutil.which("npm"),
    "the accessibility audit (npm ci in web/)": AXE.exists,
    "a C compiler": lambda: shutil.which("cc") or shutil.which("gcc"),
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_the_component_is_there(name: str) -> None:
    if not COMPONENTS[name]():
        reason = f"{name} is missing, so the tests that need it do not run"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
