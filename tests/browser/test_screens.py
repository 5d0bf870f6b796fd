"""Every screen: a picture of it to look at, and no serious finding of the accessibility audit."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.games import Games
from browser.screens import DESKTOP, PHONE
from paths import AXE

PHONE_SIZE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def audit(page: Page) -> list[str]:
    """Return what axe finds serious or critical, in words."""
    # The page's policy forbids scripts that are not the server's own; the driver's may run.
    page.evaluate(AXE.read_text())
    found = page.evaluate("async () => (await axe.run(document)).violations")
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def look(page: Page, path: Path) -> None:
    """Take a picture of a page at rest, and let axe look at it, too."""
    page.wait_for_function(AT_REST)
    page.screenshot(path=path)
    if AXE.exists():
        assert audit(page) == []


AT_REST = """() => document.getAnimations().every((one) =>
  one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity)"""
"""Whether nothing moves on the page but what always does."""


@pytest.mark.parametrize("name", DESKTOP)
def test_on_a_desktop(open_page: Open, games: Games, pictures: Path, name: str) -> None:
    visit = partial(open_page, settings={"theme": "auto"}, color_scheme="light")
    page = DESKTOP[name](visit, games)
    look(page, pictures / f"{name}-desktop-light.png")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    look(page, pictures / f"{name}-desktop-dark.png")


SIDEWAYS = ("waiting", "choosing", "playing", "paying")


@pytest.mark.parametrize("name", PHONE)
def test_on_a_phone(open_page: Open, games: Games, pictures: Path, name: str) -> None:
    page = PHONE[name](partial(open_page, **PHONE_SIZE), games)
    look(page, pictures / f"{name}-phone-light.png")
    assert width(page) <= 390, "the page is wider than the screen"
    assert small_targets(page) == []
    if name in SIDEWAYS:
        page.set_viewport_size({"width": 844, "height": 390})
        look(page, pictures / f"{name}-sideways-light.png")
        assert width(page) <= 844, "the page is wider than the screen"
        stage = page.locator("[data-stage]").bounding_box()
        assert stage is not None
        assert stage["width"] > 500, "the board has no room"
        assert stage["height"] > 250, "the board has no room"


def width(page: Page) -> int:
    """Return how wide the page wants to be."""
    pixels: int = page.evaluate("() => document.documentElement.scrollWidth")
    return pixels


def small_targets(page: Page) -> list[str]:
    """Return the buttons and links that a finger would miss: under 44 px one way or the other."""
    script = """() => {
      const top = document.querySelector('dialog[open]') ?? document;
      return [...top.querySelectorAll('button, a[href], select, input')]
        .filter((one) => {
          const box = (one.closest('label') ?? one).getBoundingClientRect();
          const seen = box.width > 2 && box.height > 2 && one.checkVisibility();
          // Links in a line of text are as high as the line.
          return seen && !one.closest('p') && Math.min(box.height, box.width) < 43.5;
        })
        .map((one) => one.outerHTML.slice(0, 120));
    }"""
    found: list[str] = page.evaluate(script)
    return found
