"""The questions before a game."""

from __future__ import annotations

import fernzug
from fernzug.board.model import Board
from fernzug.bots import LEVELS
from fernzug.i18n import Texts
from fernzug.terminal.console import Console
from fernzug.terminal.layout import DASH, table
from fernzug.terminal.style import Style


def ask_number(console: Console, texts: Texts, prompt: str, least: int, most: int) -> int:
    """Ask for a number; an empty answer is the least."""
    while True:
        answer = console.ask(prompt)
        if not answer:
            return least
        if answer.isascii() and answer.isdigit() and least <= int(answer) <= most:
            return int(answer)
        console.show(texts("start.wrong"))


def ask_board(console: Console, texts: Texts, style: Style) -> Board:
    """Ask for a board; boards whose network is our own say so."""
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
    return boards[ask_number(console, texts, texts("start.board"), 1, len(boards)) - 1]


def ask_players(console: Console, texts: Texts, board: Board) -> int:
    """Ask for the number of players."""
    least, most = board.min_players, board.max_players
    prompt = texts("start.count", least=least, most=most)
    return ask_number(console, texts, prompt, least, most)


def strength(texts: Texts, spec: str) -> str:
    """Return the word for a level; other bots are called by their own names."""
    return texts(f"level.{spec}") if spec in LEVELS else spec


def ask_level(console: Console, texts: Texts, style: Style) -> str:
    """Ask how strong the opponents shall be; return the level's id."""
    levels = list(LEVELS)
    console.show(style.bold(texts("start.opponents")))
    for number, level in enumerate(levels, start=1):
        console.show(f" {number}  {strength(texts, level)}")
    return levels[ask_number(console, texts, texts("start.opponent"), 1, len(levels)) - 1]
