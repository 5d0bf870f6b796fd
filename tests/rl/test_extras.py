"""Without the libraries the package works, and says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("library", "call", "extra"),
    [
        ("numpy", "vector_env", "rl"),
        ("pettingzoo", "aec_env", "rl"),
        ("gymnasium", "gym_env", "rl"),
        ("pyspiel", "openspiel_game", "openspiel"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(library: str, call: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules['{library}'] = None\n"
        "import fernzug; from fernzug import rl\n"
        "name = fernzug.boards()[0]\n"
        "print(rl.layout(name).size > 0)\n"
        f"rl.{call}(name)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert run.stdout == "True\n"
    assert f'is missing: pip install "fernzug[{extra}]"' in run.stderr
