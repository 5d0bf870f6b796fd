"""The boards that this server offers."""

from __future__ import annotations

from fernzug.board import as_json
from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.server import assets, lobby_protocol
from fernzug.server.facts import facts_of


def boards() -> lobby_protocol.Boards:
    """Return all boards that can be played here."""
    return {"boards": [board_data(board_files.load(name)) for name in board_files.boards()]}


def board_data(board: Board) -> lobby_protocol.BoardData:
    """Return one board."""
    drawn = (assets.FOLDER / "maps" / f"{board.id}.svg").is_file()
    return {**as_json.for_clients(board), "map": drawn, "facts": facts_of(board)}
