"""The referee for people and programs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.engine import rules
from fernzug.engine.fold import fold
from fernzug.engine.state import NONE, OVER, State
from fernzug.errors import IllegalAction, Reason, is_one_of, no_seat
from fernzug.events import PHASES, Event, event_of
from fernzug.history import History
from fernzug.notation import Action, NotationError, notation_of
from fernzug.position import position_of
from fernzug.reasons import objection
from fernzug.score import ScoreSheet, score_sheets
from fernzug.start import Start, dealt, from_position
from fernzug.view import View, view_of

if TYPE_CHECKING:
    from fernzug.record import Record


class Game:
    """One game: whose decision it is, what they may do, and what has happened.

    ``board`` is the id of a board, a path to a board file or a :class:`~fernzug.board.model.Board`.
    Without a ``seed`` the game is different every time; without a ``first_player`` the seed decides
    who starts.
    """

    def __init__(
        self,
        board: str | os.PathLike[str] | Board,
        players: int,
        seed: int | None = None,
        first_player: int | None = None,
    ) -> None:
        self._name = board.id if isinstance(board, Board) else os.fspath(board)
        self._begin(dealt(board_files.at_hand(board), players, seed, first_player))

    @classmethod
    def from_position(
        cls, position: Mapping[str, Any], board: str | os.PathLike[str] | Board | None = None
    ) -> Game:
        """Return a game that starts from a position; see the documentation for its keys.

        ``board`` replaces the board of the position. ``ValueError`` says why a
        position is impossible.
        """
        if not isinstance(position, Mapping):
            raise ValueError(f"a position is a mapping, not {position!r}")
        named = position.get("board") if board is None else board
        if named is None or "players" not in position:
            raise ValueError("a position names at least 'board' and 'players'")
        if not isinstance(named, str | os.PathLike | Board):
            raise ValueError(f"'board' must be the id of a board or a path, not {named!r}")
        game = cls.__new__(cls)
        game._name = named.id if isinstance(named, Board) else os.fspath(named)
        game._begin(from_position(board_files.at_hand(named), position, game._name))
        return game

    @classmethod
    def resumed(cls, start: Start, state: State, facts: Sequence[tuple[int, ...]]) -> Game:
        """Return a game whose facts have led from a start to a state."""
        game = cls.__new__(cls)
        game._name = start.board.id
        game._continue(start, state, facts)
        return game

    def _begin(self, start: Start) -> None:
        state = start.begin()
        self._continue(start, state, state.journal or [])

    def _continue(self, start: Start, state: State, facts: Sequence[tuple[int, ...]]) -> None:
        self.start = start
        self.board: Board = start.board
        self._state = state
        self.facts = facts.first(len(facts)) if isinstance(facts, History) else History(facts)
        """What has happened, as the engine notes it."""
        state.journal = []

    def _note(self) -> list[tuple[int, ...]]:
        """Return what the engine has noted since the last time, and remember it."""
        noted = self._state.journal or []
        self._state.journal = []
        self.facts.extend(noted)
        return noted

    # ------------------------------------------------------------------------ asking

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self._state.players)

    @property
    def seat(self) -> int | None:
        """The seat to decide; None when the game is over.

        In the set-up all choose at the same time (S2): it is the first that has not chosen.
        """
        return None if self._state.seat == NONE else int(self._state.seat)

    @property
    def phase(self) -> str:
        """``setup``, ``turn``, ``second_card``, ``keep`` or ``over``."""
        return PHASES[self._state.phase]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state.phase == OVER)

    @property
    def state(self) -> State:
        """The engine's state, for programs that work at its speed; do not change it, copy it."""
        return self._state

    @property
    def events(self) -> list[Event]:
        """Everything that has happened since the start of the game or its starting position."""
        return [event_of(self._state.tables, fact) for fact in self.facts]

    def legal(self, seat: int | None = None) -> list[Action]:
        """Return every legal action of the seat to decide, sorted, each once.

        ``seat`` asks for another seat: in the set-up for any that has not chosen yet.
        """
        if seat is not None and not is_one_of(seat, range(self.players)):
            raise ValueError(str(no_seat(seat, self.players)))
        who = self._state.seat if seat is None else seat
        notation = notation_of(self.board)
        return [notation.action(number) for number in rules.legal(self._state, who)]

    def view(self, seat: int | None) -> View:
        """Return what a seat may know; ``view(None)`` is for a spectator."""
        return view_of(self._state, seat, self._name)

    def scores(self) -> list[ScoreSheet]:
        """Return a score sheet for each seat, as if the game ended now."""
        return score_sheets(self._state)

    def position(self) -> dict[str, Any]:
        """Return everything the referee knows, as a readable JSON object."""
        return position_of(self._state, self._name)

    # ------------------------------------------------------------------------ playing

    def play(self, action: Action | str, seat: int | None = None) -> list[Event]:
        """Play an action for the seat to decide; return what happened.

        In the set-up every seat that has not chosen may choose, in any order: ``seat`` says which.
        An action that is not legal raises :class:`~fernzug.IllegalAction` and changes nothing.
        """
        return [event_of(self._state.tables, fact) for fact in self.advance(action, seat)]

    def advance(self, action: Action | str, seat: int | None = None) -> list[tuple[int, ...]]:
        """Play an action as :meth:`play` does; return what happened as facts instead of events."""
        number = self._number(action)
        if seat is not None and not is_one_of(seat, range(self.players)):
            raise self._refusal(no_seat(seat, self.players))
        who = (0 if self.seat is None else self.seat) if seat is None else seat
        if number not in rules.legal(self._state, who):
            raise self._refusal(objection(self._state, who, number))
        rules.apply(self._state, who, number)
        return self._note()

    def follow(self, facts: Sequence[tuple[int, ...]]) -> None:
        """Apply facts of this game that come from elsewhere, without checking them."""
        self._state.journal = None
        for fact in facts:
            fold(self._state, fact)
        self._state.journal = []
        self.facts.extend(facts)

    def _number(self, action: Action | str) -> int:
        notation = notation_of(self.board)
        try:
            if isinstance(action, str):
                return notation.number(action)
            if isinstance(action, Action) and notation.action(action.number).text == action.text:
                return action.number
        except NotationError as error:
            raise self._refusal(error.why) from None
        except ValueError:
            pass
        raise self._refusal(Reason("foreign", board=self.board.name, word=str(action)))

    def _refusal(self, why: Reason) -> IllegalAction:
        return IllegalAction(why.in_english(self.board), self.position(), why)

    # ------------------------------------------------------------------------ keeping

    def copy(self) -> Game:
        """Return an independent copy."""
        other = Game.resumed(self.start, self._state.copy(), self.facts)
        other._name = self._name
        return other

    def record(self) -> Record:
        """Return the game so far as a record that can be written, read and replayed."""
        from fernzug.record import record_of  # reading and writing files is rarely needed

        return record_of(self)

    def __repr__(self) -> str:
        awaited = "" if self.over else f", seat {self.seat}"
        return f"<Game {self._name}, {self.players} players, {self.phase}{awaited}>"
