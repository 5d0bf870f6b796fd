"""The contract of a store, which every kind of store keeps."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from fernzug.server.metrics import Metrics
from fernzug.server.store import CodeTaken, Conflict, Store
from fernzug.table import Change
from server.stores import Opener, postgres_opener, sqlite_opener, use
from situations import BOARDS
from table.tabletop import Tabletop, here

BOARD = BOARDS[0]
DAY = 86_400_000


@pytest.fixture(params=["sqlite", "postgresql"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """What opens an empty store, and the same one again."""
    if request.param == "sqlite":
        return sqlite_opener(tmp_path)
    return postgres_opener(request.getfixturevalue("postgres"))


def said(seq: int, at: int = 0) -> Change:
    return Change(seq, at, "said", {"seat": 0, "text": "x"})


async def numbers(store: Store, table: str = "abc") -> list[int]:
    stored = await store.load(table)
    assert stored is not None
    return [change.seq for change in stored.changes]


def test_a_table_is_read_as_it_was_written(opener: Opener) -> None:
    top = Tabletop(BOARD, here, here)
    top.play(0, "keep 1 2")

    async def write(store: Store) -> None:
        await store.create(top.setup, top.changes[:1], "playing")
        await store.append("abc", top.changes[1:], None)

    async def read(store: Store) -> None:
        stored = await store.load("abc")
        assert stored is not None
        assert stored.setup == top.setup
        assert stored.changes == top.changes
        assert await store.load("other") is None

    use(opener, write)
    use(opener, read)


def test_texts_of_every_kind_are_kept(opener: Opener) -> None:
    texts = [
        "Grüße, 🚂!",
        "\x01\x7f",
        '"\\u0000\\"',
        "line\u2028separator",
        "'; DROP TABLE tables;--",
    ]
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        changes = [
            Change(seq, 1_700_000_000_000, "said", {"seat": 0, "text": text})
            for seq, text in enumerate(texts, start=1)
        ]
        await store.create(setup, changes, "playing")
        stored = await store.load("abc")
        assert stored is not None
        assert stored.changes == changes

    use(opener, work)


def test_a_code_leads_to_the_unfinished_table_that_has_it_now(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [], "waiting")
        assert await store.table_of_code("ABCDE") == "abc"
        assert await store.table_of_code("abcde") is None
        await store.append("abc", [said(1)], None, "FGHIJ")
        assert await store.table_of_code("ABCDE") is None
        assert await store.table_of_code("FGHIJ") == "abc"
        await store.append("abc", [said(2)], "playing")
        assert await store.table_of_code("FGHIJ") == "abc"
        await store.append("abc", [said(3)], "over")
        assert await store.table_of_code("FGHIJ") is None

    use(opener, work)


def test_no_two_unfinished_tables_have_the_same_code(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [], "waiting")
        with pytest.raises(CodeTaken):
            await store.create(replace(setup, id="def"), [], "waiting")
        assert await store.load("def") is None
        await store.create(replace(setup, id="def", code="FGHIJ"), [], "waiting")
        with pytest.raises(CodeTaken):
            await store.append("def", [said(1)], None, "ABCDE")
        assert await numbers(store, "def") == []
        assert await store.table_of_code("ABCDE") == "abc"
        await store.append("abc", [said(1)], "over")
        await store.append("def", [said(1)], None, "ABCDE")
        assert await store.table_of_code("ABCDE") == "def"

    use(opener, work)


def test_a_number_that_is_taken_is_refused_and_nothing_is_written(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [said(1)], "playing")
        with pytest.raises(Conflict):
            await store.create(replace(setup, code="FGHIJ"), [said(1)], "playing")
        with pytest.raises(Conflict):
            await store.append("abc", [said(1)], None)
        with pytest.raises(Conflict):
            await store.append("abc", [said(1), said(2)], "over", "FGHIJ")
        assert await numbers(store) == [1]
        assert await store.table_of_code("ABCDE") == "abc"
        await store.append("abc", [said(2), said(3)], None)
        assert await numbers(store) == [1, 2, 3]

    use(opener, work)


def test_of_those_who_write_the_same_number_at_once_one_succeeds(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [], "playing")
        texts = [f"{number}" for number in range(30)]
        attempts = (
            store.append("abc", [Change(1, 0, "said", {"seat": 0, "text": text})], None)
            for text in texts
        )
        results = await asyncio.gather(*attempts, return_exceptions=True)
        winners = [text for text, result in zip(texts, results, strict=True) if result is None]
        assert len(winners) == 1
        assert {type(result) for result in results} == {type(None), Conflict}
        stored = await store.load("abc")
        assert stored is not None
        assert [change.data["text"] for change in stored.changes] == winners

    use(opener, work)


def test_writes_that_arrive_together_are_committed_together(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup
    metrics = Metrics()

    async def work(store: Store) -> None:
        await store.create(setup, [], "playing")
        await asyncio.gather(*(store.append("abc", [said(n)], None) for n in range(1, 201)))
        assert 0 < metrics.counters["commits", ""] < 100
        assert await numbers(store) == list(range(1, 201))

    use(opener, work, metrics)


def test_a_failed_write_leaves_nothing_behind_and_harms_no_other(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [], "playing")
        results = await asyncio.gather(
            store.append("abc", [said(1)], None),
            store.append("abc", [said(7), said(7)], "over"),
            store.append("abc", [said(2)], None),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [type(None), Conflict, type(None)]
        assert await numbers(store) == [1, 2]
        assert await store.table_of_code("ABCDE") == "abc"

    use(opener, work)


def test_what_others_have_written_since_is_found(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [said(n) for n in range(1, 13)], "playing")
        await store.create(replace(setup, id="def", code="FGHIJ"), [], "waiting")
        assert await store.changes_after("abc", 9) == [said(10), said(11), said(12)]
        assert await store.changes_after("abc", 12) == []
        assert await store.changes_after("other", 0) == []
        assert await store.last_changes(["abc", "def", "other"]) == {"abc": 12}
        assert await store.last_changes([]) == {}

    use(opener, work)


def test_tables_idle_for_too_many_days_are_deleted_but_not_finished_games(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        for state in ("waiting", "playing", "over"):
            await store.create(replace(setup, id=state, code=state), [], state)
        await store.create(replace(setup, id="busy", code="busy"), [], "playing")
        left: list[list[str]] = []
        for day in range(8):
            await store.append("busy", [said(day + 1)], None)
            await store.count_day(now=day * DAY, waiting_days=3, playing_days=5)
            ids = ("waiting", "playing", "over", "busy")
            left.append([id for id in ids if await store.load(id) is not None])
        assert [len(ids) for ids in left] == [4, 4, 4, 3, 3, 2, 2, 2]
        assert left[-1] == ["over", "busy"]

    use(opener, work)


@pytest.mark.parametrize("jump", [90 * DAY, 10_000 * DAY, -90 * DAY])
def test_a_clock_that_jumps_deletes_nothing(opener: Opener, jump: int) -> None:
    """S7: a start with a wrong clock counts as one day, however far the clock is off."""
    setup = Tabletop(BOARD, here, here).setup
    now = 20_000 * DAY

    async def start(store: Store) -> None:
        await store.create(replace(setup, created=now), [], "waiting")
        await store.append("abc", [said(1, now)], None)
        await store.count_day(now=now, waiting_days=7, playing_days=60)
        for clock in (now + jump, now, now + jump, now):
            deleted = await store.count_day(now=clock, waiting_days=7, playing_days=60)
            assert deleted == 0
        assert await store.load("abc") is not None

    use(opener, start)


def test_a_day_is_counted_once_however_often_the_server_starts(opener: Opener) -> None:
    setup = Tabletop(BOARD, here, here).setup

    async def work(store: Store) -> None:
        await store.create(setup, [], "waiting")
        for hour in range(19):
            await store.count_day(now=hour * 3_600_000, waiting_days=1, playing_days=1)
        assert await store.load("abc") is not None

    use(opener, work)


def test_a_store_that_is_open_answers(opener: Opener) -> None:
    async def work(store: Store) -> None:
        await store.ping()

    use(opener, work)
