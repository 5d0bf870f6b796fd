"""Several people at one table: two browsers, one screen for two, and somebody who only watches."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket, expect

from browser.conftest import Open
from browser.friends import begin
from browser.player import Player
from browser.site import Site


def invite(page: Page, board: str) -> str:
    """Make a table for two by link; return its code."""
    page.locator(f"[data-board={board}] a").click()
    page.get_by_label("With friends by link").check()
    page.get_by_label("Name for seat 1").fill("Anna")
    page.locator("button[type=submit]").click()
    return page.locator("[data-code]").inner_text()


def accept(page: Page, code: str) -> None:
    """Sit down by typing the code."""
    page.locator("#code").fill(code.lower())
    page.get_by_role("button", name="Join").click()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Take a seat").click()


def play_both(players: list[Player], moves: int) -> bool:
    """Let whoever is to move do so; return whether the game goes on."""
    for _ in range(moves):
        for player in players:
            if player.phase == "over":
                return False
            if player.page.locator(".screen[data-turn=mine][data-busy='']").count():
                player.move()
        players[0].page.wait_for_timeout(20)
    return True


def same_board(a: Page, b: Page) -> None:
    """Both browsers show the same routes with the same owners."""
    script = """() => [...document.querySelectorAll('g[data-owner]')]
      .map((one) => one.dataset.route + '=' + one.dataset.owner).join(' ')"""
    for _ in range(100):
        if a.evaluate(script) == b.evaluate(script):
            return
        a.wait_for_timeout(50)
    assert a.evaluate(script) == b.evaluate(script)


def test_two_browsers_survive_reload_cut_and_restart(
    open_page: Open, browser: Browser, tmp_path: Path
) -> None:
    with Site(tmp_path) as site:
        pages = [open_page(), open_page()]
        for page in pages:
            page.goto(site.url)
        accept(pages[1], invite(pages[0], "london"))
        begin(pages[0])
        players = [Player(page) for page in pages]
        for page in pages:
            page.wait_for_selector("[data-keep]")
        assert play_both(players, 8)

        # A reload in the middle: the seat is kept in the browser.
        pages[0].reload()
        pages[0].wait_for_selector(".screen[data-phase]:not([data-phase=''])")
        same_board(*pages)
        assert play_both(players, 8)

        # A cut connection: the page says so, and mends it by itself.
        pages[1].context.set_offline(True)
        pages[1].evaluate("() => window.dispatchEvent(new Event('offline'))")
        site.kill()
        pages[1].wait_for_selector("[data-notice=lost]")
        pages[0].wait_for_selector("[data-notice=lost]")
        pages[1].context.set_offline(False)

        # The server starts again where it was: nothing that was acknowledged is gone.
        site.start()
        for page in pages:
            expect(page.locator("[data-notice=lost]")).to_have_count(0, timeout=20_000)
        same_board(*pages)
        assert play_both(players, 600) is False
        for page in pages:
            page.wait_for_selector("[data-end] [data-total]")
        totals = [
            page.locator("[data-end] [data-total]").evaluate_all(
                "rows => rows.map((row) => row.dataset.total)"
            )
            for page in pages
        ]
        assert totals[0] == totals[1]

        # One asks for another game, and the other is led to it.
        pages[0].get_by_role("button", name="Play again").click()
        pages[1].get_by_role("link", name="Go to the next game").click()
        for page in pages:
            page.wait_for_selector("[data-keep]")
        assert pages[0].url == pages[1].url


def test_the_curtain_hides_every_hand_on_a_shared_screen(open_page: Open) -> None:
    page = open_page()
    page.locator("[data-board=paris] a").click()
    page.get_by_label("On one screen").check()
    page.get_by_label("Name for seat 1").fill("Anna")
    page.get_by_label("Name for seat 2").fill("Ben")
    page.locator("button[type=submit]").click()
    player = Player(page)
    seen = set()
    for _ in range(300):
        curtain = page.locator("[data-curtain]")
        page.wait_for_selector("[data-curtain], .screen[data-turn=mine], .screen[data-phase=over]")
        if player.phase == "over":
            break
        if curtain.count():
            # Nobody's cards or tickets are on the page while the curtain is down.
            assert page.locator("[data-hand], [data-ticket], [data-offer]").count() == 0
            seat = curtain.get_attribute("data-curtain")
            seen.add(seat)
            name = "Anna" if seat == "0" else "Ben"
            expect(curtain).to_contain_text(name)
            page.get_by_role("button", name="Show my cards").click()
            continue
        if not player.screen.get_attribute("data-busy"):
            player.move()
    assert player.phase == "over"
    assert seen == {"0", "1"}
    page.wait_for_selector("[data-end]")


def test_a_spectator_is_told_no_secret(open_page: Open) -> None:
    host = open_page()
    Player(host).new_game("new_york")
    table = host.url.rsplit("/", 1)[1]
    heard: list[str] = []
    watcher = open_page()

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    watcher.on("websocket", listen)
    watcher.goto(watcher.url.split("#")[0] + f"#/watch/{table}")
    watcher.wait_for_selector(".screen[data-phase=setup]")
    expect(watcher.locator(".hand")).to_contain_text("You are watching")
    player = Player(host)
    for _ in range(12):
        if not player.wait_for_turn():
            break
        player.move()
    watcher.wait_for_selector("g[data-owner='0'], [data-log] li:nth-child(8)")
    assert watcher.locator("[data-hand], [data-ticket], .slot.ready, g.route.open").count() == 0
    messages = [json.loads(text) for text in heard]
    assert len(messages) > 8
    for message in messages:
        for event in message.get("events", []):
            if event["event"] in ("dealt", "drew"):
                assert "color" not in event
            if event["event"] in ("offered", "kept", "returned"):
                assert "tickets" not in event
        for one in message.get("views", []):
            assert one["seat"] is None
            assert one["view"]["legal"] == one["view"].get("offer", []) == []
            for seen in one["view"]["players"]:
                assert seen["hand"] is None
                assert seen["tickets"] is None


def test_a_seat_moves_to_another_device(open_page: Open) -> None:
    first = open_page()
    Player(first).new_game("berlin")
    first.get_by_role("button", name="Table and spectators").click()
    first.get_by_role("button", name="Continue on another device").click()
    link = first.locator("#device-link").input_value()
    second = open_page()
    second.goto(link)
    second.wait_for_selector("[data-keep]")
    # The secret does not stay in the address.
    assert re.fullmatch(r"#/table/[^/]+", "#" + second.url.split("#")[1])
    Player(second).keep()
    first.keyboard.press("Escape")
    expect(first.locator("[data-keep]")).to_have_count(0)


def test_chat_reactions_and_leaving(open_page: Open) -> None:
    anna, ben = open_page(), open_page()
    accept(ben, invite(anna, "paris"))
    begin(anna)
    for page in (anna, ben):
        page.wait_for_selector("[data-keep]")
        page.get_by_role("button", name="Chat").click()
    anna.locator("#say").fill("<b>Hi</b> & good luck")
    anna.locator("#say").press("Enter")
    expect(ben.locator(".chat li")).to_contain_text("<b>Hi</b> & good luck")
    ben.get_by_role("button", name="Well done!").click()
    expect(anna.locator(".bubble")).to_contain_text("Well done!")
    ben.get_by_role("button", name="Table and spectators").click()
    ben.locator("[data-leave]").click()
    expect(ben.locator("[data-notice=bot]")).to_contain_text("A bot is playing for you")
    expect(anna.locator("li[data-seat='1']")).to_contain_text("bot playing")
    ben.get_by_role("button", name="Take your seat back").click()
    expect(anna.locator("li[data-seat='1']")).not_to_contain_text("bot playing")
