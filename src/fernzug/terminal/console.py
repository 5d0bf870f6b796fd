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
"""The index of the local modes, which include echo, in the attributes of a terminal."""

Completer = Callable[[str], Sequence[str]]


class Console:
    """Shows lines and asks the player for some."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty()

    @property
    def width(self) -> int:
        """How many columns the terminal has."""
        return max(shutil.get_terminal_size().columns, 40)

    @property
    def height(self) -> int:
        """How many lines the terminal has."""
        return shutil.get_terminal_size().lines

    def show(self, lines: Iterable[str] | str = "") -> None:
        """Show lines, and wrap those that are too long."""
        for line in [lines] if isinstance(lines, str) else lines:
            for part in wrap(line, self.width, len(line) - len(line.lstrip(" "))):
                print(part)

    def show_command(self, command: str) -> None:
        """Show a command without wrapping it, so that it can be copied."""
        print(f"  {command}")

    def note(self, text: str) -> None:
        """Show a line that the next one overwrites, if the output is a terminal."""
        if can_move(sys.stdout):
            print(text, end="\r\x1b[K" if not text else "\r", flush=True)

    def ask(self, prompt: str) -> str:
        """Ask for a line; ``EOFError`` at the end of the input."""
        *above, last = wrap(prompt, self.width)
        self.show(above)
        sys.stdout.flush()
        answer = input(last if last.endswith(" ") else last + " ")
        if not self.interactive:
            # No terminal echoes what comes from a file, but a transcript should show it.
            print(answer)
        return answer.strip()

    @contextmanager
    def ignoring_input(self) -> Iterator[None]:
        """Ignore what is typed meanwhile: it is not shown and does not answer the next prompt.

        Ctrl-C still works.
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
            # This also discards what has been typed.
            termios.tcsetattr(terminal, termios.TCSAFLUSH, before)

    def complete_with(self, completer: Completer) -> None:
        """Let the Tab key complete what was typed, if there is a readline."""
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
