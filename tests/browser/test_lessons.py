"""Lessons in the browser: by mouse on every board, by keyboard alone, and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.player import Player, Toucher, Typist
from browser.pupil import Pupil, TouchingPupil, TypingPupil
from fernzug.lessons import lesson, lessons

BASE = lessons()[0]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def looking(page: Page, pictures: Path, name: str) -> Callable[[int], None]:
    """Return what takes a picture of each step."""

    def look(step: int) -> None:
        page.screenshot(path=pictures / f"lesson-{name}-{step:02}.png")

    return look


# Whether the bubble has come to rest and leaves something free.
APART = """(which) => {
  const box = (one) => document.querySelector(one)?.getBoundingClientRect();
  const bubble = box('.bubble:not(.gliding)');
  const other = box(which);
  return bubble !== undefined && (bubble.right <= other.left || other.right <= bubble.left
    || bubble.bottom <= other.top || other.bottom <= bubble.top);
}"""


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_by_mouse(open_page: Open, pictures: Path, name: str) -> None:
    page = open_page("#/learn")
    pupil = Pupil(Player(page), name)
    pupil.look = looking(page, pictures, name)
    pupil.begin()
    pupil.go_through()
    if pupil.player.phase == "over":
        page.wait_for_function(APART, arg=".banner")
    pupil.finish()


def test_a_lesson_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("#/learn")
    pupil = TypingPupil(Typist(page), BASE)
    pupil.begin()
    pupil.go_through()
    pupil.finish()


def test_a_lesson_on_a_phone(open_page: Open, pictures: Path) -> None:
    page = open_page("#/learn", settings={"lang": "de"}, **PHONE)
    pupil = TouchingPupil(Toucher(page), BASE)
    pupil.look = looking(page, pictures, "phone")
    pupil.begin()
    pupil.go_through()
    pupil.finish()


def test_the_first_lesson_is_offered_once_and_found_again(open_page: Open) -> None:
    page = open_page()
    page.locator("[data-first-lesson]").click()
    page.wait_for_selector("[data-lesson-step='0']")
    page.goto(page.url.split("#")[0])
    expect(page.locator("[data-board]").first).to_be_visible()
    expect(page.locator("[data-first-lesson]")).to_have_count(0)
    page.locator("a[href='#/learn']").click()
    expect(page.locator(f"[data-lesson={BASE}] button")).to_contain_text("Continue")


def test_a_lesson_is_left_and_resumed(open_page: Open) -> None:
    page = open_page("#/learn")
    pupil = Pupil(Player(page), BASE)
    pupil.begin()
    pupil.go_through(4)
    page.locator("[data-lesson-leave]").click()
    expect(page.locator(f"[data-lesson={BASE}]")).to_contain_text("Step 5 of 14")
    pupil.begin()
    assert pupil.step() == 4
    page.reload()
    assert pupil.step() == 4
    page.locator("[data-lesson-back]").click()
    page.wait_for_selector("[data-lesson-step='3']")
    page.locator("[data-lesson-next]").click()
    page.wait_for_selector("[data-lesson-step='4']")
    page.locator("[data-lesson-skip]").click()
    page.wait_for_selector("[data-lesson-step='5']")


# Notes where the bubble takes a press on its way from place to place, as long as the page lives.
WATCH = """() => {
  window.inTheWay = [];
  let frames = [];
  const moved = (a, b) => a && b && (a.x !== b.x || a.y !== b.y);
  const look = () => {
    const box = document.querySelector('.bubble')?.getBoundingClientRect();
    const hit = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    frames = [...frames.slice(-2), box && { x: box.x, y: box.y, takes: !!hit?.closest('.bubble') }];
    const [before, now, after] = frames;
    if (moved(before, now) && moved(now, after) && now.takes) window.inTheWay.push(now);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_something_else_is_answered_kindly_and_shown_on_request(open_page: Open) -> None:
    page = open_page("#/learn")
    pupil = Pupil(Player(page), BASE)
    pupil.begin()
    pupil.go_through(3)
    page.evaluate(WATCH)
    pupil.go_through(4)
    step = lesson(BASE).steps[4]
    spoken = page.locator("[data-lesson-spoken]")
    expect(spoken).to_contain_text(step.task["en"])
    # Of the hand, what can pay for it is ringed.
    ringed = page.locator("[data-hand].meant")
    expect(ringed).to_have_count(1)
    expect(ringed).to_have_attribute("data-hand", "black")
    # A route that could be built, one that could not, and a card.
    pupil.player.point_at_route("globe_theatre-tower_of_london")
    told = page.locator("[data-told]")
    expect(told).to_have_text(step.replies[1].text["en"])
    assert page.evaluate("() => window.inTheWay") == []
    page.locator("[data-show-me]").click()
    expect(told).to_have_count(0)
    page.locator(".slot.deck").click()
    expect(told).to_have_text(step.replies[0].text["en"])
    expect(spoken).to_have_text(step.replies[0].text["en"])
    pupil.player.point_at_route("baker_street-hyde_park")
    expect(told).to_contain_text("black")
    assert pupil.step() == 4
    pupil.do(4)
    assert pupil.step() == 5


def test_the_bubble_leaves_free_what_it_speaks_of(open_page: Open) -> None:
    """The third step asks for a route on the board, and speaks of the sights beside it."""
    page = open_page("#/learn")
    pupil = Pupil(Player(page), "new_york")
    pupil.begin()
    pupil.go_through(2)
    page.wait_for_function(APART, arg="[data-bonuses]")
