"""The texts of the game in German, English and French.

Each language has a TOML file beside this one, all with the same keys. A text may have placeholders
(``{n}``); one that depends on a number is a table of ``one`` and ``other``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

LANGUAGES = ("de", "en", "fr")
DEFAULT = "en"


@cache
def _file(language: str) -> Mapping[str, Any]:
    if language not in LANGUAGES:
        raise ValueError(f"there is no language '{language}'; there are {', '.join(LANGUAGES)}")
    # Programs that never need a text should not pay for these imports.
    import tomllib
    from importlib import resources

    text = (resources.files("fernzug.i18n") / f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class Texts:
    """The texts of one language: ``texts("turn.yours", n=3)``."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._table = _file(language)

    def find(self, key: str) -> Any:
        """Return the text or table under a dotted key; ``KeyError`` if there is none."""
        found: Any = self._table
        for word in key.split("."):
            if not isinstance(found, Mapping) or word not in found:
                raise KeyError(f"{self.language}: {key}")
            found = found[word]
        return found

    def has(self, key: str) -> bool:
        """Whether there is a text or table under a key."""
        try:
            self.find(key)
        except KeyError:
            return False
        return True

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its placeholders filled in."""
        return str(self.find(key)).format_map(values)

    def number(self, key: str, n: int, **values: object) -> str:
        """Return the singular or plural form of a text."""
        forms = self.find(key)
        # French uses the singular for zero, too.
        single = n in (0, 1) if self.language == "fr" else n == 1
        return str(forms["one" if single else "other"]).format_map({"n": n, **values})


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for, or English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name)
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGES else DEFAULT
    return DEFAULT
