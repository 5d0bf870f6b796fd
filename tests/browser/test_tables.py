"""Tables as people find them: invitations, clocks, levels, seeds, rematches, and errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.friends import begin, let_others_join, read_code
from browser.player import Player
from browser.site import Site
from fernzug import bots


def new_table(page: Page, board: str, how: str = "Against bots") -> None:
    """Open the form for a new table, all of it."""
    page.locator(f"[data-board={board}] a").click()
    page.get_by_label(how).check()
    page.get_by_text("More options").click()


def start(page: Page) -> None:
    """Make the table that the form describes."""
    page.locator("button[type=submit]").click()


def invited(page: Page, board: str) -> str:
    """Make a table for friends; return its code."""
    new_table(page, board, "With friends by link")
    page.get_by_label("Name for seat 1").fill("Anna")
    start(page)
    return page.locator("[data-code]").inner_text()


def test_the_code_for_another_device_opens_the_same_seat(open_page: Open) -> None:
    first = open_page()
    Player(first).new_game("paris")
    first.get_by_role("button", name="Table and spectators").click()
    let_others_join(first)
    first.get_by_role("button", name="Continue on another device").click()
    link = read_code(first, "Continue on another device")
    assert link == first.locator("#device-link").input_value()
    second = open_page()
    second.goto(link)
    second.wait_for_selector("[data-keep]")


def seconds(text: str) -> int:
    """Read a clock."""
    match = re.fullmatch(r"(\d+):([0-5]\d)", text)
    assert match, text
    return 60 * int(match[1]) + int(match[2])


@pytest.mark.parametrize(
    ("kind", "label", "value", "most", "clocks"),
    [("turn", "Seconds", "240", 240, 1), ("bank", "Minutes", "20", 1200, 3)],
)
def test_the_clock_of_whoever_thinks_runs_down(
    open_page: Open, kind: str, label: str, value: str, most: int, clocks: int
) -> None:
    page = open_page()
    new_table(page, "paris")
    page.get_by_label("Clock").select_option(kind)
    page.get_by_label(label, exact=True).fill(value)
    start(page)
    page.wait_for_selector("[data-keep]")
    own = page.locator("li[data-seat='0'] .clock")
    expect(own).to_have_text(re.compile(r"^\d+:\d\d$"))
    first = seconds(own.inner_text())
    assert most - 60 < first <= most
    page.wait_for_function(
        """(first) => {
          const [minutes, rest] = document.querySelector("li[data-seat='0'] .clock").textContent
            .split(':').map(Number);
          return minutes * 60 + rest < first - 1;
        }""",
        arg=first,
    )
    assert page.locator(".clock").count() >= clocks


def test_without_a_clock_there_is_none(open_page: Open) -> None:
    page = open_page()
    Player(page).new_game("paris")
    assert page.locator(".clock").count() == 0


def test_every_level_shows_its_measured_strength(open_page: Open) -> None:
    page = open_page()
    new_table(page, "london")
    level = page.get_by_label("Level of seat 2")
    row = page.locator(".seats li").nth(1)
    for name, rating in bots.ratings()["london"].items():
        level.select_option(name)
        expect(row.locator(".strength")).to_contain_text(str(rating))
    page.get_by_text("How strong are they?").click()
    expect(page.locator(".levels .strength")).to_have_count(len(bots.OPPONENTS))


def test_a_rematch_has_the_same_players(open_page: Open) -> None:
    page = open_page()
    player = Player(page)
    player.new_game("paris")
    names = page.locator("li[data-seat] strong").all_inner_texts()
    player.play_to_the_end()
    over = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector("[data-keep]")
    assert page.url != over
    assert page.locator("li[data-seat] strong").all_inner_texts() == names
    player.keep()
    player.wait_for_turn()
    assert page.locator("g[data-owner='0']").count() == 0


def test_pages_that_are_gone_say_so(open_page: Open) -> None:
    page = open_page()
    for path, words in [
        ("#/table/nowhere", "There is no such table"),
        ("#/replay/nowhere", "There is no such game"),
        ("#/rules/atlantis", "There is no such board"),
        ("#/new/atlantis", "There is no such board"),
    ]:
        page.goto(page.url.split("#")[0] + path)
        expect(page.get_by_role("alert")).to_contain_text(words)


def test_a_full_table_can_be_watched(open_page: Open) -> None:
    host, guest, late = open_page(), open_page(), open_page()
    code = invited(host, "berlin")
    guest.goto(guest.url + f"#/join/{code}")
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Take a seat").click()
    begin(host)
    guest.wait_for_selector("[data-keep]")
    late.goto(late.url + f"#/join/{code}")
    expect(late.get_by_text("All seats are taken.")).to_be_visible()
    late.get_by_role("link", name="Just watch").click()
    expect(late.locator(".hand")).to_contain_text("You are watching")


def test_a_server_that_does_not_answer_can_be_asked_again(open_page: Open, tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        page = open_page()
        page.route("**/api/boards", lambda route: route.abort())
        page.goto(site.url)
        expect(page.get_by_role("alert")).to_contain_text("does not respond")
        page.unroute("**/api/boards")
        page.get_by_role("button", name="Try again").click()
        quick = page.locator("[data-board=paris] [data-quick]")
        expect(quick).to_be_visible()
        site.kill()
        quick.click()
        expect(page.get_by_role("alert")).to_contain_text("does not respond")
        site.start()
        quick.click()
        page.wait_for_selector("[data-keep]")
