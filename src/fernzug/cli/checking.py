"""Checking files for the commands that do so: every fault with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fernzug.board.model import BoardError, Fault
from fernzug.cli import FAULT


def check_files(
    files: Iterable[str],
    describe: Callable[[str], str],
    warn: Callable[[str], Iterable[Fault]] = lambda _: (),
) -> int:
    """Report every fault in the files; return 1 if there are any.

    ``describe`` reads a file and says in words what it holds, or raises what is wrong with it;
    ``warn`` says what could be better in a file without faults.
    """
    code = 0
    for name in files:
        try:
            print(f"{name}: ok, {describe(name)}")
            for fault in warn(name):
                print(f"{name}:{fault.line}: warning: {fault.text}")
        except BoardError as error:
            print("\n".join(error.lines(name)))
            code = FAULT
        except ValueError as error:
            print(f"{name}: {error}")
            code = FAULT
    return code
