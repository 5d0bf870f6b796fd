"""Lessons at a table: what is asked, what is refused, and going on after a restart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from changes import with_changes
from fernzug.lessons import lesson, lessons
from fernzug.lessons.model import PUPIL
from fernzug.server import check
from fernzug.table import Change, Refused, Table, TableSetup, protocol, restore, telling
from fernzug.table.clock import Moment
from fernzug.table.teaching import lesson_setup
from fernzug.table.tokens import hash_of
from table.tabletop import HOST, here

on_every_lesson = pytest.mark.parametrize("name", lessons())
BASE = lessons()[0]


class Classroom:
    """A table at which a lesson is taken; what is written is read again as the store would."""

    def __init__(self, name: str) -> None:
        self.setup = lesson_setup(
            lesson(name), id="abc", code="ABCDE", host=hash_of(HOST), pupil=here(0), created=1000
        )
        self.table = Table(self.setup)
        self.table.seats.arrive([PUPIL], 0.0)
        self.written: list[str] = []
        self.known: dict[str, Any] = {"events": []}
        self.do(self.table.open(1000))

    def do(self, changes: list[Change]) -> None:
        for change in changes:
            self.written.append(change.to_text())
            self.table.apply(change, 0.0)
            told: Any = telling.change_messages(self.table, change, [(PUPIL,)], 0.0)
            message = told[PUPIL,]
            check.check(protocol.LessonState, message["views"][0]["lesson"])
            events = self.known["events"]
            if message["undone"]:
                events = events[: -message["undone"]]
            before = [self.known["view"]] if "view" in self.known else []
            [view] = with_changes(before, message["views"])
            self.known = {"events": events + message["events"], "view": view}

    @property
    def state(self) -> Any:
        return self.known["view"]["lesson"]

    def over(self) -> bool:
        return self.table.state == "over"

    @property
    def asks(self) -> bool:
        assert self.table.course is not None
        return self.table.course.step.asks

    def play(self, action: str) -> None:
        self.do(
            self.table.play(
                PUPIL, self.table.seq, action, now=Moment(0.0, 0), id=str(self.table.seq)
            )
        )

    def go(self, step: int) -> None:
        self.do(self.table.go_to_step(PUPIL, step, id=f"go {self.table.seq}", at=1000))

    def answer(self) -> None:
        """Let the opponents play their script."""
        assert self.table.course is not None
        for seat in iter(lambda: next(iter(self.table.bots_to_move(0.0)), None), None):
            assert self.table.game is not None
            text = self.table.course.scripted(self.table.game)
            self.do(self.table.play(seat, self.table.seq, text, now=Moment(0.0, 0), bot=True))

    def advance(self) -> None:
        """Do what the step asks for, or read it."""
        if self.asks:
            self.play(self.state["asked"][0])
            self.answer()
        else:
            self.go(self.state["step"] + 1)

    def restored(self) -> Table:
        setup = TableSetup.from_json(json.loads(json.dumps(self.setup.to_json())))
        changes = [Change.from_text(i, 1000, text) for i, text in enumerate(self.written, 1)]
        return restore(setup, changes)


@on_every_lesson
def test_a_lesson_from_beginning_to_end_with_a_restart_after_every_change(name: str) -> None:
    room = Classroom(name)
    last = len(lesson(name).steps) - 1
    assert not room.setup.seeded
    while room.state["step"] < last or not room.state["ready"]:
        room.advance()
        other = room.restored()
        assert other.game is not None
        assert room.table.game is not None
        assert other.game.position() == room.table.game.position()
        views: Any = telling.seat_views(other, (PUPIL,), telling.Common(other, other.game))
        assert views[0]["lesson"] == room.state
        snapshot: Any = telling.snapshot(other, (PUPIL,), host=False, seen=None, now=Moment(0.0, 0))
        assert snapshot["events"] == room.known["events"]
        assert snapshot["table"]["lesson"] == name
    assert room.state["asked"] == []


def test_what_is_not_asked_is_refused_with_a_reply() -> None:
    room = Classroom(BASE)
    room.go(1)
    with pytest.raises(Refused) as refusal:
        room.play("keep 2")
    assert (refusal.value.code, refusal.value.reply) == ("not_asked", 0)
    assert "this lesson is about" in refusal.value.message
    with pytest.raises(Refused) as refusal:
        room.play("draw deck")
    assert refusal.value.code == "illegal"
    with pytest.raises(Refused) as refusal:
        room.play("nonsense")
    assert refusal.value.code == "illegal"
    room.play("keep 1 2")
    room.answer()
    assert room.state["step"] == 2


def test_nothing_can_be_skipped_except_what_is_read() -> None:
    room = Classroom(BASE)
    for step in (2, 3, 99):
        with pytest.raises(Refused, match="cannot go on"):
            room.go(step)
    room.go(1)
    with pytest.raises(Refused, match="cannot go on"):
        room.go(2)


def test_going_back_takes_everything_back_that_came_after() -> None:
    room = Classroom(BASE)
    for _ in range(6):
        room.advance()
    assert room.state["step"] >= 5
    before = len(room.known["events"])
    room.go(4)
    assert room.state["step"] == 4
    assert len(room.known["events"]) < before
    assert room.known["view"]["view"]["players"][PUPIL]["hand"]["black"] == 2
    assert not room.known["view"]["undo"]
    room.go(1)
    assert room.known["view"]["view"]["phase"] == "setup"
    room.advance()
    assert room.state["step"] == 2


def test_after_the_end_one_can_go_back() -> None:
    room = Classroom(BASE)
    while not room.over():
        room.advance()
    last = len(lesson(BASE).steps) - 1
    assert room.state["step"] == last
    room.go(last - 1)
    assert not room.over()
    room.advance()
    assert room.over()


def test_a_pupil_cannot_be_replaced_by_a_bot() -> None:
    room = Classroom(BASE)
    with pytest.raises(Refused, match="lesson"):
        room.table.leave(PUPIL, id="x", at=0)
    assert room.table.stand_in(PUPIL, 10_000.0) is None
    assert room.table.next_stand_in(10_000.0) is None


def test_a_table_of_another_version_of_its_lesson_is_refused() -> None:
    room = Classroom(BASE)
    for change, told in (({"lesson_hash": "old"}, "changed"), ({"lesson": "gone"}, "no lesson")):
        setup = TableSetup.from_json({**room.setup.to_json(), **change})
        with pytest.raises(Refused, match=told):
            Table(setup)


def test_only_a_table_with_a_lesson_has_steps() -> None:
    room = Classroom(BASE)
    plain = TableSetup.from_json({**room.setup.to_json(), "lesson": None})
    table = restore(plain, [Change.from_text(1, 1000, room.written[0])])
    with pytest.raises(Refused, match="nobody takes a lesson"):
        table.go_to_step(PUPIL, 0, id="x", at=0)
