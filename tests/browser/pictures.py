"""Take the pictures of the README: ``python -m browser.pictures`` in the folder of the tests."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import fernzug
from browser.conftest import CHROMIUM
from browser.player import Player, Toucher
from browser.site import Site

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"
SETTINGS = """localStorage.getItem('fernzug.settings') || localStorage.setItem(
  'fernzug.settings', '{"speed":"off","sound":false,"lang":"en","theme":"light"}')"""
SHARE = 0.55
"""How far into the game a picture is taken, by the pieces that are placed."""
HAND = 9


def open_page(browser: Browser, site: Site, phone: bool = False) -> Page:
    """Open the start page on a desktop or a phone."""
    if phone:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
    else:
        context = browser.new_context(viewport={"width": 1366, "height": 768})
    context.add_init_script(SETTINGS)
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_selector("[data-board]")
    return page


def collect(player: Player) -> bool:
    """Whether the hand is worth building with: a picture with cards in it shows more."""
    held = "() => [...document.querySelectorAll('.hand .count')].map((n) => +n.textContent)"
    cards: list[int] = player.page.evaluate(held)
    return sum(cards) >= HAND


class Collector(Player):
    """Builds only with a full hand."""

    def rich(self) -> bool:
        """Whether it is time to build."""
        return collect(self)


class Tapper(Toucher):
    """The same with a finger."""

    def rich(self) -> bool:
        """Whether it is time to build."""
        return collect(self)


def play_on(player: Player, board: fernzug.Board, share: float) -> None:
    """Play until enough pieces stand, and it is the player's turn to decide freely."""
    enough = share * sum(kind.count for kind in board.pieces)
    placed = "() => document.querySelectorAll('g[data-owner=\"0\"] .piece').length"
    for _ in range(120):
        if not player.wait_for_turn():
            return
        free = player.page.locator(".market .tickets:enabled").count() > 0
        if free and player.page.evaluate(placed) >= enough:
            break
        player.move()
    player.page.mouse.move(600, 30)
    player.page.wait_for_timeout(700)


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        Site(Path(data)) as site,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = open_page(browser, site)
        page.wait_for_timeout(1500)
        page.screenshot(path=FOLDER / "start.png")
        for name in fernzug.boards():
            page = open_page(browser, site)
            player = Collector(page)
            player.new_game(name)
            play_on(player, fernzug.board(name), SHARE)
            page.screenshot(path=FOLDER / f"{name}.png")
        page = open_page(browser, site, phone=True)
        finger = Tapper(page)
        finger.new_game("london")
        play_on(finger, fernzug.board("london"), SHARE)
        for label in ("Whole board", "Zoom in", "Zoom in"):
            page.get_by_label(label).tap()
            page.wait_for_timeout(400)
        page.screenshot(path=FOLDER / "phone.png")
        browser.close()


if __name__ == "__main__":
    main()
