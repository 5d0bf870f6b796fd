"""Every screen of the client, reached the way a player reaches it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from browser.player import Player, Toucher

Reach = Callable[[Page], None]


def player_on(page: Page) -> Player:
    """Somebody who points the way that this screen is pointed at."""
    fingers: bool = page.evaluate("() => matchMedia('(pointer: coarse)').matches")
    return Toucher(page) if fingers else Player(page)


def start(page: Page) -> None:
    """The start page."""
    page.wait_for_selector("[data-board=paris] image")


def settings(page: Page) -> None:
    """The settings over the start page."""
    page.get_by_role("button", name="Settings").click()
    page.wait_for_selector("dialog[open]")


def new(page: Page) -> None:
    """A table to be made."""
    page.locator("[data-board=berlin] a").click()
    page.wait_for_selector("button[type=submit]")
    for folded in page.locator("summary").all():
        folded.click()


def rules(page: Page) -> None:
    """The rules of a board whose network is our own."""
    page.goto(page.url.split("#")[0] + "#/rules/paris")
    page.wait_for_selector("article table")


def waiting(page: Page) -> None:
    """A table that waits for friends."""
    page.locator("[data-board=london] a").click()
    page.get_by_label("With friends by link").check()
    page.locator("button[type=submit]").click()
    page.wait_for_selector("[data-code]")


def join(page: Page) -> None:
    """An invitation, seen by somebody who has no seat yet."""
    waiting(page)
    code = page.locator("[data-code]").inner_text()
    page.evaluate("localStorage.removeItem('fernzug.seats')")
    site = page.url.split("#")[0]
    page.goto("about:blank")
    page.goto(site + f"#/join/{code}")
    page.wait_for_selector("input[type=radio]")


def choosing(page: Page) -> None:
    """Choosing tickets."""
    player_on(page).new_game("usa")


def game(page: Page, board: str = "usa", moves: int = 24) -> Player:
    """A game in its middle, on one's own turn."""
    player = player_on(page)
    player.new_game(board)
    for _ in range(moves):
        if not player.wait_for_turn():
            break
        player.move()
    player.wait_for_turn()
    while page.locator("[data-keep]").count():
        player.move()
        player.wait_for_turn()
    return player


def playing(page: Page) -> None:
    """The play screen."""
    game(page)


def paying(page: Page) -> None:
    """The payment sheet."""
    player = game(page, "london", 4)
    for _ in range(20):
        route = player.longest()
        if route is not None:
            player.point_at_route(route)
            page.wait_for_selector(".option")
            page.wait_for_timeout(300)
            return
        player.move()
        player.wait_for_turn()
    raise AssertionError("nothing to pay for")


def table_of_routes(page: Page) -> None:
    """The routes as a table."""
    game(page, "new_york", 4)
    page.keyboard.press("r")
    page.wait_for_selector("dialog table")


def keys(page: Page) -> None:
    """The help on keys."""
    choosing(page)
    page.get_by_role("button", name="Keys").click()
    page.wait_for_selector("dialog dl")


def chat(page: Page) -> None:
    """The chat with its reactions."""
    game(page, "paris", 5)
    if page.locator(".tabbar").is_visible():
        page.locator(".tabbar button").nth(3).click()
    page.get_by_role("button", name="Chat").click()
    page.wait_for_selector(".faces")
    page.locator("#say").fill("Good luck to all!")
    page.locator("#say").press("Enter")
    page.locator(".faces button").nth(1).click()


def curtain(page: Page) -> None:
    """Between two players of one screen."""
    page.locator("[data-board=paris] a").click()
    page.get_by_label("On one screen").check()
    page.locator("button[type=submit]").click()
    page.wait_for_selector("[data-curtain]")


def ending(page: Page) -> None:
    """The table of points."""
    player = player_on(page)
    player.new_game("paris")
    player.play_to_the_end()


def replay(page: Page) -> None:
    """A finished game, looked at again."""
    ending(page)
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector("input[type=range]")
    page.keyboard.press("End")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")


DESKTOP: dict[str, Reach] = {
    "start": start,
    "settings": settings,
    "new": new,
    "rules": rules,
    "waiting": waiting,
    "join": join,
    "choosing": choosing,
    "playing": playing,
    "paying": paying,
    "routes": table_of_routes,
    "keys": keys,
    "chat": chat,
    "curtain": curtain,
    "ending": ending,
    "replay": replay,
}
PHONE: dict[str, Reach] = {name: reach for name, reach in DESKTOP.items() if name != "keys"}
