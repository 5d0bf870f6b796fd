"""Try every way through a lesson: whatever the pupil does, it must go on to the end."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from fernzug.board.lines import lines_of
from fernzug.board.model import Fault
from fernzug.game import Game
from fernzug.lessons.course import Course
from fernzug.lessons.model import PUPIL, Lesson

MAX_SITUATIONS = 4000
"""A lesson with more situations asks for too little in particular to be tried in full."""


@dataclass
class Rehearsal:
    """What came of trying everything."""

    faults: list[Fault] = field(default_factory=list)
    situations: int = 0
    """How many different situations the pupil can get into."""
    actions: int = 0
    """How many actions the pupil may take in them altogether."""


@dataclass(frozen=True, slots=True)
class _Situation:
    course: Course
    game: Game
    story: tuple[str, ...]
    """What the pupil has done since the cards were last laid out."""


def rehearse(lesson: Lesson) -> Rehearsal:
    """Try every action that is asked for in every situation, and report where it does not go on.

    Each step is reported once, with the first way that leads to the fault.
    """
    result = Rehearsal()
    lines = lines_of(lesson.source)
    blamed: set[int] = set()

    def blame(number: int, words: str, story: tuple[str, ...]) -> None:
        if number not in blamed:
            blamed.add(number)
            after = f" (after {', then '.join(story)})" if story else ""
            text = f"step {number + 1}: {words}{after}"
            result.faults.append(Fault(lines.get(("steps", number)), text))

    course = Course(lesson)
    open_ends = [_Situation(course, course.begin(), ())]
    seen: set[str] = set()
    while open_ends:
        now = open_ends.pop()
        mark = f"{now.course.number} {json.dumps(now.game.position(), sort_keys=True)}"
        if mark in seen:
            continue
        seen.add(mark)
        if len(seen) > MAX_SITUATIONS:
            blame(
                now.course.number,
                f"there are more than {MAX_SITUATIONS} situations to get into by then; "
                "ask for something more definite, or lay out a new position",
                (),
            )
            break
        number, step = now.course.number, now.course.step
        if not step.asks:
            if not now.course.last:
                later = now.course.copy()
                story = () if lesson.steps[number + 1].position else now.story
                open_ends.append(_Situation(later, later.turn_to(number + 1, now.game), story))
            continue
        asked = now.course.asked(now.game)
        if not asked:
            blame(number, "nothing of what is asked can be done", now.story)
        result.actions += len(asked)
        for action in asked:
            story = (*now.story, f"'{action.text}'")
            later, game = now.course.copy(), now.game.copy()
            game.play(action, PUPIL)
            later.note(game, PUPIL)
            fault = _answer(later, game)
            if fault is not None:
                blame(number, fault, story)
            else:
                open_ends.append(_Situation(later, game, story))
    result.situations = len(seen)
    result.faults.sort(key=lambda fault: fault.line or 0)
    return result


def _answer(course: Course, game: Game) -> str | None:
    """Let the opponents play their script; return in words what is wrong with it."""
    while course.script:
        seat = course.opponent(game)
        if seat is None:
            return f"'then' has {course.script[0][0]!r}, but no opponent is to decide"
        try:
            text = course.scripted(game)
        except ValueError as error:
            return f"in 'then', {error}"
        game.play(text, seat)
        course.note(game, seat)
    if game.seat not in (None, PUPIL):
        return "'then' ends while an opponent is still to decide"
    return None
