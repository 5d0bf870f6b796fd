"""Lessons at a table: what the pupil may do, and what the pupil is told about it."""

from __future__ import annotations

from fernzug import lessons
from fernzug.game import Game
from fernzug.lessons import Course, Lesson
from fernzug.lessons.model import PUPIL
from fernzug.notation import NotationError, notation_of
from fernzug.table.characters import CHARACTERS
from fernzug.table.protocol import LessonState
from fernzug.table.refused import Refused
from fernzug.table.setup import BOT, SeatSetup, TableSetup


def course_of(setup: TableSetup) -> Course | None:
    """Return the way through the lesson of a table; None if nobody takes a lesson there."""
    if setup.lesson is None:
        return None
    try:
        lesson = lessons.lesson(setup.lesson)
    except ValueError as error:
        raise Refused("not_found", str(error)) from None
    if lesson.hash != setup.lesson_hash:
        raise Refused("not_found", "the lesson has changed since this table was made")
    return Course(lesson)


def lesson_setup(
    lesson: Lesson, *, id: str, code: str, host: str, pupil: SeatSetup, created: int
) -> TableSetup:
    """Return the setup of a table at which somebody takes a lesson."""
    return TableSetup(
        id=id,
        code=code,
        board=lesson.board.id,
        board_hash=lesson.board.hash,
        seats=(pupil, *(_opponent(name) for name in lesson.opponents)),
        host=host,
        created=created,
        # Somebody who goes away wants to go on later: no bot takes the lesson for them.
        grace=None,
        chat=False,
        position=lesson.steps[0].position,
        lesson=lesson.id,
        lesson_hash=lesson.hash,
    )


def _opponent(name: str) -> SeatSetup:
    known = {one.name: one for one in CHARACTERS}
    who = known.get(name, CHARACTERS[0])
    return SeatSetup(BOT, name=name, level=who.level, face=who.face)


def require_asked(course: Course, game: Game, text: str) -> None:
    """Refuse a legal action of the pupil's that is not what the lesson asks for."""
    try:
        wanted = notation_of(game.board).parse(text)
    except NotationError:
        return  # The game says what is wrong with it.
    if wanted in course.asked(game) or wanted not in game.legal(PUPIL):
        return
    reply = course.reply(text)
    words = "the lesson asks for something else"
    if reply is not None:
        words = course.step.replies[reply].text["en"]
    raise Refused("not_asked", words, reply=reply)


def lesson_state(course: Course, game: Game) -> LessonState:
    """Return where the pupil is in the lesson."""
    return {
        "step": course.number,
        "ready": course.ready,
        "asked": [action.text for action in course.asked(game)],
    }
