"""The authority over one table.

A table knows who sits where, whose decision is awaited, what may be taken back and whose time is
up. It has no transport and no clock of its own: time is handed in, changes are handed out.

Requests (:meth:`Table.play` and its like) change nothing. They return the changes that follow, or
raise :class:`~fernzug.table.refused.Refused`; :meth:`Table.apply` makes them true. Between the two
the changes are written down.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.engine import rules
from fernzug.errors import IllegalAction
from fernzug.game import Game
from fernzug.start import Start
from fernzug.table.change import Change
from fernzug.table.clock import Clock, Moment
from fernzug.table.help import TicketHelp
from fernzug.table.protocol import ChatLine, Rematch, StandIn, TableState
from fernzug.table.refused import Refused
from fernzug.table.seats import Seats
from fernzug.table.setup import TableSetup
from fernzug.table.undo import Move, can_undo

WAITING: Final = "waiting"
PLAYING: Final = "playing"
OVER: Final = "over"

REMEMBERED_IDS = 64
"""How many commands of a seat are recognised when they come again."""
REMEMBERED_LINES = 200
"""How many lines of chat newcomers are shown."""

Dealer = Callable[[Board, TableSetup], Game]


def deal(board: Board, setup: TableSetup) -> Game:
    """Return the game of a table."""
    return Game(board, len(setup.seats), setup.seed, setup.first_player)


class Table:
    """One table: its seats, its game, and everything that was agreed on."""

    def __init__(self, setup: TableSetup, dealer: Dealer = deal) -> None:
        self.setup = setup
        self.board: Board = board_files.load(setup.board)
        if self.board.hash != setup.board_hash:
            raise Refused("not_found", f"the board {setup.board} is not the one of this table")
        self.seats = Seats(setup)
        self.clock = Clock(setup.clock, len(setup.seats))
        self.game: Game | None = None
        self.seq = 0
        self.lines: list[ChatLine] = []
        self.rematch: Rematch | None = None
        self.ticket_help = TicketHelp(len(setup.seats))
        self.moves: list[Move] = []
        self.marks: list[tuple[int, int]] = [(0, 0)]
        """How many facts there were after which change: for those who missed some."""
        self._since = [0] * len(setup.seats)
        self._dealer = dealer
        self._done: dict[int | None, OrderedDict[str, int]] = {}

    # ------------------------------------------------------------------------ asking

    @property
    def state(self) -> TableState:
        """``waiting``, ``playing`` or ``over``."""
        if self.game is None:
            return WAITING
        return OVER if self.game.over else PLAYING

    def awaits(self, seat: int) -> bool:
        """Whether a decision of the seat is awaited; in the set-up that is more than one (S2)."""
        return (
            self.game is not None
            and not self.game.over
            and bool(rules.awaits(self.game.state, seat))
        )

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take its last action back."""
        return self.state == PLAYING and can_undo(self.moves, self._playing().facts, seat)

    def accepted(self, seat: int | None, id: str) -> int | None:
        """Return the change that a command brought about, if it was accepted before."""
        return self._done[seat].get(id) if seat in self._done else None

    def decision(self, seat: int) -> int:
        """Return the change with which the seat's present decision came up."""
        return self._since[seat]

    def stand_in(self, seat: int, now: float) -> StandIn | None:
        """Return why a bot decides for the person on a seat: ``left``, ``away`` or ``clock``."""
        if self.state != PLAYING or self.seats.is_bot(seat):
            return None
        if seat in self.seats.gone:
            return "left"
        reading = self.seats.watch.read(now)
        if self.clock.runs_for(seat) and self.clock.remaining(seat, reading) <= 0:
            return "clock"
        return "away" if self.seats.grace_left(seat, reading) == 0 else None

    def bots_to_move(self, now: float) -> list[int]:
        """Return the seats for which a bot is to decide now; nobody plays before empty chairs."""
        if self.state != PLAYING or not self.seats.watch.running:
            return []
        return [
            seat
            for seat in range(self.seats.number)
            if self.awaits(seat) and (self.seats.is_bot(seat) or self.stand_in(seat, now))
        ]

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds a bot will take over for somebody, if nothing happens."""
        if self.state != PLAYING or not self.seats.watch.running:
            return None
        reading = self.seats.watch.read(now)
        times = []
        for seat in range(self.seats.number):
            if self.seats.is_bot(seat) or self.stand_in(seat, now):
                continue
            if self.clock.runs_for(seat):
                times.append(self.clock.remaining(seat, reading))
            grace = self.seats.grace_left(seat, reading)
            if grace is not None:
                times.append(grace)
        return min(times, default=None)

    # ------------------------------------------------------------------------ requests

    def open(self, at: int) -> list[Change]:
        """The table is made: the game begins at once if every seat is taken."""
        return self._started([], at)

    def join(self, name: str, token: str, seat: int | None, at: int) -> list[Change]:
        """Somebody takes a free seat; ``token`` is the hash of what will open it."""
        taken = self.seats.find_free(seat)
        joined = self._change([], at, "joined", seat=taken, name=name, token=token)
        return self._started([joined], at)

    def fill(self, seat: int, name: str, level: str, id: str, at: int) -> list[Change]:
        """The host puts a bot on a free seat."""
        self._before_start()
        taken = self.seats.find_free(seat)
        filled = self._change([], at, "filled", seat=taken, name=name, level=level, id=id)
        return self._started([filled], at)

    def remove(self, seat: int, id: str, at: int) -> list[Change]:
        """The host frees a seat that is meant for people by link."""
        self._before_start()
        self._exists(seat)
        if not self.seats.can_be_freed(seat):
            if self.seats.is_bot(seat):
                raise Refused("bot_seat", "this seat was meant for a bot from the beginning")
            raise Refused("seat_taken", "only seats for people by link can be freed")
        return [self._change([], at, "freed", seat=seat, id=id)]

    def play(
        self,
        seat: int,
        version: int,
        action: str,
        now: Moment,
        id: str | None = None,
        bot: bool = False,
    ) -> list[Change]:
        """Take an action for a seat; ``version`` is the last change that whoever chose it knew."""
        game = self._playing()
        self._exists(seat)
        self._current(seat, version)
        after = game.copy()
        try:
            after.play(action, seat=seat)
        except IllegalAction as refusal:
            raise Refused("illegal", refusal.reason) from None
        spent = self.clock.spent(seat, self.seats.watch.read(now.monotonic))
        data: dict[str, Any] = {
            "seat": seat,
            "action": action,
            "facts": after.facts[len(game.facts) :],
            "bot": bot,
        }
        if self.clock.used:
            data["spent"] = round(spent, 3)
        if id is not None:
            data["id"] = id
        return [Change(self.seq + 1, now.wall, "played", data, after)]

    def undo(self, seat: int, version: int, id: str, at: int) -> list[Change]:
        """Take a seat's last action back."""
        game = self._playing()
        self._exists(seat)
        if version > self.seq:
            raise Refused("stale", "there is no such version yet")
        if not self.can_undo(seat):
            raise Refused(
                "no_undo", "something hidden was revealed, or somebody else has moved since"
            )
        number = len(game.facts) - self.moves[-1].first_fact
        return [self._change([], at, "undone", seat=seat, facts=number, id=id)]

    def say(self, seat: int, text: str, id: str, at: int) -> list[Change]:
        """Say something to everybody."""
        self._exists(seat)
        if not self.setup.chat:
            raise Refused("chat_off", "this table has no chat")
        return [self._change([], at, "said", seat=seat, text=text, id=id)]

    def leave(self, seat: int, id: str, at: int) -> list[Change]:
        """Let a bot play a person's seat from now on; before the game the seat becomes free."""
        self._exists(seat)
        if self.state == WAITING and self.seats.came_by_link(seat):
            return [self._change([], at, "freed", seat=seat, id=id)]
        self._playing()
        return [self._change([], at, "left", seat=seat, id=id)]

    def takeover(self, seat: int, id: str, at: int) -> list[Change]:
        """Take one's seat back from the bot."""
        self._exists(seat)
        self._playing()
        return [self._change([], at, "back", seat=seat, id=id)]

    def ask_rematch(self, table: str, code: str, id: str, at: int) -> list[Change]:
        """Say where the next game is; the first who asks decides."""
        if self.state != OVER:
            raise Refused("not_over", "the game is not over yet")
        if self.rematch is not None:
            raise Refused("not_over", "there is a table for the next game already")
        return [self._change([], at, "rematch", table=table, code=code, id=id)]

    def _change(self, before: list[Change], at: int, kind: str, **data: Any) -> Change:
        return Change(self.seq + len(before) + 1, at, kind, data)

    def _started(self, before: list[Change], at: int) -> list[Change]:
        """Return the changes, and the start of the game if they leave no seat free."""
        if self.game is not None or self.seats.free_count != len(before):
            return before
        game = self._dealer(self.board, self.setup)
        data: dict[str, Any] = {
            "seed": int(game.state.seed),
            "first_player": int(game.state.first_player),
            "facts": list(game.facts),
        }
        if game.start.position is not None:
            data["start"] = game.start.position
        return [*before, Change(self.seq + len(before) + 1, at, "started", data, game)]

    def _exists(self, seat: int) -> None:
        if not 0 <= seat < self.seats.number:
            raise Refused("not_found", f"there is no seat {seat} at this table")

    def _playing(self) -> Game:
        if self.game is None:
            raise Refused("not_playing", "the game has not begun")
        if self.game.over:
            raise Refused("not_playing", "the game is over")
        return self.game

    def _before_start(self) -> None:
        if self.game is not None:
            raise Refused("not_playing", "the game has begun")

    def _current(self, seat: int, version: int) -> None:
        """Refuse what was chosen before the seat's present decision came up.

        What others do meanwhile does not matter: in the set-up all choose at once (S2).
        """
        if self.awaits(seat) and not self._since[seat] <= version <= self.seq:
            raise Refused("stale", "this was chosen in another situation than the present one")

    # ------------------------------------------------------------------------ making it true

    def apply(self, change: Change, now: float) -> None:
        """Make a change true that has been written down."""
        if change.seq != self.seq + 1:
            raise ValueError(f"change {change.seq} cannot follow change {self.seq}")
        self.seq = change.seq
        reading = self.seats.watch.read(now)
        getattr(self, f"_apply_{change.kind}")(change, change.data, reading)
        id = change.data.get("id")
        if id is not None:
            self._remember(change.data.get("seat"), id)

    def _remember(self, seat: int | None, id: str) -> None:
        done = self._done.setdefault(seat, OrderedDict())
        done[id] = self.seq
        if len(done) > REMEMBERED_IDS:
            done.popitem(last=False)

    def _apply_joined(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.seats.sit(data["seat"], data["name"], data["token"], reading)

    def _apply_filled(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.seats.sit_bot(data["seat"], data["name"], data["level"])

    def _apply_freed(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.seats.free(data["seat"])

    def _apply_left(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.seats.gone.add(data["seat"])

    def _apply_back(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.seats.gone.discard(data["seat"])

    def _apply_rematch(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.rematch = {"table": data["table"], "code": data["code"]}

    def _apply_said(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.lines.append(
            {"seq": change.seq, "seat": data["seat"], "text": data["text"], "at": change.at}
        )
        del self.lines[:-REMEMBERED_LINES]

    def _apply_started(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        self.game = change.game or _folded(self._blank(data), data["facts"])
        self.marks = [(0, 0), (self.seq, len(self.game.facts))]
        for seat in range(self.seats.number):
            self._since[seat] = self.seq
            if self.awaits(seat):
                self.clock.begin(seat, reading)

    def _apply_played(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        game = self._playing()
        seat = data["seat"]
        turn = game.state.turn
        self.moves.append(Move(seat, len(game.facts), data["bot"]))
        self.game = change.game or _folded(game, data["facts"])
        self.marks.append((self.seq, len(self.game.facts)))
        self.ticket_help.note(self.game.state.tables, data["facts"])
        self.clock.charge(seat, data.get("spent", 0.0))
        if self.game.state.turn != turn:
            self.clock.turn_began(int(self.game.state.seat))
        self._decision_moved(seat, reading)

    def _apply_undone(self, change: Change, data: Mapping[str, Any], reading: float) -> None:
        game = self._playing()
        move = self.moves.pop()
        turn = game.state.turn
        awaited = int(game.state.seat)
        kept = game.facts[: move.first_fact]
        self.game = _folded(_restarted(game), kept)
        if self.game.state.turn != turn:
            self.clock.turn_taken_back(awaited)
        self.ticket_help.forget()
        # Who missed the action and its undoing cannot be told the difference: they start afresh.
        self.marks = [(self.seq, len(kept))]
        self._decision_moved(move.seat, reading)

    def _decision_moved(self, mover: int, reading: float) -> None:
        """Note whose decisions begin and end now that a seat has moved."""
        for seat in range(self.seats.number):
            if not self.awaits(seat):
                self.clock.end(seat)
            elif seat == mover or not self.clock.awaited(seat):
                self._since[seat] = self.seq
                self.clock.begin(seat, reading)

    def _blank(self, data: Mapping[str, Any]) -> Game:
        """Return the game as it was before its first fact."""
        start = Start(
            self.board,
            self.seats.number,
            data["seed"],
            data["first_player"],
            position=data.get("start"),
        )
        return Game.resumed(start, start.state(), [])


def _restarted(game: Game) -> Game:
    """Return a game as it was before its first fact."""
    return Game.resumed(game.start, game.start.state(), [])


def _folded(game: Game, noted: Iterable[Iterable[int]]) -> Game:
    """Return the game after further facts; chance and rules have spoken, nothing is decided."""
    after = game.copy()
    after.follow([tuple(fact) for fact in noted])
    return after


def restore(setup: TableSetup, changes: Iterable[Change], dealer: Dealer = deal) -> Table:
    """Return the table that was written down, with nobody present."""
    table = Table(setup, dealer)
    for change in changes:
        table.apply(change, 0.0)
    return table
