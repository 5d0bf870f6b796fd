"""Copies of a game share what has happened, and yet go their own ways."""

from __future__ import annotations

import pytest

from fernzug.history import History

LONG = (1, 2, 3, 4, 5, 6)


def test_copies_share_what_they_have_in_common_only() -> None:
    first = History([(1, 2), LONG])
    second, third = first.first(2), first.first(1)
    second.extend([(3,)])
    assert list(first) == [(1, 2), LONG]
    assert list(second) == [(1, 2), LONG, (3,)]
    first.extend([(4,)])
    third.extend([(5,)])
    assert list(first) == [(1, 2), LONG, (4,)]
    assert list(second) == [(1, 2), LONG, (3,)]
    assert list(third) == [(1, 2), (5,)]


def test_a_history_is_read_like_a_list() -> None:
    facts = [(number,) for number in range(6)]
    other = History(facts)
    other.extend([(9,)])
    history = other.first(6)
    assert len(history) == 6
    assert history == facts
    assert history == History(facts)
    assert history != facts[1:]
    assert history != "facts"
    for key in (
        slice(2, None),
        slice(None, 3),
        slice(-2, None),
        slice(None, None, 2),
        slice(4, 99),
    ):
        assert history[key] == facts[key]
    assert (history[0], history[-1]) == ((0,), (5,))
    with pytest.raises(IndexError):
        history[6]
    assert repr(History([(1,)])) == "History([(1,)])"


def test_a_short_fact_is_kept_once() -> None:
    history = History(tuple(range(first, first + 3)) for first in (7, 7))
    assert history[0] is history[1]
