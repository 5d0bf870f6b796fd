"""Clean up names and lines of chat that people type."""

from __future__ import annotations

import unicodedata

from fernzug.table import Refused

UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that do not belong in a line: control, format and surrogate characters."""
JOINER = "\u200d"
"""Joins emoji into one; the only format character that people type."""
MAX_MARKS = 4
"""Accents in a row; more would stick out of the line."""


def plain(text: str) -> str:
    """Return a text as one line, without invisible or disruptive characters."""
    kept = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        marks = marks + 1 if category == "Mn" else 0
        if marks > MAX_MARKS or (category in UNPRINTABLE and letter != JOINER):
            continue
        kept.append(letter)
    return " ".join("".join(kept).split())


def clean_name(text: str, max_length: int) -> str:
    """Return a name for a seat, or refuse it."""
    name = plain(text)
    if not name.replace(JOINER, ""):
        raise Refused("bad_name", "a name needs at least one character")
    if len(name) > max_length:
        raise Refused("bad_name", f"a name has at most {max_length} characters")
    return name


def clean_line(text: str) -> str:
    """Return a line of chat, or refuse it."""
    line = plain(" ".join(text.splitlines()))
    if not line:
        raise Refused("bad_message", "the line is empty")
    return line
