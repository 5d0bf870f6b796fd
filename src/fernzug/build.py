"""Which build of the engine and the bots this is."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def build() -> str:
    """Return a hash of the code that decides how games go."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for folder in ("bonuses", "bots", "engine", "players"):
        for file in sorted((root / folder).glob("*.py")):
            digest.update(f"{folder}/{file.name}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
