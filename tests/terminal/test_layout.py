"""Columns, tables, wrapped lines and colours."""

import re

import pytest

from fernzug.terminal.console import Console
from fernzug.terminal.layout import (
    columns,
    definitions,
    flow,
    narrow_table,
    pad,
    table,
    width,
    wrap,
)
from fernzug.terminal.style import Style, wants_color

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def test_width_counts_columns_and_not_colours() -> None:
    style = Style(True)
    assert width(style.card("blue", "blue")) == width(" blue ") == 6
    assert width(style.wild("bus")) == 3
    assert width("Métro") == width("Me\u0301tro") == 5
    assert width("東京") == 4
    assert pad("é", 3, ">") == "  é"


def test_tables_and_columns_line_up() -> None:
    assert table([["a", "12"], ["bcd", "3"]], "<>") == ["a    12", "bcd   3"]
    assert columns(["1", "2", "3", "4", "5"], 9) == ["1   3   5", "2   4"]
    assert columns(["1", "2"], 1) == ["1", "2"]
    assert columns([], 80) == []
    wide = [["a", "12", "345"], ["bcd", "6", "7"]]
    assert narrow_table(wide, "<>>", 12) == table(wide, "<>>")
    assert narrow_table(wide, "<>>", 8) == ["a    12", "bcd   6", "", "a    345", "bcd    7"]
    assert flow("Hand ", ["aa", "bb", "cc"], 11) == ["Hand aa  bb", "     cc"]


def test_long_lines_are_broken_between_words() -> None:
    text = f"  You claim {Style(True).card('red', '2 red')} and so on"
    lines = wrap(text, 20, indent=4)
    assert all(width(line) <= 20 for line in lines)
    assert lines[1].startswith("    ")
    assert sum(line.count("48;5;160") for line in lines) == 1
    assert wrap("short", 20) == ["short"]


def test_coloured_words_are_broken_too_but_no_card() -> None:
    style = Style(True)
    text = style.dim("the quick brown fox") + " " + style.card("red", "2 red")
    lines = wrap(text, 12)
    assert [ESCAPES.sub("", line) for line in lines] == ["the quick", "brown fox", " 2 red "]
    assert lines[0] == f"{style.dim('the')} {style.dim('quick')}"


def test_meanings_stand_beside_their_words() -> None:
    rows = [("a", "one two three four five"), ("bcd", "six")]
    assert definitions(rows, 20) == [
        "  a    one two three",
        "       four five",
        "  bcd  six",
    ]
    assert definitions(rows, 10) == ["  a    one two three four five", "  bcd  six"]


def test_nothing_is_broken_within_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    answers = iter(["yes"])
    monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or next(answers))
    console = Console()
    text = "  many words that are longer than the forty columns of this screen"
    console.show([text, "short"])
    assert console.ask(text + " ") == "yes"
    out = capsys.readouterr().out
    assert all(len(line) <= 40 for line in out.splitlines())
    assert out.split() == [
        *text.split(),
        "short",
        *text.split(),
        *([] if console.interactive else ["yes"]),
    ]


def test_colours_can_be_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert wants_color(Terminal())  # type: ignore[arg-type]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color(Terminal())  # type: ignore[arg-type]
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_color(Terminal())  # type: ignore[arg-type]
    plain_style = Style(False)
    for shown in (plain_style.bold("x"), plain_style.card("red", "x"), plain_style.wild("x")):
        assert shown == "x"
    assert Style(True).card("turquoise", "x") == "x"
