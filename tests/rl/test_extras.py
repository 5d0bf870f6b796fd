"""Without the libraries the package works, and says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

import fernzug


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


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("gymnasium", "gymnasium.make('fernzug/{}-v0').unwrapped.players"),
        ("pyspiel", "pyspiel.load_game('python_fernzug(board={},players=2)').num_players()"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_one_import_registers_the_games(library: str, call: str, first: bool) -> None:
    """Whichever of the two comes first."""
    pytest.importorskip(library)
    order = ["fernzug.rl", library] if first else [library, "fernzug.rl"]
    code = f"import fernzug, {', '.join(order)}\nprint({call.format(fernzug.boards()[0])})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert run.stdout == "2\n", run.stderr
