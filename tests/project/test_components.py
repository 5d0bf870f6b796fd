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
    "the Python package numpy": lambda: find_spec("numpy"),
    "the Python package gymnasium": lambda: find_spec("gymnasium"),
    "the Python package pettingzoo": lambda: find_spec("pettingzoo"),
    "the Python package open_spiel": lambda: find_spec("pyspiel"),
    "the Python package torch": lambda: find_spec("torch"),
    "the Python package sb3-contrib": lambda: find_spec("sb3_contrib"),
    "the Python package pandas": lambda: find_spec("pandas"),
    "the Python package pyarrow": lambda: find_spec("pyarrow"),
    "the Python package ray": lambda: find_spec("ray"),
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
