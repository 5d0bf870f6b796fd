"""The looks: typefaces, the app's manifest and icons, and what a tab in the background tells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import expect

from browser import screens
from browser.conftest import Open
from browser.games import Games
from browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_the_typefaces_come_with_the_page(open_page: Open, site: Site) -> None:
    page: Page = open_page("#/rules/paris")
    page.wait_for_selector("article table")
    loaded = page.evaluate(
        """async () => {
          await document.fonts.ready;
          return [...document.fonts].filter((one) => one.status === 'loaded')
            .map((one) => `${one.family.replaceAll('"', '')} ${one.weight}`).sort();
        }"""
    )
    barlow = "Barlow Semi Condensed"
    assert loaded == [f"{barlow} 500", f"{barlow} 600", f"{barlow} 700", "Bitter 800"]
    # A name with another letter brings a second file, and figures are all as wide as each other.
    more, narrow, wide = page.evaluate(
        """async () => {
          const line = document.createElement('p');
          line.innerHTML = '<span>1111</span> <span>8888</span> <b>Łódź</b>';
          document.querySelector('main').append(line);
          const faces = await document.fonts.load('700 15px "Barlow Semi Condensed"', 'Ł');
          const [a, b] = [...line.querySelectorAll('span')]
            .map((one) => one.getBoundingClientRect().width);
          return [faces.length, a, b];
        }"""
    )
    assert more >= 1
    assert narrow == wide


def test_the_app_can_be_installed(site: Site) -> None:
    with urlopen(f"{site.url}app.webmanifest") as answer:
        assert answer.headers["content-type"].startswith("application/manifest+json")
        manifest = json.load(answer)
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512", "any"} <= sizes
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        with urlopen(site.url + icon["src"].removeprefix("./")) as answer:
            assert answer.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                width, height = Image.open(answer).size
                assert f"{width}x{height}" == icon["sizes"]


def test_the_tab_tells_whose_turn_it_is(open_page: Open, games: Games) -> None:
    page = screens.playing(open_page, games)
    icon = page.locator("#icon")
    expect(page).to_have_title("Your turn · USA · Fernzug")
    expect(icon).to_have_attribute("href", "./icon-turn.svg")
    # Each bot has a face, and no two have the same.
    faces = page.evaluate(
        "() => [...document.querySelectorAll('.players [data-face]')].map((n) => n.dataset.face)"
    )
    assert faces[0] == ""
    assert "" not in faces[1:]
    assert len(set(faces)) == len(faces) == 3
    page.goto(page.url.partition("#")[0] + "#/")
    page.wait_for_selector("[data-board]")
    expect(icon).to_have_attribute("href", "./icon.svg")
    expect(page).to_have_title("Fernzug")
    finished = screens.ending(open_page, games)
    expect(finished).to_have_title("The game is over · Paris · Fernzug")
