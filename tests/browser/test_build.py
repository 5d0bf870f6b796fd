"""The built client in the package is the one that the sources make, byte by byte."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"
BUILT = ROOT / "src" / "fernzug" / "server" / "static"


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="run 'npm ci' in web/ first")
@pytest.mark.skipif(shutil.which("npx") is None, reason="there is no Node on this machine")
def test_the_built_files_are_fresh(tmp_path: Path) -> None:
    command = ["npx", "vite", "build", "--outDir", str(tmp_path), "--logLevel", "error"]
    subprocess.run(command, cwd=WEB, check=True, timeout=240)
    fresh, built = contents(tmp_path), contents(BUILT)
    assert sorted(fresh) == sorted(built)
    stale = [name for name in fresh if fresh[name] != built[name]]
    assert stale == [], "run 'npm run build' in web/ and commit the result"


def test_the_names_of_the_built_files_are_fixed() -> None:
    names = set(contents(BUILT))
    assert {"index.html", "icon.svg", "assets/app.js", "assets/app.css"} <= names
    assert all(name.startswith("maps/") or "." in name for name in names)
