"""A family of route-building railway games on one engine.

>>> import fernzug
>>> game = fernzug.Game("london", players=2, seed=7)
>>> game.phase
'setup'
"""

from fernzug.board.files import boards
from fernzug.board.files import load as board
from fernzug.board.model import Board, BoardError
from fernzug.errors import IllegalAction
from fernzug.events import Event
from fernzug.game import Game
from fernzug.notation import Action
from fernzug.record import Record, RecordError, replay
from fernzug.score import ScoreSheet
from fernzug.view import View

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Board",
    "BoardError",
    "Event",
    "Game",
    "IllegalAction",
    "Record",
    "RecordError",
    "ScoreSheet",
    "View",
    "board",
    "boards",
    "replay",
]
