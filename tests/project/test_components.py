"""What some tests need beside Python: it may be missing on a player's machine, but not in CI.

Where a component is missing, the tests that need it are left out; this says so, and why.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from paths import AXE, ROOT

sys.path.append(str(ROOT / "benchmarks"))

from services import Missing, postgres_programs, redis_program


def installed(find: Callable[[], object]) -> bool:
    """Whether a server program is found."""
    try:
        return bool(find())
    except Missing:
        return False


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
    "the Python package asyncpg": lambda: find_spec("asyncpg"),
    "the Python package redis": lambda: find_spec("redis"),
    "PostgreSQL": lambda: installed(postgres_programs),
    "Redis": lambda: installed(redis_program),
    "Node and npm": lambda: shutil.which("node") and shutil.which("npm"),
    "the accessibility audit (npm ci in web/)": AXE.exists,
    "nginx": lambda: shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin"),
    "openssl": lambda: shutil.which("openssl"),
    "systemd-analyze": lambda: shutil.which("systemd-analyze"),
    "the Python package prometheus_client": lambda: find_spec("prometheus_client"),
    "a C compiler": lambda: shutil.which("cc") or shutil.which("gcc"),
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_the_component_is_there(name: str) -> None:
    if not COMPONENTS[name]():
        reason = f"{name} is missing, so the tests that need it do not run"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
