"""How much is sent before the game can be played (benchmarks/web_client.py measures times)."""

from __future__ import annotations

from playwright.sync_api import Browser

from browser.conftest import Open
from browser.player import Player
from browser.site import Site

MAX_BYTES = 250_000


def test_the_first_load_is_small(open_page: Open, browser: Browser, site: Site) -> None:
    host = open_page()
    Player(host).new_game("usa")
    seats = host.evaluate("localStorage.getItem('fernzug.seats')")
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    try:
        page = context.new_page()
        page.goto(site.url + "healthz")
        page.evaluate("seats => localStorage.setItem('fernzug.seats', seats)", seats)
        page.evaluate("localStorage.setItem('fernzug.settings', '{\"speed\":\"off\"}')")
        page.goto("about:blank")
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        sizes: list[float] = []
        network.on("Network.loadingFinished", lambda e: sizes.append(e["encodedDataLength"]))
        frames: list[int] = []
        network.on(
            "Network.webSocketFrameReceived",
            lambda e: frames.append(len(e["response"]["payloadData"])),
        )
        page.goto(host.url)
        page.wait_for_selector("[data-keep]:enabled")
        page.wait_for_selector(".map svg")
        page.wait_for_timeout(500)
    finally:
        context.close()
    total = sum(sizes) + sum(frames)
    assert total <= MAX_BYTES
