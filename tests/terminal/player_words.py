"""The words of a game as a player reads them."""

from fernzug import Board
from fernzug.i18n import Texts
from fernzug.terminal.style import Style
from fernzug.terminal.words import Words


def words_for(
    board: Board, language: str = "en", colored: bool = False, you: int | None = 0
) -> Words:
    return Words(board, Texts(language), Style(colored), you, ["", "random", "random", "random"])
