"""What the host decides: when the game starts, who is in, which code is valid; chosen seeds."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.friends import begin
from browser.player import Player, Toucher
from browser.test_screens import PHONE_SIZE
from browser.test_tables import new_table, start


def invite(page: Page, *, seats: int = 2, **options: str) -> str:
    """Make a table for friends; return its code."""
    new_table(page, "london", "With friends by link")
    page.get_by_label("Name for seat 1").fill("Anna")
    for _ in range(seats - 2):
        page.get_by_role("button", name="Add a seat").click()
    if "start" in options:
        page.get_by_label("The game starts").select_option(options["start"])
    if "seed" in options:
        page.get_by_label("Seed").fill(options["seed"])
    start(page)
    return page.locator("[data-code]").inner_text()


def accept(page: Page, code: str, name: str) -> None:
    """Take a seat by following the link."""
    page.goto(page.url.split("#")[0] + f"#/join/{code}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take a seat").click()


def picture(page: Page, folder: Path, name: str) -> None:
    """Take pictures by day and by night."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=folder / f"{name}-{scheme}.png", animations="disabled")


@pytest.mark.parametrize("size", [{"viewport": {"width": 1440, "height": 900}}, PHONE_SIZE])
def test_the_host_starts_with_bots_on_the_free_seats(
    open_page: Open, pictures: Path, size: dict[str, object]
) -> None:
    phone = size is PHONE_SIZE
    host, guest = open_page(**size), open_page(**size)
    accept(guest, invite(host, seats=3), "Anna")
    expect(guest.get_by_text("Anna starts the game.")).to_be_visible()
    assert guest.locator("[data-start]").count() == 0
    # Two of one name are told apart, by everybody alike.
    for page in (host, guest):
        expect(page.locator(".room li").nth(1)).to_contain_text("Anna 2")
    expect(host.locator("[data-start]")).to_have_text("Start with 1 bot")
    picture(host, pictures, f"waiting-host-{'phone' if phone else 'desk'}")
    picture(guest, pictures, f"waiting-guest-{'phone' if phone else 'desk'}")
    host.locator("[data-start]").click()
    for page in (host, guest):
        page.wait_for_selector("[data-keep]")
    assert host.locator("li[data-seat]").count() == 3


def test_a_game_can_start_when_all_are_there(open_page: Open) -> None:
    host, guest = open_page(), open_page()
    code = invite(host, start="full")
    expect(host.get_by_text("as soon as everybody is here")).to_be_visible()
    accept(guest, code, "Ben")
    for page in (host, guest):
        page.wait_for_selector("[data-keep]")


def test_somebody_is_removed_before_the_game_and_the_code_renewed(open_page: Open) -> None:
    host, rude = open_page(), open_page()
    old = invite(host)
    accept(rude, old, "Rude")
    host.get_by_role("button", name="Free the seat").click()
    expect(rude.locator("[data-notice=removed]")).to_contain_text("You are watching now")
    # Whoever only watches does not know the code.
    expect(rude.locator("[data-code]")).to_have_count(0)
    host.get_by_role("button", name="New code").click()
    expect(host.locator("[data-code]")).not_to_have_text(old)
    code = host.locator("[data-code]").inner_text()
    rude.goto(rude.url.split("#")[0] + f"#/join/{old}")
    expect(rude.get_by_role("alert")).to_contain_text(f"There is no table with the code {old}.")
    # Somebody who is invited again may come back.
    accept(rude, code, "Meek")
    begin(host)
    rude.wait_for_selector("[data-keep]")


def test_whoever_is_away_when_they_are_removed_learns_it_on_return(open_page: Open) -> None:
    host, rude = open_page(), open_page()
    accept(rude, invite(host), "Rude")
    rude.wait_for_selector("[data-code]")
    table = rude.url
    rude.goto(table.split("#")[0] + "#/")
    expect(rude.locator("[data-code]")).to_have_count(0)
    host.get_by_role("button", name="Free the seat").click()
    expect(host.get_by_role("button", name="Free the seat")).to_have_count(0)
    rude.goto(table)
    expect(rude.locator("[data-notice=removed]")).to_contain_text("You are watching now")


def test_a_bot_takes_over_from_somebody_who_is_removed_from_the_game(
    open_page: Open, pictures: Path
) -> None:
    host, rude = open_page(viewport={"width": 1440, "height": 900}), open_page(**PHONE_SIZE)
    accept(rude, invite(host), "Rude")
    begin(host)
    for page in (host, rude):
        page.wait_for_selector("[data-keep]")
    # A guest has no say in this.
    rude.locator("[data-menu]").click()
    rude.get_by_role("button", name="Table and spectators").click()
    expect(rude.locator("dialog")).to_contain_text("Link for spectators")
    assert rude.get_by_role("button", name="Remove").count() == 0
    host.get_by_role("button", name="Table and spectators").click()
    host.get_by_role("button", name="Remove Rude").click()
    picture(host, pictures, "remove-desk")
    host.locator("[data-remove]").click()
    expect(rude.locator("[data-notice=removed]")).to_contain_text("You are watching now")
    expect(host.locator("li[data-seat='1']")).not_to_contain_text("Rude")
    Player(host).keep()
    Player(host).wait_for_turn()


def test_bots_are_not_left_among_themselves(open_page: Open) -> None:
    page = open_page("#/new/paris")
    page.get_by_label("Who sits in seat 1").select_option("bot")
    expect(page.get_by_text("at least one seat is for a person")).to_be_visible()
    expect(page.locator("button[type=submit]")).to_be_disabled()


@pytest.mark.parametrize("size", [{"viewport": {"width": 1440, "height": 900}}, PHONE_SIZE])
def test_a_chosen_seed_is_told_everywhere(
    open_page: Open, pictures: Path, size: dict[str, object]
) -> None:
    name = "phone" if size is PHONE_SIZE else "desk"
    page = open_page(**size)
    new_table(page, "london")
    page.get_by_label("Name for seat 1").fill("Anna")
    page.get_by_label("Seed").fill("42")
    page.get_by_label("List it under open tables").check()
    start(page)
    page.wait_for_selector("[data-keep]")
    expect(page.locator("[data-seeded]")).to_be_visible()
    picture(page, pictures, f"seeded-play-{name}")
    lobby = open_page(**size)
    listed = lobby.locator(".open [data-seeded]").first
    listed.scroll_into_view_if_needed()
    expect(listed).to_have_text("Chosen seed")
    picture(lobby, pictures, f"seeded-lobby-{name}")
    (Toucher(page) if size is PHONE_SIZE else Player(page)).play_to_the_end()
    page.locator("[data-end] .who [data-seeded]").wait_for()
    picture(page, pictures, f"seeded-end-{name}")
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".log")
    expect(page.locator("[data-seeded]")).to_be_visible()
    picture(page, pictures, f"seeded-replay-{name}")


def test_a_chosen_seed_is_told_to_everybody(open_page: Open) -> None:
    host = open_page()
    new_table(host, "london", "With friends by link")
    host.get_by_label("Name for seat 1").fill("Anna")
    host.get_by_label("Seed").fill("42")
    start(host)
    code = host.locator("[data-code]").inner_text()
    expect(host.locator(".seeded").first).to_be_visible()
    guest = open_page(f"#/join/{code}")
    expect(guest.locator(".seeded")).to_contain_text("can know the decks")
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Take a seat").click()
    begin(host)
    for page in (host, guest):
        page.wait_for_selector("[data-keep]")
        page.locator("[data-seeded]").click()
        expect(page.locator("dialog")).to_contain_text("Chosen seed")
    fair = open_page()
    Player(fair).new_game("london")
    assert fair.locator("[data-seeded]").count() == 0
