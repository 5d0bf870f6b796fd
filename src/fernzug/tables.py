"""The engine's tables for a board, created once per board."""

from __future__ import annotations

from functools import lru_cache

from fernzug.board.model import Board
from fernzug.bonuses import KINDS
from fernzug.engine.tables import Tables


@lru_cache(maxsize=32)
def tables_of(board: Board) -> Tables:
    """Return the tables of a board, created once per board."""
    return Tables(board, KINDS)
