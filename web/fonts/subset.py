"""Write the typefaces of the client to public/fonts, with only what its texts need.

Each face becomes two files: one with what German, English and French are written with, which
every page loads, and one with the other European letters, which a browser only fetches for a name
that has one.
Run it with ``make fonts``; the result is committed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

WEB = Path(__file__).resolve().parent.parent
PACKAGES = WEB / "node_modules" / "@fontsource"
TARGET = WEB / "public" / "fonts"
FACES = {"bitter": (800,), "barlow-semi-condensed": (500, 600, 700)}
FEATURES = ["kern", "mark", "ccmp", "locl", "tnum", "lnum"]
"""Fractions, ligatures and other forms of figures are never asked for."""
TEXT = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x100),
    *(0x131, 0x152, 0x153, 0x178),
    *(0x2009, 0x2010, 0x2011, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E),
    *(0x2022, 0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2212),
]


def subset(source: Path, target: Path, letters: list[int] | None) -> None:
    """Write a font with the given letters, or with all that it has."""
    font = TTFont(source, recalcTimestamp=False)
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = FEATURES
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters or font.getBestCmap())
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def main() -> None:
    """Write all fonts and their licences."""
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    for family, weights in FACES.items():
        shutil.copy(PACKAGES / family / "LICENSE", TARGET / f"{family}-licence.txt")
        for weight in weights:
            for script, letters in (("latin", TEXT), ("latin-ext", None)):
                source = PACKAGES / family / "files" / f"{family}-{script}-{weight}-normal.woff2"
                subset(source, TARGET / f"{family}-{script}-{weight}.woff2", letters)
    for path in sorted(TARGET.iterdir()):
        print(f"{path.stat().st_size:7,} {path.name}")


if __name__ == "__main__":
    main()
