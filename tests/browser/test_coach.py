"""The coach: what it explains in a whole game, that it is in nobody's way, and the switch."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from browser.conftest import Open
from browser.games import Games
from browser.player import Player, Toucher
from browser.screens import in_progress

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
KEPT = "fernzug.coach"

# What the line of the coach covers, whether its text is cut, and where it lies. The drawer of a
# choice and the sheet of a payment lie over the board's edge, and the line is a part of them.
LOOK = """async () => {
  // The board follows the size of what lies below it a frame later.
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
  const line = document.querySelector('[data-coach]');
  if (!line) return null;
  const box = line.getBoundingClientRect();
  const meets = (one) => {
    const other = one.getBoundingClientRect();
    return other.width > 0 && other.height > 0
      && other.left < box.right - 1 && box.left < other.right - 1
      && other.top < box.bottom - 1 && box.top < other.bottom - 1;
  };
  const stage = document.querySelector('[data-stage]');
  const drawer = line.closest('.choice, .pay');
  const covered = [...document.querySelectorAll('button, input, .card')]
    .filter((one) => !line.contains(one) && one.checkVisibility() && meets(one))
    .filter((one) => !stage.contains(one) || drawer?.contains(one))
    .map((one) => one.outerHTML.slice(0, 80));
  if (meets(stage) && !drawer) covered.push('the board');
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!line.contains(over)) covered.push(`is covered by ${over?.outerHTML.slice(0, 80)}`);
  const text = line.querySelector('p');
  const at = text?.getBoundingClientRect() ?? box;
  const cut = at.bottom > box.bottom + 1 || at.top < box.top - 1 || at.right > box.right + 1;
  const code = line.dataset.coach;
  const { top, height } = stage.getBoundingClientRect();
  const rooms = [top, height, box.top, box.height];
  return { code, text: text?.textContent ?? '', covered, cut, at: [box.top, box.height], rooms };
}"""


def look(page: Page) -> dict[str, Any] | None:
    """Look at the line of the coach; nothing may be wrong with it."""
    found: dict[str, Any] | None = page.evaluate(LOOK)
    if found is not None:
        assert found["covered"] == [], found
        assert not found["cut"], found
    return found


def kept(page: Page, key: str) -> Any:
    """Return what the page has stored."""
    return json.loads(page.evaluate("key => localStorage.getItem(key)", key) or "null")


class Pupil(Player):
    """Plays, asks for a hint now and then, and notes what the coach says before every move."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.heard: list[str] = []
        self.lines: list[float] = []
        self.hints = 0

    def move(self) -> None:
        """Listen, then play; at two moments with a hint."""
        found = look(self.page)
        if found is not None:
            code = found["code"]
            if code and code not in self.heard[-1:]:
                self.heard.append(code)
                expect(self.page.locator("[data-coach-live]")).to_have_text(found["text"])
            if self.phase in ("turn", "second_card"):
                self.lines.append(found["at"][0])
        if self.hints < 2 and self.phase == "turn":
            self.hints += 1
            self.page.locator("[data-ask-hint]").click()
            self.page.wait_for_selector("[data-hints=shown]")
            look(self.page)
            self.page.locator("[data-hints] header button").click()
        super().move()


def test_a_whole_game_with_coach_and_hints(open_page: Open) -> None:
    page = open_page()
    before: dict[str, Any] = {
        "said": {},
        "games": ["one", "two"],
        "table": "",
        "told": [],
        "last": None,
    }
    page.evaluate("([key, all]) => localStorage.setItem(key, JSON.stringify(all))", [KEPT, before])
    page.reload()
    pupil = Pupil(page)
    pupil.new_game("london")
    pupil.play_to_the_end()
    # Each comes once in a game, one after the other, and the line never moves.
    assert pupil.heard[0] in ("choose", "far")
    assert "turn" in pupil.heard
    assert len(pupil.heard) > 4
    assert len(set(pupil.heard)) == len(pupil.heard)
    assert len(set(pupil.lines)) == 1
    expect(page.locator("[data-coach]")).to_have_count(0)
    expect(page.locator("[data-end]")).to_contain_text("2 hints")
    # That was the third game: from now on the coach is silent, unless it is switched on again.
    expect(page.locator("[data-end]")).to_be_visible()
    assert kept(page, "fernzug.settings")["coach"] is False
    assert kept(page, KEPT)["said"] == {}


def test_explanations_come_twice_at_most(open_page: Open, games: Games) -> None:
    page = open_page()
    for number in range(3):
        page.goto(page.url.split("#")[0] + games.begun("london", 0))
        in_progress(page)
        code = page.locator("[data-coach]").get_attribute("data-coach")
        if number < 2:
            assert code == "turn"
            # The same game explains nothing anew, and goes on explaining it.
            page.reload()
            in_progress(page)
            expect(page.locator("[data-coach]")).to_have_attribute("data-coach", "turn")
        else:
            assert code != "turn"
    assert kept(page, KEPT)["said"]["turn"] == 2


def test_switched_off_it_stays_off(open_page: Open, games: Games) -> None:
    page = open_page(games.begun("london", 0))
    in_progress(page)
    expect(page.locator("[data-coach=turn]")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.locator("[data-switch=coach]").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("[data-coach]")).to_have_count(0)
    page.reload()
    in_progress(page)
    expect(page.locator("[data-hand], .hand").first).to_be_visible()
    expect(page.locator("[data-coach]")).to_have_count(0)
    page.goto(page.url.split("#")[0] + games.begun("paris", 0))
    in_progress(page)
    expect(page.locator("[data-coach]")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("[data-switch=coach]")).not_to_be_checked()
    page.locator("[data-switch=coach]").check()
    page.keyboard.press("Escape")
    expect(page.locator("[data-coach]")).to_have_count(1)


def test_put_away_by_key_it_does_not_come_again(open_page: Open, games: Games) -> None:
    page = open_page(games.begun("london", 0))
    in_progress(page)
    line = page.locator("[data-coach]")
    # What lies face up may be explained first.
    expect(line).to_have_attribute("data-coach", re.compile("turn|swept"))
    said = line.get_attribute("data-coach")
    box = line.bounding_box()
    page.locator("[data-coach-away]").focus()
    page.keyboard.press("Enter")
    expect(line).to_have_attribute("data-coach", "")
    # Its room is kept, so that nothing jumps, and the keys of the game still work.
    assert line.bounding_box() == box
    assert kept(page, KEPT)["said"][said] == 2
    page.keyboard.press("d")
    page.wait_for_selector(".screen[data-phase=second_card]")


def test_a_dimmed_wild_card_is_explained_where_it_lies(open_page: Open, games: Games) -> None:
    page = open_page(settings={"lang": "de"}, **SMALL)
    player = Toucher(page)
    # Wild cards lie open in most displays; a game without any is begun anew.
    for _ in range(12):
        page.goto(page.url.split("#")[0] + games.begun("london", 0))
        in_progress(page)
        wild = page.locator(".slot[data-card=wild]")
        ready = page.locator(".slot.ready:not([data-card=wild]):not(.deck)")
        if wild.count() and ready.count():
            expect(wild.first).to_be_enabled()
            above = page.locator("[data-coach]").bounding_box()
            player.point(ready.first)
            page.wait_for_selector(".screen[data-phase=second_card][data-busy='']")
            if wild.count():
                break
    line = page.locator("[data-coach=wildShut]")
    expect(line).to_contain_text("Als zweite Karte geht er nicht mehr.")
    expect(wild.first).to_be_disabled()
    expect(wild.first).to_have_class(re.compile(r"\bclosed\b"))
    assert line.bounding_box() == above
    beak, card = line.locator(".beak.top").bounding_box(), wild.first.bounding_box()
    assert beak is not None
    assert card is not None
    assert card["x"] < beak["x"] + beak["width"] / 2 < card["x"] + card["width"]
    look(page)


def test_on_a_phone_nothing_is_covered_and_nothing_jumps(open_page: Open) -> None:
    page = open_page("#/new/london", settings={"lang": "de"}, **SMALL)
    player = Toucher(page)
    player.start()
    assert look(page) is not None
    seen, rooms = set(), set()
    for _ in range(24):
        if not player.wait_for_turn():
            break
        found = look(page)
        assert found is not None
        seen.add(found["code"])
        if page.locator("[data-keep]").count() == 0:
            rooms.add(tuple(found["rooms"]))
        before = player.seq
        if player.longest() is not None:
            player.point(page.locator("[data-open=log] + button"))
            player.point(page.locator("dialog [data-claim]").first)
            page.wait_for_selector(".option")
            paying = look(page)
            assert paying is None or paying["code"].startswith("pay."), paying
            player.point(page.locator("[data-build]"))
            player.done(before)
        else:
            player.move()
    assert len(seen) > 4
    # The hand may need a second row, once.
    assert len(rooms) <= 2, rooms
