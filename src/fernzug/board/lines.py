"""The line number of every value in a TOML text.

We write this ourselves because `tomllib` does not report positions, and the libraries that do are
dependencies, which the engine does without. It only ever scans a text that `tomllib` has accepted,
so it can be lax: it has to know where keys and values begin and end, not what they mean.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""Where a value is in a file: `("routes", 3, "length")`."""

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
# Numbers, dates, true and false; a date may have a space between day and time.
_OTHER = re.compile(r"[^,\]}#\r\n]*")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


def lines_of(text: str) -> Mapping[Path, int]:
    """Map the path of every table, item and value in a valid TOML text to its line."""
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
        # How many tables each `[[list]]` has so far; later headers and keys refer to the last one.
        self.counts: dict[Path, int] = {}

    def document(self) -> None:
        """Scan the whole text."""
        table: Path = ()
        self.skip()
        while self.at < len(self.text):
            if self.peek("["):
                table = self.header()
            else:
                self.pair(table)
            self.skip()

    def peek(self, start: str) -> bool:
        """Whether the text continues with this."""
        return self.text.startswith(start, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Skip what the pattern matches here."""
        match = pattern.match(self.text, self.at)
        assert match is not None, "tomllib has accepted this text"
        self.at = match.end()
        return match

    def skip(self) -> None:
        """Skip whitespace and comments."""
        self.take(_BLANK)

    def mark(self, path: Path, at: int) -> None:
        """Note that a table, item or value begins here, unless it has begun already."""
        self.lines.setdefault(path, bisect_right(self.breaks, at) + 1)

    def keys(self) -> list[str]:
        """Skip a key, plain or dotted, and return its parts."""
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
        """Skip `[table]` or `[[list of tables]]`, and return the path its keys belong to."""
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
        """Skip `key = value`."""
        start = self.at
        path = table
        for key in self.keys():
            path = (*path, key)
            self.mark(path, start)
        self.at += len("=")
        self.skip()
        self.value(path)

    def value(self, path: Path) -> None:
        """Skip a value, noting the lines of the values inside it."""
        if self.peek("["):
            self.items(path)
        elif self.peek("{"):
            self.inline_table(path)
        elif self.peek('"') or self.peek("'"):
            self.take(_STRING)
        else:
            self.take(_OTHER)

    def items(self, path: Path) -> None:
        """Skip `[value, value]`, on one line or several."""
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
        """Skip `{ key = value, key = value }`."""
        self.at += 1
        self.skip()
        while not self.peek("}"):
            self.pair(path)
            self.between()
        self.at += 1

    def between(self) -> None:
        """Skip what separates two values."""
        self.skip()
        if self.peek(","):
            self.at += 1
            self.skip()
