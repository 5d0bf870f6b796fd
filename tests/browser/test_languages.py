"""Three languages: switched at once, remembered, and without a word left behind."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.player import Player

WORDS = {
    "de": {"play": "Spielen", "keep": "Zielkarten wählen", "place": "Tour Eiffel|Eiffelturm"},
    "en": {"play": "Play", "keep": "Choose tickets", "place": "Eiffel Tower"},
    "fr": {"play": "Jouer", "keep": "Choisir des billets", "place": "Tour Eiffel"},
}


def no_word_is_missing(page: Page) -> None:
    """No key and no unfilled value shows on the page."""
    text = page.evaluate("() => document.body.innerText")
    labels = page.evaluate(
        "() => [...document.querySelectorAll('[aria-label], [title], [placeholder]')]"
        ".flatMap((one) => ['aria-label', 'title', 'placeholder'].map((name) =>"
        " one.getAttribute(name) ?? '')).join('\\n')"
    )
    for found in (text, labels):
        assert not re.search(r"\{\w+[|}]|\bundefined\b|\bNaN\b", found)
        assert not re.search(r"\b(status|log|why|pay|rules|settings|end)\.[a-z]\w+\b", found)


@pytest.mark.parametrize("lang", WORDS)
def test_a_game_in_every_language(open_page: Open, lang: str) -> None:
    page = open_page(settings={"lang": lang})
    words = WORDS[lang]
    assert page.evaluate("() => document.documentElement.lang") == lang
    page.wait_for_selector("[data-board=paris]")
    no_word_is_missing(page)
    page.locator("[data-board=paris] a").click()
    expect(page.locator("button[type=submit]")).to_have_text(words["play"])
    no_word_is_missing(page)
    page.locator("button[type=submit]").click()
    expect(page.locator("#offer-title")).to_have_text(words["keep"])
    expect(page.locator(".names")).to_contain_text(re.compile(words["place"]))
    player = Player(page)
    for _ in range(8):
        if not player.wait_for_turn():
            break
        player.move()
    no_word_is_missing(page)
    page.goto(page.url.split("#")[0] + "#/rules/london")
    page.wait_for_selector("article table")
    no_word_is_missing(page)


def test_the_language_changes_at_once_and_stays(open_page: Open) -> None:
    page = open_page()
    heading = page.locator("h1")
    expect(heading).to_have_text("Build routes, connect places")
    page.get_by_role("button", name="DE: Deutsch").click()
    expect(heading).to_have_text("Strecken bauen, Ziele verbinden")
    page.reload()
    expect(heading).to_have_text("Strecken bauen, Ziele verbinden")
