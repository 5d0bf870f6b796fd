"""Hints in the browser: asked for, followed by pointing, by keys and by touch, and counted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.games import Games
from browser.player import Player, Toucher

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def ask(page: Page) -> list[str]:
    """Ask for hints; return the actions."""
    page.locator("[data-ask-hint]").click()
    page.wait_for_selector("[data-hints=shown]")
    return [str(one.get_attribute("data-hint")) for one in page.locator("[data-hint]").all()]


def follow(page: Page, action: str) -> None:
    """Take a hint: its row leads to the control, which is then pressed."""
    page.locator(f'[data-hint="{action}"]').click()
    word = action.split()[0]
    if word == "claim":
        page.locator("[data-build]").click()
    elif word == "keep":
        page.locator("[data-keep]").click()
    elif word == "tickets":
        page.locator("[data-draw-tickets]:focus").click()
        page.locator("[data-confirm]").click()
    else:
        page.locator(".slot:focus").click()


@pytest.mark.parametrize("board", ["new_york", "usa"])
def test_a_game_with_hints_by_mouse(open_page: Open, board: str) -> None:
    page = open_page()
    player = Player(page)
    player.new_game(board)
    followed = 0
    while followed < 5 and player.wait_for_turn():
        before = player.seq
        actions = ask(page)
        assert 1 <= len(actions) <= 3
        letters = "123" if actions[0].startswith("keep") else "ABC"
        for letter in letters[: len(actions)]:
            expect(page.locator(f"[data-hints] [data-letter={letter!r}]")).to_have_count(1)
        marked = [action for action in actions if action.startswith("claim")]
        expect(page.locator("[data-mark]")).to_have_count(len({one.split()[1] for one in marked}))
        follow(page, actions[0])
        player.done(before)
        followed += 1
        expect(page.locator("[data-hints]")).to_have_count(0)
    assert followed == 5


def test_a_hint_by_keys(open_page: Open, games: Games) -> None:
    page = open_page(games.begun("london", 6))
    page.wait_for_selector(".screen[data-turn=mine][data-busy='']")
    page.keyboard.press("i")
    page.wait_for_selector("[data-hints=shown]")
    assert page.evaluate("document.activeElement.dataset.hint") is not None
    expect(page.locator("[data-live]")).to_contain_text("Hint A:")
    page.keyboard.press("Escape")
    expect(page.locator("[data-hints]")).to_have_count(0)
    page.keyboard.press("i")
    page.wait_for_selector("[data-hints=shown]")
    # The same decision is counted once.
    expect(page.locator("[data-hints]")).to_contain_text("Hint 1 in this game")
    page.keyboard.press("Enter")
    page.wait_for_selector(".option, .slot:focus, [data-draw-tickets]:focus, [data-confirm]")


def test_hints_on_a_phone(open_page: Open) -> None:
    page = open_page("#/new/london", **PHONE)
    player = Toucher(page)
    player.start()
    for _ in range(4):
        assert player.wait_for_turn()
        before = player.seq
        actions = ask(page)
        follow(page, actions[0])
        player.done(before)


def test_tables_of_people_have_hints_only_if_the_host_allows_them(open_page: Open) -> None:
    page = open_page("#/new/london")
    page.get_by_label("On one screen").check()
    page.locator("button[type=submit]").click()
    page.locator("[data-curtain] button").first.click()
    page.wait_for_selector("[data-keep]")
    expect(page.locator("[data-ask-hint]")).to_have_count(0)

    page.goto(page.url.split("#")[0] + "#/new/london")
    page.get_by_label("On one screen").check()
    page.get_by_text("More options").click()
    page.get_by_label("With hints").check()
    page.locator("button[type=submit]").click()
    page.locator("[data-curtain] button").first.click()
    page.wait_for_selector("[data-keep]")
    ask(page)
    expect(page.locator("[data-hints]")).to_contain_text("Everybody at the table sees")
