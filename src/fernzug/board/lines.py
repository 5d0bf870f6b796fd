"""The line on which each value of a TOML text stands.

The reader of the standard library tells no positions of values, and no well-kept reader in pure
Python does without rewriting whole documents; the engine has no dependencies, so this is our own.
It walks over a text that the standard reader has accepted already, and may therefore be lax: it
only has to know where keys and values begin and end, never what they mean.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""The way to a value of a file: `("routes", 3, "length")`."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(
    r'[ \t]*(?:"(?P<basic>(?:[^"\\\n]|\\.)*)"'
    r"|'(?P<literal>[^'\n]*)'"
    r"|(?P<bare>[A-Za-z0-9_-]+))[ \t]*"
)
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""+'
    r"|'''.*?'''+"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
# Numbers, dates, true and false; a date may have a blank between day and time.
_OTHER = re.compile(r"[^,\]}#\r\n]*")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


def lines_of(text: str) -> Mapping[Path, int]:
    """The line of every table, item and value of a valid TOML text, by its path."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _ESCAPED.get(match[3], match[3])


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.breaks = [match.start() for match in re.finditer("\n", text)]
        # How many tables each `[[list]]` has so far: headers and keys below it mean the last.
        self.counts: dict[Path, int] = {}

    def document(self) -> None:
        """Walk over the whole text."""
        table: Path = ()
        self.skip()
        while self.at < len(self.text):
            if self.peek("["):
                table = self.header()
            else:
                self.pair(table)
            self.skip()

    def peek(self, start: str) -> bool:
        """Whether the text goes on with this."""
        return self.text.startswith(start, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Step over what the pattern matches here."""
        match = pattern.match(self.text, self.at)
        assert match is not None, "the standard reader has accepted this text"
        self.at = match.end()
        return match

    def skip(self) -> None:
        """Step over blanks, line ends and comments."""
        self.take(_BLANK)

    def mark(self, path: Path, at: int) -> None:
        """Note that a table, item or value begins there, unless it began before."""
        self.lines.setdefault(path, bisect_right(self.breaks, at) + 1)

    def keys(self) -> list[str]:
        """Step over a key, plain or dotted."""
        keys = []
        while True:
            key = self.take(_KEY)
            basic = key["basic"]
            keys.append(
                _ESCAPE.sub(_unescaped, basic)
                if basic is not None
                else key["literal"] or key["bare"] or ""
            )
            if not self.peek("."):
                return keys
            self.at += 1

    def header(self) -> Path:
        """Step over `[table]` or `[[list of tables]]`, and return where its keys belong."""
        start = self.at
        brackets = 2 if self.peek("[[") else 1
        self.at += brackets
        keys = self.keys()
        self.at += brackets
        path: Path = ()
        for left, key in zip(reversed(range(len(keys))), keys, strict=True):
            path = (*path, key)
            self.mark(path, start)
            if brackets == 2 and left == 0:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
                self.mark(path, start)
        return path

    def pair(self, table: Path) -> None:
        """Step over `key = value`."""
        start = self.at
        path = table
        for key in self.keys():
            path = (*path, key)
            self.mark(path, start)
        self.at += len("=")
        self.skip()
        self.value(path)

    def value(self, path: Path) -> None:
        """Step over a value; what it holds gets its own lines."""
        if self.peek("["):
            self.items(path)
        elif self.peek("{"):
            self.inline_table(path)
        elif self.peek('"') or self.peek("'"):
            self.take(_STRING)
        else:
            self.take(_OTHER)

    def items(self, path: Path) -> None:
        """Step over `[value, value]`, on one line or many."""
        self.at += 1
        number = 0
        self.skip()
        while not self.peek("]"):
            self.mark((*path, number), self.at)
            self.value((*path, number))
            number += 1
            self.between()
        self.at += 1

    def inline_table(self, path: Path) -> None:
        """Step over `{ key = value, key = value }`."""
        self.at += 1
        self.skip()
        while not self.peek("}"):
            self.pair(path)
            self.between()
        self.at += 1

    def between(self) -> None:
        """Step over what parts two values."""
        self.skip()
        if self.peek(","):
            self.at += 1
            self.skip()
