"""Bots on the server: they remember, and the game goes on whatever happens to them."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fernzug import Board, Game, bots
from fernzug.bots import Bot
from fernzug.events import Event, as_seen
from fernzug.notation import Action
from fernzug.server import bot_worker
from fernzug.server.bot_pool import BotPool
from fernzug.server.bot_worker import Answer, KnownGames, question
from fernzug.server.metrics import Metrics
from fernzug.view import View
from server.live import LiveServer, settings_for
from situations import BOARDS, on_every_board

BOARD = BOARDS[0]
LONG = 600.0
"""Seconds that no test waits for."""
PYTHON = shlex.quote(sys.executable)
HANGING = f'stdio:start={LONG} timeout={LONG} {PYTHON} -c "import sys; sys.stdin.read()"'
"""A program that never answers; it ends when the process that started it is gone."""
SEARCH = "search:iterations=12"
DEADLY = "stdio:sh -c 'kill -9 $PPID'"
"""A program that takes the process of its bot with it."""


class Bench:
    """A pool of bots to test with, and what it counted."""

    def __init__(self, workers: int, **options: Any) -> None:
        self.metrics = Metrics()
        self.pool = BotPool(workers, self.metrics, **{"time_limit": LONG, **options})

    def run(self, work: Callable[[BotPool], Awaitable[None]]) -> None:
        try:
            asyncio.run(work(self.pool))  # type: ignore[arg-type]
        finally:
            self.pool.close()

    def counted(self, counter: str) -> int:
        return sum(n for (name, _), n in self.metrics.counters.items() if name == counter)

    @property
    def failures(self) -> int:
        return self.counted("bot_failures")


def kill(pool: BotPool) -> None:
    """Kill every process of a pool."""
    for pid in pool.pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def runs(pid: int) -> bool:
    """Whether a process runs; one of ours that was not waited for counts as well."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kept(board: Board, seed: int, seat: int, level: str) -> Bot:
    """Return a bot that is kept for a whole game."""
    return bots.make(level, board, bots.seed_of(seed, seat))


# ---- Remembering ---------------------------------------------------------------------------------


@on_every_board
def test_bots_play_exactly_as_if_they_were_kept_for_the_whole_game(board: Board) -> None:
    levels = ["expert", "regular", "search:iterations=12"][: board.max_players]
    game = Game(board, len(levels), seed=11)
    players = [kept(board, 11, seat, level) for seat, level in enumerate(levels)]
    bench = Bench(workers=2)

    async def play(pool: BotPool) -> None:
        while (seat := game.seat) is not None:
            expected = players[seat].choose(game.view(seat), game.legal())
            text = await pool.decide("a table", game, seat, levels[seat])
            assert text == expected.text
            game.play(text)

    bench.run(play)
    assert bench.failures == 0


def test_workers_are_told_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    answer = KnownGames.answer

    def listen(self: KnownGames, asked: bot_worker.Question) -> Answer:
        told.append((asked.known, len(asked.facts)))
        return answer(self, asked)

    monkeypatch.setattr(KnownGames, "answer", listen)
    game = Game(BOARD, 2, seed=1)

    async def play(pool: BotPool) -> None:
        for _ in range(6):
            assert game.seat is not None
            game.play(await pool.decide("a table", game, game.seat, "expert"))

    Bench(workers=0).run(play)
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

    async def play(pool: BotPool) -> None:
        for _ in range(30):
            assert game.seat is not None
            game.play(await pool.decide("a table", game, game.seat, "expert"))
        assert game.seat is not None
        await pool.decide("a table", game, game.seat, "expert")

    Bench(workers=0).run(play)
    assert watchers == [as_seen(game.events, seat) for seat in range(2)]


def test_bots_never_hear_of_actions_that_were_taken_back(watchers: list[list[Event]]) -> None:
    before = Game(BOARD, 2, seed=3)
    while before.phase == "setup":
        before.play(before.legal()[0])
    assert before.seat is not None
    undone, other = before.copy(), before.copy()
    undone.play("draw deck")
    other.play("tickets")

    async def play(pool: BotPool) -> None:
        for game in (before, undone, other):
            assert game.seat is not None
            assert await pool.decide("a table", game, game.seat, "expert")

    bench = Bench(workers=0)
    bench.run(play)
    assert bench.failures == 0
    assert watchers == [
        as_seen(undone.events, before.seat),
        as_seen(other.events, before.seat),
    ]


def test_a_bot_of_another_level_is_another_bot(watchers: list[list[Event]]) -> None:
    game = Game(BOARD, 2, seed=3)

    async def play(pool: BotPool) -> None:
        for level in ("expert", "regular", "regular"):
            await pool.decide("a table", game, 0, level)

    Bench(workers=0).run(play)
    assert watchers == [as_seen(game.events, 0)] * 2


def test_a_forgotten_game_is_told_again() -> None:
    """More tables than are remembered are played all the same."""
    games = [Game(BOARD, 2, seed=seed) for seed in range(3)]
    bench = Bench(workers=0, max_games=2)

    async def play(pool: BotPool) -> None:
        for _ in range(10):
            for number, game in enumerate(games):
                assert game.seat is not None
                game.play(await pool.decide(f"table {number}", game, game.seat, "expert"))

    bench.run(play)
    assert bench.failures == 0


def test_a_question_about_a_forgotten_game_has_to_be_asked_again() -> None:
    game = Game(BOARD, 2, seed=1)
    some = KnownGames()
    assert some.answer(question("a table", game, 0, "expert", known=5)).forgotten
    assert some.answer(question("a table", game, 0, "expert")).action
    assert some.answer(question("a table", game, 0, "expert", known=5)).forgotten
    assert some.answer(question("a table", game, 0, "expert")).action


def test_a_game_from_a_position() -> None:
    start = Game(BOARD, 2, seed=5)
    for _ in range(8):
        start.play(start.legal()[0])
    game = Game.from_position(start.position())
    bench = Bench(workers=0)

    async def play(pool: BotPool) -> None:
        for _ in range(6):
            assert game.seat is not None
            game.play(await pool.decide("a table", game, game.seat, "expert"))

    bench.run(play)
    assert bench.failures == 0


# ---- Sharing -------------------------------------------------------------------------------------


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Return the tables in the order of their answers, each with its share of the usual time."""
    answered: list[tuple[str, float]] = []
    answer = KnownGames.answer

    def listen(self: KnownGames, asked: bot_worker.Question) -> Answer:
        answered.append((asked.table, asked.time_share))
        return answer(self, asked)

    monkeypatch.setattr(KnownGames, "answer", listen)
    return answered


def test_an_address_with_many_tables_does_not_hold_up_another(
    order: list[tuple[str, float]],
) -> None:
    game = Game(BOARD, 2, seed=1)
    crowd = [(f"crowd {number}", "crowd") for number in range(47)]

    async def play(pool: BotPool) -> None:
        asked = [
            asyncio.create_task(pool.decide(table, game, 0, SEARCH, address))
            for table, address in [*crowd, ("mine", "me")]
        ]
        await asyncio.gather(*asked)

    Bench(workers=0).run(play)
    assert [table for table, _ in order].index("mine") <= 2
    shares = dict(order)
    assert shares["mine"] == 1
    # The crowd has to be quick as long as it is one.
    assert shares["crowd 10"] == 0
    assert shares["crowd 46"] == 1


@on_every_board
def test_a_master_without_time_plays_what_an_expert_plays(board: Board) -> None:
    game = Game(board, 2, seed=5)
    expert, master = (kept(board, 5, 0, level) for level in ("expert", "master"))
    master.time_share = 0.0
    while (seat := game.seat) is not None:
        view = game.view(seat)
        if seat == 0:
            assert master.choose(view, view.legal) == expert.choose(view, view.legal)
        game.play(view.legal[0])


# ---- When something goes wrong -------------------------------------------------------------------


def test_a_process_that_died_is_replaced() -> None:
    game = Game(BOARD, 2, seed=6)
    bench = Bench(workers=1)

    async def play(pool: BotPool) -> None:
        await pool.start()
        for turn in range(8):
            if turn % 3 == 2:
                kill(pool)
            assert game.seat is not None
            game.play(await pool.decide("a table", game, game.seat, "expert"))

    bench.run(play)
    assert bench.failures == 0


def test_a_question_is_asked_again_if_the_process_dies() -> None:
    game = Game(BOARD, 2, seed=6)
    bench = Bench(workers=1)

    async def play(pool: BotPool) -> None:
        await pool.start()
        asked = asyncio.create_task(pool.decide("hanging", game, 0, HANGING))
        while not asked.done():
            kill(pool)
            await asyncio.sleep(0.05)
        assert await asked in [action.text for action in game.legal(0)]
        assert bench.failures == 1
        assert await pool.decide("a table", game, 0, "expert")
        assert bench.failures == 1

    bench.run(play)


def test_a_random_action_replaces_a_bot_that_ends_its_process() -> None:
    game = Game(BOARD, 2, seed=6)
    bench = Bench(workers=1)

    async def play(pool: BotPool) -> None:
        assert await pool.decide("a table", game, 0, DEADLY)
        assert bench.failures == 1
        assert await pool.decide("a table", game, 1, "expert")

    bench.run(play)
    assert bench.failures == 1


def test_a_random_action_replaces_a_bot_that_hangs_and_a_new_process_its_process() -> None:
    game = Game(BOARD, 2, seed=6)
    bench = Bench(workers=1, time_limit=0.3)

    async def play(pool: BotPool) -> None:
        await pool.start()
        quick, slow = pool.pids
        assert await pool.decide("a table", game, 0, HANGING)
        assert bench.failures == 1
        pool.time_limit = LONG
        assert await pool.decide("a table", game, 1, "master")
        assert runs(quick)
        assert not runs(slow)

    bench.run(play)
    assert bench.failures == 1


def test_a_cancelled_question_does_not_disturb_the_next() -> None:
    game = Game(BOARD, 2, seed=6)
    expected = kept(BOARD, 6, 0, SEARCH).choose(game.view(0), game.legal(0)).text
    bench = Bench(workers=1)

    async def play(pool: BotPool) -> None:
        await pool.start()
        async with busy(pool, 2):
            # One of the two is thinking when both are cancelled, the other is waiting.
            assert pool.waiting == 2
        assert pool.waiting == 0
        assert await pool.decide("a table", game, 0, SEARCH) == expected

    bench.run(play)
    assert bench.failures == 0


@asynccontextmanager
async def busy(pool: BotPool, number: int) -> AsyncIterator[None]:
    """Let so many bots think for ever."""
    game = Game(BOARD, 2, seed=6)
    asked = [
        asyncio.create_task(pool.decide(f"hanging {one}", game, 0, HANGING))
        for one in range(number)
    ]
    while pool.waiting < number:
        await asyncio.sleep(0.01)
    yield
    assert not any(one.done() for one in asked)
    for one in asked:
        one.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


def test_a_bot_moves_if_its_worker_stays_busy() -> None:
    game = Game(BOARD, 2, seed=6)
    bench = Bench(workers=3, patience=0.05)

    async def play(pool: BotPool) -> None:
        for table in ("a table", "another table"):
            assert await pool.decide(table, game, 0, SEARCH)
        async with busy(pool, 1):
            # One of the two lives in the worker that is busy now.
            for table in ("a table", "another table") * 2:
                assert await pool.decide(table, game, 0, SEARCH)
            assert bench.counted("bot_moves") == 1

    bench.run(play)
    assert bench.failures == 0


@pytest.mark.parametrize("level", ["novice", "regular", "expert"])
def test_easy_bots_never_wait_for_hard_ones(level: str) -> None:
    game = Game(BOARD, 2, seed=6)
    bench = Bench(workers=1)

    async def play(pool: BotPool) -> None:
        async with busy(pool, 5):
            assert await pool.decide("a table", game, 0, level)

    bench.run(play)
    assert bench.failures == 0


def test_a_process_that_hangs_costs_nothing_but_time() -> None:
    game = Game(BOARD, 2, seed=6)
    expected = kept(BOARD, 6, 0, "expert").choose(game.view(0), game.legal(0)).text
    bench = Bench(workers=1, time_limit=5.0)

    async def play(pool: BotPool) -> None:
        await pool.start()
        for pid in pool.pids:
            os.kill(pid, signal.SIGSTOP)
        assert await pool.decide("a table", game, 0, "expert") == expected

    bench.run(play)
    assert bench.failures == 0


def test_no_process_is_left_behind() -> None:
    bench = Bench(workers=2)
    started: list[int] = []

    async def start(pool: BotPool) -> None:
        await pool.start()
        started.extend(pool.pids)
        assert all(runs(pid) for pid in started)

    bench.run(start)
    assert len(started) == 2
    assert not any(runs(pid) for pid in started)


# ---- At a table ----------------------------------------------------------------------------------


def no_idea(*arguments: object) -> str:
    raise RuntimeError("no idea")


def asleep(*arguments: object) -> str:
    time.sleep(0.3)
    return "keep 1"


@pytest.mark.parametrize("decide", [no_idea, asleep, lambda *arguments: "fly to the moon"])
def test_a_random_action_replaces_a_bot_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, decide: Callable[..., str]
) -> None:
    monkeypatch.setattr(bot_worker.KnownGame, "decide", decide)
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
        kill(server.site.lobby.bot_pool)
        assert browser.play(0, "keep 1 2")["type"] == "ack"
        while not browser.legal(0):
            browser.until("events", bot=True)
        browser.close()
        assert b"bot_failures" not in server.get("/metrics")
