"""The command line: ``fernzug COMMAND``.

A command is a module with two functions, ``configure(parser)`` for its arguments and ``run(args)``
for its work, and a line in :data:`COMMANDS`. Only the module of the command asked for is imported.

Exit codes: 0 all is well; 1 a file is faulty or cannot be read or written; 2 the command line is
wrong; 130 the user has broken off.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "play": ("fernzug.cli.play", "play in the terminal"),
        "serve": ("fernzug.server.command", "play in the browser"),
        "boards": ("fernzug.cli.boards", "list the boards, show one, check board files"),
        "replay": ("fernzug.cli.replay", "tell a recorded game"),
        "sim": ("fernzug.cli.sim", "play many games and tell what they come to"),
        "arena": ("fernzug.cli.arena", "let bots play each other, and rate them"),
    }
)
"""The module and the line of help of each command."""

FAULT = 1
USAGE = 2
BROKEN_OFF = 130


class CommandError(Exception):
    """Something that the user should know, in words, instead of a result."""

    def __init__(self, text: str, code: int = FAULT) -> None:
        super().__init__(text)
        self.code = code


class Version(argparse.Action):
    """``--version``: the version, and which engine is at work."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Print both and leave."""
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
        cause = "FERNZUG_PLAIN asks for it"
    else:
        cause = "it was not compiled at installation, for want of a C compiler"
    return f"plain Python ({cause}); games are some 60 times slower"


def parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser, with the arguments of the command that is asked for."""
    parser = argparse.ArgumentParser(
        prog="fernzug",
        description="Route-building railway games: five boards on one engine.",
        epilog="'fernzug COMMAND --help' tells more. "
        "Wherever a board is asked for, its id or the path of a board file will do.",
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
        # A terminal without accents shall show a question mark, not a traceback.
        sys.stdout.reconfigure(errors="replace")
    try:
        parser = parser_for(words)
        args = parser.parse_args(words)
        if args.command is None:
            parser.print_help()
            return USAGE
        name = f"fernzug {args.command}"
        module = importlib.import_module(COMMANDS[args.command][0])
        code: int = module.run(args)
        # A full disk or a closed pipe behind the standard output shows only now.
        sys.stdout.flush()
    except CommandError as error:
        return complain(f"{name}: {error}", error.code)
    except KeyboardInterrupt:
        return complain("", BROKEN_OFF)
    except BrokenPipeError:
        return discard_output(0)
    except OSError as error:
        where = error.filename or "standard output"
        return discard_output(complain(f"{name}: {where}: {error.strerror}", FAULT))
    return code


def complain(text: str, code: int) -> int:
    """Tell the user on the standard error; return the exit code."""
    print(text, file=sys.stderr)
    return code


def discard_output(code: int) -> int:
    """Give up the standard output, so that the interpreter does not try once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code
