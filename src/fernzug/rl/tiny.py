"""Two boards that are so small that they can be studied whole, for tests and papers.

They are not among :func:`fernzug.boards`, which are for people; load them by these paths.
"""

from __future__ import annotations

from pathlib import Path

TINY = str(Path(__file__).parent / "boards" / "tiny.toml")
"""Six places; a random game has some thirty decisions."""

MICRO = str(Path(__file__).parent / "boards" / "micro.toml")
"""Three places and three routes; its whole tree can be searched."""
