"""``fernzug play``: a game in the terminal."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from fernzug import bots
from fernzug import record as records
from fernzug.board.model import Board
from fernzug.cli import FAULT, INTERRUPTED, USAGE, CommandError, Parser
from fernzug.cli.arguments import (
    check_players,
    describe_bots,
    load_board,
    readable_record,
    whole_number,
)
from fernzug.cli.arguments import seed as seed_argument
from fernzug.game import Game
from fernzug.i18n import LANGUAGES, Texts, language_of
from fernzug.terminal import start
from fernzug.terminal.console import Console
from fernzug.terminal.layout import paragraph
from fernzug.terminal.session import HUMAN, Quit, Session
from fernzug.terminal.style import Style, wants_color
from fernzug.terminal.words import Words


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Play in the terminal against bots. Without --board you are asked what to play; "
        "in the game, ? shows what you can type."
    )
    describe_bots(parser, default=bots.DEFAULT_LEVEL)
    parser.add_argument("--board", metavar="B", help="id of a board, or path of a board file")
    parser.add_argument("--players", type=whole_number(1), metavar="N", help="number of players")
    parser.add_argument(
        "--against",
        nargs="+",
        metavar="BOT",
        help="levels or bots for the other seats, in turn; a single one plays them all "
        f"(default: {bots.DEFAULT_LEVEL})",
    )
    parser.add_argument(
        "--seat", type=whole_number(1), metavar="N", help="which player you are (default: 1)"
    )
    parser.add_argument(
        "--seed", type=seed_argument, metavar="S", help="the same seed gives the same luck"
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="the language (default: that of $LANG)")
    parser.add_argument("--record", metavar="FILE", help="save the game to FILE when it ends")
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    texts = Texts(args.lang or language_of(os.environ))
    style = Style(wants_color() and not args.no_color)
    console = Console()
    _check_record(args.record)
    try:
        game, seats = _resumed(args) if args.resume else _fresh(args, texts, style, console)
    except EOFError:
        print()
        return 0
    kinds = [None if spec == HUMAN else start.strength(texts, spec) for spec in seats]
    you = seats.index(HUMAN)
    words = Words(game.board, texts, style, you, kinds)
    session = Session(game, seats, words, console, args.record)
    _greet(session, resumed=args.resume is not None)
    return _play(session)


def _check_record(file: str | None) -> None:
    """Refuse a file that cannot be written now, not after the game."""
    if file is None:
        return
    target = Path(file).expanduser()
    folder = target.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK) or target.is_dir():
        raise CommandError(f"cannot write '{file}'")


# ---------------------------------------------------------------------------- setting up


def _fresh(
    args: argparse.Namespace, texts: Texts, style: Style, console: Console
) -> tuple[Game, tuple[str, ...]]:
    against: list[str] | None = args.against
    if args.board is not None:
        board = load_board(args.board)
        players = args.players or max(board.min_players, len(against or ()) + 1)
    elif console.interactive:
        board = start.ask_board(console, texts, style)
        players = args.players or start.ask_players(console, texts, board)
        against = against or [start.ask_level(console, texts, style)]
    else:
        raise CommandError("choose a board: --board B, an id or the path of a board file", USAGE)
    check_players(board, players)
    seats = _seats(against or [bots.DEFAULT_LEVEL], players, args.seat or 1)
    _try_bots(board, seats)
    return Game(board, players, args.seed), seats


def _seats(against: Sequence[str], players: int, seat: int) -> tuple[str, ...]:
    """Return who plays each seat; ``seat`` counts from 1."""
    if seat > players:
        raise CommandError(f"there is no player {seat} among {players}", USAGE)
    others = list(against) * (players - 1) if len(against) == 1 else list(against)
    if len(others) != players - 1:
        raise CommandError(f"{len(others)} bots cannot play {players - 1} seats", USAGE)
    return (*others[: seat - 1], HUMAN, *others[seat - 1 :])


def _try_bots(board: Board, seats: Sequence[str]) -> None:
    try:
        for spec in set(seats) - {HUMAN}:
            bots.check(spec, board, len(seats))
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _resumed(args: argparse.Namespace) -> tuple[Game, tuple[str, ...]]:
    """Return the game of a record, and who plays each seat."""
    for name in ("board", "players", "seed"):
        if getattr(args, name) is not None:
            raise CommandError(f"--{name} cannot change a saved game", USAGE)
    with readable_record(args.resume):
        record = records.load(args.resume)
        game = records.replay(record)
    saved = record.header.get("seats")
    if args.seat is None and args.against is None and _is_seating(saved, game.players):
        seats = tuple(record.header["seats"])
    else:
        seats = _seats(args.against or [bots.DEFAULT_LEVEL], game.players, args.seat or 1)
    _try_bots(game.board, seats)
    return game, seats


def _is_seating(saved: object, players: int) -> bool:
    """Whether a record says who plays each seat, with one person among them."""
    return (
        isinstance(saved, list)
        and len(saved) == players
        and all(isinstance(spec, str) for spec in saved)
        and saved.count(HUMAN) == 1
    )


def _greet(session: Session, resumed: bool) -> None:
    texts = session.texts
    board = session.game.board
    lines = [
        session.words.style.bold(
            texts(
                "start.title",
                board=board.name_in(texts.language),
                players=texts.number("players", session.game.players),
                n=session.seat + 1,
            )
        )
    ]
    note = board.note_in(texts.language)
    for text in (note, texts("start.resumed") if resumed else "", texts("start.hint")):
        lines += paragraph(text, session.console.width)
    session.console.show(lines)


# ---------------------------------------------------------------------------- playing


def _play(session: Session) -> int:
    """Play, and save and say goodbye however it ends."""
    texts = session.texts
    code = 0
    farewell = ""
    interrupted = False
    try:
        with _hang_ups_as_end_of_file():
            session.run()
    except Quit:
        farewell = "quit.bye"
    except EOFError:
        interrupted = True
    except KeyboardInterrupt:
        interrupted = True
        code = INTERRUPTED
    finally:
        session.close()
    # The terminal may be gone by now, so the game is written before anything is said.
    file = session.rescue() if interrupted else session.record_file
    if interrupted:
        print()
        farewell = "quit.unsaved" if file is None else "quit.bye"
    if file is not None:
        if not session.saved and not session.save(file):
            return FAULT
        if session.game.over:
            session.console.show(texts("save.recorded", file=file))
        else:
            session.tell_saved(file)
    if farewell:
        session.console.show(texts(farewell))
    return code


@contextmanager
def _hang_ups_as_end_of_file() -> Iterator[None]:
    """Treat a closed terminal, or a request to terminate, as the end of the input."""

    def end(number: int, frame: FrameType | None) -> None:
        raise EOFError

    names = [name for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
