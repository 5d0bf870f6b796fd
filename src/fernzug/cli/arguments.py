"""Arguments that several commands have, and how they are read."""

from __future__ import annotations

import argparse
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fernzug.cli import FAULT, USAGE, CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fernzug.board.model import Board


def whole_number(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers that are not below ``least``."""

    def number(text: str) -> int:
        # People write large numbers in groups.
        digits = text.replace("_", "").replace(",", "")
        if not (digits.isascii() and digits.removeprefix("-").isdigit()):
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number")
        if int(digits) < least:
            raise argparse.ArgumentTypeError(f"{text} is too small, the least is {least}")
        return int(digits)

    return number


def seed(text: str) -> int:
    """Read a seed."""
    from fernzug.engine.chance import SEEDS

    number = whole_number(0)(text)
    if number >= SEEDS:
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to {SEEDS - 1}")
    return number


def load_board(name: str) -> Board:
    """Return the board of an id or a path; say all that is wrong with it otherwise."""
    from fernzug import BoardError, board

    try:
        return board(name)
    except BoardError as error:
        raise CommandError("\n".join(["the board file is faulty", *error.lines(name)])) from None
    except ValueError as error:
        # An unknown id is a slip of the pen, a file that cannot be read is a faulty file.
        unreadable = isinstance(error.__cause__, OSError)
        raise CommandError(str(error), FAULT if unreadable else USAGE) from None


@contextmanager
def readable_record(name: str) -> Iterator[None]:
    """Say where and why a record cannot be read."""
    from fernzug.record import RecordError

    try:
        yield
    except RecordError as error:
        text = str(error).removeprefix(f"line {error.line}: ")
        raise CommandError(f"{name}:{error.line}: {text}") from None
    except OSError as error:
        raise CommandError(f"cannot read '{name}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{name}:1: this is not a text file, so it is no record") from None


def check_players(board: Board, players: int) -> None:
    """Refuse a number of players that the board is not made for."""
    if players not in board.players:
        raise CommandError(
            f"{board.name} is for {board.min_players} to {board.max_players} players, "
            f"not {players}",
            USAGE,
        )
