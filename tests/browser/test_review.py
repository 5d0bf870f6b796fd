"""The review of a finished game in the browser, and trying again from a mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, Route, expect

from browser.conftest import Open
from browser.games import EVERYTHING, Games

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL_PHONE = PHONE | {"viewport": {"width": 360, "height": 640}}
TABLET = PHONE | {"viewport": {"width": 820, "height": 1180}}


@pytest.fixture(scope="module")
def finished(games: Games) -> str:
    """A game of two in London that is over."""
    return cache(games.begun)("london", EVERYTHING, opponents=1)


def review(page: Page) -> None:
    """Go from the end of a game to its review, and wait until it is worked out."""
    page.locator("[data-review-link]").click()
    page.wait_for_selector("[data-review=running], [data-review=done]")
    page.wait_for_selector("[data-review=done]", timeout=300_000)


def box_of(page: Page, which: str) -> FloatRect:
    """Return where something is on the page."""
    box = page.locator(which).bounding_box()
    assert box is not None
    return box


def test_a_review_with_trying_again(open_page: Open, finished: str) -> None:
    page = open_page(finished)
    review(page)
    expect(page.locator("[data-summary]")).to_contain_text(re.compile(r"You played \d+ of 100"))
    expect(page.locator("[data-graph] polyline")).to_have_count(2)
    page.locator("[data-next-mistake]").click()
    mistake = page.locator("[data-mistake]")
    expect(mistake).to_contain_text("Played")
    expect(mistake).to_contain_text("Better")
    expect(
        page.locator("[data-log] .blunder, [data-log] .mistake, [data-log] .slip")
    ).not_to_have_count(0)

    # A click into the graph goes there.
    box = box_of(page, "[data-graph]")
    page.mouse.click(box["x"] + box["width"] * 0.98, box["y"] + 60)
    slider = page.locator("input[type=range]")
    most = int(slider.get_attribute("max") or 0)
    assert int(slider.input_value()) >= most - 2 > 0
    page.keyboard.press("Home")
    page.locator("[data-next-mistake]").click()

    page.locator("[data-again]").click()
    page.wait_for_selector(".screen[data-turn=mine][data-busy='']")
    expect(page.locator("[data-seeded]")).to_be_visible()


def test_a_review_stays_with_its_table(open_page: Open, finished: str) -> None:
    """Whoever comes later does not wait for it, and the replay has it as well."""
    page = open_page(finished)
    page.wait_for_selector("[data-end]")
    page.get_by_role("link", name="Replay").click()
    page.locator("[data-open-review]").click()
    page.wait_for_selector("[data-review=done]", timeout=300_000)
    page.locator("[data-open-review]").click()
    expect(page.locator("[data-review]")).to_have_count(0)


def test_the_slider_and_the_graph_share_one_axis(open_page: Open, finished: str) -> None:
    page = open_page(finished)
    review(page)
    slider = page.locator("input[type=range]")
    for key in ("Home", "End"):
        slider.press(key)
        track = box_of(page, "input[type=range]")
        # The middle of a knob of 24 px is never nearer to an end of the slider than 12 px.
        knob = track["x"] + (12 if key == "Home" else track["width"] - 12)
        now = box_of(page, "[data-now]")
        assert abs(now["x"] + now["width"] / 2 - knob) <= 1.5, key


def test_the_list_shows_the_turns_that_are_asked_for(open_page: Open, finished: str) -> None:
    page = open_page(finished)
    review(page)
    rows = page.locator("[data-log] li")
    everything = rows.count()
    page.locator("[data-show=mine]").click()
    expect(page.locator("[data-show=mine]")).to_have_attribute("aria-pressed", "true")
    mine = rows.count()
    page.locator("[data-show=mistakes]").click()
    marks = page.locator("[data-log] .blunder, [data-log] .mistake, [data-log] .slip")
    expect(marks).to_have_count(rows.count())
    assert 0 < rows.count() < mine < everything
    page.locator("[data-show=all]").click()
    expect(rows).to_have_count(everything)


def test_the_better_route_glows_and_the_played_one_fades(open_page: Open, finished: str) -> None:
    page = open_page(finished)
    review(page)
    next_one = page.locator("[data-next-mistake]")
    routes = []
    while next_one.is_enabled():
        next_one.click()
        played = page.locator(".played[data-mark]")
        if played.count():
            route = played.get_attribute("data-mark")
            routes.append(route)
            expect(page.locator(f"[data-faded='{route}']")).to_have_count(1)
            expect(page.locator(f"[data-lit='{route}']")).to_have_count(0)
        better = page.locator(".better[data-mark]")
        if better.count():
            route = better.get_attribute("data-mark")
            routes.append(route)
            expect(page.locator(f"[data-lit='{route}']")).to_have_count(1)
    assert routes


Change = Callable[[dict[str, Any]], None]


def told(page: Page, change: Change) -> None:
    """Come to the review as if the server told of another one than it has."""

    def answer(route: Route) -> None:
        found = route.fetch().json()
        change(found)
        route.fulfill(json=found)

    page.route("**/api/review/*", answer)
    page.reload()


def test_a_review_that_was_stopped_shows_what_it_has(open_page: Open, finished: str) -> None:
    page = open_page(finished)
    review(page)

    def half(found: dict[str, Any]) -> None:
        found["state"] = "stopped"
        found["done"] = found["total"] // 2
        found["win"] = found["win"][: len(found["win"]) // 2]

    told(page, half)
    page.wait_for_selector("[data-review=stopped]")
    expect(page.locator("progress")).to_be_visible()
    hatched, graph = box_of(page, "[data-open]"), box_of(page, "[data-graph]")
    assert 0.2 < hatched["width"] / graph["width"] < 0.8


def test_a_review_without_mistakes_names_the_luck(open_page: Open, finished: str) -> None:
    page = open_page(finished)
    review(page)

    def flawless(found: dict[str, Any]) -> None:
        for decision in found["decisions"]:
            decision.update(verdict="best", loss=0.0, best=decision["action"])

    told(page, flawless)
    page.wait_for_selector("[data-review=done]")
    expect(page.locator("[data-no-mistake]")).to_contain_text(re.compile(r"luck: \S?\d+"))


@pytest.mark.parametrize("phone", [PHONE, SMALL_PHONE], ids=["phone", "small phone"])
def test_a_review_on_a_phone(open_page: Open, finished: str, phone: dict[str, Any]) -> None:
    page = open_page(finished, settings={"lang": "de"}, **phone)
    review(page)
    expect(page.locator("[data-summary]")).to_contain_text("von 100 gespielt")
    page.locator("[data-next-mistake]").click()
    expect(page.locator("[data-mistake]")).to_contain_text("Besser")
    wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    assert not wide

    # The parts stand below each other: none is cut off, and the board has what they leave.
    height = phone["viewport"]["height"]
    parts = ("[data-summary]", ".stage", "[data-mistake]", "input[type=range]", "[data-again]")
    boxes = [box_of(page, part) for part in parts]
    for above, below in pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"] + 1
    assert boxes[-1]["y"] + boxes[-1]["height"] <= height
    assert boxes[1]["height"] >= 0.25 * height

    # The list lies behind its icon, and leads back to the board.
    expect(page.locator("[data-log]")).to_be_hidden()
    page.locator("[data-list]").click()
    assert box_of(page, "[data-log]")["width"] >= 0.95 * phone["viewport"]["width"]
    assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    page.locator("[data-show=mistakes]").click()
    page.locator("[data-log] button").first.click()
    expect(page.locator("[data-log]")).to_be_hidden()
    expect(page.locator("[data-mistake]")).to_be_visible()


def test_a_phone_comes_near_to_the_route_that_was_a_mistake(open_page: Open, finished: str) -> None:
    page = open_page(finished, **PHONE)
    review(page)
    next_one = page.locator("[data-next-mistake]")
    while not page.locator(".played[data-mark]").count():
        next_one.click()
    route = page.locator(".played[data-mark]").get_attribute("data-mark")
    middle = f"g[data-route='{route}'] .space >> nth=0"
    width = "document.querySelector('.world').getBoundingClientRect().width"
    page.wait_for_function(f"() => {width} > 1.3 * innerWidth")
    box, stage = box_of(page, middle), box_of(page, ".stage")
    assert stage["x"] <= box["x"]
    assert box["x"] + box["width"] <= stage["x"] + stage["width"]
    assert stage["y"] <= box["y"]
    assert box["y"] + box["height"] <= stage["y"] + stage["height"]
    # Where there is nothing to look at, the board is whole again.
    page.locator("input[type=range]").press("Home")
    page.wait_for_function(f"() => {width} <= innerWidth")


def test_a_review_on_a_tablet_held_upright(open_page: Open, finished: str) -> None:
    page = open_page(finished, settings={"lang": "fr"}, **TABLET)
    review(page)
    page.locator("[data-next-mistake]").click()
    stage, panel = box_of(page, ".stage"), box_of(page, "[data-review]")
    assert stage["width"] >= 800
    assert panel["y"] >= stage["y"] + stage["height"]
    for part in ("[data-again]", "[data-next-mistake]", "[data-log]"):
        box = box_of(page, part)
        assert box["y"] + min(box["height"], 44) <= 1180, part
    assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
