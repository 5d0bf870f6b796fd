"""Columns, tables and wrapped lines of text that may have colours and wide letters."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence

DASH = "\N{EN DASH}"
NO_LIMIT = 1 << 30
"""The width of a file, where lines need no wrapping."""

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
WORD = re.compile(r"(?:\x1b\[[0-9;]*m.*?\x1b\[0m|[^\s\x1b])+")
LETTERS = re.compile(r"(\x1b\[(?![0-9;]*48;)[0-9;]*m)([^\x1b]*)(\x1b\[0m)")
"""Coloured letters without a coloured background."""


def width(text: str) -> int:
    """Return how many columns a text takes on the screen."""
    total = 0
    for letter in ESCAPE.sub("", text):
        if not unicodedata.combining(letter):
            total += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
    return total


def pad(text: str, columns: int, align: str = "<") -> str:
    """Pad a text with blanks after it (``<``) or before it (``>``)."""
    blanks = " " * max(columns - width(text), 0)
    return blanks + text if align == ">" else text + blanks


def table(rows: Sequence[Sequence[str]], align: str, gap: int = 2) -> list[str]:
    """Return the lines of a table; ``align`` has a ``<`` or ``>`` for each column."""
    widths = [max(width(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(pad(cell, w, a) for cell, w, a in zip(row, widths, align, strict=True))
        .rstrip()
        for row in rows
    ]


def narrow_table(rows: Sequence[Sequence[str]], align: str, total: int) -> list[str]:
    """Return the lines of a table; columns for which there is no room follow below.

    The first column stands before each part.
    """
    lines: list[str] = []
    start = 1
    while start < len(align):
        end = len(align)
        while end > start + 1 and width(_part(rows, align, start, end)[0]) > total:
            end -= 1
        lines += [*([""] if lines else []), *_part(rows, align, start, end)]
        start = end
    return lines


def _part(rows: Sequence[Sequence[str]], align: str, start: int, end: int) -> list[str]:
    part = [[row[0], *row[start:end]] for row in rows]
    return table(part, align[0] + align[start:end])


def columns(items: Sequence[str], total: int, gap: int = 3, most: int = 3) -> list[str]:
    """Lay out items in as many equal columns as fit, to be read down and then across."""
    if not items:
        return []
    widest = max(width(item) for item in items)
    number = max(1, min(most, (total + gap) // (widest + gap)))
    height = -(-len(items) // number)
    lines = []
    for row in range(height):
        cells = items[row::height]
        lines.append((" " * gap).join(pad(cell, widest) for cell in cells).rstrip())
    return lines


def flow(head: str, items: Sequence[str], total: int, gap: str = "  ") -> list[str]:
    """Put items one after the other behind a heading, with a hanging indent."""
    indent = " " * width(head)
    lines = [head]
    for item in items:
        fresh = width(lines[-1]) <= len(indent)
        if not fresh and width(lines[-1] + gap + item) > total:
            lines.append(indent)
            fresh = True
        lines[-1] += item if fresh else gap + item
    return [line.rstrip() for line in lines]


def wrap(text: str, total: int, indent: int = 0) -> list[str]:
    """Wrap a text between words and indent all lines but the first; coloured cards stay whole."""
    if width(text) <= total:
        return [text]
    text = LETTERS.sub(_word_by_word, text)
    margin = text[: len(text) - len(text.lstrip(" "))]
    lines = [margin]
    for word in WORD.findall(text):
        fresh = not lines[-1].strip()
        if not fresh and width(lines[-1]) + 1 + width(word) > total:
            lines.append(" " * indent)
            fresh = True
        lines[-1] += word if fresh else " " + word
    return lines


def _word_by_word(colored: re.Match[str]) -> str:
    """Colour each word on its own."""
    start, text, end = colored.groups()
    return " ".join(start + word + end if word else "" for word in text.split(" "))


def definitions(rows: Sequence[tuple[str, str]], total: int, indent: int = 2) -> list[str]:
    """Put words in one column and their meanings, wrapped, beside them."""
    margin = indent + max(width(word) for word, _ in rows) + 2
    lines = []
    for word, meaning in rows:
        first, *rest = wrap(meaning, total - margin) if total > 2 * margin else [meaning]
        lines.append(pad(" " * indent + word, margin) + first)
        lines += [" " * margin + line for line in rest]
    return lines


def paragraph(text: str, total: int, indent: str = "") -> list[str]:
    """Wrap plain text."""
    return textwrap.wrap(
        text,
        max(total, 20),
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
