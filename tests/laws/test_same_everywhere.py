"""The same seed gives the same game: compiled or plain, today and tomorrow, on every Python."""

import json
import os
import subprocess
import sys
from functools import cache

import pytest

from fernzug import Board
from fernzug.engine import COMPILED
from fernzug.engine.chance import CARDS, TICKETS, Stream
from paths import ROOT
from situations import at_every_table
from traces import GOLDEN, name_of, trace


@at_every_table
def test_golden_hashes(board: Board, players: int) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    table = name_of(board, players)
    assert table in golden, f"there is no golden hash for {table}: make golden"
    assert trace(board, players)[-1] == golden[table]


@cache
def compiled_traces() -> dict[str, list[str]]:
    """Return the traces of the compiled engine, from a process of its own."""
    environment = {**os.environ, "FERNZUG_PLAIN": "0"}
    command = [sys.executable, str(ROOT / "tests" / "traces.py")]
    run = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    told = json.loads(run.stdout)
    if not told["compiled"]:
        pytest.skip("the compiled engine is not installed")
    found: dict[str, list[str]] = told["traces"]
    return found


@pytest.mark.skipif(COMPILED, reason="compared when the tests run with the plain engine")
@at_every_table
def test_compiled_and_plain_agree_step_by_step(board: Board, players: int) -> None:
    compiled = compiled_traces()[name_of(board, players)]
    steps = zip(trace(board, players), compiled, strict=True)
    different = [number for number, (a, b) in enumerate(steps) if a != b]
    assert not different, f"the engines differ from step {different[0]} on"


def test_the_generator_gives_its_published_numbers() -> None:
    """The first numbers of sfc32 with the seeds 0, 0 and 0, after its twelve rounds."""
    stream = Stream(0, 0)
    assert [int(stream.next()) for _ in range(4)] == reference(0, 0, 0, 4)
    stream = Stream((7 << 32) | 5, 9)
    assert [int(stream.next()) for _ in range(4)] == reference(5, 7, 9, 4)


def reference(a: int, b: int, c: int, number: int) -> list[int]:
    """Sfc32 as its author describes it."""
    counter = 1
    found = []
    for _ in range(12 + number):
        result = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a, b, c = (
            b ^ (b >> 9),
            (c + (c << 3)) % 2**32,
            (((c << 21) | (c >> 11)) % 2**32 + result) % 2**32,
        )
        found.append(result)
    return found[12:]


def test_numbers_below_a_bound_are_equally_likely() -> None:
    for bound in (1, 2, 3, 7, 44, 110):
        stream = Stream(1, CARDS)
        count = [0] * bound
        for _ in range(400 * bound):
            count[int(stream.below(bound))] += 1
        assert min(count) > 300
        assert max(count) < 500


def test_numbers_that_would_favour_some_answers_are_drawn_again() -> None:
    """With a bound just above a third of the range every third number is drawn again."""
    bound = (1 << 32) // 3 + 1
    stream, same = Stream(3, TICKETS), Stream(3, TICKETS)
    drawn = 0
    for _ in range(200):
        value = int(stream.below(bound))
        while True:
            drawn += 1
            product = int(same.next()) * bound
            if product % 2**32 >= 2**32 % bound:
                break
        assert value == product >> 32
    assert drawn > 250


def test_streams_of_one_seed_differ() -> None:
    first = {tuple(int(Stream(4, name).next()) for _ in range(2)) for name in range(50)}
    assert len(first) == 50
