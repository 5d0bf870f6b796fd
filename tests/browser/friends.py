"""What people do to get their friends to the table."""

from __future__ import annotations

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect


def read_code(page: Page, name: str) -> str:
    """Scan a QR code as a camera sees it."""
    picture = page.get_by_role("img", name=name).screenshot()
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)).convert("L"))
    assert [str(one.format) for one in found] == ["QR Code"]
    return str(found[0].text)


def begin(page: Page) -> None:
    """Start the game as its host, once everybody who was invited is there."""
    ready = re.compile("Start the game|Spiel starten|Lancer la partie")
    expect(page.locator("[data-start]")).to_have_text(ready)
    page.locator("[data-start]").click()


def let_others_join(page: Page, on: bool = True) -> None:
    """Turn the switch, unless it is there already."""
    switch = page.get_by_role("switch")
    expect(switch).to_be_enabled()
    wanted = "true" if on else "false"
    if switch.get_attribute("aria-checked") != wanted:
        switch.click()
    expect(switch).to_have_attribute("aria-checked", wanted)
