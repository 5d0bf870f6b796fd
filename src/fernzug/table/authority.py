"""The authority over one table.

A table knows who sits where, whose decision is awaited, what may be taken back and whose time is
up. It knows nothing of the network and has no clock of its own: the time is passed in, and changes
are returned.

Requests such as :meth:`Table.play` change nothing. They return the changes that would follow, or
raise :class:`~fernzug.table.refused.Refused`. The caller writes the changes down and then applies
them with :meth:`Table.apply`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.engine import rules
from fernzug.engine.state import State
from fernzug.errors import IllegalAction
from fernzug.game import Game
from fernzug.start import Start
from fernzug.table.accepted import Accepted
from fernzug.table.change import Change
from fernzug.table.characters import Character
from fernzug.table.clock import Clock, Moment, TableTime
from fernzug.table.marks import Marks
from fernzug.table.progress import WorkedOut
from fernzug.table.protocol import ChatLine, Rematch, StandIn, TableState
from fernzug.table.refused import Refused
from fernzug.table.seats import Seats
from fernzug.table.setup import WHEN_FULL, TableSetup
from fernzug.table.teaching import course_of, require_asked
from fernzug.table.undo import Move, can_undo

WAITING: Final = "waiting"
PLAYING: Final = "playing"
OVER: Final = "over"

MAX_LINES = 200
"""How many lines of chat a newcomer sees."""
MAX_STATES = 8
"""How many actions in a row can be taken back without playing the game again from its start."""

GameFactory = Callable[[Board, TableSetup], Game]


def new_game(board: Board, setup: TableSetup) -> Game:
    """Return the game of a table at its first decision."""
    if setup.position is not None:
        return Game.from_position(setup.position, board)
    return Game(board, len(setup.seats), setup.seed, setup.first_player)


class Table:
    """One table: its seats, its game, and everything that was agreed on.

    ``game_factory`` makes the game once all seats are taken; tests pass one of their own.
    """

    def __init__(self, setup: TableSetup, game_factory: GameFactory = new_game) -> None:
        self.setup = setup
        self.code = setup.code
        """What those who join have to know."""
        self.board: Board = board_files.load(setup.board)
        if self.board.hash != setup.board_hash:
            raise Refused(
                "not_found", f"the board {setup.board} has changed since this table was made"
            )
        self.seats = Seats(setup)
        self.clock = Clock(setup.clock, len(setup.seats))
        self.game: Game | None = None
        self.seq = 0
        self.lines: list[ChatLine] = []
        self.rematch: Rematch | None = None
        self.review: Mapping[str, Any] | None = None
        """The review of the finished game, once it is complete."""
        self.hints_given = [0] * len(setup.seats)
        """How many hints each seat has asked for."""
        self.worked_out = WorkedOut(len(setup.seats))
        self.moves: list[Move] = []
        """The last moves, as far back as they can be taken back."""
        self.marks = Marks((0, 0))
        """How many facts there were after which change, for those who come back."""
        self._decision_since = [0] * len(setup.seats)
        self.course = course_of(setup)
        """Somebody's way through a lesson; None at an ordinary table."""
        self._states: list[State] = []
        """The states before the last moves, as far back as they can be taken back."""
        self._game_factory = game_factory
        self._accepted: dict[int | None, Accepted] = {}
        """By seat; without one, for the host."""

    # ------------------------------------------------------------------------ asking

    @property
    def state(self) -> TableState:
        """``waiting``, ``playing`` or ``over``."""
        if self.game is None:
            return WAITING
        return OVER if self.game.over else PLAYING

    def awaits(self, seat: int) -> bool:
        """Whether a decision of the seat is awaited; in the set-up several are at once (S2)."""
        # No decision is awaited any more when the game is over.
        return self.game is not None and bool(rules.awaits(self.game.state, seat))

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take back its last action."""
        if self.course is not None:
            return False  # Going back a step does more.
        return self.state == PLAYING and can_undo(self.moves, self._require_playing().facts, seat)

    @property
    def has_hints(self) -> bool:
        """Whether hints may be asked for: alone against bots, or if the host allows them."""
        return self.course is None and (self.setup.hints or self.seats.alone)

    def accepted(self, seat: int | None, id: str) -> int | None:
        """Return the change that a command led to, if it was accepted before."""
        return self._accepted[seat].change_of(id) if seat in self._accepted else None

    def decision_since(self, seat: int) -> int:
        """Return the change since which the seat has had its current decision."""
        return self._decision_since[seat]

    def stand_in(self, seat: int, now: float) -> StandIn | None:
        """Return why a bot decides for the person on a seat: ``left``, ``away`` or ``clock``."""
        if self.state != PLAYING or self.seats.is_bot(seat):
            return None
        if seat in self.seats.left:
            return "left"
        clock_runs = self.clock.runs_for(seat)
        if not clock_runs and self.seats.is_connected(seat):
            return None
        reading = self.seats.watch.read(now)
        if clock_runs and self.clock.remaining(seat, reading) <= 0:
            return "clock"
        return "away" if self.seats.grace_left(seat, reading) == 0 else None

    def stand_ins(self, now: float) -> tuple[StandIn | None, ...]:
        """Return for each seat why a bot decides for the person on it."""
        if self.state != PLAYING or (self.seats.all_here and not self.clock.used):
            return (None,) * self.seats.count
        return tuple([self.stand_in(seat, now) for seat in range(self.seats.count)])

    def bots_to_move(self, now: float) -> list[int]:
        """Return the seats for which a bot is to decide now: none before spectators alone."""
        if self.state != PLAYING or not self.seats.watch.running:
            return []
        if self.course is not None:
            opponent = self.course.opponent(self._require_playing())
            return [] if opponent is None else [opponent]
        if self.seats.all_here and not self.clock.used:
            return []
        return [
            seat
            for seat in range(self.seats.count)
            if self.awaits(seat) and (self.seats.is_bot(seat) or self.stand_in(seat, now))
        ]

    def next_stand_in(self, now: float) -> float | None:
        """Return the seconds until a bot takes over for somebody, if nothing else happens."""
        if self.state != PLAYING or not self.seats.watch.running:
            return None
        if self.seats.all_here and not self.clock.used:
            return None
        reading = self.seats.watch.read(now)
        times = []
        for seat in range(self.seats.count):
            clock_runs = self.clock.runs_for(seat)
            if not clock_runs and self.seats.is_connected(seat):
                continue
            if self.seats.is_bot(seat) or self.stand_in(seat, now):
                continue
            if clock_runs:
                times.append(self.clock.remaining(seat, reading))
            grace = self.seats.grace_left(seat, reading)
            if grace is not None:
                times.append(grace)
        return min(times, default=None)

    def time(self, now: float) -> TableTime:
        """Return how much time has passed."""
        return {
            "reading": self.seats.watch.read(now),
            "began": self.clock.began(),
            "away": self.seats.away_since(),
        }

    def set_time(self, seq: int, time: TableTime, now: float) -> None:
        """Set how much time has passed, as another process told it after a certain change."""
        passed = time["reading"] - self.seats.watch.read(now)
        self.seats.watch.set(time["reading"], now)
        self.seats.set_away(time["away"])
        self.clock.shift(passed)
        if seq == self.seq:
            for seat, began in enumerate(time["began"]):
                if began is not None and self.clock.awaited(seat):
                    self.clock.begin(seat, began)

    # ------------------------------------------------------------------------ requests

    def open(self, at: int) -> list[Change]:
        """Open the table; the game starts at once if every seat is taken."""
        return [] if self.seats.free else self._with_start([], at)

    def join(self, name: str, token: str, seat: int | None, *, at: int) -> list[Change]:
        """Take a free seat; ``token`` is the hash of the token that will open it.

        Somebody whose name another has already gets a number behind it, once and for all.
        """
        taken = self.seats.find_free(seat)
        distinct = self.seats.distinct(name)
        joined = self._change([], at, "joined", seat=taken, name=distinct, token=token)
        return self._with_start_if_full([joined], at)

    def fill(self, seat: int, who: Character, level: str, *, id: str, at: int) -> list[Change]:
        """Put a bot on a free seat, for the host."""
        self._require_not_started()
        taken = self.seats.find_free(seat)
        filled = self._change([], at, "filled", seat=taken, **_bot(who, level), id=id)
        return self._with_start_if_full([filled], at)

    def start(self, who: Sequence[Character], level: str, *, id: str, at: int) -> list[Change]:
        """Start the game, for the host; bots take the seats that are still free."""
        self._require_not_started()
        if not any(self.seats.is_person(seat) for seat in range(self.seats.count)):
            raise Refused("not_playing", "at least one person has to sit at the table")
        filled: list[Change] = []
        for seat, one in zip(self.seats.free, who, strict=True):
            filled.append(self._change(filled, at, "filled", seat=seat, **_bot(one, level)))
        return self._with_start(filled, at, id)

    def remove(self, seat: int, who: Character, level: str, *, id: str, at: int) -> list[Change]:
        """Send away whoever has a seat that is meant for people who join by link, for the host.

        Before the game the seat is free again; after its start a bot takes over.
        """
        self._require_seat(seat)
        if not self.seats.can_be_freed(seat):
            if self.seats.is_bot(seat):
                raise Refused("bot_seat", "this seat has been a bot's from the start")
            raise Refused("seat_taken", "only people who joined by link can be sent away")
        if self.state == WAITING:
            return [self._change([], at, "freed", seat=seat, id=id)]
        self._require_playing()
        if self.seats.is_bot(seat):
            raise Refused("bot_seat", "a bot sits there already")
        return [self._change([], at, "filled", seat=seat, **_bot(who, level), id=id)]

    def renew_code(self, code: str, *, id: str, at: int) -> list[Change]:
        """Give the table another code, for the host; the old one stops working."""
        if self.state == OVER:
            raise Refused("not_playing", "the game is over")
        return [self._change([], at, "renewed", code=code, id=id)]

    def play(
        self,
        seat: int,
        version: int,
        action: str,
        *,
        now: Moment,
        id: str | None = None,
        bot: bool = False,
    ) -> list[Change]:
        """Play an action for a seat; ``version`` is the last change that its player had seen."""
        game = self._require_playing()
        self._require_seat(seat)
        self._require_current(seat, version)
        if self.course is not None and not bot:
            require_asked(self.course, game, action)
        after = game.copy()
        try:
            after.advance(action, seat=seat)
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

    def undo(self, seat: int, version: int, *, id: str, at: int) -> list[Change]:
        """Take back a seat's last action."""
        game = self._require_playing()
        self._require_seat(seat)
        if version > self.seq:
            raise Refused("stale", "this version does not exist yet")
        if not self.can_undo(seat):
            raise Refused(
                "no_undo", "something hidden was revealed, or somebody else has moved since"
            )
        number = len(game.facts) - self.moves[-1].first_fact
        return [self._change([], at, "undone", seat=seat, facts=number, id=id)]

    def go_to_step(self, seat: int, step: int, *, id: str, at: int) -> list[Change]:
        """Go to a step of the lesson."""
        self._require_seat(seat)
        if self.course is None or self.game is None:
            raise Refused("not_playing", "nobody takes a lesson at this table")
        if not self.course.may_turn_to(step):
            raise Refused("stale", f"the lesson cannot go on to step {step} yet")
        relaid = self.course.lays_anew(step)
        undone = len(self.game.facts) if relaid else 0
        return [
            self._change(
                [], at, "stepped", seat=seat, step=step, relaid=relaid, undone=undone, id=id
            )
        ]

    def hint(self, seat: int, version: int, *, id: str, at: int) -> list[Change]:
        """Note that a seat is given hints for its current decision."""
        self._require_playing()
        self._require_seat(seat)
        if not self.has_hints:
            raise Refused("hints_off", "the host has not allowed hints at this table")
        if not self.awaits(seat):
            raise Refused("stale", "this seat has nothing to decide")
        self._require_current(seat, version)
        return [self._change([], at, "hinted", seat=seat, id=id)]

    def keep_review(self, review: Mapping[str, Any], *, at: int) -> list[Change]:
        """Keep the review of the finished game; the first one counts."""
        if self.state != OVER:
            raise Refused("not_over", "the game is not over yet")
        if self.review is not None:
            return []
        return [self._change([], at, "reviewed", review=review)]

    def say(self, seat: int, text: str, *, id: str, at: int) -> list[Change]:
        """Say something to everybody."""
        self._require_seat(seat)
        if not self.setup.chat:
            raise Refused("chat_off", "this table has no chat")
        return [self._change([], at, "said", seat=seat, text=text, id=id)]

    def leave(self, seat: int, *, id: str, at: int) -> list[Change]:
        """Let a bot play a person's seat from now on; before the game, free the seat."""
        self._require_seat(seat)
        if self.state == WAITING and self.seats.came_by_link(seat):
            return [self._change([], at, "freed", seat=seat, id=id)]
        self._require_playing()
        if self.course is not None:
            raise Refused("bad_message", "a lesson cannot be left to a bot")
        return [self._change([], at, "left", seat=seat, id=id)]

    def takeover(self, seat: int, *, id: str, at: int) -> list[Change]:
        """Take a seat back from the bot."""
        self._require_seat(seat)
        self._require_playing()
        return [self._change([], at, "back", seat=seat, id=id)]

    def ask_rematch(self, table: str, code: str, *, id: str, at: int) -> list[Change]:
        """Announce the table of the next game; the first request counts."""
        if self.state != OVER:
            raise Refused("not_over", "the game is not over yet")
        if self.rematch is not None:
            raise Refused("not_over", "there is already a table for the next game")
        return [self._change([], at, "rematch", table=table, code=code, id=id)]

    def _change(self, before: list[Change], at: int, kind: str, **data: Any) -> Change:
        return Change(self.seq + len(before) + 1, at, kind, data)

    def _with_start_if_full(self, before: list[Change], at: int) -> list[Change]:
        """Return the changes so far, and the start of the game if nothing else has to happen."""
        full = len(self.seats.free) == len(before)
        return self._with_start(before, at) if full and self.setup.start == WHEN_FULL else before

    def _with_start(self, before: list[Change], at: int, id: str | None = None) -> list[Change]:
        """Return the changes so far, and the start of the game."""
        game = self._game_factory(self.board, self.setup)
        data: dict[str, Any] = {
            "seed": int(game.state.seed),
            "first_player": int(game.state.first_player),
            "facts": list(game.facts),
        }
        if game.start.position is not None:
            data["start"] = game.start.position
        if id is not None:
            data["id"] = id
        return [*before, Change(self.seq + len(before) + 1, at, "started", data, game)]

    def _require_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats.count:
            raise Refused("not_found", f"there is no seat {seat} at this table")

    def _require_playing(self) -> Game:
        if self.game is None:
            raise Refused("not_playing", "the game has not begun")
        if self.game.over:
            raise Refused("not_playing", "the game is over")
        return self.game

    def _require_not_started(self) -> None:
        if self.game is not None:
            raise Refused("not_playing", "the game has begun")

    def _require_current(self, seat: int, version: int) -> None:
        """Refuse an action that was chosen before the seat's current decision.

        What others have done since does not matter: in the set-up all choose at once (S2).
        """
        if self.awaits(seat) and not self._decision_since[seat] <= version <= self.seq:
            raise Refused("stale", "the situation has changed since this was chosen")

    # ------------------------------------------------------------------------ applying

    def apply(self, change: Change, now: float) -> None:
        """Apply a change that has been written to disk."""
        if change.seq != self.seq + 1:
            raise ValueError(f"change {change.seq} cannot follow change {self.seq}")
        self.seq = change.seq
        APPLIERS[change.kind](self, change, self.seats.watch.read(now))
        id = change.data.get("id")
        if id is not None:
            self._accepted.setdefault(change.data.get("seat"), Accepted()).add(id, self.seq)

    def _joined(self, change: Change, reading: float) -> None:
        data = change.data
        self.seats.sit(data["seat"], data["name"], data["token"], reading)

    def _filled(self, change: Change, reading: float) -> None:
        data = change.data
        self.seats.sit_bot(data["seat"], data["name"], data["level"], data.get("face"))

    def _freed(self, change: Change, reading: float) -> None:
        self.seats.clear(change.data["seat"])

    def _left(self, change: Change, reading: float) -> None:
        self.seats.left.add(change.data["seat"])

    def _came_back(self, change: Change, reading: float) -> None:
        self.seats.left.discard(change.data["seat"])

    def _renewed(self, change: Change, reading: float) -> None:
        self.code = change.data["code"]

    def _rematched(self, change: Change, reading: float) -> None:
        self.rematch = {"table": change.data["table"], "code": change.data["code"]}

    def _said(self, change: Change, reading: float) -> None:
        data = change.data
        self.lines.append(
            {"seq": change.seq, "seat": data["seat"], "text": data["text"], "at": change.at}
        )
        del self.lines[:-MAX_LINES]

    def _reviewed(self, change: Change, reading: float) -> None:
        self.review = change.data["review"]

    def _hinted(self, change: Change, reading: float) -> None:
        self.hints_given[change.data["seat"]] += 1

    def _started_game(self, change: Change, reading: float) -> None:
        self.game = change.game or self._read_start(change.data)
        self.marks = Marks((0, 0), (self.seq, len(self.game.facts)))
        if self.course is not None:
            self.course.arrive(self.game)
        for seat in range(self.seats.count):
            self._decision_since[seat] = self.seq
            if self.awaits(seat):
                self.clock.begin(seat, reading)

    def _read_start(self, data: Mapping[str, Any]) -> Game:
        start = Start(
            self.board,
            players=self.seats.count,
            seed=data["seed"],
            first_player=data["first_player"],
            position=data.get("start"),
        )
        return _replayed(start, data["facts"])

    def _played(self, change: Change, reading: float) -> None:
        game = self._require_playing()
        data, seat, turn = change.data, change.data["seat"], game.state.turn
        self.moves.append(Move(seat, len(game.facts), data["bot"]))
        before = game.state
        if change.game is not None:
            self.game = change.game
        else:
            self.game = game.copy()
            self.game.follow(_facts(data["facts"]))
        if can_undo(self.moves, self.game.facts, seat):
            self._states = [*self._states[1 - MAX_STATES :], before]
        else:
            # Nothing up to here can be taken back any more.
            self._states, self.moves = [], []
        self.marks.add(self.seq, len(self.game.facts))
        self.worked_out.note(self.game.state.tables, data["facts"])
        self.clock.charge(seat, data.get("spent", 0.0))
        if self.game.state.turn != turn:
            self.clock.turn_began(int(self.game.state.seat))
        if self.course is not None:
            self.course.note(self.game, seat)
        self._decision_moved(seat, reading)

    def _stepped(self, change: Change, reading: float) -> None:
        assert self.course is not None
        assert self.game is not None
        self.game = self.course.turn_to(change.data["step"], self.game)
        if change.data["relaid"]:
            self.moves, self._states = [], []
            self.worked_out.forget()
            self.marks = Marks((self.seq, len(self.game.facts)))
        for seat in range(self.seats.count):
            self._decision_since[seat] = self.seq

    def _undone(self, change: Change, reading: float) -> None:
        game = self._require_playing()
        move = self.moves.pop()
        turn = game.state.turn
        awaited = int(game.state.seat)
        kept = game.facts.first(move.first_fact)
        if self._states:
            self.game = Game.resumed(game.start, self._states.pop(), kept)
        else:
            self.game = _replayed(game.start, kept)
        if self.game.state.turn != turn:
            self.clock.turn_taken_back(awaited)
        self.worked_out.forget()
        # Those who missed the action cannot be told that it was undone: they get everything anew.
        self.marks = Marks((self.seq, len(kept)))
        self._decision_moved(move.seat, reading)

    def _decision_moved(self, mover: int, reading: float) -> None:
        """Update whose decisions begin and end after a seat has moved."""
        for seat in range(self.seats.count):
            if not self.awaits(seat):
                self.clock.end(seat)
            elif seat == mover or not self.clock.awaited(seat):
                self._decision_since[seat] = self.seq
                self.clock.begin(seat, reading)


APPLIERS: Mapping[str, Callable[[Table, Change, float], None]] = {
    "joined": Table._joined,
    "filled": Table._filled,
    "freed": Table._freed,
    "left": Table._left,
    "back": Table._came_back,
    "renewed": Table._renewed,
    "rematch": Table._rematched,
    "said": Table._said,
    "hinted": Table._hinted,
    "reviewed": Table._reviewed,
    "started": Table._started_game,
    "played": Table._played,
    "undone": Table._undone,
    "stepped": Table._stepped,
}
"""How each kind of change is applied."""


def _bot(who: Character, level: str) -> dict[str, str]:
    """Return what is written down of a bot that sits down."""
    return {"name": who.name, "level": level, "face": who.face}


def _replayed(start: Start, facts: Iterable[Iterable[int]]) -> Game:
    """Return a game after some facts, which tell all that chance and the rules decided."""
    game = Game.resumed(start, start.state(), [])
    game.follow(_facts(facts))
    return game


def _facts(written: Iterable[Iterable[int]]) -> list[tuple[int, ...]]:
    """Return facts as the engine notes them; JSON has read them as lists."""
    return [tuple(fact) for fact in written]


def restore(
    setup: TableSetup, changes: Iterable[Change], game_factory: GameFactory = new_game
) -> Table:
    """Rebuild a table from its changes, with nobody connected."""
    table = Table(setup, game_factory)
    for change in changes:
        table.apply(change, 0.0)
    return table
