"""Somebody's way through a lesson: which step it is, what is asked, and what happens next."""

from __future__ import annotations

from fernzug.engine import rules
from fernzug.game import Game
from fernzug.lessons.model import PUPIL, TURN, Lesson, Step
from fernzug.notation import Action, NotationError, notation_of

Script = tuple[tuple[str, ...], ...]


class Course:
    """The state of one lesson; the game itself belongs to the caller, who plays its actions.

    A step begins when the one before it is done and the opponents have played what their script
    says. One that is only read is done when the pupil says so, with :meth:`turn_to`.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.number = 0
        """The number of the step, counted from 0."""
        self.script: Script = ()
        """What the opponents still have to do before the step begins."""
        self._games: dict[int, Game] = {}
        """The games at the beginning of the steps so far, for going back."""

    @property
    def step(self) -> Step:
        """The current step."""
        return self.lesson.steps[self.number]

    @property
    def last(self) -> bool:
        """Whether this is the last step."""
        return self.number == len(self.lesson.steps) - 1

    @property
    def ready(self) -> bool:
        """Whether the step has begun, and nothing of the opponents' script is left."""
        return not self.script

    def copy(self) -> Course:
        """Return an independent copy; the games of earlier steps are shared."""
        other = Course(self.lesson)
        other.number, other.script, other._games = self.number, self.script, dict(self._games)
        return other

    # ------------------------------------------------------------------------ asking

    def asked(self, game: Game) -> list[Action]:
        """Return every legal action of the pupil that is what the step asks for."""
        if not self.ready or not self.step.asks or not _awaits_pupil(game):
            return []
        return [action for action in game.legal(PUPIL) if self._is_asked(action)]

    def _is_asked(self, action: Action) -> bool:
        step, board = self.step, self.lesson.board
        return any(pattern.fits(action, board) for pattern in step.do) and not any(
            pattern.fits(action, board) for pattern in step.unless
        )

    def reply(self, text: str) -> int | None:
        """Return the number of the step's reply to an action that is not asked for."""
        try:
            action = notation_of(self.lesson.board).parse(text)
        except NotationError:
            return None
        for number, reply in enumerate(self.step.replies):
            if any(pattern.fits(action, self.lesson.board) for pattern in reply.to):
                return number
        return None

    def opponent(self, game: Game) -> int | None:
        """Return the seat of the opponent who is to play next; None if it is the pupil's turn."""
        return None if not self.script or game.seat == PUPIL else game.seat

    def scripted(self, game: Game) -> str:
        """Return what the opponent who is to play does.

        ``ValueError`` says why if the script has nothing that is legal.
        """
        legal = {action.text for action in game.legal()}
        for text in self.script[0]:
            if notation_of(game.board).parse(text).text in legal:
                return text
        raise ValueError(f"none of {', '.join(map(repr, self.script[0]))} is legal")

    # ------------------------------------------------------------------------ going on

    def begin(self) -> Game:
        """Return the game at the beginning of the first step."""
        return self.arrive(self._laid(0))

    def arrive(self, game: Game) -> Game:
        """Begin the current step with a game; return it."""
        self._games[self.number] = game.copy()
        return game

    def note(self, game: Game, seat: int) -> None:
        """Note an action; ``game`` is the game after it."""
        if seat != PUPIL:
            self.script = self.script[1:]
        elif self.step.until != TURN or not _awaits_pupil(game) or game.phase == "turn":
            self.script = self.step.then
            self.number += 1
        else:
            return
        if self.ready:
            self.arrive(game)

    def may_turn_to(self, number: int) -> bool:
        """Whether the pupil may go to a step: back to any, or on from one that is only read."""
        on = self.ready and not self.step.asks and not self.last
        return 0 <= number <= self.number or (on and number == self.number + 1)

    def lays_anew(self, number: int) -> bool:
        """Whether going to a step lays out another game instead of going on with this one."""
        return number <= self.number or self.lesson.steps[number].position is not None

    def turn_to(self, number: int, game: Game) -> Game:
        """Go to a step; return the game at its beginning."""
        later = game
        if number <= self.number:
            later = self._games[number].copy()
        elif self.lays_anew(number):
            later = self._laid(number)
        self.number = number
        self.script = ()
        return self.arrive(later)

    def _laid(self, number: int) -> Game:
        position = self.lesson.steps[number].position
        assert position is not None
        return Game.from_position(position, self.lesson.board)


def _awaits_pupil(game: Game) -> bool:
    return not game.over and bool(rules.awaits(game.state, PUPIL))
