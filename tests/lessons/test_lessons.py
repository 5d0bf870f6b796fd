"""Lessons: every way through them leads to the end, and what is wrong with a file is told."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fernzug
from cli.test_cli import fernzug_command
from fernzug import Game
from fernzug.i18n import LANGUAGES
from fernzug.lessons import Course, Lesson, LessonError, Step, checked, lesson, lessons
from fernzug.lessons.model import PUPIL
from fernzug.lessons.patterns import Pattern, fault_of
from fernzug.lessons.reader import read
from fernzug.lessons.rehearsal import rehearse
from fernzug.notation import notation_of
from paths import DOCS

on_every_lesson = pytest.mark.parametrize("name", lessons())
BASE = lessons()[0]


def test_every_board_has_a_lesson_and_the_first_is_the_longest() -> None:
    found = [lesson(name) for name in lessons()]
    assert {one.board.id for one in found} == set(fernzug.boards())
    assert found[0].board.id == "london"
    assert [one.minutes for one in found] == [3, 1, 1, 1, 1]


@on_every_lesson
def test_every_way_leads_to_the_end(name: str) -> None:
    _, rehearsal = checked(name)
    assert rehearsal.situations > 20
    assert rehearsal.actions > 20


@on_every_lesson
def test_texts_stand_in_three_languages_and_are_short(name: str) -> None:
    for step in lesson(name).steps:
        texts = [step.title, step.text, *(reply.text for reply in step.replies)]
        texts += [step.task] if step.asks else []
        for text in texts:
            assert set(text) == set(LANGUAGES)
        for language in LANGUAGES:
            assert len(step.title[language]) <= 28
            # More than this does not fit into the bubble on a phone.
            assert len(step.text[language]) <= 330, (name, step.title["en"], language)
            assert step.text[language].count("**") % 2 == 0


def test_the_base_lesson_shows_everything() -> None:
    course = Course(lesson(BASE))
    game = course.begin()
    kinds, gray, colored, wild, double = set(), False, False, False, False
    for step, action in walk(course, game, first):
        kinds.add(action.kind)
        if action.route is not None:
            route = game.board.routes[action.route]
            gray |= route.color == "gray"
            colored |= route.color != "gray"
            double |= route.twin is not None
            wild |= "wild" in action.cards
        assert step.asks
    assert kinds == {"keep", "draw", "claim", "tickets"}
    assert (gray, colored, wild, double) == (True, True, True, True)


Choice = Callable[[Course, Game], fernzug.Action]


def first(course: Course, game: Game) -> fernzug.Action:
    return course.asked(game)[0]


def walk(course: Course, game: Game, choose: Choice) -> Iterator[tuple[Step, fernzug.Action]]:
    """Go through a lesson; yield each step that asks for something, with what was done."""
    while True:
        seat = course.opponent(game)
        if seat is not None:
            game.play(course.scripted(game), seat)
            course.note(game, seat)
        elif course.step.asks:
            action = choose(course, game)
            yield course.step, action
            game.play(action, PUPIL)
            course.note(game, PUPIL)
        elif course.last:
            return
        else:
            game = course.turn_to(course.number + 1, game)


@on_every_lesson
@pytest.mark.parametrize("seed", range(3))
def test_everything_that_is_not_asked_for_has_a_reply(name: str, seed: int) -> None:
    dice = random.Random(seed)
    course = Course(lesson(name))
    unanswered = []

    def choose(course: Course, game: Game) -> fernzug.Action:
        asked = course.asked(game)
        for action in game.legal(PUPIL):
            if action not in asked and course.reply(action.text) is None:
                unanswered.append((course.step.title["en"], action.text))
        return dice.choice(asked)

    steps = [step for step, _ in walk(course, course.begin(), choose)]
    assert len(steps) >= 2
    assert course.reply("nonsense") is None
    assert unanswered == []


@on_every_lesson
def test_what_is_asked_depends_on_the_pupils_view_alone(name: str) -> None:
    """The secrets of the table, opponents' cards and the decks, change nothing of what is asked."""
    original = lesson(name)
    for number, step in enumerate(original.steps):
        if step.position is None:
            continue
        game = Game.from_position(step.position, original.board)
        hidden = shuffled(game.position())
        other = Game.from_position(hidden, original.board)
        assert other.view(PUPIL).to_json() == game.view(PUPIL).to_json()
        course = Course(original)
        course.begin()
        course.number = number
        assert course.asked(other) == course.asked(game)


def shuffled(position: dict[str, Any]) -> dict[str, Any]:
    """Return the position with other cards where the pupil cannot see them."""
    dice = random.Random(7)
    hands = position["hands"]
    unseen = list(position["deck"])
    for hand in hands[1:]:
        unseen += [card for card, n in hand.items() for _ in range(n)]
    dice.shuffle(unseen)
    new = dict(position, hands=[hands[0]])
    for hand in hands[1:]:
        drawn = [unseen.pop() for _ in range(sum(hand.values()))]
        new["hands"].append({card: drawn.count(card) for card in set(drawn)})
    new["deck"] = unseen
    new["ticket_deck"] = dice.sample(position["ticket_deck"], len(position["ticket_deck"]))
    return new


@on_every_lesson
def test_going_back_lays_out_the_step_as_it_began(name: str) -> None:
    course = Course(lesson(name))
    game = course.begin()
    begun = {0: game.position()}
    while not (course.last and course.ready):
        number = course.number
        seat = course.opponent(game)
        if seat is not None:
            game.play(course.scripted(game), seat)
            course.note(game, seat)
        elif course.step.asks:
            game.play(course.asked(game)[-1], PUPIL)
            course.note(game, PUPIL)
        else:
            game = course.turn_to(number + 1, game)
        if course.ready:
            begun.setdefault(course.number, game.position())
    assert len(begun) == len(course.lesson.steps)
    for number in reversed(range(len(course.lesson.steps) - 1)):
        assert course.may_turn_to(number)
        assert course.turn_to(number, game).position() == begun[number]
        assert course.ready
        assert course.may_turn_to(number + 1) is not course.step.asks


@pytest.mark.parametrize(
    ("pattern", "action", "fits"),
    [
        ("draw", "draw deck", True),
        ("draw wild", "draw blue", False),
        ("tickets", "tickets", True),
        ("claim", "draw blue", False),
        ("claim gray", "claim globe_theatre-tower_of_london blue*3", True),
        ("claim gray", "claim brick_lane-tower_of_london blue*3", False),
        ("claim st_pauls-tower_of_london", "claim st_pauls-tower_of_london.2 pink*3", True),
        ("claim tower_of_london-st_pauls", "claim st_pauls-tower_of_london yellow*3", True),
        ("claim st_pauls-tower_of_london.1", "claim st_pauls-tower_of_london.2 pink*3", False),
        ("claim * *wild*", "claim st_pauls-tower_of_london yellow*2 wild*1", True),
        ("claim * *wild*", "claim st_pauls-tower_of_london yellow*3", False),
        ("keep 1", "keep 1 2", False),
        ("keep", "keep 1 2", True),
    ],
)
def test_patterns(pattern: str, action: str, fits: bool) -> None:
    board = fernzug.board("london")
    assert fault_of(Pattern(pattern), board) is None
    assert Pattern(pattern).fits(notation_of(board).parse(action), board) is fits


# ---------------------------------------------------------------------------- broken files


def source(name: str = BASE) -> str:
    return lesson(name).source


def faults_of(text: str) -> list[str]:
    try:
        found = read(text, "own")
    except LessonError as error:
        return [str(fault) for fault in error.faults]
    return [str(fault) for fault in rehearse(found).faults]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('board     = "london"', 'board = "londn"', "did you mean 'london'"),
        ("minutes   = 3", "minutes = 0", "'minutes' must be a whole number from 1"),
        ('opponents = ["Rosa"]', 'opponents = ["Rosa", "Rosa"]', "cannot sit at the table twice"),
        ('opponents = ["Rosa"]', "opponents = []", "for 2 to 4 players, not 1"),
        ('fr = "Première leçon"', 'es = "Lección"', "a text needs 'fr'"),
        ('point = ["hand"]', 'point = ["hadn"]', "did you mean 'hand'"),
        ("route covent_garden-st_pauls", "route covent_garden-st_paul", "did you mean"),
        ('do   = ["draw wild"]', 'do   = ["draw wold"]', "names no card"),
        ('do   = ["draw wild"]', 'do   = ["grab wild"]', "begins with none of"),
        ('do   = ["draw wild"]', 'do   = ["keep x"]', "places in the offer"),
        ('do   = ["draw wild"]', 'doo   = ["draw wild"]', "did you mean 'do'"),
        ('then = ["keep 1"]', 'then = ["keep 7"]', "'keep 7'"),
        ('then = ["keep 1"]', 'then = ["draw deck"]', "none of 'draw deck' is legal"),
        ('then = ["keep 1"]', 'then = ["keep 1", "keep 1"]', "no opponent is to decide"),
        ('then = ["keep 1"]', "", "ends while an opponent is still to decide"),
        ('do   = ["draw wild"]', 'do   = ["draw red*"]', "names no card"),
        ("pink = 2 }, { blue = 4", "pink = 9 }, { blue = 4", "the box has 6"),
        ("yellow = 2, pink = 2", "yellow = 1, pink = 1", "nothing of what is asked can be done"),
        ('until = "turn"', 'until = "dawn"', "'until' must be one of action, turn"),
        ("[[steps]]", "[[steps]", "not valid TOML"),
        ("first_player = 0", "first_player = 7", "'first_player' must be"),
        ('point = ["scores"]', 'do = ["claim"]', "both 'do' and 'task', or neither"),
        ('point = ["scores"]', 'then = ["draw deck"]', "without 'do' has no 'then'"),
    ],
)
def test_broken_files_are_refused_in_words(old: str, new: str, told: str) -> None:
    assert old in source()
    found = faults_of(source().replace(old, new, 1))
    assert any(told in fault for fault in found), found


def test_every_fault_is_told_with_its_line() -> None:
    text = source().replace("minutes   = 3", "minutes = 0").replace('["hand"]', '["hadn"]')
    text = text.replace('do   = ["draw wild"]', 'do   = ["draw wold"]')
    found = faults_of(text)
    assert len(found) == 3
    assert all(re.match(r"line \d+: ", fault) for fault in found)


def test_a_position_of_its_own_follows_only_a_step_to_read() -> None:
    do = 'do   = ["claim covent_garden-st_pauls"]\n'
    assert do in source()
    found = faults_of(source().replace(do, do + "position = {}\n"))
    assert any("only after one that is read" in fault for fault in found)


def test_a_lesson_that_leaves_too_much_open_is_refused(tmp_path: Path) -> None:
    text = source().replace('do    = ["draw"]', 'do    = ["draw", "claim", "tickets", "keep"]')
    body = text.index("# ---- Some turns later")
    draw = text.index('[[steps]]\ntitle.de = "Karten nehmen"')
    step = text[draw:body]
    file = tmp_path / "long.toml"
    file.write_text(text[:body] + step * 4 + text[body:], encoding="utf-8")
    with pytest.raises(LessonError, match="more than 4000 situations"):
        checked(file)


# ---------------------------------------------------------------------------- the command


def test_the_command_lists_and_checks_the_lessons() -> None:
    out, _ = fernzug_command("lessons")
    for name in lessons():
        assert re.search(rf"^{name} ", out, re.MULTILINE)
    listed = json.loads(fernzug_command("lessons", "--json")[0])
    assert [one["id"] for one in listed] == list(lessons())


def test_the_command_checks_a_lesson_of_ones_own(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    shown = re.search(r"```toml\n(.*?)```", (DOCS / "lessons.md").read_text("utf-8"), re.DOTALL)
    assert shown is not None
    good.write_text(shown[1], encoding="utf-8")
    bad.write_text(shown[1].replace("minutes", "minuts"), encoding="utf-8")
    out, _ = fernzug_command("lessons", "check", str(good), BASE)
    assert out.count(": ok, ") == 2
    out, _ = fernzug_command("lessons", "check", str(bad), str(tmp_path / "none.toml"), code=1)
    assert "did you mean 'minutes'" in out
    assert "cannot be read" in out
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    out, _ = fernzug_command("lessons", "check", str(tmp_path / "latin.toml"), code=1)
    assert "UTF-8" in out


def test_a_lesson_knows_its_version() -> None:
    found: Lesson = lesson(BASE)
    assert found.hash != read(found.source + "\n# changed\n", BASE).hash
