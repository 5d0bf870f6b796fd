"""A player who sees the page only: what glows, what can be pressed, whose turn it is."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

MAX_MOVES = 400

# The part of the board that a finger can reach: the sheet and its handle lie over the rest.
VISIBLE = """() => {
  const stage = document.querySelector('[data-stage]').getBoundingClientRect();
  const sheet = document.querySelector('[data-grab]')?.getBoundingClientRect();
  return [stage.left, stage.top, stage.right, Math.min(stage.bottom, sheet?.top ?? stage.bottom)];
}"""

# Where the board can be dragged from: a sign that lies over it leads to a place instead.
FREE = """([left, top, right, bottom]) => {
  const at = (x, y) => [left + (right - left) * x, top + (bottom - top) * y];
  const spots = [[0.5, 0.5], [0.5, 0.3], [0.3, 0.5], [0.7, 0.5], [0.5, 0.7], [0.3, 0.3]];
  return spots.map(([x, y]) => at(x, y)).find(([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit?.closest('[data-stage]') && !hit.closest('button, [data-no-pan]');
  });
}"""


class Player:
    """Plays by pointing; the touch and keyboard players differ in how they point."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.claims = 0
        self.draws = 0

    # ------------------------------------------------------------------------ getting to a table

    def new_game(self, board: str) -> None:
        """Start a game against bots from the start page, with two clicks."""
        self.point(self.page.locator(f"[data-board={board}] a"))
        self.start()

    def start(self) -> None:
        """Start the game that the form for a new table describes."""
        self.point(self.page.locator("button[type=submit]"))
        self.page.wait_for_selector("[data-keep]")

    @property
    def screen(self) -> Locator:
        """The play screen."""
        return self.page.locator(".screen")

    @property
    def phase(self) -> str:
        """The phase of the game as the page knows it."""
        return self.screen.get_attribute("data-phase") or ""

    @property
    def seq(self) -> str:
        """The number of the last change that the page shows."""
        return self.screen.get_attribute("data-seq") or ""

    def point(self, what: Locator) -> None:
        """Press something."""
        what.click()

    # ------------------------------------------------------------------------ playing

    def wait_for_turn(self) -> bool:
        """Wait until it is this player's turn; return whether the game goes on."""
        ready = ".screen[data-turn=mine][data-busy=''], .screen[data-phase=over]"
        self.page.wait_for_selector(ready, timeout=60_000)
        return self.phase != "over"

    def done(self, before: str) -> None:
        """Wait until the server has told what came of an action."""
        moved = re.compile(f"^(?!{before}$)")
        expect(self.screen).to_have_attribute("data-seq", moved, timeout=15_000)

    def move(self) -> None:
        """Do one thing: keep tickets, build the longest route that glows, or draw."""
        before = self.seq
        if self.page.locator("[data-keep]").count():
            self.keep()
        elif not (self.rich() and self.claim()) and not self.draw() and not self.claim():
            self.take_tickets_or_pass()
        self.done(before)

    def rich(self) -> bool:
        """Whether building is worth a thought; every third turn it always is."""
        return bool(self.page.locator("g.route.open").count())

    def keep(self) -> None:
        """Keep what is ticked."""
        self.point(self.page.locator("[data-keep]"))

    def claim(self) -> bool:
        """Build the longest route that glows."""
        route = self.longest()
        if route is None:
            return False
        self.point_at_route(route)
        self.page.wait_for_selector(".option")
        self.point(self.page.locator("[data-build]"))
        self.claims += 1
        return True

    def longest(self) -> str | None:
        """Return the glowing route with most spaces."""
        script = """() => {
          let best = null, most = 0;
          for (const one of document.querySelectorAll('g.route.open')) {
            const n = Number(one.dataset.pieces);
            if (n > most) { most = n; best = one.dataset.route; }
          }
          return best;
        }"""
        found = self.page.evaluate(script)
        return None if found is None else str(found)

    def spot(self, route: str) -> tuple[float, float]:
        """Return the middle of a route's first space on the screen."""
        box = self.page.locator(f'g[data-route="{route}"] .space').first.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def point_at_route(self, route: str) -> None:
        """Press on the board itself, where the route lies."""
        self.page.mouse.click(*self.spot(route))

    def draw(self) -> bool:
        """Draw from the deck, or the first face-up card that may be taken."""
        for what in (".slot.deck:enabled", ".slot:enabled"):
            card = self.page.locator(what)
            if card.count():
                self.point(card.first)
                self.draws += 1
                return True
        return False

    def take_tickets_or_pass(self) -> None:
        """Do what is left."""
        if self.page.locator(".pass").count():
            self.point(self.page.locator(".pass"))
            return
        folded = self.page.locator("[data-open=tickets][aria-pressed=false]")
        if folded.count():
            self.point(folded)
        self.point(self.page.locator("[data-draw-tickets]:enabled"))
        self.point(self.page.locator("[data-confirm]"))

    def play_to_the_end(self) -> None:
        """Play until the game is over and the table of points is shown."""
        for _ in range(MAX_MOVES):
            if not self.wait_for_turn():
                break
            self.move()
        assert self.phase == "over"
        self.page.wait_for_selector("[data-end] [data-total]")


class Toucher(Player):
    """Plays with a finger."""

    def point(self, what: Locator) -> None:
        """Tap."""
        what.tap()

    def point_at_route(self, route: str) -> None:
        """Tap on the board, after dragging the route into sight."""
        room = self.page.evaluate(VISIBLE)
        left, top, right, bottom = room
        middle = (left + right) / 2, (top + bottom) / 2
        reach = (right - left) / 2 - 60, (bottom - top) / 2 - 40
        for _ in range(8):
            x, y = self.spot(route)
            far = x - middle[0], y - middle[1]
            if abs(far[0]) < reach[0] and abs(far[1]) < reach[1]:
                break
            step = _within(far[0], reach[0]), _within(far[1], reach[1])
            start = self.page.evaluate(FREE, room)
            self.drag(start, (start[0] - step[0], start[1] - step[1]))
        before = self.seq
        # Neither a sign that leads to the end of a ticket nor the sheet may take the tap.
        free = """([x, y]) => {
          if (document.querySelector('.world.moving')) return false;
          const hit = document.elementFromPoint(x, y);
          return hit?.closest('[data-stage]') && !hit.closest('button');
        }"""
        for _ in range(20):
            spot = self.spot(route)
            if self.page.evaluate(free, list(spot)):
                break
            self.page.wait_for_timeout(100)
        else:
            raise AssertionError(f"something lies over {route}")
        self.page.touchscreen.tap(*spot)
        # The tap opens the payment sheet; it must not choose what lies in it.
        self.page.wait_for_selector(".option")
        self.page.wait_for_timeout(60)
        assert self.seq == before

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move one finger over the screen."""
        touch = self.page.context.new_cdp_session(self.page)
        steps = 6
        points = [
            (start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps)
            for i in range(steps + 1)
        ]
        for i, (x, y) in enumerate(points):
            kind = "touchStart" if i == 0 else "touchMove"
            message = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            touch.send("Input.dispatchTouchEvent", message)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        touch.detach()


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))


class Typist(Player):
    """Plays with the keyboard alone."""

    def new_game(self, board: str) -> None:
        """Go to the board by Tab, and start with Enter."""
        self.tab_to(f"[data-board={board}] a")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("button[type=submit]")
        self.tab_to("button[type=submit]")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("[data-keep]")

    def tab_to(self, selector: str) -> None:
        """Press Tab until something has the focus."""
        script = "selector => document.activeElement?.matches(selector) ?? false"
        for _ in range(120):
            if self.page.evaluate(script, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {selector}")

    def keep(self) -> None:
        """The drawer has the focus already."""
        self.page.keyboard.press("Enter")

    def claim(self) -> bool:
        """Now over the board, now by the table of routes."""
        if not self.page.locator("g.route.open").count():
            return False
        if self.claims % 2:
            self.page.keyboard.press("r")
            self.page.wait_for_selector("dialog [data-claim]")
            self.tab_to("dialog [data-claim]")
            self.page.keyboard.press("Enter")
        else:
            self.page.keyboard.press("b")
            self.page.wait_for_function("() => document.activeElement?.dataset.route")
            self.page.keyboard.press("n")
            self.page.wait_for_function(
                "() => document.activeElement?.classList.contains('open')", timeout=3000
            )
            self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".option")
        self.page.wait_for_function("() => document.activeElement?.matches('.option input')")
        self.page.keyboard.press("1" if self.claims % 3 == 0 else "Enter")
        self.claims += 1
        return True

    def draw(self) -> bool:
        """D draws blind, the numbers take face-up cards."""
        if self.page.locator(".slot.deck:enabled").count():
            self.page.keyboard.press("d")
        else:
            cards = self.page.locator(".slot:enabled[data-anchor^=faceup]")
            if not cards.count():
                return False
            place = (cards.first.get_attribute("data-anchor") or "")[-1]
            self.page.keyboard.press(place)
        self.draws += 1
        return True

    def take_tickets_or_pass(self) -> None:
        """T, then the button that asks whether this was meant."""
        if self.page.locator("[data-draw-tickets]:enabled").count():
            self.page.keyboard.press("t")
            self.tab_to("[data-confirm]")
        else:
            self.tab_to(".pass")
        self.page.keyboard.press("Enter")
