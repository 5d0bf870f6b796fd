"""Hints over the wire: who gets them, how they are counted, and that they know no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fernzug import Board, Game, analysis
from fernzug.analysis import Adviser
from fernzug.server import bot_worker
from fernzug.server.bot_worker import KnownGames, question
from server.live import Browser, LiveServer, settings_for
from situations import BOARDS
from twins import twins


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hints take few iterations and no regard to the time, so that they are always the same."""
    monkeypatch.setattr(bot_worker, "HINT_ITERATIONS", 20)
    monkeypatch.setattr(bot_worker, "HINT_SECONDS", 0.0)


def ask(browser: Browser, seat: int = 0, **fields: Any) -> Any:
    """Ask for hints; return them, or the refusal."""
    fields.setdefault("version", browser.seq)
    answer = browser.command("hint", seat=seat, **fields)
    return browser.until("hints") if answer["type"] == "ack" else answer


def used(browser: Browser) -> list[int]:
    return [seat["hints"] for seat in browser.info["seats"]]


def test_hints_are_good_actions_with_reasons(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        browser = server.visit(server.make("here", "novice"), 0)
        assert browser.info["hints"]
        found = ask(browser)
        assert 1 <= len(found["hints"]) <= 3
        assert {hint["action"] for hint in found["hints"]} <= set(browser.legal(0))
        assert all(reason["code"].startswith("advice.") for reason in found["hints"][0]["reasons"])
        assert used(browser) == [1, 0]


def test_a_decision_counts_once_however_often_it_is_asked_about(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "novice")
        browser = server.visit(made, 0)
        first = ask(browser)
        assert ask(browser) == first
        assert used(browser) == [1, 0]
        browser.play(0, first["hints"][0]["action"])
        while not browser.legal(0):
            browser.until("events")
        ask(browser)
        assert used(browser) == [2, 0]
    with LiveServer(settings_for(tmp_path)) as server:
        assert used(server.visit(made, 0)) == [2, 0]


def test_with_others_the_host_decides_and_everybody_sees_who_asks(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        without = server.visit(server.make("here", "here"), 0)
        assert not without.info["hints"]
        assert ask(without)["code"] == "hints_off"
        made = server.make("here", "here", hints=True)
        one, other = server.visit(made, 0), server.visit(made, 1)
        ask(one)
        while used(other) != [1, 0]:
            other.receive()
        # What the hints say is nobody else's business.
        other.command("chat", seat=1, text="Well")
        assert "hints" not in [message["type"] for message in other.heard]


def test_nobody_is_advised_about_the_seat_of_another_or_out_of_turn(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "here", hints=True)
        one, other = server.visit(made, 0), server.visit(made, 1)
        assert ask(other, seat=0)["code"] == "not_yours"
        one.play(0, one.legal(0)[0])
        assert ask(one)["code"] == "stale"
        assert ask(other, seat=1, version=99)["code"] == "stale"


def test_asking_too_often_is_refused(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        browser = server.visit(server.make("here", "novice"), 0)
        answers = [ask(browser) for _ in range(9)]
        assert answers[-1]["code"] == "rate"


def test_a_worker_keeps_the_adviser_of_a_seat() -> None:
    """Until the game is told anew, because something was taken back or forgotten."""
    games, adviser = KnownGames(), Adviser()
    game = Game("london", 2, seed=4)
    known = 0
    for _ in range(30):
        assert game.seat is not None
        if game.seat == 0:
            answer = games.answer(question("table", game, 0, None, known=known))
            assert answer.fault == ""
            assert answer.hints == adviser.hints(game.view(0), 20, seconds=0)
            known = len(game.facts)
            game.play(answer.hints[0].action)
        else:
            game.play(game.legal()[0])
    while game.seat != 0:
        game.play(game.legal()[0])
    told_anew = games.answer(question("table", game, 0, None))
    assert told_anew.hints == analysis.hints(game.view(0), 20, seconds=0)


def test_an_adviser_that_failed_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    games = KnownGames()
    game = Game("london", 2, seed=4)
    assert game.seat is not None
    asked = question("table", game, game.seat, None)
    asked_again = question("table", game, game.seat, None, known=len(game.facts))
    first = games.answer(asked)
    with monkeypatch.context() as broken:
        broken.setattr(Adviser, "hints", lambda *_, **__: 1 // 0)
        assert "ZeroDivisionError" in games.answer(asked_again).fault
    assert games.answer(asked_again) == first


@pytest.mark.parametrize("board", BOARDS)
def test_hints_are_the_same_for_games_that_differ_only_in_secrets(board: Board) -> None:
    compared = 0
    for seed in (1, 2):
        first, second, script = twins(board, 2, 0, seed=seed, steps=12)
        mine, its = Game.from_position(first), Game.from_position(second)
        workers = [KnownGames(), KnownGames()]
        told = 0
        for number, (seat, action) in enumerate([*script, (-1, "")]):
            if mine.seat == 0 and number % 2 == 0:
                answers = [
                    worker.answer(question("table", game, 0, None, known=told))
                    for worker, game in zip(workers, (mine, its), strict=True)
                ]
                told = len(mine.facts)
                assert answers[0].fault == answers[1].fault == ""
                assert answers[0] == answers[1]
                assert answers[0].hints
                compared += 1
            if seat >= 0:
                mine.play(action, seat=seat)
                its.play(action, seat=seat)
    assert compared > 1
