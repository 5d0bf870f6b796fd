"""What makes a game pleasant: animation, undo, looking back, reasons, tickets on the map."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.conftest import Open
from browser.player import Player


def test_animated_moves_are_shown_and_can_be_skipped(open_page: Open) -> None:
    page = open_page(settings={"speed": "fast", "sound": True})
    player = Player(page)
    player.new_game("paris")
    flown = 0
    page.evaluate(
        """() => {
          window.flown = 0;
          new MutationObserver((all) => {
            for (const one of all) window.flown += one.addedNodes.length;
          }).observe(document.querySelector('div.sky'), { childList: true });
        }"""
    )
    for _ in range(300):
        if not player.wait_for_turn():
            break
        player.move()
    flown = page.evaluate("() => window.flown")
    assert flown > 5
    page.locator("[data-skip]").click()
    page.wait_for_selector("[data-end] [data-total]")


def test_a_route_that_cannot_be_built_says_why(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("usa")
    player.wait_for_turn()
    player.move()
    player.wait_for_turn()
    closed = page.evaluate(
        """() => [...document.querySelectorAll('g.route:not(.open)')]
          .filter((one) => !one.dataset.owner && one.dataset.pieces === '6')
          .map((one) => one.dataset.route)"""
    )
    player.point_at_route(closed[0])
    expect(page.locator(".toast")).to_contain_text(re.compile("missing"))
    expect(page.locator("[data-live]")).to_contain_text(re.compile("missing"))


def test_looking_back_and_the_tickets_on_the_map(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("london")
    for _ in range(10):
        player.wait_for_turn()
        player.move()
    player.wait_for_turn()
    built = page.locator("g[data-owner]:not([data-owner=''])")
    now = built.count()
    page.locator("[data-log] button").last.click()
    expect(page.locator(".past")).to_be_visible()
    expect(built).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".past")).to_have_count(0)
    expect(built).to_have_count(now)
    page.locator("[data-ticket]").first.hover()
    expect(page.locator(".ways")).to_be_visible()
    page.mouse.move(600, 20)
    expect(page.locator(".ways")).to_have_count(0)


def test_a_claim_can_be_taken_back_until_somebody_moves(open_page: Open) -> None:
    page = open_page()
    page.locator("[data-board=paris] a").click()
    page.get_by_label("On one screen").check()
    page.locator("button[type=submit]").click()
    player = Player(page)
    for _ in range(60):
        page.wait_for_selector("[data-curtain], .screen[data-turn=mine][data-busy='']")
        if page.locator("[data-curtain]").count():
            page.get_by_role("button", name="Show my cards").click()
            continue
        claims = player.claims
        player.move()
        if player.claims > claims:
            break
    built = page.locator("g[data-owner]:not([data-owner=''])")
    expect(built).to_have_count(1)
    # The curtain for the next player is down; the one who has just built changes their mind.
    page.locator("[data-undo]").click()
    expect(built).to_have_count(0)


def test_a_finished_game_is_replayed_by_slider_arrows_and_link(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("new_york")
    player.play_to_the_end()
    page.get_by_role("link", name="Replay").click()
    slider = page.locator("input[type=range]")
    expect(slider).to_have_value("0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("2")
    page.keyboard.press("End")
    last = slider.get_attribute("max") or ""
    expect(slider).to_have_value(last)
    pieces = page.locator("g[data-owner]:not([data-owner=''])").count()
    assert int(last) > 20
    assert pieces > 8
    expect(page).to_have_url(re.compile(f"/{last}$"))
    other = open_page()
    other.goto(page.url)
    expect(other.locator("input[type=range]")).to_have_value(last)
    expect(other.locator("g[data-owner]:not([data-owner=''])")).to_have_count(pieces)


def test_leaving_while_the_log_still_scrolls_is_no_error(open_page: Open) -> None:
    # The event of a scroll comes a frame later, when the play screen is gone already.
    page = open_page()
    player = Player(page)
    player.new_game("london")
    for _ in range(14):
        player.wait_for_turn()
        player.move()
    player.wait_for_turn()
    room = page.evaluate(
        """() => {
          const log = document.querySelector('[data-log]');
          log.scrollTop = log.scrollTop > 0 ? 0 : log.scrollHeight;
          const moved = log.scrollHeight - log.clientHeight;
          location.hash = '#/';
          window.dispatchEvent(new HashChangeEvent('hashchange'));
          return moved;
        }"""
    )
    assert room > 0
    page.wait_for_selector("[data-board=london]")
    page.wait_for_timeout(100)  # a few frames, in which a complaint would come


def test_the_log_follows_the_news(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("london")
    for _ in range(16):
        player.wait_for_turn()
        player.move()
    player.wait_for_turn()
    own = page.locator("[data-log] li").first
    before = own.inner_text()
    player.draw()
    # The latest turn is at the top, and in view.
    expect(own).not_to_have_text(before)
    assert page.locator("[data-log]").evaluate("(log) => log.scrollTop") == 0
