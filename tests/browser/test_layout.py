"""Measured on every board and size: names, targets and hands have the room that they need."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

import fernzug
from browser.conftest import Open
from browser.games import Games
from browser.screens import in_progress

SIZES = {
    "desktop": (1440, 900),
    "tablet": (1024, 768),
    "sideways": (844, 390),
    "phone": (360, 640),
}
MIN_TEXT = 11
TARGET = 44

MEASURE = """([minText, target]) => {
  const faults = [];
  const near = 0.6;
  const names = [...document.querySelectorAll('.names .name')].map((one) => ({
    id: one.dataset.name,
    size: parseFloat(getComputedStyle(one).fontSize),
    box: (one.matches('.plate') ? one : one.querySelector('span')).getBoundingClientRect(),
  }));
  if (!names.length) faults.push('there are no names');
  // What the edge of the view would cut off waits until the board is moved.
  const stage = document.querySelector('.names').parentElement.getBoundingClientRect();
  for (const one of document.querySelectorAll('.names .name')) {
    const box = one.getBoundingClientRect();
    const cut = box.left < stage.left - 1 || box.right > stage.right + 1;
    const seen = getComputedStyle(one).visibility === 'visible';
    if (seen && cut) faults.push(`cut off: the name of ${one.dataset.name}`);
  }
  const ids = names.map((one) => one.id);
  for (const id of ids.filter((one, i) => ids.indexOf(one) !== i)) faults.push(`${id} twice`);
  const apart = (a, b) => a.right - near <= b.left || b.right - near <= a.left
    || a.bottom - near <= b.top || b.bottom - near <= a.top;
  names.forEach((a, i) => {
    if (a.size < minText || a.box.height < minText) faults.push(`${a.id} is ${a.size} px high`);
    for (const b of names.slice(i + 1)) {
      if (!apart(a.box, b.box)) faults.push(`${a.id} covers ${b.id}`);
    }
    for (const plate of document.querySelectorAll('.plates > *')) {
      if (!apart(a.box, plate.getBoundingClientRect())) faults.push(`${a.id} covers a plate`);
    }
  });
  const overview = document.querySelector('[data-overview]')?.getBoundingClientRect();
  for (const one of overview ? document.querySelectorAll('.names .name') : []) {
    const shown = getComputedStyle(one).visibility === 'visible';
    const covered = !apart(one.getBoundingClientRect(), overview);
    if (shown && covered) faults.push(`the picture of the board covers ${one.dataset.name}`);
    if (covered && one.matches('.plate')) faults.push(`it hides the ticket to ${one.dataset.name}`);
  }
  // The outline of a space is turned: points all over it are asked whether a name covers them.
  for (const space of document.querySelectorAll('.routes .space')) {
    const matrix = space.getScreenCTM();
    const length = space.getTotalLength();
    for (let i = 0; i < 12; i++) {
      const at = space.getPointAtLength((length * i) / 12).matrixTransform(matrix);
      for (const { id, box } of names) {
        if (at.x > box.left + near && at.x < box.right - near
          && at.y > box.top + near && at.y < box.bottom - near) {
          const route = space.closest('[data-route]')?.dataset.route;
          faults.push(`${id} covers a space of ${route}`);
        }
      }
    }
  }
  for (const disc of document.querySelectorAll('.places circle')) {
    const box = disc.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    for (const { id, box: name } of names) {
      const gap = Math.hypot(
        Math.max(0, name.left - x, x - name.right), Math.max(0, name.top - y, y - name.bottom));
      if (gap < box.width / 2 - 1) faults.push(`${id} covers a place`);
    }
  }
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) faults.push('the page is wider than the screen');
  const touch = matchMedia('(pointer: coarse)').matches;
  for (const one of document.querySelectorAll('button, a[href], select, input')) {
    const box = (one.closest('label') ?? one).getBoundingClientRect();
    if (!one.checkVisibility() || box.width < 3 || box.height < 3) continue;
    const what = one.outerHTML.slice(0, 90);
    if (box.left < -1 || box.right > wide + 1) faults.push(`cut off: ${what}`);
    if (touch && Math.min(box.width, box.height) < target - 0.5) faults.push(`too small: ${what}`);
  }
  // Text may leave neither the screen nor the panel that it stands in.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const within = text.parentElement;
    const unseen = '.hidden, .names, .plates, svg, option, script, style';
    if (!text.data.trim() || within.closest(unseen) || !within.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    if (within.closest('button, a, th, td')) {
      for (const { index, 0: word } of text.data.matchAll(/[^\\s\\u2013-]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1) faults.push(`broken: ${word}`);
      }
    }
    let left = 0, right = wide, clipped = box.width < 2;
    for (let up = within; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      const room = up.getBoundingClientRect();
      if (style.clipPath !== 'none' && room.width < 3) clipped = true;
      if (style.overflowX === 'visible') continue;
      left = Math.max(left, room.left);
      right = Math.min(right, room.right);
    }
    if (!clipped && (box.left < left - 1 || box.right > right + 1)) {
      faults.push(`cut off: ${text.data.trim().slice(0, 60)}`);
    }
  }
  return [...new Set(faults)];
}"""
"""What is wrong with the page as it is: too small, covered, or cut off."""


def faults(page: Page) -> list[str]:
    """Return what is wrong with the page once the board has come to rest."""
    page.evaluate(
        "() => document.fonts.ready.then(() => new Promise((done) =>"
        " requestAnimationFrame(() => requestAnimationFrame(done))))"
    )
    page.wait_for_selector(".world:not(.moving)")
    page.wait_for_selector(".names .name", state="attached")
    found: list[str] = page.evaluate(MEASURE, [MIN_TEXT, TARGET])
    return found


def cards_out_of_view(page: Page) -> list[str]:
    """Return the colours in hand that are not seen, or hardly."""
    script = """() => {
      const cards = [...document.querySelectorAll('[data-hand]')];
      const boxes = cards.map((one) => one.getBoundingClientRect());
      return cards.filter((one, i) => {
        const box = boxes[i];
        const seen = (boxes[i + 1]?.left ?? box.right) - box.left;
        return box.left < -1 || box.right > innerWidth + 1 || Math.abs(seen) < 44 || box.height < 44
          || box.bottom > innerHeight + 1;
      }).map((one) => one.dataset.hand);
    }"""
    found: list[str] = page.evaluate(script)
    return found


def with_every_colour(route: WebSocketRoute, colors: list[str]) -> None:
    """Let the page believe that its seat holds cards of every colour."""
    server = route.connect_to_server()

    def tell(text: str | bytes) -> None:
        message = json.loads(text)
        for told in message.get("views", []):
            for player in told["view"]["players"]:
                if player.get("hand") is not None:
                    player["hand"] = dict.fromkeys(colors, 2)
        route.send(json.dumps(message))

    server.on_message(tell)


@pytest.mark.parametrize("board", fernzug.boards())
def test_in_play(open_page: Open, games: Games, board: str) -> None:
    page = open_page(has_touch=True)
    colors = [*fernzug.board(board).colors, "wild"]
    page.route_web_socket("**/*", lambda route: with_every_colour(route, colors))
    page.goto(page.url + games.shared(board, 12))
    in_progress(page)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert faults(page) == [], size
        assert page.locator("[data-hand]").count() == len(colors)
        assert cards_out_of_view(page) == [], size
        for presses in (1, 3):
            for _ in range(presses):
                page.keyboard.press("+")
            assert faults(page) == [], f"{size}, nearer"
        page.keyboard.press("0")
        assert faults(page) == [], f"{size}, the whole board"
        if size == "desktop":
            # Large plates of tickets may take the room of one name, not of more.
            shown = page.locator(".names .name").count()
            assert shown >= len(fernzug.board(board).locations) - 1


@pytest.mark.parametrize("board", fernzug.boards())
def test_choosing_tickets(open_page: Open, games: Games, board: str) -> None:
    page = open_page(games.dealt(board), has_touch=True)
    page.wait_for_selector("[data-keep]")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for offer in page.locator("[data-offer]").all():
            offer.focus()
            assert faults(page) == [], size
        stage = page.locator("[data-stage]").bounding_box()
        choice = page.locator(".choice").bounding_box()
        assert stage is not None
        assert choice is not None
        share = 1 - choice["width"] * choice["height"] / (stage["width"] * stage["height"])
        assert share > 0.4, f"{size}: the board has no room"


def test_a_phone_shows_where_the_other_tickets_are(open_page: Open, games: Games) -> None:
    page = open_page(games.dealt("usa"), has_touch=True, viewport={"width": 390, "height": 844})
    page.wait_for_selector("[data-keep]")
    overview = page.locator("[data-overview]")
    assert page.locator("[data-offer]").count() == 3
    for offer in page.locator("[data-offer]").all():
        offer.focus()
        expect(overview).to_be_visible()
        expect(overview.locator(".way")).to_have_count(3)
        covered = """(box) => [...document.querySelectorAll('.line[data-way]')].some((way) => {
          const steps = Array.from({ length: 60 }, (_, i) => (i / 59) * way.getTotalLength());
          return steps.some((at) => {
            const { x, y } = way.getPointAtLength(at).matrixTransform(way.getScreenCTM());
            return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
          });
        })"""
        assert not page.evaluate(covered, overview.bounding_box())
    overview.tap()
    page.wait_for_selector(".world:not(.moving)")
    expect(overview).to_have_count(0)
    world = page.locator(".world").bounding_box()
    assert world is not None
    assert world["x"] >= 0
    assert world["x"] + world["width"] <= 390


@pytest.mark.parametrize("lang", ["de", "en", "fr"])
def test_looking_back_covers_nothing(open_page: Open, games: Games, lang: str) -> None:
    page = open_page(games.shared("usa", 12), settings={"lang": lang}, has_touch=True)
    in_progress(page)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        folded = page.locator("[data-open=log][aria-pressed=false]")
        if folded.count():
            folded.click()
        page.locator("[data-log] button").nth(4).click()
        panel = page.locator("[data-past]")
        expect(panel).to_be_visible()
        assert faults(page) == [], size
        hidden = """(panel) => [...panel.querySelectorAll('button, input')]
          .filter((one) => one.checkVisibility()).filter((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            const hits = [[0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]].map(([across, down]) =>
              document.elementFromPoint(x + width * across, y + height * down));
            return hits.some((hit) => !one.contains(hit));
          }).map((one) => one.outerHTML.slice(0, 90))"""
        assert panel.evaluate(hidden) == [], size
        board = page.locator(".world").bounding_box()
        room = panel.bounding_box()
        assert board is not None
        assert room is not None
        if size == "desktop":
            assert board["y"] + board["height"] <= room["y"]
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)


def test_lists_and_forms_fit_on_a_phone(open_page: Open, games: Games) -> None:
    size = {"width": 360, "height": 640}
    german = {"lang": "de"}
    page = open_page(games.shared("new_york", 4), settings=german, has_touch=True, viewport=size)
    in_progress(page)
    page.keyboard.press("r")
    page.wait_for_selector("dialog table")
    page.locator("dialog select").first.select_option("all")
    assert page.locator("dialog tbody tr").count() > 20
    assert faults(page) == []
    page = open_page("#/new/berlin", settings=german, has_touch=True, viewport=size)
    page.wait_for_selector("button[type=submit]")
    # A field's own text is in no node that could be measured.
    narrow = """() => [...document.querySelectorAll('select')].filter((one) => {
      if (!one.checkVisibility()) return false;
      const style = getComputedStyle(one);
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = style.font;
      const text = one.selectedOptions[0].textContent.trim();
      const arrow = 20;
      const room = one.clientWidth - parseFloat(style.paddingLeft) - arrow;
      return pen.measureText(text).width > room;
    }).map((one) => one.selectedOptions[0].textContent)"""
    assert page.locator("select").count() > 3
    assert page.evaluate(narrow) == []


@pytest.mark.parametrize(("board", "players", "moves"), [("usa", 5, 30), ("berlin", 4, 8)])
def test_many_players_fit_on_a_phone(
    open_page: Open, games: Games, board: str, players: int, moves: int
) -> None:
    page = open_page(has_touch=True, viewport={"width": 360, "height": 640})
    page.goto(page.url + games.shared(board, moves, opponents=players - 1))
    in_progress(page)
    # Everybody holds so many cards that their number has two digits.
    page.locator(".players .stats > span:first-child").evaluate_all(
        "all => all.forEach((one) => { one.lastChild.data = '18'; })"
    )
    assert faults(page) == []
    script = """() => [...document.querySelectorAll('.players li')].flatMap((cell) => {
      const parts = ['.face', '.points', '.stats', '.news'].flatMap((one) => {
        const part = cell.querySelector(one);
        return part ? [[one, part.getBoundingClientRect()]] : [];
      });
      const room = cell.getBoundingClientRect();
      const wide = parts.filter(([, box]) => box.right > room.right + 1).map(([one]) => one);
      const met = parts.flatMap(([a, one], i) => parts.slice(i + 1)
        .filter(([, two]) => one.left < two.right - 1 && two.left < one.right - 1
          && one.top < two.bottom - 1 && two.top < one.bottom - 1)
        .map(([b]) => `${a} and ${b}`));
      return [...wide, ...met];
    })"""
    assert page.locator(".players li").count() == players
    assert page.evaluate(script) == []
    assert not page.locator(".players .stats").evaluate_all(
        "all => all.some((one) => one.scrollWidth > one.clientWidth + 1)"
    )
