"""Somebody who takes a lesson and does what the bubble says, in the ways that the page marks."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from browser.player import Player, Toucher, Typist
from fernzug.lessons import Lesson, lesson
from fernzug.notation import notation_of


class Pupil:
    """Takes one lesson; ``player`` is who points, taps or types."""

    def __init__(self, player: Player, name: str) -> None:
        self.player = player
        self.page = player.page
        self.lesson: Lesson = lesson(name)
        self.last = len(self.lesson.steps) - 1
        self.look: Callable[[int], None] = lambda step: None
        """Called at the beginning of each step."""

    @property
    def bubble(self) -> Locator:
        return self.page.locator("[data-lesson-step]")

    def begin(self) -> None:
        """Begin, or go on, from the page of the lessons."""
        row = self.page.locator(f"[data-lesson={self.lesson.id}] button")
        row.click()
        self.bubble.wait_for()

    def step(self) -> int:
        self.bubble.wait_for(timeout=30_000)
        return int(self.bubble.get_attribute("data-lesson-step") or -1)

    def go_through(self, until: int | None = None) -> None:
        """Take the lesson as far as a step, or to its end."""
        while (now := self.step()) != (self.last if until is None else until):
            self.look(now)
            self.do(now)
        self.look(self.last if until is None else until)

    def do(self, number: int) -> None:
        """Do what a step asks for."""
        if not self.lesson.steps[number].asks:
            self.press("[data-lesson-next]")
        else:
            self.act(number)
        # Either the next step has begun, or there is a second card or a choice of tickets.
        self.player.wait_for_turn()
        moved = f"[data-lesson-step]:not([data-lesson-step='{number}'])"
        more = ".screen[data-phase=second_card], .screen[data-phase=keep]"
        self.page.wait_for_selector(f"{moved}, {more}", timeout=30_000, state="attached")

    def act(self, number: int) -> None:
        """Do something that is asked for."""
        before = self.player.seq
        phase = self.player.phase
        patterns = self.lesson.steps[number].do
        kinds = {pattern.words[0] for pattern in patterns}
        if phase in ("keep", "setup"):
            self.player.keep()
        elif "tickets" in kinds:
            self.player.take_tickets_or_pass()
        elif "draw" in kinds and any(pattern.text == "draw wild" for pattern in patterns):
            self.press(".slot[data-card=wild]:enabled")
        elif "draw" in kinds:
            self.player.draw()
        else:
            self.build(number)
        self.player.done(before)

    def build(self, number: int) -> None:
        """Build a route that is marked, and pay for it in a way that is asked for."""
        step = self.lesson.steps[number]
        route = self.marked()
        self.open_payment(route)
        board = self.lesson.board
        asked = None
        for option in self.page.locator("[data-pay]").all():
            action = notation_of(board).parse(option.get_attribute("data-pay") or "")
            if any(pattern.fits(action, board) for pattern in step.do):
                asked = option
                break
        assert asked is not None
        asked.check(force=True)
        self.press("[data-build]")

    def marked(self) -> str:
        """Return a route that the lesson lights."""
        script = """() => [...document.querySelectorAll('g.route.open')]
            .map((one) => one.dataset.route)"""
        open_routes = set(self.page.evaluate(script))
        number = self.step()
        board = self.lesson.board
        step = self.lesson.steps[number]
        for pattern in step.do:
            words = pattern.words
            for route in board.routes:
                named = len(words) == 1 or words[1] in ("*", "gray")
                if not named and route.id not in (
                    board.routes[words[1]].id,
                    board.routes[words[1]].twin,
                ):
                    continue
                tail = " ".join(words[2:])
                colored = not tail or tail.startswith(("*", route.color))
                out = any(one.words[1] in (route.id, route.twin) for one in step.unless)
                if route.id in open_routes and colored and not out:
                    return route.id
        raise AssertionError(f"no route can be built in step {number}")

    def open_payment(self, route: str) -> None:
        self.player.point_at_route(route)
        self.page.wait_for_selector(".option")

    def press(self, selector: str) -> None:
        self.player.point(self.page.locator(selector).first)

    def finish(self) -> None:
        """Press the button at the end; the page of the lessons says that it is done."""
        self.press("[data-lesson-finish]")
        row = self.page.locator(f"[data-lesson={self.lesson.id}]")
        expect(row.locator(".done")).to_be_visible()


class TypingPupil(Pupil):
    """Takes a lesson with the keyboard alone."""

    player: Typist

    def press(self, selector: str) -> None:
        if selector == ".slot[data-card=wild]:enabled":
            place = self.page.locator(selector).first.get_attribute("data-anchor") or ""
            self.page.keyboard.press(place[-1])
            return
        assert isinstance(self.player, Typist)
        self.player.tab_to(selector)
        self.page.keyboard.press("Enter")

    def begin(self) -> None:
        assert isinstance(self.player, Typist)
        self.player.tab_to(f"[data-lesson={self.lesson.id}] button")
        self.page.keyboard.press("Enter")
        self.bubble.wait_for()

    def open_payment(self, route: str) -> None:
        self.page.keyboard.press("b")
        self.page.wait_for_function("() => document.activeElement?.dataset.route")
        for _ in range(60):
            if self.page.evaluate("() => document.activeElement?.dataset.route") == route:
                break
            self.page.keyboard.press("n")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".option")


class TouchingPupil(Pupil):
    """Takes a lesson with a finger."""

    player: Toucher

    def open_payment(self, route: str) -> None:
        self.player.point_at_route(route)

    def press(self, selector: str) -> None:
        self.page.locator(selector).first.tap()
