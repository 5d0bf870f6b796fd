"""Bots on the server: they remember, and whatever becomes of them the game goes on."""

from __future__ import annotations

import asyncio
import shlex
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from fernzug import Board, Game, bots
from fernzug.bots import Bot
from fernzug.events import Event, as_seen
from fernzug.notation import Action
from fernzug.server import bot_worker
from fernzug.server.bot_pool import ProcessWorker, Thinkers
from fernzug.server.bot_worker import Answer, Minds, question
from fernzug.server.metrics import Metrics
from fernzug.view import View
from server.live import LiveServer, settings_for
from situations import BOARDS, on_every_board

BOARD = BOARDS[0]
LONG = 600.0
"""Seconds that no test waits for."""
PYTHON = shlex.quote(sys.executable)
HANGING = f'stdio:start={LONG} timeout={LONG} {PYTHON} -c "import sys; sys.stdin.read()"'
"""A program that never answers; it ends when whoever has started it is gone."""
DEADLY = "stdio:sh -c 'kill -9 $PPID'"
"""A program that takes the process of its bot with it."""


class Thinking:
    """Thinkers to test with, and what they counted."""

    def __init__(self, workers: int, seconds: float = LONG) -> None:
        self.metrics = Metrics()
        self.thinkers = Thinkers(workers, seconds, self.metrics)

    def run(self, work: Callable[[Thinkers], Awaitable[None]]) -> None:
        try:
            asyncio.run(work(self.thinkers))  # type: ignore[arg-type]
        finally:
            self.thinkers.close()

    @property
    def failures(self) -> int:
        return sum(n for (name, _), n in self.metrics.counters.items() if name == "bot_failures")


def processes(thinkers: Thinkers) -> list[Any]:
    """Return the processes that are ready to think."""
    workers = [worker for worker in thinkers._workers if isinstance(worker, ProcessWorker)]
    for worker in workers:
        worker._thread.submit(worker._start).result()
    return [worker._process for worker in workers]


def kept(board: Board, seed: int, seat: int, level: str) -> Bot:
    """Return a bot as it is to be kept over a whole game."""
    return bots.make(level, board, bots.seed_of(seed, seat))


# ---- Remembering ---------------------------------------------------------------------------------


@on_every_board
def test_bots_play_exactly_as_bots_that_are_kept_over_the_game(board: Board) -> None:
    levels = ["expert", "regular", "search:iterations=12"][: board.max_players]
    game = Game(board, len(levels), seed=11)
    players = [kept(board, 11, seat, level) for seat, level in enumerate(levels)]
    thinking = Thinking(workers=2)

    async def play(thinkers: Thinkers) -> None:
        while (seat := game.seat) is not None:
            expected = players[seat].choose(game.view(seat), game.legal())
            text = await thinkers.choose("a table", game, seat, levels[seat])
            assert text == expected.text
            game.play(text)

    thinking.run(play)
    assert thinking.failures == 0


def test_only_what_is_new_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    answer = Minds.answer

    def listen(self: Minds, asked: bot_worker.Question) -> Answer:
        told.append((asked.known, len(asked.facts)))
        return answer(self, asked)

    monkeypatch.setattr(Minds, "answer", listen)
    game = Game(BOARD, 2, seed=1)

    async def play(thinkers: Thinkers) -> None:
        for _ in range(6):
            assert game.seat is not None
            game.play(await thinkers.choose("a table", game, game.seat, "expert"))

    Thinking(workers=0).run(play)
    assert [known for known, _ in told] == [0, *(known + new for known, new in told[:-1])]


class Watcher(Bot):
    """A bot that writes down what it hears."""

    heard: list[list[Event]]

    def __init__(self, board: Board, seed: int = 0) -> None:
        super().__init__(board, seed)
        Watcher.heard.append([])
        self._heard = Watcher.heard[-1]

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        return legal[-1]

    def watch(self, events: Sequence[Event]) -> None:
        self._heard += events


@pytest.fixture
def watchers(monkeypatch: pytest.MonkeyPatch) -> list[list[Event]]:
    """Let all bots be watchers; return what each of them has heard."""
    Watcher.heard = []
    monkeypatch.setattr(bots, "make", lambda level, board, seed: Watcher(board, seed))
    return Watcher.heard


def test_bots_hear_what_their_seat_may_know_once_and_in_order(watchers: list[list[Event]]) -> None:
    game = Game(BOARD, 2, seed=2)

    async def play(thinkers: Thinkers) -> None:
        for _ in range(30):
            assert game.seat is not None
            game.play(await thinkers.choose("a table", game, game.seat, "expert"))
        assert game.seat is not None
        await thinkers.choose("a table", game, game.seat, "expert")

    Thinking(workers=0).run(play)
    assert watchers == [as_seen(game.events, seat) for seat in range(2)]


def test_what_was_taken_back_was_never_heard(watchers: list[list[Event]]) -> None:
    before = Game(BOARD, 2, seed=3)
    while before.phase == "setup":
        before.play(before.legal()[0])
    assert before.seat is not None
    undone, other = before.copy(), before.copy()
    undone.play("draw deck")
    other.play("tickets")

    async def play(thinkers: Thinkers) -> None:
        for game in (before, undone, other):
            assert game.seat is not None
            assert await thinkers.choose("a table", game, game.seat, "expert")

    thinking = Thinking(workers=0)
    thinking.run(play)
    assert thinking.failures == 0
    assert watchers == [
        as_seen(undone.events, before.seat),
        as_seen(other.events, before.seat),
    ]


def test_a_bot_of_another_level_is_another_bot(watchers: list[list[Event]]) -> None:
    game = Game(BOARD, 2, seed=3)

    async def play(thinkers: Thinkers) -> None:
        for level in ("expert", "regular", "regular"):
            await thinkers.choose("a table", game, 0, level)

    Thinking(workers=0).run(play)
    assert watchers == [as_seen(game.events, 0)] * 2


def test_what_was_forgotten_is_told_again() -> None:
    """More tables than are remembered are played all the same."""
    games = [Game(BOARD, 2, seed=seed) for seed in range(3)]
    thinking = Thinking(workers=0)

    async def play(thinkers: Thinkers) -> None:
        thinkers._workers[0]._minds = Minds(most=2)
        for _ in range(10):
            for number, game in enumerate(games):
                assert game.seat is not None
                game.play(await thinkers.choose(f"table {number}", game, game.seat, "expert"))

    thinking.run(play)
    assert thinking.failures == 0


def test_a_question_about_what_is_not_remembered_is_asked_again() -> None:
    game = Game(BOARD, 2, seed=1)
    some = Minds()
    assert some.answer(question("a table", game, 0, "expert", known=5)).forgotten
    assert some.answer(question("a table", game, 0, "expert")).action
    assert some.answer(question("a table", game, 0, "expert", known=5)).forgotten
    assert some.answer(question("a table", game, 0, "expert")).action


def test_a_game_from_a_position() -> None:
    start = Game(BOARD, 2, seed=5)
    for _ in range(8):
        start.play(start.legal()[0])
    game = Game.from_position(start.position())
    thinking = Thinking(workers=0)

    async def play(thinkers: Thinkers) -> None:
        for _ in range(6):
            assert game.seat is not None
            game.play(await thinkers.choose("a table", game, game.seat, "expert"))

    thinking.run(play)
    assert thinking.failures == 0


# ---- When something goes wrong -------------------------------------------------------------------


def test_a_process_that_died_is_replaced() -> None:
    game = Game(BOARD, 2, seed=6)
    thinking = Thinking(workers=1)

    async def play(thinkers: Thinkers) -> None:
        for turn in range(8):
            if turn % 3 == 2:
                processes(thinkers)[0].kill()
            assert game.seat is not None
            game.play(await thinkers.choose("a table", game, game.seat, "expert"))

    thinking.run(play)
    assert thinking.failures == 0


def test_a_process_that_dies_over_a_question_is_asked_once_more() -> None:
    game = Game(BOARD, 2, seed=6)
    thinking = Thinking(workers=1)

    async def play(thinkers: Thinkers) -> None:
        processes(thinkers)
        asked = asyncio.create_task(thinkers.choose("hanging", game, 0, HANGING))
        while not asked.done():
            for process in processes_thinking(thinkers):
                process.kill()
            await asyncio.sleep(0.05)
        assert await asked in [action.text for action in game.legal(0)]
        assert thinking.failures == 1
        assert await thinkers.choose("a table", game, 0, "expert")
        assert thinking.failures == 1

    thinking.run(play)


def processes_thinking(thinkers: Thinkers) -> list[Any]:
    """Return the processes that run, of workers that have something to do."""
    return [
        worker._process
        for worker in thinkers._workers
        if isinstance(worker, ProcessWorker)
        and worker.waiting
        and worker._process is not None
        and worker._process.is_alive()
    ]


def test_a_bot_that_ends_its_process_is_replaced_by_chance() -> None:
    game = Game(BOARD, 2, seed=6)
    thinking = Thinking(workers=1)

    async def play(thinkers: Thinkers) -> None:
        assert await thinkers.choose("a table", game, 0, DEADLY)
        assert thinking.failures == 1
        assert await thinkers.choose("a table", game, 1, "expert")

    thinking.run(play)
    assert thinking.failures == 1


def test_a_bot_that_hangs_is_replaced_by_chance_and_its_process_by_another() -> None:
    game = Game(BOARD, 2, seed=6)
    thinking = Thinking(workers=1, seconds=0.3)

    async def play(thinkers: Thinkers) -> None:
        before = processes(thinkers)[0]
        assert await thinkers.choose("a table", game, 0, HANGING)
        assert thinking.failures == 1
        thinkers._seconds = LONG
        assert await thinkers.choose("a table", game, 1, "expert")
        assert processes(thinkers)[0] is not before
        assert not before.is_alive()

    thinking.run(play)
    assert thinking.failures == 1


def test_a_question_that_nobody_waits_for_any_more_does_not_disturb_the_next() -> None:
    game = Game(BOARD, 2, seed=6)
    expected = kept(BOARD, 6, 0, "expert").choose(game.view(0), game.legal(0)).text
    thinking = Thinking(workers=1)

    async def play(thinkers: Thinkers) -> None:
        asked = asyncio.create_task(thinkers.choose("hanging", game, 1, HANGING))
        while not processes_thinking(thinkers):
            await asyncio.sleep(0.01)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        assert await thinkers.choose("a table", game, 0, "expert") == expected

    thinking.run(play)
    assert thinking.failures == 0


def test_a_slow_bot_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fernzug.server.bot_pool.PATIENCE", 0.05)
    game = Game(BOARD, 2, seed=6)
    thinking = Thinking(workers=2)

    async def play(thinkers: Thinkers) -> None:
        first, second = thinkers._workers
        assert await thinkers.choose("a table", game, 0, "expert")
        assert thinkers._homes["a table", 0] is first
        asked = asyncio.create_task(thinkers.choose("hanging", game, 0, HANGING))
        while not first.waiting:
            await asyncio.sleep(0.01)
        assert await thinkers.choose("a table", game, 0, "expert")
        assert thinkers._homes["a table", 0] is second
        assert not asked.done()
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)

    thinking.run(play)
    assert thinking.failures == 0


def test_no_process_is_left_behind() -> None:
    thinking = Thinking(workers=2)
    started = processes(thinking.thinkers)
    assert all(process.is_alive() for process in started)
    thinking.thinkers.close()
    assert not any(process.is_alive() for process in started)


# ---- At a table ----------------------------------------------------------------------------------


def no_idea(*arguments: object) -> str:
    raise RuntimeError("no idea")


def asleep(*arguments: object) -> str:
    time.sleep(0.3)
    return "keep 1"


@pytest.mark.parametrize("choose", [no_idea, asleep, lambda *arguments: "fly to the moon"])
def test_a_bot_that_fails_is_replaced_by_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choose: Callable[..., str]
) -> None:
    monkeypatch.setattr(bot_worker.Mind, "choose", choose)
    with LiveServer(settings_for(tmp_path, bot_seconds=0.05)) as server:
        made = server.make("here", "expert")
        browser = server.visit(made, 0)
        assert browser.until("events", bot=True)["events"][0]["event"] == "kept"
        browser.close()
        assert 'fernzug_bot_failures_total{kind="expert"} 1' in server.get("/metrics").decode()


def test_bots_think_in_processes_and_survive_them(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, bot_workers=1)) as server:
        made = server.make("here", "expert", "master", first_player=1)
        browser = server.visit(made, 0)
        browser.until("events", bot=True)
        browser.until("events", bot=True)
        processes(server.site.lobby.thinkers)[0].kill()
        assert browser.play(0, "keep 1 2")["type"] == "ack"
        while not browser.legal(0):
            browser.until("events", bot=True)
        browser.close()
        assert b"bot_failures" not in server.get("/metrics")
