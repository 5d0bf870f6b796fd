"""The command line: ``fernzug COMMAND``.

A command is a module with two functions, ``configure(parser)`` for its arguments and ``run(args)``
for its work, and a line in :data:`COMMANDS`. Only the module of the given command is imported.

Exit codes: 0 success; 1 a file is faulty or cannot be read or written; 2 the command line is wrong;
130 stopped with Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from types import MappingProxyType
from typing import Any, NoReturn, TextIO, cast

from fernzug.spelling import printable

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "play": ("fernzug.cli.play", "play in the terminal"),
        "serve": ("fernzug.server.command", "play in the browser"),
        "store": ("fernzug.cli.store", "check, back up, restore and export the server's tables"),
        "boards": ("fernzug.cli.boards", "list the boards, show one, check board files"),
        "lessons": ("fernzug.cli.lessons", "list the lessons, check lesson files"),
        "replay": ("fernzug.cli.replay", "print a recorded game"),
        "analyse": ("fernzug.cli.analyse", "tell what decided a recorded game"),
        "sim": ("fernzug.cli.sim", "play many games and summarise them"),
        "arena": ("fernzug.cli.arena", "have bots play each other, and rate them"),
        "bot": ("fernzug.cli.bot", "run a bot as a program that speaks the bot protocol"),
    }
)
"""The module and the help text of each command."""

FAULT = 1
USAGE = 2
INTERRUPTED = 130


COLOURED = ("play", "replay", "analyse")
"""Commands that write codes for colours; all foreign text in them comes from checked files."""


class PlainOutput:
    """Standard output for everything that writes no codes of its own: none gets through."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text with its control characters spelled out."""
        # Tables for spreadsheets end their lines with both.
        lines = text.split("\r\n")
        return self._stream.write("\r\n".join(printable(line) for line in lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class CommandError(Exception):
    """Ends a command with a message for the user and an exit code."""

    def __init__(self, text: str, code: int = FAULT) -> None:
        super().__init__(text)
        self.code = code


class Parser(argparse.ArgumentParser):
    """A parser that writes the end of its help only when somebody asks for help."""

    write_epilog: Callable[[], str] | None = None

    def error(self, message: str) -> NoReturn:
        """Complain about the arguments."""
        super().error(printable(message))

    def format_help(self) -> str:
        """Return the whole help."""
        if self.write_epilog is not None:
            self.epilog = self.write_epilog()
        return super().format_help()


class Version(argparse.Action):
    """``--version``: the version, and whether the engine is compiled."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Print both and exit."""
        from fernzug import __version__

        print(f"fernzug {__version__}")
        print(f"engine: {engine_line()}")
        parser.exit()


def engine_line() -> str:
    """Return in one line whether the engine is compiled."""
    from fernzug.engine import COMPILED

    if COMPILED:
        return "compiled"
    if os.environ.get("FERNZUG_PLAIN", "") not in ("", "0"):
        cause = "FERNZUG_PLAIN is set"
    else:
        cause = "there was no C compiler at installation"
    return f"plain Python ({cause}), some 70 to 90 times slower than compiled"


def parser_for(arguments: Sequence[str]) -> Parser:
    """Return the parser, with the arguments of the given command."""
    parser = Parser(
        prog="fernzug",
        description="Route-building railway games in the browser, the terminal and from Python.",
        epilog="See 'fernzug COMMAND --help' for more. "
        "Wherever a board is expected, give its id or the path of a board file.",
    )
    parser.add_argument(
        "--version", action=Version, nargs=0, help="show the version and the kind of engine"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    asked = next((word for word in arguments if not word.startswith("-")), None)
    for name, (module, line) in COMMANDS.items():
        command = commands.add_parser(name, help=line, description=line.capitalize() + ".")
        if name == asked:
            importlib.import_module(module).configure(command)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = "fernzug"
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal without accents should show a question mark, not a traceback.
        sys.stdout.reconfigure(errors="replace")
    try:
        parser = parser_for(words)
        args = parser.parse_args(words)
        if args.command is None:
            parser.print_help()
            return USAGE
        name = f"fernzug {args.command}"
        module = importlib.import_module(COMMANDS[args.command][0])
        code: int
        if args.command in COLOURED:
            code = module.run(args)
        else:
            with redirect_stdout(cast("TextIO", PlainOutput(sys.stdout))):
                code = module.run(args)
        # A full disk or a closed pipe behind standard output shows only now.
        sys.stdout.flush()
    except CommandError as error:
        return complain(f"{name}: {error}", error.code)
    except KeyboardInterrupt:
        return complain("", INTERRUPTED)
    except BrokenPipeError:
        return discard_output(0)
    except OSError as error:
        where = error.filename or "standard output"
        return discard_output(complain(f"{name}: {where}: {error.strerror}", FAULT))
    return code


def complain(text: str, code: int) -> int:
    """Print a message to standard error, and return the exit code."""
    print(printable(text), file=sys.stderr)
    return code


def discard_output(code: int) -> int:
    """Discard standard output, so that the interpreter does not try to flush it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code
