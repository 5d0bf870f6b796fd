"""The start page: which board for whom, and the short ways into a game."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

import fernzug
from browser.conftest import Open
from fernzug import bots

SIZES = [(1440, 900), (1024, 768), (844, 390), (390, 844), (360, 640)]


def pictures(page: Page) -> list[dict[str, float]]:
    """Return how much of each board's picture is in its frame, and how large that is."""
    found: list[dict[str, float]] = page.evaluate(
        """() => [...document.querySelectorAll('[data-board]')].map((card) => {
          const frame = card.querySelector('.picture').getBoundingClientRect();
          const { width, height } = card.querySelector('svg.picture').viewBox.baseVal;
          const drawn = card.querySelector('svg.picture').getBoundingClientRect();
          const whole = drawn.left >= frame.left - 1 && drawn.right <= frame.right + 1
            && drawn.top >= frame.top - 1 && drawn.bottom <= frame.bottom + 1;
          const skew = Math.abs(drawn.width / drawn.height - width / height);
          return { whole: Number(whole && skew < 0.02), area: card.offsetWidth };
        })"""
    )
    return found


def test_every_board_says_whom_it_is_for_on_every_screen(open_page: Open) -> None:
    page = open_page()
    page.wait_for_selector("[data-board] svg.picture")
    expect(page.locator("[data-board] .dots")).to_have_count(len(fernzug.boards()))
    cards = page.locator("[data-board]")
    assert sorted(cards.evaluate_all("all => all.map((one) => one.dataset.board)")) == sorted(
        fernzug.boards()
    )
    for text in cards.all_inner_texts():
        assert re.search(r"\d+\W\d+ min", text), text
        assert re.search(r"\n2\W[45]", text), text
        assert re.search("easy|medium|hard", text), text
    longest = [int(most) for most in re.findall(r"\W(\d+) min", page.inner_text(".boards"))]
    assert longest == sorted(longest), "the shortest game comes first"
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        shown = pictures(page)
        assert all(one["whole"] for one in shown), (width, shown)
        assert len({one["area"] for one in shown}) == 1, "no board is larger than the others"
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width
    # Nobody has to scroll to the buttons on a laptop, whatever the language.
    page.set_viewport_size({"width": 1366, "height": 768})
    for lang in ("de", "fr", "en"):
        page.locator(f".langs [lang={lang}]").click()
        for button in page.locator("[data-quick]").all():
            box = button.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 768, lang
    page.get_by_role("link", name="Rules").click()
    page.wait_for_selector("article table")


def test_a_game_against_bots_is_one_click_away_and_can_be_continued(open_page: Open) -> None:
    page = open_page()
    page.locator("[data-board=london] [data-quick]").click()
    page.wait_for_selector("[data-keep]")
    assert page.locator("[data-seat]").count() == 3
    page.goto(page.url.split("#")[0])
    page.reload()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_selector("[data-keep]")


def test_beginners_are_led_to_the_shortest_board_and_the_weakest_bot(open_page: Open) -> None:
    page = open_page()
    first = page.locator("[data-board]").first
    expect(first).to_be_visible()
    shortest = first.get_attribute("data-board")
    page.locator("[data-first-game]").click()
    page.wait_for_selector("[data-keep]")
    table = page.evaluate(
        "() => fetch('api/tables/' + location.hash.split('/')[2]).then((found) => found.json())"
    )["table"]
    assert table["board"] == shortest
    assert [seat["level"] for seat in table["seats"]] == [None, next(iter(bots.LEVELS))]
