"""Reading from and writing to the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from fernzug.terminal.layout import wrap
from fernzug.terminal.style import can_move

try:
    import termios
except ImportError:  # Windows has none
    termios = None  # type: ignore[assignment]

LOCAL_MODES = 3
"""Where the list of a terminal's attributes has the modes that echo belongs to."""

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
        """Show lines; those that are too long are broken between words."""
        for line in [lines] if isinstance(lines, str) else lines:
            for part in wrap(line, self.width, len(line) - len(line.lstrip(" "))):
                print(part)

    def show_command(self, command: str) -> None:
        """Show a command that people may want to copy, so it is never broken."""
        print(f"  {command}")

    def note(self, text: str) -> None:
        """Show something that is soon written over, if somebody is watching."""
        if can_move(sys.stdout):
            print(text, end="\r\x1b[K" if not text else "\r", flush=True)

    def ask(self, prompt: str) -> str:
        """Ask for a line; ``EOFError`` if there is none any more."""
        *above, last = wrap(prompt, self.width)
        self.show(above)
        sys.stdout.flush()
        answer = input(last if last.endswith(" ") else last + " ")
        if not self.interactive:
            # What comes from a file is not echoed by a terminal; a transcript should have it.
            print(answer)
        return answer.strip()

    @contextmanager
    def ignoring_input(self) -> Iterator[None]:
        """Ignore what is typed meanwhile: it is not shown, and it does not answer the next prompt.

        Ctrl-C is still heard.
        """
        if not self.interactive or termios is None:
            yield
            return
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        silent = termios.tcgetattr(terminal)
        silent[LOCAL_MODES] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSADRAIN, silent)
        try:
            yield
        finally:
            # This also throws away what has been typed.
            termios.tcsetattr(terminal, termios.TCSAFLUSH, before)

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
