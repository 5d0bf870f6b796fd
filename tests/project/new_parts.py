"""A copy of the package with the parts that docs/bonuses.md shows how to add.

As a program it makes such a copy in a folder, to try things out by hand::

    python tests/project/new_parts.py FOLDER
    PYTHONPATH=FOLDER FERNZUG_PLAIN=1 python -m fernzug play harbour
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "bonuses.md"
LANGUAGES = ("de", "en", "fr")


def blocks() -> dict[str, str]:
    """Return the files that the page shows, by their names."""
    text = PAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^```\w+ title=(\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def make_copy(folder: Path) -> Path:
    """Put a plain copy of the package with the new kinds and the new city into a folder."""
    package = folder / "fernzug"
    leave_out = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "src" / "fernzug", package, ignore=leave_out)
    for name, text in blocks().items():
        target = Path(name)
        if target.suffix == ".py":
            (package / "bonuses" / target.name).write_text(text, encoding="utf-8")
            _enter(package, target.stem)
        elif text.startswith("[bonus."):
            for language in LANGUAGES:
                with (package / "i18n" / f"{language}.toml").open("a", encoding="utf-8") as catalog:
                    catalog.write(f"\n{text}")
        else:
            (package / "board" / "data" / target.name).write_text(text, encoding="utf-8")
    return package


def _enter(package: Path, kind: str) -> None:
    """Add a kind's line to the index."""
    index = package / "bonuses" / "__init__.py"
    text = index.read_text(encoding="utf-8")
    name = kind.title().replace("_", "")
    text = text.replace(
        "from fernzug.engine.bonus import",
        f"from fernzug.bonuses.{kind} import {name}\nfrom fernzug.engine.bonus import",
    )
    line = f'        "{kind}": {name},\n'
    index.write_text(text.replace("    }\n)", f"{line}    }}\n)"), encoding="utf-8")


if __name__ == "__main__":
    print(make_copy(Path(sys.argv[1])))
