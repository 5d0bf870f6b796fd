"""The game of the day: the same for everybody, and its result, share line and calendar."""

from __future__ import annotations

import json
import re
import struct
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import fernzug
from browser.conftest import Open
from browser.games import chosen
from browser.site import Site
from browser.test_screens import PHONE_SIZE, look, small_targets, width
from fernzug.board.files import load
from fernzug.table import daily
from server.live import Browser


def begin(page: Page, board: str) -> dict[str, Any]:
    """Begin today's game on a board from the start page; return its table."""
    page.locator(f"[data-daily-board={board}]").click()
    page.locator("[data-daily-play]").click()
    page.wait_for_selector("[data-keep]")
    table: dict[str, Any] = page.evaluate(
        "() => fetch('api/tables/' + location.hash.split('/')[2]).then((found) => found.json())"
    )["table"]
    return table


def dealt(page: Page) -> list[str]:
    """Return what a page shows of the cards: the tickets offered, the display, the hand."""
    shown: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('.slot, .hand button, [data-keep]')]
          .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())"""
    )
    offer = page.locator("label:has(input[type=checkbox])").all_inner_texts()
    return [*offer, *shown]


def play_out(site: Site, page: Page, table: str, board: str) -> None:
    """Play somebody's seat to the end, over the wire and in a hurry."""
    held = page.evaluate("() => JSON.parse(localStorage.getItem('fernzug.seats'))")
    token = next(one for one in held if one["table"] == table)["tokens"][0]["token"]
    player = Browser(site, table, [token])
    costs = {route.id: route.cost for route in load(board).routes}
    while player.view(0)["view"]["phase"] != "over":
        legal = player.legal(0)
        if legal:
            player.play(0, chosen(legal, costs))
        else:
            player.receive()
    player.close()


def test_two_browsers_get_the_same_game_of_the_day(open_page: Open) -> None:
    found = []
    for name in ("Anna", "Ben"):
        page = open_page(settings={"name": name})
        expect(page.locator("[data-daily-board]")).to_have_count(len(fernzug.boards()))
        table = begin(page, "berlin")
        assert table["daily"] == page.evaluate("() => new Date().toLocaleDateString('sv')")
        expect(page.locator("[data-seeded]")).to_be_visible()
        bots = [(seat["name"], seat["level"]) for seat in table["seats"][1:]]
        found.append((bots, dealt(page)))
    assert found[0] == found[1]
    assert len(found[0][1]) > 5
    day = daily.day_of(str(table["daily"]))
    opponents = daily.opponents_on(day, load("berlin"))
    assert found[0][0] == [(one.name, one.level) for one in opponents]


def test_a_game_of_the_day_from_start_to_calendar(
    open_page: Open, site: Site, pictures: Path, tmp_path: Path
) -> None:
    page = open_page(settings={"name": "Mara", "theme": "auto"}, color_scheme="light")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = begin(page, "london")
    day = str(table["daily"])

    # Whoever leaves goes on with the same game, and cannot begin another.
    page.goto(page.url.split("#")[0])
    page.reload()
    page.locator("[data-daily-board=london]").click()
    expect(page.locator("[data-daily-play]")).to_contain_text("Continue")
    page.locator("[data-daily-play]").click()
    page.wait_for_selector("[data-keep]")
    assert table["id"] in page.url

    play_out(site, page, table["id"], "london")
    page.wait_for_selector("[data-end] [data-total]")
    points = int(page.locator("[data-end] [data-seat='0']").get_attribute("data-total") or "")
    page.locator("[data-daily-result]").click()
    result = page.locator("[data-daily-points]")
    expect(result).to_have_attribute("data-daily-points", str(points))

    # The bots' results are what they make of these cards in this seat.
    expect(page.locator("[data-seat-result]")).to_have_count(2)
    told = page.evaluate(f"() => fetch('api/daily/{day}/london').then((found) => found.json())")[
        "results"
    ]
    shown = [
        int(one.get_attribute("data-seat-result") or "")
        for one in page.locator("[data-seat-result]").all()
    ]
    assert shown == [one["points"] for one in told]

    line = page.locator("[data-line]").input_value()
    assert re.search(rf"London: {points} points?, rank \d of 3".replace("-", "\u2212"), line)
    assert not any(place.name in line for place in load("london").locations)
    page.locator("[data-copy]").click()
    expect(page.locator("[data-copy]")).to_contain_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == line
    with page.expect_download() as download:
        page.locator("[data-share]").click()
    download.value.save_as(tmp_path / "share.png")
    picture = (tmp_path / "share.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len(picture) > 100_000, "the board is missing"

    cell = page.locator(f"[data-day='{day}']")
    expect(cell).to_have_attribute("data-points", str(points))
    look(page, pictures / "daily-desktop-light.png")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    look(page, pictures / "daily-desktop-dark.png")

    # The first result counts, and the start page knows it.
    page.goto(page.url.split("#")[0])
    expect(page.locator("[data-daily-board=london]")).to_contain_text(re.compile(r"\d point"))
    page.locator("[data-daily-board=london]").click()
    page.locator("[data-daily-result]").click()
    expect(result).to_have_attribute("data-daily-points", str(points))


KEPT = {
    "table": "gone",
    "outcome": {
        "turns": 44,
        "players": [
            {"name": None, "face": None, "sheet": {}},
            {"name": "Rosa", "face": "rosa", "sheet": {}},
            {"name": "Emil", "face": "emil", "sheet": {}},
        ],
        "routes": [],
        "failed": 1,
    },
}


def kept(points: list[int], board: str) -> dict[str, Any]:
    """Return what a browser keeps of a game, with these points."""
    entry: dict[str, Any] = json.loads(json.dumps(KEPT))
    ranks = [1 + sum(other > one for other in points) for one in points]
    for seat, player in enumerate(entry["outcome"]["players"]):
        player["sheet"] = {
            "seat": seat,
            "routes": points[seat],
            "tickets_won": 6,
            "tickets_lost": 6,
            "tickets_completed": 2,
            "bonuses": {},
            "total": points[seat],
            "rank": ranks[seat],
        }
    entry["outcome"]["routes"] = [route.id for route in load(board).routes][:9]
    return entry


@pytest.mark.parametrize("lang", ["de", "fr"])
def test_a_calendar_full_of_results_on_a_phone(open_page: Open, pictures: Path, lang: str) -> None:
    page = open_page(settings={"lang": lang}, **PHONE_SIZE)
    today = date.fromisoformat(page.evaluate("() => new Date().toLocaleDateString('sv')"))
    month = [today.replace(day=n) for n in range(1, today.day + 1)]
    entries = {
        f"{day} london": kept([20 + 7 * n % 23, 25, 30], "london")
        for n, day in enumerate(month)
        if n % 4 != 1 or day == today
    }
    page.evaluate(
        "(entries) => localStorage.setItem('fernzug.daily', JSON.stringify(entries))", entries
    )
    page.goto(page.url.split("#")[0] + f"#/daily/london/{today}")
    page.reload()
    page.wait_for_selector("[data-seat-result]")
    assert page.locator("[data-points]").count() == len(entries)
    assert width(page) <= 390
    assert small_targets(page) == []
    look(page, pictures / f"daily-phone-{lang}.png")
    page.screenshot(path=pictures / f"daily-phone-{lang}-whole.png", full_page=True)

    # A day that was missed can be caught up on, and the one before the first month, too.
    page.locator("[data-month=before]").click()
    page.locator("a[data-day]").first.click()
    page.wait_for_selector("[data-daily-play]:enabled")
    look(page, pictures / f"daily-phone-{lang}-open.png")


def test_days_that_do_not_exist_lead_to_today_or_are_not_open_yet(open_page: Open) -> None:
    page = open_page("#/daily/london/2026-02-31")
    page.wait_for_selector("[data-daily-play]")
    today = page.evaluate("() => new Date().toLocaleDateString('sv')")
    expect(page.locator("[aria-current=date]")).to_have_attribute("data-day", today)
    page.goto(page.url.split("#")[0] + "#/daily/atlantis/9999-12-31")
    page.reload()
    expect(page.locator("main")).to_contain_text("no game for this day yet")
    assert page.locator("[data-daily-play]").count() == 0
