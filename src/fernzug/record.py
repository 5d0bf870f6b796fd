"""Records: games saved as their events, one JSON object per line.

The first line is a header (what the file is, the board and its hash, the players), each further
line is an event, and the last line says how many there are. Every line has a checksum of itself and
all lines before it, so a record that was altered or truncated is refused at the line in question. A
record replays without a random number generator. A file may have many records, one after the other.

Reading a record plays the game again by the rules, with chance taken from the record: every action
must be legal, and every event must be the one that follows. So forged checksums do not help to
write down an impossible game.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.drafts import draft_of, errors_naming
from fernzug.engine import facts, rules
from fernzug.engine.fold import fold
from fernzug.engine.state import State
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS, Tables
from fernzug.errors import is_one_of
from fernzug.events import event_of, fact_of
from fernzug.start import Start, checked, from_position
from fernzug.tables import tables_of

if TYPE_CHECKING:
    from fernzug.game import Game

FORMAT = "fernzug record"
VERSION = 1
CHECK = "check"


class RecordError(ValueError):
    """A record that cannot be replayed; ``line`` is where it goes wrong."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line


class Step(NamedTuple):
    """A decision of a record, or the deal, or where the record stops."""

    event: int
    """The number of its first event; where the record stops, the number of events."""
    before: State
    seat: int | None
    action: int | None
    """The number of the action on its board; None for the deal and where the record stops."""
    is_deal: bool = False


class SeveralRecords(RecordError):
    """A file that should have one record has several; :func:`read` reads them all."""


@dataclass(frozen=True)
class Record:
    """A game as its events; ``str(record)`` is the text of its file."""

    board: Board
    header: dict[str, Any]
    facts: Sequence[tuple[int, ...]] = field(repr=False)

    def __str__(self) -> str:
        tables = tables_of(self.board)
        lines: list[Mapping[str, object]] = [self.header]
        lines += [event_of(tables, fact).to_json() for fact in self.facts]
        lines.append({"end": len(self.facts)})
        return "".join(_checked(lines))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, completely or not at all."""
        with draft_of(path) as draft, errors_naming(path):
            draft.write_text(str(self), encoding="utf-8")

    def states(self) -> Iterator[tuple[State, int]]:
        """Yield the state after each fact, and the fact's number; it is always the same state."""
        state = self.start().state()
        for number in self.follow(state):
            yield state, number

    def follow(self, state: State) -> Iterator[int]:
        """Apply all facts to the state before the first one, and yield the number of each.

        :class:`RecordError` gives the line at which the game breaks the rules.
        """
        due: list[tuple[int, ...]] = []
        for number, fact in enumerate(self.facts):
            try:
                due = due or _consequences(state, self.facts, number, "position" in self.header)
                fold(state, fact)
                if fact != due.pop(0):
                    raise ValueError("by the rules, something else follows here")
            except (ValueError, IndexError, OverflowError) as error:
                reason = str(error) or "the event does not fit"
                raise RecordError(number + 2, reason) from None
            yield number
        if due:
            raise RecordError(
                len(self.facts) + 2, "the record is truncated: by the rules, more follows"
            )

    def steps(self) -> Iterator[Step]:
        """Yield the deal, if there is one, each decision, and where the record stops.

        Each has the state before it. :class:`RecordError` is raised before the first step if the
        game breaks the rules anywhere.
        """
        for _ in self.follow(self.start().state()):
            pass
        state = self.start().state()
        number = 0
        while number < len(self.facts):
            before = state.copy()
            is_deal = number == 0 and "position" not in self.header
            due = _consequences(state, self.facts, number, "position" in self.header)
            seat = action = None
            if not is_deal:
                seat = self.facts[number][1]
                action = _action(state, *_pair(self.facts, number))
            yield Step(number, before, seat, action, is_deal)
            for fact in due:
                fold(state, fact)
            number += len(due)
        yield Step(number, state.copy(), None, None)

    def start(self) -> Start:
        """Return how the game began."""
        header = self.header
        position = header.get("position")
        try:
            if position is None:
                return checked(
                    self.board, header["players"], header["seed"], header["first_player"]
                )
            return from_position(self.board, dict(position), position.get("board", self.board.id))
        except KeyError as key:
            raise RecordError(1, f"the header lacks {key}") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise RecordError(1, f"the start of the game is invalid: {error}") from None


def record_of(game: Game) -> Record:
    """Return the record of a game so far."""
    state = game.state
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "board": game.board.id,
        "board_hash": game.board.hash,
        "players": game.players,
        "first_player": int(state.first_player),
        # Only needed to go on playing after a replay; the events contain all chance so far.
        "seed": int(state.seed),
    }
    if not board_files.is_builtin(game.board):
        header["board_file"] = game.board.source
    if game.start.position is not None:
        header["position"] = game.start.position
    return Record(game.board, header, tuple(game.facts))


def load(path: str | os.PathLike[str]) -> Record:
    """Read a record from a file, which may be compressed (``.gz``)."""
    with _opened(path) as file:
        return _parse_bytes(file.read(), before=0)


def read(path: str | os.PathLike[str], first: int = 0) -> Iterator[Record]:
    """Yield the records of a file that has any number of them, one after the other.

    Those before the record of number ``first`` are passed over unread. :class:`RecordError` gives
    the line of the file.
    """
    with _opened(path) as file:
        for number, (before, data) in enumerate(_split(file)):
            if number >= first:
                yield _parse_bytes(data, before)


def _split(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the text of each record, and the number of lines before it."""
    before = 0
    own: list[bytes] = []
    for line in lines:
        if own and _HEADER in line:
            yield before, b"".join(own)
            before += len(own)
            own = []
        own.append(line)
    if own:
        yield before, b"".join(own)


def write(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write records to one file, completely or not at all; it is compressed if it ends in .gz."""
    with draft_of(path) as draft, draft.open("wb") as raw, _packing(raw, Path(path)) as file:
        for record in records:
            file.write(str(record).encode())


_HEADER = FORMAT.encode()
"""What only the first line of a record has."""


@contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    if not os.fspath(path).endswith(".gz"):
        with Path(path).open("rb") as file:
            yield file
        return
    import gzip  # rarely needed
    import zlib

    try:
        with gzip.open(path) as packed:
            yield cast("IO[bytes]", packed)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(1, f"the file cannot be unpacked: {error}") from None


@contextmanager
def _packing(file: IO[bytes], target: Path) -> Iterator[IO[bytes]]:
    if target.suffix != ".gz":
        yield file
        return
    import gzip  # rarely needed

    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        yield cast("IO[bytes]", packed)


def _parse_bytes(data: bytes, before: int) -> Record:
    """Read a record that follows so many lines of other records."""
    try:
        return parse(data.decode())
    except UnicodeDecodeError as error:
        line = before + data.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "this is not a text file, so it is not a record") from None
    except RecordError as error:
        if not before:
            raise
        text = str(error).removeprefix(f"line {error.line}: ")
        raise RecordError(before + error.line, text) from None


def parse(text: str) -> Record:
    """Read a record from its text; :class:`RecordError` gives the line that is wrong."""
    # Only line feeds end a line: JSON keeps other line ends, such as U+2028, inside strings.
    *lines, rest = text.split("\n")
    _expect_header(lines[0] if lines else rest)
    for number, line in enumerate(lines[1:], start=2):
        if FORMAT in line:
            raise SeveralRecords(number, "another game begins here: the file has several records")
    objects = list(_verified([*lines, rest] if rest else lines))
    if rest:
        raise RecordError(len(lines) + 1, "the record is truncated: its last line is incomplete")
    header = objects[0]
    if len(objects) < 2 or objects[-1] != {"end": len(objects) - 2}:
        raise RecordError(len(lines), "the record is truncated: its last line is missing")
    board = _board(header)
    tables = tables_of(board)
    found = []
    for number, data in enumerate(objects[1:-1], start=2):
        try:
            found.append(fact_of(tables, data))
        except ValueError as error:
            raise RecordError(number, str(error)) from None
    return Record(board, header, tuple(found))


def _expect_header(line: str) -> None:
    """Refuse other files, and other versions, before checking any checksum."""
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise RecordError(1, "this is not a record")
    if header.get("version") != VERSION:
        raise RecordError(
            1,
            f"the record has version {header.get('version')!r}; "
            f"this program reads version {VERSION}",
        )


def _board(header: dict[str, Any]) -> Board:
    try:
        if "board_file" in header:
            board = board_files.parse(header["board_file"])
        else:
            board = board_files.load(header["board"])
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(1, f"the board cannot be loaded: {error}") from None
    if board.hash != header.get("board_hash"):
        raise RecordError(1, f"the record is for another version of the board {board.id}")
    if not is_one_of(header.get("players"), board.players):
        raise RecordError(1, f"{header.get('players')!r} players cannot play {board.id}")
    return board


def _checked(lines: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield the lines of a file, each with its checksum."""
    before = ""
    for line in lines:
        before = _checksum(before, line)
        yield json.dumps({**line, CHECK: before}, ensure_ascii=False) + "\n"


def _checksum(before: str, line: Mapping[str, object]) -> str:
    import hashlib  # not needed unless records are written or read

    text = json.dumps(line, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256((before + text).encode()).hexdigest()[:12]


def _verified(lines: list[str]) -> Iterator[dict[str, Any]]:
    """Verify the checksums, and yield the objects of the lines without them."""
    before = ""
    for number, line in enumerate(lines, start=1):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(number, "the line is broken: it is not JSON") from None
        if not isinstance(data, dict):
            raise RecordError(number, "the line is not a JSON object")
        checksum = data.pop(CHECK, None)
        before = _checksum(before, data)
        if checksum != before:
            raise RecordError(number, "the line, or one before it, was changed or is missing")
        yield data


# ---------------------------------------------------------------------------- replaying


def replay(record: Record | str | os.PathLike[str]) -> Game:
    """Return the game of a record, its text or its file, where it stopped."""
    from fernzug.game import Game

    if isinstance(record, str) and record.lstrip().startswith("{"):
        record = parse(record)
    elif not isinstance(record, Record):
        record = load(record)
    start = record.start()
    state = start.state()
    for _ in record.follow(state):
        pass
    return Game.resumed(start, state, record.facts)


def _consequences(
    state: State, told: Sequence[tuple[int, ...]], number: int, from_position: bool
) -> list[tuple[int, ...]]:
    """Return the facts that follow by the rules from the choice at a fact."""
    after = state.copy()
    after.journal = []
    after.scripted_decks = [_as_laid(fact) for fact in told[number:] if fact[0] in _CHANCE]
    if number == 0 and not from_position:
        rules.set_up(after)
    else:
        fact, following = _pair(told, number)
        action = _action(state, fact, following)
        if action is None or action not in rules.legal(state, fact[1]):
            raise ValueError("the rules do not allow this here")
        rules.apply(after, fact[1], action)
    return after.journal


def _pair(
    told: Sequence[tuple[int, ...]], number: int
) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Return a fact and the one after it."""
    return told[number], told[number + 1] if number + 1 < len(told) else None


_CHANCE = (facts.SHUFFLED, facts.SHUFFLED_TICKETS, facts.RESHUFFLED)


def _as_laid(fact: tuple[int, ...]) -> list[int]:
    """Return a deck as the state has it: the top ticket first, but the top card last."""
    return list(fact[1:] if fact[0] == facts.SHUFFLED_TICKETS else fact[:0:-1])


def _action(state: State, fact: tuple[int, ...], following: tuple[int, ...] | None) -> int | None:
    """Return the number of the action that led to a fact, if a player chose it."""
    t = state.tables
    kind = fact[0]
    if kind == facts.DREW:
        return DRAW_DECK
    if kind == facts.TOOK:
        return DRAW_CARD + fact[3]
    if kind == facts.PASSED:
        return PASS
    if kind == facts.OFFERED:
        return int(t.draw_tickets_action)
    if kind == facts.CLAIMED:
        _, _, route, color, cards, wilds = fact
        number = int(t.claim_number(route, color, wilds, _option(t, following)))
        if number < 0 or cards != t.route_cost[route] - wilds:
            raise ValueError("these cards do not pay for the route")
        return number
    if kind == facts.KEPT:
        first = int(state.offer_start(fact[1]))
        offer = [state.offer[first + 1 + i] for i in range(state.offer[first])]
        if len(set(fact[2:])) < len(fact) - 2:
            raise ValueError("a ticket is kept twice")
        return int(t.keep) + sum(1 << offer.index(ticket) for ticket in fact[2:])
    return None


def _option(tables: Tables, following: tuple[int, ...] | None) -> int:
    """Return the option of a claim, counted from 1, from the fact after it; 0 for none."""
    if following is None:
        return 0
    for bonus in tables.option_bonus:
        chosen = bonus.chosen(following)
        if chosen is not None:
            return int(bonus.first_option) + chosen
    return 0
