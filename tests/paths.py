"""Where the files of the project are that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DATA = ROOT / "tests" / "data"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
"""The accessibility audit, which ``npm ci`` in ``web/`` installs."""
