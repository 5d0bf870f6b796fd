"""The questions before a game."""

from __future__ import annotations

import fernzug
from fernzug.board.model import Board
from fernzug.bots import DEFAULT_LEVEL, OPPONENTS
from fernzug.i18n import Texts
from fernzug.terminal.console import Console
from fernzug.terminal.layout import DASH, definitions, table
from fernzug.terminal.style import Style


def ask_number(console: Console, texts: Texts, prompt: str, numbers: range, default: int) -> int:
    """Ask for a number; an empty answer means the default."""
    while True:
        answer = console.ask(prompt)
        if not answer:
            return default
        if answer.isascii() and answer.isdigit() and int(answer) in numbers:
            return int(answer)
        console.show(texts("start.wrong"))


def ask_board(console: Console, texts: Texts, style: Style) -> Board:
    """Ask for a board, and say which ones do not have the printed network."""
    boards = [fernzug.board(name) for name in fernzug.boards()]
    boards.sort(key=lambda board: board.name_in(texts.language))
    rows = [
        [
            f" {number}",
            board.name_in(texts.language),
            texts.number("players", board.max_players).replace(
                str(board.max_players), f"{board.min_players}{DASH}{board.max_players}", 1
            ),
            texts("start.own") if board.network == "own" else "",
        ]
        for number, board in enumerate(boards, start=1)
    ]
    console.show([style.bold(texts("start.boards")), *table(rows, "><<<")])
    numbers = range(1, len(boards) + 1)
    return boards[ask_number(console, texts, texts("start.board"), numbers, 1) - 1]


def ask_players(console: Console, texts: Texts, board: Board) -> int:
    """Ask for the number of players."""
    least, most = board.min_players, board.max_players
    prompt = texts("start.count", least=least, most=most)
    return ask_number(console, texts, prompt, board.players, least)


def strength(texts: Texts, spec: str) -> str:
    """Return the name of a level or personality, or else the bot's own name."""
    return texts(f"level.{spec}.name") if spec in OPPONENTS else spec


def ask_level(console: Console, texts: Texts, style: Style) -> str:
    """Ask who the opponents should be; return the id of a level or personality."""
    levels = list(OPPONENTS)
    default = levels.index(DEFAULT_LEVEL) + 1
    rows = [
        (f"{number}  {strength(texts, level)}", texts(f"level.{level}.line"))
        for number, level in enumerate(levels, start=1)
    ]
    console.show([style.bold(texts("start.opponents")), *definitions(rows, console.width, 1)])
    prompt = texts("start.opponent", default=default)
    return levels[ask_number(console, texts, prompt, range(1, len(levels) + 1), default) - 1]
