"""Which engine runs: the compiled one, or the plain files it was made from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fernzug
from fernzug.compiled import PlainFinder

PACKAGE = Path(fernzug.__file__).parent


def test_plain_files_are_found_for_the_compiled_packages_only() -> None:
    folder = str(PACKAGE / "engine")
    spec = PlainFinder.find_spec("fernzug.engine.rules", [folder])
    assert spec is not None
    assert str(spec.origin).endswith("rules.py")
    spec = PlainFinder.find_spec("fernzug.engine.rules", [str(PACKAGE / "board"), folder])
    assert spec is not None
    assert PlainFinder.find_spec("fernzug.engine.nothing", [folder]) is None
    assert PlainFinder.find_spec("fernzug.game", [str(PACKAGE)]) is None
    assert PlainFinder.find_spec("fernzug.engine.rules", None) is None


@pytest.mark.parametrize("plain", ["", "0", "1"])
def test_the_environment_asks_for_the_plain_engine(plain: str) -> None:
    code = "from fernzug import engine; from fernzug.engine import rules; print(rules.__file__)"
    environment = {**os.environ, "FERNZUG_PLAIN": plain}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    compiled = any(PACKAGE.glob("engine/rules*.so")) or any(PACKAGE.glob("engine/rules*.pyd"))
    assert run.stdout.strip().endswith(".py") == (plain == "1" or not compiled)
