"""The end of a game and its replay: one set of numbers, real ways, a picture to share."""

from __future__ import annotations

import io
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.games import EVERYTHING, Games
from browser.test_layout import faults
from browser.test_screens import AT_REST

SIZES = [(1440, 900), (1024, 768), (844, 390), (390, 844), (360, 640)]


def told(page: Page, path: str) -> Any:
    """Return the record of a finished game, as the server tells it."""
    return page.evaluate(
        "(table) => fetch('api/record/' + table).then((found) => found.json())", path.split("/")[2]
    )


def figure(text: str) -> int:
    """Read a number, which may have a minus sign."""
    return int(text.replace("\u2212", "-"))


def total_of_words(words: str) -> int:
    """Add the numbers of a line such as: Routes 24, Tickets 3, failed minus 4."""
    parts, _, total = words.partition("=")
    numbers = [figure(n) for n in re.findall("[\u2212]?\\d+", parts)]
    assert sum(numbers) == figure(total)
    return sum(numbers)


@pytest.mark.parametrize("board", ["usa", "london"])
def test_all_numbers_agree_and_every_step_is_lit_on_the_board(
    open_page: Open, games: Games, board: str
) -> None:
    path = games.finished(board)
    page = open_page(path)
    page.wait_for_selector("[data-end] [data-total]")
    rows = page.locator("[data-end] [data-total]")
    expect(rows).to_have_count(3)
    record = told(page, path)
    sheets = record["frames"][-1]["view"]["scores"]
    shown = {}
    for row in rows.all():
        seat = int(row.get_attribute("data-seat") or "")
        shown[seat] = int(row.get_attribute("data-total") or "")
        assert figure(row.locator("[data-sum]").inner_text().split()[0]) == shown[seat]
        assert total_of_words(row.locator(".parts").inner_text()) == shown[seat]
    assert shown == {sheet["seat"]: sheet["total"] for sheet in sheets}
    best = max(sheet["total"] for sheet in sheets)
    winners = [sheet["seat"] for sheet in sheets if sheet["rank"] == 1]
    if len(winners) == 1:
        expect(page.locator("#end-title")).to_contain_text(f"{best}")

    for seat, tickets in enumerate(record["revealed"]):
        for one in tickets:
            chip = page.locator(f"[data-seat='{seat}'] [data-step='{one['ticket']}']")
            chip.click()
            expect(chip).to_have_attribute("aria-pressed", "true")
            lines = page.locator(".shown path.lit")
            expect(lines).to_have_count(len(one["way"]))
    page.locator("[data-end] footer button").click()
    expect(page.locator("[data-end] footer small")).to_contain_text("1 of")


@pytest.mark.parametrize("board", ["usa", "new_york"])
def test_the_end_fits_every_screen_and_gives_a_picture(
    open_page: Open, games: Games, tmp_path: Path, board: str
) -> None:
    page = open_page(games.finished(board))
    page.wait_for_selector("[data-end] [data-total]")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            f"() => document.querySelector('[data-stage]').clientHeight >= {height * 0.3}"
        )
        wide = page.evaluate(
            """() => [...document.querySelectorAll('[data-end] *')]
              .filter((one) => one instanceof HTMLElement
                && one.getBoundingClientRect().right > innerWidth + 1
                && !one.closest('.rain, .hidden, .train'))
              .map((one) => one.className)"""
        )
        assert wide == [], (width, height)
        expect(page.locator("[data-share]")).to_be_visible()
        assert faults(page) == [], (width, height)
    with page.expect_download() as download:
        page.locator("[data-share]").click()
    file = tmp_path / "share.png"
    download.value.save_as(file)
    picture = file.read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    # A board without its network, or a blank one, would be much smaller.
    assert len(picture) > 150_000


def test_the_board_recedes_evenly_in_the_dark(open_page: Open, games: Games) -> None:
    page = open_page(games.finished("london"), settings={"theme": "dark"})
    page.wait_for_selector("[data-end] [data-total]")
    page.wait_for_selector(".dim .world:not(.moving)")
    page.wait_for_function(AT_REST)

    def seen() -> Image.Image:
        picture = page.locator("[data-stage]").screenshot()
        return Image.open(io.BytesIO(picture)).convert("RGB")

    whole = seen()
    page.evaluate("() => (document.querySelector('.net').style.visibility = 'hidden')")
    changed = ImageChops.difference(whole, seen()).convert("L").point(lambda tone: tone > 1)
    share = changed.histogram()[1] / (whole.width * whole.height)
    # The routes themselves go, and the land between them stays as it is.
    assert 0.02 < share < 0.3, share


def test_the_count_is_shown_step_by_step_and_one_tap_skips_it(
    open_page: Open, games: Games
) -> None:
    page = open_page(games.finished("paris"), settings={"speed": "normal"})
    page.wait_for_selector("[data-skip]")
    expect(page.locator(".step b")).to_be_visible()
    assert page.locator("[data-total]").count() == 0
    page.locator("[data-skip]").click()
    expect(page.locator("[data-end] [data-total]")).to_have_count(3)
    expect(page.locator("[data-skip]")).to_have_count(0)


def test_the_replay_shows_all_players_the_board_and_the_last_move(
    open_page: Open, games: Games
) -> None:
    path = games.finished("usa")
    page = open_page(f"#/replay/{path.split('/')[2]}")
    expect(page.get_by_role("heading", name="USA")).to_be_visible()
    players = page.locator("aside .players li")
    expect(players).to_have_count(3)
    for player in players.all():
        expect(player).to_be_in_viewport(ratio=0.99)
    page.locator("[data-log] button").nth(3).click()
    expect(page.locator("input[type=range]")).not_to_have_value("0")
    expect(page.locator("[data-deed] strong")).to_be_visible()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (844, 390), (360, 640)])
def test_the_replay_has_room_on_every_screen(
    open_page: Open, games: Games, size: tuple[int, int]
) -> None:
    table = games.shared("usa", EVERYTHING, opponents=3).split("/")[2]
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(f"#/replay/{table}/90", has_touch=size[0] < 1440, viewport=viewport)
    page.wait_for_selector("[data-deed] strong")
    # Either the list has all players in view, or the strip above the board.
    strip = page.locator(".strip li")
    players = strip if strip.first.is_visible() else page.locator("aside .players li")
    expect(players).to_have_count(4)
    for player in players.all():
        expect(player).to_be_in_viewport(ratio=0.99)
    slider = page.locator("input[type=range]").bounding_box()
    assert slider is not None
    assert slider["width"] > 150
    assert faults(page) == []
