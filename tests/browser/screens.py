"""Every screen of the client, and how to get there."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from browser.friends import let_others_join
from browser.games import EVERYTHING, Games
from browser.player import Player, Toucher

Visit = Callable[[str], Page]
"""Opens a page of the site, by its path."""

Reach = Callable[[Visit, Games], Page]


def player_on(page: Page) -> Player:
    """Somebody who points the way that this screen is pointed at."""
    fingers: bool = page.evaluate("() => matchMedia('(pointer: coarse)').matches")
    return Toucher(page) if fingers else Player(page)


def start(visit: Visit, games: Games) -> Page:
    """The start page."""
    page = visit("")
    page.wait_for_selector("[data-board=paris] image")
    return page


def settings(visit: Visit, games: Games) -> Page:
    """The settings over the start page."""
    page = visit("")
    page.get_by_role("button", name="Settings").click()
    page.wait_for_selector("dialog[open]")
    return page


def new(visit: Visit, games: Games) -> Page:
    """The form for a new table, unfolded."""
    page = visit("#/new/berlin")
    page.wait_for_selector("button[type=submit]")
    for folded in page.locator("summary").all():
        folded.click()
    return page


def opponents(visit: Visit, games: Games) -> Page:
    """The start page with whom one may meet."""
    page = start(visit, games)
    page.locator("details.opponents summary").click()
    return page


def learn(visit: Visit, games: Games) -> Page:
    """The list of lessons."""
    page = visit("#/learn")
    page.wait_for_selector("[data-lesson]")
    return page


def in_a_lesson(visit: Visit, games: Games) -> Page:
    """The first step of a lesson."""
    page = learn(visit, games)
    page.locator("[data-lesson] button").first.click()
    page.wait_for_selector("[data-lesson-step]")
    return page


def rules(visit: Visit, games: Games) -> Page:
    """The rules of a board whose network is our own."""
    page = visit("#/rules/paris")
    page.wait_for_selector("article table")
    return page


def waiting(visit: Visit, games: Games) -> Page:
    """A table that waits for friends."""
    page = visit("#/new/london")
    page.get_by_label("With friends by link").check()
    page.get_by_label("Name for seat 1").fill("Anna")
    page.locator("button[type=submit]").click()
    page.wait_for_selector("[data-code]")
    let_others_join(page)
    return page


def wrong_code(visit: Visit, games: Games) -> Page:
    """An invitation that leads nowhere."""
    page = visit("#/join/ABCDE")
    page.wait_for_selector("#code-problem strong")
    return page


def join(visit: Visit, games: Games) -> Page:
    """An invitation, seen by somebody who has no seat yet."""
    page = visit(f"#/join/{games.invitation('london')}")
    page.wait_for_selector("input[type=radio]")
    return page


def choosing(visit: Visit, games: Games) -> Page:
    """Choosing tickets."""
    page = visit("#/new/usa")
    player_on(page).start()
    return page


def in_progress(page: Page) -> Page:
    """Wait until a game in progress is shown, on one's own turn."""
    page.wait_for_selector(".screen[data-turn=mine][data-busy='']")
    return page


def playing(visit: Visit, games: Games) -> Page:
    """The play screen in the middle of a game."""
    return in_progress(visit(games.shared("usa", 24)))


def paying(visit: Visit, games: Games) -> Page:
    """The payment sheet."""
    page = in_progress(visit(games.about_to_build("london")))
    player = player_on(page)
    route = player.longest()
    assert route is not None
    player.point_at_route(route)
    page.wait_for_selector(".option")
    return page


def hints(visit: Visit, games: Games) -> Page:
    """Good moves with their reasons."""
    page = in_progress(visit(games.shared("new_york", 8)))
    page.locator("[data-ask-hint]").click()
    page.wait_for_selector("[data-hints=shown]")
    return page


def table_of_routes(visit: Visit, games: Games) -> Page:
    """The routes as a table."""
    page = in_progress(visit(games.shared("new_york", 4)))
    page.keyboard.press("r")
    page.wait_for_selector("dialog table")
    return page


def keys(visit: Visit, games: Games) -> Page:
    """The help on keys."""
    page = in_progress(visit(games.shared("usa", 24)))
    page.get_by_role("button", name="Keys").click()
    page.wait_for_selector("dialog dl")
    return page


def table_menu(visit: Visit, games: Games) -> Page:
    """The table's menu, with the code for another device."""
    page = in_progress(visit(games.shared("berlin", 6)))
    button = page.get_by_role("button", name="Table and spectators")
    if not button.is_visible():
        page.get_by_role("button", name="Menu").click()
    button.click()
    page.locator("dialog [aria-expanded]").click()
    return page


def chat(visit: Visit, games: Games) -> Page:
    """The chat with its reactions."""
    page = in_progress(visit(games.begun("paris", 5)))
    if page.locator("[data-open=log]").is_visible():
        page.locator("[data-open=log]").click()
    page.get_by_role("button", name="Chat").click()
    page.wait_for_selector(".faces")
    page.locator("#say").fill("Good luck to all!")
    page.locator("#say").press("Enter")
    page.locator(".faces button").nth(1).click()
    return page


def curtain(visit: Visit, games: Games) -> Page:
    """Between two players of one screen."""
    page = visit("#/new/paris")
    page.get_by_label("On one screen").check()
    page.locator("button[type=submit]").click()
    page.wait_for_selector("[data-curtain]")
    return page


def ending(visit: Visit, games: Games) -> Page:
    """The table of points."""
    page = visit(games.finished("paris"))
    page.wait_for_selector("[data-end] [data-total]")
    return page


def replay(visit: Visit, games: Games) -> Page:
    """A finished game, looked at again."""
    page = ending(visit, games)
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector("input[type=range]")
    page.keyboard.press("End")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    return page


def review(visit: Visit, games: Games) -> Page:
    """A finished game with what decided it, at a mistake."""
    page = visit(games.shared("london", EVERYTHING, opponents=1))
    page.locator("[data-review-link]").click()
    page.wait_for_selector("[data-review=done]", timeout=300_000)
    if page.locator("[data-next-mistake]:enabled").count():
        page.locator("[data-next-mistake]").click()
    return page


DESKTOP: dict[str, Reach] = {
    "start": start,
    "settings": settings,
    "opponents": opponents,
    "learn": learn,
    "lesson": in_a_lesson,
    "new": new,
    "rules": rules,
    "waiting": waiting,
    "join": join,
    "wrong-code": wrong_code,
    "choosing": choosing,
    "playing": playing,
    "paying": paying,
    "hints": hints,
    "routes": table_of_routes,
    "keys": keys,
    "menu": table_menu,
    "chat": chat,
    "curtain": curtain,
    "ending": ending,
    "replay": replay,
    "review": review,
}
PHONE: dict[str, Reach] = {name: reach for name, reach in DESKTOP.items() if name != "keys"}
