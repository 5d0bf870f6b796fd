"""Friends get in: over the network, by code or by link, each in their own language."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.friends import begin, let_others_join, read_code
from browser.games import Games
from browser.player import Player, Toucher
from browser.site import NETWORK
from browser.test_screens import PHONE_SIZE
from browser.test_together import play_both

OTHERS_YOU = {
    "de": r"\bYou\b|\byour?\b|\b[Tt]oi\b|\b[Tt]u\b|\bJoueur\b|\bPlayer\b",
    "fr": r"\bDu\b|\bdu bist\b|\bYou\b|\byour?\b|\bSpieler\b|\bPlayer\b",
}
"""How the other two languages speak to a player, or of one without a name."""


REMEMBER = """() => {
  const read = (window.everRead = new Set());
  const see = (node) => {
    read.add(node.textContent ?? '');
    for (const one of [node, ...(node.querySelectorAll?.('[aria-label], [title]') ?? [])]) {
      for (const name of ['aria-label', 'title']) read.add(one.getAttribute?.(name) ?? '');
    }
  };
  see(document.documentElement);
  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const node of change.addedNodes) see(node);
      if (change.type !== 'childList') see(change.target);
    }
  }).observe(document.documentElement, {
    subtree: true, childList: true, characterData: true, attributeFilter: ['aria-label', 'title'],
  });
}"""
"""Keeps every text that appears on the page, for the eye or for a screen reader."""


def ever_read(page: Page) -> str:
    """Return all that the page has shown since it was told to remember."""
    text: str = page.evaluate("() => [...window.everRead].join('\\n')")
    return text


def nobody_was_you(pages: dict[str, Page]) -> None:
    """No page has spoken to its reader as another does to its own."""
    for lang, page in pages.items():
        found = re.search(OTHERS_YOU[lang], ever_read(page))
        assert found is None, (lang, found)


def test_two_languages_and_a_phone_at_one_table(open_page: Open) -> None:
    host = open_page("#/new/london", settings={"lang": "de"}, locale="de-DE")
    host.get_by_label("Mit Freunden per Link").check()
    # Whoever invites others is asked for a name.
    host.locator("button[type=submit]").click()
    expect(host.get_by_text("Sag den anderen, wie du heißt.")).to_be_visible()
    name = host.get_by_label("Name auf Platz 1")
    assert name.evaluate("(field) => !field.validity.valid")
    name.fill("Oma")
    host.locator("button[type=submit]").click()

    # At first only this machine can get in, and the page says so instead of showing a code.
    code = host.locator("[data-code]").inner_text()
    let_others_join(host, on=False)
    expect(host.locator("[data-reach=machine]")).to_contain_text("Nur dieses Gerät")
    qr = host.get_by_role("img", name="QR-Code der Einladung")
    expect(qr).to_have_count(0)
    assert urlsplit(host.locator("#invite").input_value()).hostname == "127.0.0.1"

    let_others_join(host)
    link = read_code(host, "QR-Code der Einladung")
    assert link == host.locator("#invite").input_value()
    assert link.endswith(f"#/join/{code}")
    assert urlsplit(link).hostname == NETWORK
    expect(host.locator("[data-reach=network]")).to_contain_text(urlsplit(link).netloc)

    phone = open_page(link, settings={"lang": "fr"}, locale="fr-FR", **PHONE_SIZE)
    assert urlsplit(phone.url).hostname == NETWORK
    phone.get_by_label("Ton nom").fill("Émile")
    phone.get_by_role("button", name="Prendre place").tap()
    expect(phone.get_by_text("Oma lancera la partie.")).to_be_visible()
    begin(host)
    pages = {"de": host, "fr": phone}
    for page in pages.values():
        page.wait_for_selector("[data-keep]")
        page.evaluate(REMEMBER)
    play_both([Player(host), Toucher(phone)], 5)

    # A guest has no say in who gets in; at the machine it can be undone.
    assert phone.evaluate("async () => (await (await fetch('api/network')).json()).switch") is False
    host.get_by_role("button", name="Tisch und Zuschauer").click()
    let_others_join(host, on=False)
    phone.wait_for_selector("[data-notice=lost]")
    let_others_join(host)
    expect(phone.locator("[data-notice=lost]")).to_have_count(0, timeout=20_000)

    # Both leave the rest to bots and watch to the end.
    host.locator("[data-leave]").click()
    open_menu(phone, "Table et spectateurs")
    phone.locator("[data-leave]").click()
    for page in pages.values():
        page.wait_for_selector("[data-end]", timeout=60_000)
    nobody_was_you(pages)
    assert "Émile ist dran" in ever_read(host)
    assert "Au tour d’Oma" in ever_read(phone)
    winners = [ever_read(page) for page in pages.values()]
    assert sum("Du gewinnst" in text or "Tu gagnes" in text for text in winners) <= 1
    host.reload()
    host.get_by_role("button", name="Tisch und Zuschauer").click()
    let_others_join(host, on=False)


def open_menu(page: Page, name: str) -> None:
    """Open the table's menu, which on a phone is behind another button."""
    button = page.get_by_role("button", name=name)
    if not button.is_visible():
        page.get_by_role("button", name="Menu").click()
    button.click()


def test_you_is_said_to_oneself_only(open_page: Open) -> None:
    alone = open_page("#/new/new_york", settings={"lang": "de"}, locale="de-DE")
    Player(alone).start()
    Player(alone).keep()
    expect(alone.locator("[data-seat='0']").first).to_contain_text("Du")
    table = alone.url.rsplit("/", 1)[1]
    watcher = open_page(f"#/watch/{table}", settings={"lang": "fr"}, locale="fr-FR")
    expect(watcher.locator("[data-seat='0']").first).to_contain_text("Joueur 1")
    for page in (alone, watcher):
        page.evaluate(REMEMBER)
    Player(alone).wait_for_turn()
    Player(alone).move()
    nobody_was_you({"de": alone, "fr": watcher})


def test_a_wrong_code_is_said_where_it_was_typed(open_page: Open, games: Games) -> None:
    page = open_page()
    field, alert = page.locator("#code"), page.locator("#code-problem")
    field.fill("zz")
    page.get_by_role("button", name="Join").click()
    expect(alert).to_contain_text("A code has five letters.")
    field.fill("zzzzz")
    page.get_by_role("button", name="Join").click()
    expect(alert).to_contain_text("There is no table with the code ZZZZZ.")
    expect(alert).to_contain_text("open one yourself")
    assert "#/join" not in page.url
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    # A code in groups, or the whole link, is understood.
    code = games.invitation("paris")
    field.fill(f"{code[:2].lower()} {code[2:]}")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Invitation: Paris")).to_be_visible()
    # An old link asks for another code, and shows the way home.
    page.goto(page.url.split("#")[0] + "#/join/ZZZZZ")
    expect(alert).to_contain_text("There is no table with the code ZZZZZ.")
    field.fill(f"http://elsewhere.example/#/join/{code}")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Invitation: Paris")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/join/ZZZZZ")
    page.get_by_role("link", name="Open tables and new games").click()
    page.wait_for_selector("[data-board=usa]")


def test_a_link_is_copied_or_shared_by_the_system(open_page: Open) -> None:
    page = open_page("#/new/berlin")
    page.add_init_script(
        "Object.defineProperty(navigator, 'share',"
        " { value: async (what) => { window.shared = what; } })"
    )
    page.reload()
    page.get_by_label("With friends by link").check()
    page.get_by_label("Name for seat 1").fill("Anna")
    page.locator("button[type=submit]").click()
    page.get_by_role("button", name="Share").click()
    link = page.locator("#invite").input_value()
    assert page.evaluate("() => window.shared.url") == link
    assert "Berlin" in page.evaluate("() => window.shared.text")
    # Where a page may not write to the clipboard, as over plain HTTP in a network, it still copies.
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
