"""Laws of the queue that is shared between addresses and tables."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fernzug.server.fair_queue import Entry, FairQueue


def anything(asked: object) -> bool:
    return True


class Sharing:
    """A queue, and the seconds that each address has had."""

    def __init__(self) -> None:
        self.queue: FairQueue[int] = FairQueue()
        self.order: list[tuple[str, str, int]] = []
        self.had: defaultdict[str, float] = defaultdict(float)
        self._number = 0

    def ask(self, address: str, table: str = "table", times: int = 1) -> None:
        for _ in range(times):
            self.queue.put(address, table, self._number)
            self._number += 1

    def answer(self, seconds: float = 1.0, times: int = 1) -> None:
        for _ in range(times):
            entry = self.queue.take(0.5, anything)
            assert entry is not None
            self.finish(entry, seconds)

    def finish(self, entry: Entry[int], seconds: float) -> None:
        self.queue.finish(entry, seconds)
        self.order.append((entry.address, entry.table, entry.asked))
        self.had[entry.address] += seconds

    @property
    def addresses(self) -> list[str]:
        return [address for address, _, _ in self.order]


def test_questions_of_a_table_keep_their_order() -> None:
    sharing = Sharing()
    sharing.ask("a", times=5)
    sharing.answer(times=5)
    assert [number for _, _, number in sharing.order] == [0, 1, 2, 3, 4]


def test_addresses_alternate_however_much_each_asks() -> None:
    sharing = Sharing()
    for table in range(47):
        sharing.ask("crowd", f"{table}", times=4)
    sharing.ask("one", times=10)
    sharing.answer(times=20)
    assert sharing.addresses == ["crowd", "one"] * 10


def test_tables_of_an_address_alternate() -> None:
    sharing = Sharing()
    sharing.ask("a", "greedy", times=10)
    sharing.ask("a", "modest", times=3)
    sharing.answer(times=6)
    assert [table for _, table, _ in sharing.order] == ["greedy", "modest"] * 3


def test_whoever_asks_for_long_thoughts_has_fewer() -> None:
    sharing = Sharing()
    sharing.ask("slow", times=100)
    sharing.ask("quick", times=100)
    while sharing.queue.questions("quick"):
        entry = sharing.queue.take(0.1, anything)
        assert entry is not None
        sharing.finish(entry, 0.8 if entry.address == "slow" else 0.1)
    assert sharing.had["slow"] == pytest.approx(sharing.had["quick"], abs=0.9)


def test_a_newcomer_is_next_but_one_at_most() -> None:
    sharing = Sharing()
    sharing.ask("crowd", times=100)
    sharing.answer(times=50)
    sharing.ask("newcomer")
    sharing.answer(times=2)
    assert "newcomer" in sharing.addresses[-2:]


def test_a_pause_saves_nothing_up() -> None:
    """Somebody who had asked for nothing for long does not push the others out afterwards."""
    sharing = Sharing()
    sharing.ask("pausing")
    sharing.ask("steady", times=200)
    sharing.answer(times=101)
    sharing.ask("pausing", times=50)
    before = sharing.had["steady"]
    sharing.answer(times=40)
    assert sharing.had["steady"] - before >= 19


def test_going_away_and_coming_back_does_not_pay() -> None:
    """Somebody who withdraws after each answer is no better off than one who keeps asking."""
    sharing = Sharing()
    sharing.ask("steady", times=100)
    for _ in range(20):
        sharing.ask("sly")
        while sharing.queue.questions("sly"):
            sharing.answer()
    assert sharing.had["sly"] <= sharing.had["steady"] + 1


def test_time_that_nobody_else_wanted_is_forgiven() -> None:
    sharing = Sharing()
    sharing.ask("alone", times=50)
    sharing.answer(times=50)
    sharing.ask("alone", times=4)
    sharing.ask("other", times=4)
    sharing.answer(times=4)
    assert Counter(sharing.addresses[-4:]) == {"alone": 2, "other": 2}


def test_a_question_that_does_not_fit_lets_others_pass() -> None:
    queue: FairQueue[int] = FairQueue()
    for number in range(4):
        queue.put("a", "table", number)
    taken = queue.take(1.0, lambda number: number % 2 == 1)
    assert taken is not None
    assert taken.asked == 1
    assert queue.take(1.0, lambda number: number > 10) is None


def test_a_withdrawn_question_is_gone() -> None:
    queue: FairQueue[int] = FairQueue()
    first = queue.put("a", "table", 1)
    queue.put("b", "table", 2)
    queue.withdraw(first)
    taken = queue.take(1.0, anything)
    assert taken is not None
    assert taken.asked == 2
    assert queue.take(1.0, anything) is None
    assert (queue.addresses, queue.questions("a"), queue.questions("b")) == (1, 0, 1)


@given(
    seed=st.integers(0, 2**32),
    workers=st.integers(1, 4),
    addresses=st.integers(2, 6),
)
def test_backlogged_addresses_have_had_the_same(seed: int, workers: int, addresses: int) -> None:
    """At any time, no two addresses that always ask differ by more than what is under way."""
    dice = random.Random(seed)
    sharing = Sharing()
    longest = 1.0
    names = [f"{number}" for number in range(addresses)]
    for name in names:
        for table in range(dice.randint(1, 5)):
            sharing.ask(name, f"{table}", times=40)
    running: list[Entry[int]] = []
    for _ in range(30):
        while len(running) < workers:
            entry = sharing.queue.take(longest / 2, anything)
            assert entry is not None
            running.append(entry)
        sharing.finish(running.pop(dice.randrange(workers)), dice.uniform(0.01, longest))
        had = [sharing.had[name] for name in names]
        assert max(had) - min(had) <= longest * (workers + 1)


@given(asked=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=60))
def test_everything_is_answered_once(asked: list[tuple[str, str]]) -> None:
    sharing = Sharing()
    for address, table in asked:
        sharing.ask(address, table)
    sharing.answer(times=len(asked))
    assert sorted(number for _, _, number in sharing.order) == list(range(len(asked)))
    assert sharing.queue.take(1.0, anything) is None
    assert sharing.queue.addresses == 0
