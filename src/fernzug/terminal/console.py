"""Reading from and writing to the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Sequence

from fernzug.terminal.style import can_move

Completer = Callable[[str], Sequence[str]]


class Console:
    """Shows lines and asks for them."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty()

    @property
    def width(self) -> int:
        """The columns that may be used."""
        return max(shutil.get_terminal_size().columns, 40)

    @property
    def height(self) -> int:
        """The lines that may be used."""
        return shutil.get_terminal_size().lines

    def show(self, lines: Iterable[str] | str = "") -> None:
        """Show lines."""
        print(lines if isinstance(lines, str) else "\n".join(lines))

    def note(self, text: str) -> None:
        """Show something that is soon written over, if somebody is watching."""
        if can_move(sys.stdout):
            print(text, end="\r\x1b[K" if not text else "\r", flush=True)

    def ask(self, prompt: str) -> str:
        """Ask for a line; ``EOFError`` if there is none any more."""
        sys.stdout.flush()
        answer = input(prompt)
        if not self.interactive:
            # What comes from a file is not echoed by a terminal; a transcript should have it.
            print(answer)
        return answer.strip()

    def complete_with(self, completer: Completer) -> None:
        """Let the Tab key complete what was typed, where there is a readline."""
        if not self.interactive:
            return
        try:
            import readline
        except ImportError:
            return

        def complete(_: str, state: int) -> str | None:
            found = completer(readline.get_line_buffer()[: readline.get_endidx()])
            return found[state] if state < len(found) else None

        readline.set_completer(complete)
        # Ids of routes and payments are single words.
        readline.set_completer_delims(" ")
        editline = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
