"""``fernzug bot``: one of our bots as a program that speaks the bot protocol."""

from __future__ import annotations

import sys
from argparse import Namespace

from fernzug import bots
from fernzug.bots.speaking import ProtocolError, speak
from fernzug.cli import FAULT, USAGE, CommandError, Parser
from fernzug.cli.arguments import describe_bots, load_board


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Play one seat of one game as a program that speaks the bot protocol: requests come from "
        "standard input, answers go to standard output, one JSON object per line."
    )
    describe_bots(parser)
    parser.add_argument("bot", metavar="BOT", help="a level or a bot, see below")
    parser.add_argument(
        "--board", metavar="FILE", help="the board, if it does not come with Fernzug"
    )


def run(args: Namespace) -> int:
    """Run the command."""
    board = None if args.board is None else load_board(args.board)
    try:
        bots.expect(args.bot)
        if sys.stdin.isatty():
            print("waiting for a request of the bot protocol; Ctrl-D ends it", file=sys.stderr)
        speak(args.bot, board, sys.stdin, sys.stdout)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    except ProtocolError as error:
        raise CommandError(str(error), FAULT) from None
    return 0
