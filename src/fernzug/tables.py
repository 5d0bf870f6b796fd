"""The engine's tables of a board, made once for each board."""

from __future__ import annotations

from functools import lru_cache

from fernzug.board.model import Board
from fernzug.bonuses import KINDS
from fernzug.engine.tables import Tables


@lru_cache(maxsize=32)
def tables_of(board: Board) -> Tables:
    """Return the board's tables; they are made once."""
    return Tables(board, KINDS)
