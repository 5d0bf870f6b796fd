"""Networks for searches are trained, stopped, carried on and packed by the repository's scripts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fernzug
from fernzug import Game, bots
from fernzug.bots import nets
from fernzug.rl.layout import layout
from paths import ROOT

pytestmark = pytest.mark.slow


def run(folder: Path, name: str, *arguments: str) -> str:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(ROOT / "benchmarks" / name), *arguments]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_network_is_trained_in_two_goes_and_packed(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    board = fernzug.board("new_york")
    few = ("--board=new_york", "--games=16", "--steps=16", "--widths", "12", "7", "--trials=16")
    files = ("--state=net.pt", "--out=net.npz")
    assert "imitation" in run(
        tmp_path, "train_net.py", *few, *files, "--minutes=0.01", "--imitation=1"
    )
    first = (tmp_path / "net.npz").read_bytes()
    assert "self-play" in run(
        tmp_path, "train_net.py", *few, *files, "--minutes=0.2", "--imitation=0"
    )
    assert (tmp_path / "net.npz").read_bytes() != first

    told = run(tmp_path, "pack_net.py", "net.npz", "--folder=.", "--about=a test")
    assert "new_york, 2 players: the same choice in" in told
    sizes, few_numbers, many = nets.numbers_of((tmp_path / nets.file_name(board, 2)).read_bytes())
    shape = layout(board, 2, actions="canonical")
    assert sizes == [shape.size, 12, 7, shape.actions]
    assert len(many) == shape.size * 12 + 12 * 7 + 7 * shape.actions
    assert len(few_numbers) == 12 + 7 + shape.actions + 7 + 1
    # The agent, which has the value beside it, plays as any other.
    view = Game(board, 2, seed=1).view(0)
    agent = bots.make(f"policy:file={tmp_path / 'net.npz'}", board)
    assert agent.choose(view, view.legal) in view.legal
