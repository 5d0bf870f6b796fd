"""Whether there is room on a board for all that is drawn on it."""

import re

import pytest

from fernzug.board import files
from fernzug.board.room import crowded
from paths import DOCS


def test_what_is_too_close_together_is_found_with_its_line() -> None:
    page = (DOCS / "board-files.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert example is not None
    text = example[1].replace("x = 340, y =  60", "x =  70, y =  60")
    near, *short = crowded(files.parse(text))
    place = '  { id = "lake", name = "Lake",        x =  70, y =  60, label = "w" },'
    assert near.line == 1 + text.splitlines().index(place)
    assert near.text.startswith("'lake' is only 36 px from 'hill'")
    assert len(short) == 2
    assert all("'hill-lake" in each.text and "too short" in each.text for each in short)


@pytest.mark.parametrize("name", files.boards())
def test_no_board_of_the_package_is_crowded(name: str) -> None:
    assert crowded(files.load(name)) == []
