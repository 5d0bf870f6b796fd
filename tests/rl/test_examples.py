"""The examples of learning run, with few steps."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fernzug.cli import main
from paths import ROOT

EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.slow


def run(folder: Path, name: str, *arguments: str) -> str:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


FEW = {
    "train_ppo.py": ("--minutes=0.04", "--games=16", "--steps=16", "--width=16", "--trials=4"),
    "train_sb3.py": ("--steps=128", "--rollout=64", "--trials=2"),
    "plot_curve.py": (),
    "openspiel_cfr.py": ("--iterations=1",),
}
"""Options that make an example short."""

SAYS = {
    "train_ppo.py": r"wins .* of 4 games against planner",
    "train_sb3.py": r"wins .* of 2 games against greedy",
    "plot_curve.py": r"^$",
    "openspiel_cfr.py": r"NashConv \d",
}
"""What an example says in the end."""


def test_every_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, each with few steps; installing is tested by being here."""
    for library in ("torch", "sb3_contrib", "pyspiel"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    typed = [line[2:].split() for line in page.splitlines() if line.startswith("$ ")]
    ran = set()
    for program, *words in typed:
        if program == "python":
            name = Path(words[0]).name
            text = run(tmp_path, name, *words[1:], *FEW[name])
            assert re.search(SAYS[name], text)
            ran.add(name)
        elif program == "fernzug":
            assert main([*words, "--games=4", "--workers=1"]) == 0
        else:
            assert program == "pip"
    assert ran == set(FEW)
    assert "</svg>" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


def test_the_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells run one after the other, with fewer games."""
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((EXAMPLES / "many_games.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {"__name__": "notebook"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert any("GAMES = 1_000_000" in "".join(cell["source"]) for cell in cells)
    for cell in cells:
        code = "".join(cell["source"]).replace("1_000_000", "2_000")
        exec(compile(code, "many_games.ipynb", "exec"), names)
