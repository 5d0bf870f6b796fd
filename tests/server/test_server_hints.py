"""Hints over the wire: who gets them, how they are counted, and that they know no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fernzug import Board, Game
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


@pytest.mark.parametrize("board", BOARDS)
def test_hints_are_the_same_for_games_that_differ_only_in_secrets(board: Board) -> None:
    compared = 0
    for seed in (1, 2):
        first, second, script = twins(board, 2, 0, seed=seed, steps=12)
        mine, its = Game.from_position(first), Game.from_position(second)
        for number, (seat, action) in enumerate([*script, (-1, "")]):
            if mine.seat == 0 and number % 2 == 0:
                answers = [
                    KnownGames().answer(question("table", game, 0, None)) for game in (mine, its)
                ]
                assert answers[0].fault == answers[1].fault == ""
                assert answers[0] == answers[1]
                assert answers[0].hints
                compared += 1
            if seat >= 0:
                mine.play(action, seat=seat)
                its.play(action, seat=seat)
    assert compared > 1
