"""The panels of the play screen: nothing is cut off, and nothing hides what it is about."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import fernzug
from browser.conftest import Open
from browser.games import Games
from browser.player import Toucher
from browser.screens import in_progress

SMALL: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
}
SIZES = [(360, 640), (844, 390), (1024, 768)]


def deal_everything(page: Page, board: str) -> None:
    """Let the page believe that its player holds cards of every colour."""
    hand = dict.fromkeys([*fernzug.board(board).colors, "wild"], 2)

    def altered(message: str | bytes) -> str | bytes:
        told = json.loads(message)
        for one in told.get("views", []):
            for player in one["view"]["players"]:
                if player["seat"] == one["seat"]:
                    player["hand"] = hand
        return json.dumps(told)

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(altered(message)))

    page.route_web_socket(lambda url: "/ws" in url, between)


HIDDEN_CARDS = """() => [...document.querySelectorAll('[data-hand]')].filter((card) => {
  const box = card.getBoundingClientRect();
  const count = card.querySelector('.count').getBoundingClientRect();
  const seen = (x, y) => card.contains(document.elementFromPoint(x, y));
  return box.right > innerWidth || count.bottom > innerHeight
    || !seen(box.left + 13, box.top + 14) || !seen(count.left + 12, count.top + 12);
}).map((card) => card.dataset.hand)"""
"""The colours of the hand whose symbol or number cannot be seen and pressed."""


def test_every_colour_of_a_full_hand_is_in_view(open_page: Open, games: Games) -> None:
    page = open_page(**SMALL)
    deal_everything(page, "usa")
    page.goto(page.url + games.shared("usa", 24))
    in_progress(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("[data-hand]")).to_have_count(9)
        # Wild cards lie first.
        expect(page.locator("[data-hand]").first).to_have_attribute("data-hand", "wild")
        page.wait_for_function(f"() => ({HIDDEN_CARDS})().length === 0")
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, "the page is wider than the screen"


def test_the_sheet_is_pulled_by_finger_and_by_key(open_page: Open, games: Games) -> None:
    page = in_progress(open_page(games.shared("usa", 24), **SMALL))
    tray = page.locator(".tray")
    handle = page.locator("[data-grab]")
    handle.focus()
    heights = []
    for key in ("ArrowDown", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
        box = tray.bounding_box()
        assert box is not None
        heights.append(box["height"])
        players = page.locator("li[data-seat]").first.bounding_box()
        assert players is not None
        assert box["y"] >= players["y"] + players["height"] - 1, "the players are covered"
    assert heights == sorted(heights)
    assert heights[0] < 120
    assert page.locator("[data-ticket]").count() > 0, "a full sheet shows the tickets, too"
    handle.tap()
    expect(page.locator("[data-ticket]")).to_have_count(0)
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    Toucher(page).drag((x, y), (x, y + 120))
    expect(tray).to_have_class(re.compile(r"\bpeek\b(?!.*dragged)"))
    # Whatever is asked for opens the sheet again. A browser ignores a tap while the flick before it
    # may still be running, so it may take another one.
    log = page.locator("[data-log]")
    for _ in range(5):
        page.wait_for_timeout(700)
        if log.count() == 0:
            page.locator("[data-open=log]").tap()
    expect(log).to_be_visible()


@pytest.mark.parametrize("board", ["usa", "paris"])
def test_a_payment_leaves_its_route_in_view(open_page: Open, games: Games, board: str) -> None:
    page = in_progress(open_page(games.about_to_build(board), **SMALL))
    player = Toucher(page)
    route = player.longest()
    assert route is not None
    player.point_at_route(route)
    inside = """() => {
      const stage = document.querySelector('[data-stage]').getBoundingClientRect();
      const build = document.querySelector('[data-build]').getBoundingClientRect();
      if (build.bottom > innerHeight) return false;
      const top = document.querySelector('.pay').getBoundingClientRect().top;
      const box = document.querySelector('.route.ghost .wall').getBoundingClientRect();
      return box.left >= 0 && box.right <= innerWidth && box.top >= stage.top && box.bottom <= top;
    }"""
    page.wait_for_function(inside)
    # The few sensible ways are shown, and one of them is chosen.
    assert 1 <= page.locator(".option").count() <= 4
    expect(page.locator(".option input:checked")).to_have_count(1)
    page.get_by_role("button", name="Cancel").tap()
    expect(page.locator(".option")).to_have_count(0)


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)])
@pytest.mark.parametrize("board", ["london", "new_york"])
def test_a_payment_beside_the_board_covers_no_route(
    open_page: Open, games: Games, board: str, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = in_progress(open_page(games.about_to_build(board), viewport=viewport))
    uncovered = """() => {
      const pay = document.querySelector('.pay').getBoundingClientRect();
      const box = document.querySelector('.route.ghost .wall').getBoundingClientRect();
      return box.bottom <= pay.top || box.top >= pay.bottom
        || box.right <= pay.left || box.left >= pay.right;
    }"""
    routes = page.locator("g.route.open").evaluate_all("all => all.map((one) => one.dataset.route)")
    assert routes
    for route in routes:
        page.locator(f'g[data-route="{route}"]').focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".option")
        page.wait_for_function(uncovered)
        page.keyboard.press("Escape")
        expect(page.locator(".option")).to_have_count(0)
