"""Take the pictures of the README: ``python -m browser.pictures`` in the folder of the tests."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import fernzug
from browser.conftest import CHROMIUM
from browser.games import Games
from browser.screens import in_progress
from browser.site import Site

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"
# In a new browser the coach would say the same on every picture.
SETTINGS = """localStorage.getItem('fernzug.settings') || localStorage.setItem(
  'fernzug.settings', '{"speed":"off","sound":false,"lang":"en","coach":false,"theme":"THEME"}')"""
DESKTOP = {"viewport": {"width": 1366, "height": 768}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
# How many moves of the first seat are played before a picture, about half a game.
MOVES = {"usa": 50, "london": 13, "new_york": 11, "berlin": 16, "paris": 12}
DARK = ("london",)


def take(browser: Browser, name: str, url: str, device: dict[str, Any], theme: str) -> None:
    """Take one picture."""
    context = browser.new_context(**device)
    context.add_init_script(SETTINGS.replace("THEME", theme))
    page = context.new_page()
    page.goto(url)
    if "#" in url:
        in_progress(page)
    else:
        page.wait_for_selector("[data-board]")
    page.wait_for_timeout(1500)
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        Site(Path(data)) as site,
        sync_playwright() as driver,
    ):
        games = Games(site)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take(browser, "start", site.url, DESKTOP, "light")
        for name in fernzug.boards():
            path = games.begun(name, MOVES[name], able_to_build=True)
            theme = "dark" if name in DARK else "light"
            take(browser, name, site.url + path, DESKTOP, theme)
        path = games.begun("usa", MOVES["usa"], able_to_build=True)
        take(browser, "phone", site.url + path, PHONE, "light")
        browser.close()


if __name__ == "__main__":
    main()
