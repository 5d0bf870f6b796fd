"""Every screen: a picture of it to look at, and no serious finding of the accessibility audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.conftest import Open
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
    page.wait_for_timeout(400)
    page.screenshot(path=path)
    if AXE.exists():
        assert audit(page) == []


@pytest.mark.parametrize("name", DESKTOP)
def test_on_a_desktop(open_page: Open, pictures: Path, name: str) -> None:
    page = open_page(settings={"theme": "light"})
    DESKTOP[name](page)
    look(page, pictures / f"{name}-desktop-light.png")


@pytest.mark.parametrize("name", ["start", "new", "choosing", "playing", "paying", "ending"])
def test_in_the_dark(open_page: Open, pictures: Path, name: str) -> None:
    page = open_page(settings={"theme": "dark"})
    DESKTOP[name](page)
    look(page, pictures / f"{name}-desktop-dark.png")


@pytest.mark.parametrize("name", PHONE)
def test_on_a_phone(open_page: Open, pictures: Path, name: str) -> None:
    page = open_page(**PHONE_SIZE)
    PHONE[name](page)
    look(page, pictures / f"{name}-phone-light.png")
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390, "the page is wider than the screen"
    assert small_targets(page) == []


SIDEWAYS: dict[str, Any] = {
    "viewport": {"width": 844, "height": 390},
    "has_touch": True,
    "is_mobile": True,
}


@pytest.mark.parametrize("name", ["waiting", "choosing", "playing", "paying"])
def test_on_a_phone_held_sideways(open_page: Open, pictures: Path, name: str) -> None:
    page = open_page(**SIDEWAYS)
    DESKTOP[name](page)
    look(page, pictures / f"{name}-sideways-light.png")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 844
    stage = page.locator("[data-stage]").bounding_box()
    assert stage is not None
    assert stage["width"] > 500, "the board has no room"
    assert stage["height"] > 250, "the board has no room"


def small_targets(page: Page) -> list[str]:
    """Return the buttons and links that a finger would miss: under 44 px both ways."""
    script = """() => {
      const top = document.querySelector('dialog[open]') ?? document;
      return [...top.querySelectorAll('button, a[href], select, input')]
        .filter((one) => {
          const box = one.getBoundingClientRect();
          const seen = box.width > 2 && box.height > 2 && one.checkVisibility();
          if (!seen || one.closest('label, p, .goals')) return false;
          return Math.max(box.height, box.width) < 44;
        })
        .map((one) => one.outerHTML.slice(0, 120));
    }"""
    found: list[str] = page.evaluate(script)
    return found
