"""Write the table of limits in ``docs/limits.md`` from ``server/limits.py``.

``python tools/limits_md.py`` writes it; with ``--check`` it only says whether it is up to date.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

from fernzug.server.limits import Limits, Rate

TARGET = Path(__file__).parent.parent / "docs" / "limits.md"
BEGIN = "<!-- Written by tools/limits_md.py; do not edit. -->\n"
END = "<!-- End of the table. -->\n"


def main() -> int:
    """Write or check the page; return the exit code."""
    page = TARGET.read_text(encoding="utf-8")
    text = with_table(page)
    if "--check" in sys.argv[1:]:
        print("up to date" if page == text else f"{TARGET.name} is out of date")
        return 0 if page == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


def with_table(page: str) -> str:
    """Return the page with a fresh table."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def table() -> str:
    """Return the table of all limits."""
    rows = ["| limit | of what | for each | otherwise | why |", "|---|---|---|---|---|"]
    for each in fields(Limits):
        about = each.metadata
        cells = [in_words(each.default), about["of"], about["by"], about["otherwise"], about["why"]]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def in_words(value: object) -> str:
    """Return a number or a rate as the page shows it."""
    if isinstance(value, Rate):
        slow = value.per_second < 0.1
        number, unit = (value.per_second * 3600, "hour") if slow else (value.per_second, "second")
        return f"{number:g} per {unit}, {value.at_once:g} at once"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


if __name__ == "__main__":
    sys.exit(main())
