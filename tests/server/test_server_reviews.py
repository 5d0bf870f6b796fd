"""Reviews over the wire: worked out behind people's games, kept with the table, and stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fernzug import Game
from fernzug.analysis import Reviewer, review
from fernzug.server import reviews
from fernzug.server.bot_lane import Lane
from fernzug.server.bot_process import Worker
from fernzug.server.limits import UNLIMITED
from fernzug.server.metrics import Metrics
from server.live import LiveServer, settings_for, wait_for


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "ITERATIONS", 2)


def played(server: LiveServer) -> str:
    """Play a game against a bot to its end; return the table."""
    made = server.make("here", "novice", seed=3)
    browser = server.visit(made, 0)
    while browser.view(0)["view"]["phase"] != "over":
        legal = browser.legal(0)
        if legal:
            browser.play(0, max(legal, key=lambda text: (text.startswith("claim"), text)))
        else:
            browser.receive()
    browser.close()
    return str(made["table"])


def run(server: LiveServer, table: str, run: bool = True) -> Any:
    status, body, _ = server.ask("POST", f"/api/review/{table}", {"run": run})
    assert status == 200, body
    return body


def finished(server: LiveServer, table: str) -> Any:
    wait_for(lambda: server.get(f"/api/review/{table}")["state"] == "done")
    return server.get(f"/api/review/{table}")


def test_a_review_is_that_of_the_record_and_kept_with_the_table(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"review_looks": UNLIMITED})) as server:
        table = played(server)
        assert server.get(f"/api/review/{table}")["state"] == "none"
        assert run(server, table)["state"] == "running"
        found = finished(server, table)
        game = server.site.lobby.rooms[table].table.game
        same = review(game.record(), iterations=2)
        assert [one["action"] for one in found["decisions"]] == [
            one.action.text for one in same.decisions
        ]
        assert found["seats"][0]["luck"] == round(same.luck[0], 4)
        assert len(found["win"]) == len(game.facts)
        for seat in found["seats"]:
            total = seat["start"] + seat["losses"] + seat["gifts"] + seat["luck"]
            assert total == pytest.approx(seat["end"], abs=0.001)
        wrong = [one for one in found["decisions"] if one["best"] != one["action"]]
        assert wrong
        assert any(one["reasons"] for one in wrong)
    with LiveServer(settings_for(tmp_path, limits={"review_looks": UNLIMITED})) as server:
        # It does not have to be worked out again.
        assert server.get(f"/api/review/{table}") == found


def test_only_finished_games_are_reviewed(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"review_looks": UNLIMITED})) as server:
        table = server.make("here", "novice")["table"]
        for method, body in (("GET", None), ("POST", {"run": True})):
            status, answer, _ = server.ask(method, f"/api/review/{table}", body)
            assert (status, answer["code"]) == (409, "not_over")
        assert server.ask("GET", "/api/review/nothing")[0] == 404


def test_a_review_can_be_stopped_and_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    real = Reviewer.do

    def slow(self: Reviewer, job: int) -> Any:
        steps.append(job)
        if len(steps) == 5:
            wait_for(lambda: len(steps) > 1_000 or stopped)
        return real(self, job)

    stopped: list[bool] = []
    monkeypatch.setattr(Reviewer, "do", slow)
    with LiveServer(settings_for(tmp_path, limits={"review_looks": UNLIMITED})) as server:
        table = played(server)
        run(server, table)
        wait_for(lambda: server.get(f"/api/review/{table}")["done"] >= 4)
        run(server, table, run=False)
        stopped.append(True)
        wait_for(lambda: server.get(f"/api/review/{table}")["state"] == "stopped")
        part = server.get(f"/api/review/{table}")
        assert 0 < part["done"] < part["total"]
        assert len(part["win"]) > 0
        run(server, table)
        assert finished(server, table)["done"] == part["total"]


def test_an_address_takes_only_its_share_of_the_reviews(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []
    real = Reviewer.do

    def slow(self: Reviewer, job: int) -> Any:
        wait_for(lambda: stopped)
        return real(self, job)

    monkeypatch.setattr(Reviewer, "do", slow)
    limits = {"review_looks": UNLIMITED, "reviews_per_address": 1}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        first, second = played(server), played(server)
        run(server, first)
        status, body, _ = server.ask("POST", f"/api/review/{second}", {"run": True})
        assert (status, body["code"]) == (429, "limit")
        # Asking for the same again takes nothing more, and stopping gives the place back.
        run(server, first)
        run(server, first, run=False)
        stopped.append(True)
        wait_for(lambda: server.get(f"/api/review/{first}")["state"] == "stopped")
        run(server, second)
        assert finished(server, second)["done"] > 0
        # A review is told a moment before it is kept, and only then is its place free.
        again = {"run": True}
        wait_for(lambda: server.ask("POST", f"/api/review/{first}", again)[0] == 200)
        finished(server, first)


def test_reviews_wait_behind_bots() -> None:
    """Of two that wait for the only worker, the bot of a running game is first."""
    order: list[str] = []

    async def work() -> None:
        lane = Lane([Worker()], Metrics(), 1.0)

        async def take(name: str, *, behind: bool) -> None:
            async with lane.turn("address", name, 0, behind=behind):
                order.append(name)
                await asyncio.sleep(0)

        async with lane.turn("address", "first", 0):
            tasks = [asyncio.create_task(take("review", behind=True))]
            await asyncio.sleep(0)
            tasks.append(asyncio.create_task(take("bot", behind=False)))
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)

    asyncio.run(work())
    assert order == ["bot", "review"]


def test_a_reviewer_can_be_sent_to_a_worker() -> None:
    """A worker that has forgotten a game is told it again."""
    game = Game("london", players=2, seed=1)
    while not game.over:
        seat = next(seat for seat in range(2) if game.legal(seat))
        game.play(game.legal(seat)[-1], seat=seat)
    reviewer = Reviewer(game.record(), 1)

    async def work() -> None:
        worker = Worker()
        for step in (0, 3):
            answer = await worker.judge("table", reviewer, step)
            assert answer.judged == reviewer.do(step)
        worker.close()

    asyncio.run(work())


def test_trying_again_goes_on_from_a_decision(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"review_looks": UNLIMITED})) as server:
        table = played(server)
        run(server, table)
        decision = [one for one in finished(server, table)["decisions"] if one["seat"] == 0][4]
        wanted = {"id": "once", "table": table, "event": decision["event"], "seat": 0}
        made = server.post("/api/again", wanted)
        assert server.post("/api/again", wanted) == made
        browser = server.visit(made, 0)
        assert {decision["action"], decision["best"]} <= set(browser.legal(0))
        assert browser.info["seeded"]
        assert [seat["kind"] for seat in browser.info["seats"]] == ["here", "bot"]
        assert browser.info["seats"][1]["level"] == "novice"
        assert browser.play(0, decision["best"])["type"] == "ack"
        for wrong in ({"event": 100_000}, {"seat": 5}):
            status, _, _ = server.ask("POST", "/api/again", {**wanted, "id": "other", **wrong})
            assert status == 404


def test_nobody_tries_again_in_a_game_that_is_not_over(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        table = server.make("here", "novice")["table"]
        wanted = {"table": table, "event": 0, "seat": 0}
        status, answer, _ = server.ask("POST", "/api/again", wanted)
        assert (status, answer["code"]) == (409, "not_over")
