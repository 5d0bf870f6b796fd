"""Fingers on the board: two that pinch, one that drags, and one that taps twice."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from browser.conftest import Open
from browser.player import VISIBLE, Player, Toucher

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
SPREAD = """() => {
  const all = [...document.querySelectorAll('.sheet .place')];
  const xs = all.map((one) => one.getBoundingClientRect().x);
  return Math.max(...xs) - Math.min(...xs);
}"""
"""How far the outermost places are apart on the screen: it grows and shrinks with the scale."""


EMPTY = """([left, top, right, bottom]) => {
  const what = '.routes .space, .sheet .place, [data-stage] button';
  const taken = [...document.querySelectorAll(what)];
  const centres = taken.map((one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  let best = [0, 0], most = 0;
  for (let x = left + 110; x <= right - 110; x += 8) {
    for (let y = top + 40; y <= bottom - 40; y += 8) {
      if (document.elementFromPoint(x, y)?.closest('button, [data-no-pan]')) continue;
      const room = Math.min(...centres.map((at) => Math.hypot(at[0] - x, at[1] - y)));
      if (room > most) [best, most] = [[x, y], room];
    }
  }
  return best;
}"""
"""A point far from all routes and signs: a tap on a route that can be paid opens its payment."""


def spread(page: Page) -> float:
    """Return the width of the board on the screen."""
    width: float = page.evaluate(SPREAD)
    return width


def wait_until_still(page: Page) -> None:
    """Wait until the board has come to rest: after the set-up it comes nearer by itself."""
    page.wait_for_function(f"""() => {{
      const width = ({SPREAD})(), moving = document.querySelector('.world.moving');
      const rest = window.rest;
      if (moving || rest?.width !== width) window.rest = {{ width, since: performance.now() }};
      return !moving && rest?.width === width && performance.now() - rest.since > 700;
    }}""")


def wait_until_wider(page: Page, width: float) -> None:
    """Wait until the board is drawn wider than this."""
    page.wait_for_function(f"(least) => ({SPREAD})() > least", arg=width)


def fingers(touch: CDPSession, kind: str, *points: tuple[float, float], at: float = 0.0) -> None:
    """Tell the browser where fingers are; ``at`` is the time that the event bears."""
    message: dict[str, Any] = {
        "type": kind,
        "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)],
    }
    if at:
        message["timestamp"] = at
    touch.send("Input.dispatchTouchEvent", message)


def game_on_a_phone(open_page: Open) -> tuple[Page, tuple[float, float]]:
    """Start a game on a phone; return the page and an empty point of its board."""
    page = open_page(**PHONE)
    player = Toucher(page)
    player.new_game("usa")
    player.keep()
    player.wait_for_turn()
    wait_until_still(page)
    x, y = page.evaluate(EMPTY, page.evaluate(VISIBLE))
    return page, (x, y)


def test_two_fingers_zoom_the_board_in_and_out(open_page: Open) -> None:
    page, (x, y) = game_on_a_phone(open_page)
    touch = page.context.new_cdp_session(page)
    before = spread(page)
    fingers(touch, "touchStart", (x - 30, y))
    fingers(touch, "touchStart", (x - 30, y), (x + 30, y))
    for reach in range(30, 95, 8):
        fingers(touch, "touchMove", (x - reach, y), (x + reach, y))
    fingers(touch, "touchEnd")
    wait_until_wider(page, before * 2)
    near = spread(page)
    fingers(touch, "touchStart", (x - 94, y))
    fingers(touch, "touchStart", (x - 94, y), (x + 94, y))
    for reach in range(94, 40, -8):
        fingers(touch, "touchMove", (x - reach, y), (x + reach, y))
    fingers(touch, "touchEnd")
    page.wait_for_function(f"(most) => ({SPREAD})() < most", arg=near * 0.7)
    # Neither gesture was taken for a tap on whatever lay under the fingers.
    expect(page.locator(".option")).to_have_count(0)


def test_a_double_tap_comes_nearer(open_page: Open) -> None:
    page, (x, y) = game_on_a_phone(open_page)
    touch = page.context.new_cdp_session(page)
    before = spread(page)
    # The events bear the times at which they are meant, so that a slow machine does not part them.
    now = time.time()
    for i in range(2):
        fingers(touch, "touchStart", (x, y), at=now + 0.12 * i)
        fingers(touch, "touchEnd", at=now + 0.12 * i + 0.04)
    wait_until_wider(page, before * 1.5)


def test_two_slow_taps_do_not_zoom(open_page: Open) -> None:
    page, (x, y) = game_on_a_phone(open_page)
    touch = page.context.new_cdp_session(page)
    before = spread(page)
    now = time.time()
    for i in range(2):
        fingers(touch, "touchStart", (x, y), at=now + 0.9 * i)
        fingers(touch, "touchEnd", at=now + 0.9 * i + 0.04)
    page.keyboard.press("+")
    wait_until_wider(page, before * 1.2)
    assert spread(page) < before * 1.6, "the taps have zoomed, too"


def test_keys_zoom_and_fit(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("london")
    player.keep()
    player.wait_for_turn()
    whole = spread(page)
    page.keyboard.press("+")
    wait_until_wider(page, whole * 1.3)
    page.keyboard.press("+")
    wait_until_wider(page, whole * 1.8)
    page.keyboard.press("-")
    page.wait_for_function(f"(width) => ({SPREAD})() < width", arg=whole * 1.5)
    page.keyboard.press("0")
    page.wait_for_function(f"(width) => Math.abs(({SPREAD})() - width) < 2", arg=whole)


EDGES = """() => {
  const map = document.querySelector('.world').getBoundingClientRect();
  const stage = document.querySelector('[data-stage]').getBoundingClientRect();
  return [stage.left - map.left, map.right - stage.right, stage.top - map.top,
    map.bottom - stage.bottom];
}"""
"""How far the board reaches beyond each edge of its opening."""


@pytest.mark.parametrize("size", [{}, PHONE], ids=["mouse", "touch"])
def test_the_board_cannot_be_dragged_away(open_page: Open, size: dict[str, Any]) -> None:
    page = open_page(**size)
    player = Toucher(page) if size else Player(page)
    player.new_game("usa")
    player.keep()
    player.wait_for_turn()
    page.keyboard.press("+")
    page.keyboard.press("+")
    stage = page.locator("[data-stage]").bounding_box()
    assert stage is not None
    left, top = stage["x"] + 20, stage["y"] + 20
    right, bottom = stage["x"] + stage["width"] - 20, stage["y"] + stage["height"] - 20
    drags = [((left, top), (right, bottom)), ((right, bottom), (left, top))]
    for start, end in drags:
        for _ in range(4):
            if isinstance(player, Toucher):
                player.drag(start, end)
            else:
                page.mouse.move(*start)
                page.mouse.down()
                page.mouse.move(*end, steps=4)
                page.mouse.up()
        assert min(page.evaluate(EDGES)) > -80, "the board was dragged off its opening"


def test_signs_leave_the_zoom_buttons_free(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("usa")
    player.keep()
    player.wait_for_turn()
    for _ in range(3):
        page.keyboard.press("+")
    stage = page.locator("[data-stage]").bounding_box()
    assert stage is not None
    # The corner at the upper left comes into view, so the ends of tickets lie towards the buttons.
    for _ in range(6):
        page.mouse.move(stage["x"] + 20, stage["y"] + 20)
        page.mouse.down()
        page.mouse.move(
            stage["x"] + stage["width"] - 90, stage["y"] + stage["height"] - 20, steps=4
        )
        page.mouse.up()
    page.wait_for_selector("[data-pointer]")
    buttons = page.locator(".zoom").bounding_box()
    assert buttons is not None
    for sign in page.locator("[data-pointer]").all():
        box = sign.bounding_box()
        assert box is not None
        aside = box["x"] + box["width"] <= buttons["x"]
        above = box["y"] + box["height"] <= buttons["y"]
        assert aside or above, (sign.inner_text(), box, buttons)


def test_a_ticket_is_shown_and_hidden_by_taps(open_page: Open) -> None:
    page, empty = game_on_a_phone(open_page)
    # Whatever was pointed at while the tickets were chosen does not stay on the board.
    expect(page.locator(".ways")).to_have_count(0)
    page.locator("[data-open=tickets]").tap()
    ticket = page.locator("[data-ticket]").first
    ticket.tap()
    expect(page.locator(".ways")).to_have_count(1)
    ticket.tap()
    expect(page.locator(".ways")).to_have_count(0)
    ticket.tap()
    expect(page.locator(".ways")).to_have_count(1)
    page.touchscreen.tap(*empty)
    expect(page.locator(".ways")).to_have_count(0)
