"""Whole games: by mouse on every board, by keyboard alone, and on a touch screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import fernzug
from browser.conftest import Open
from browser.player import Player, Toucher, Typist
from browser.site import Site
from browser.test_layout import faults
from paths import DOCS


@pytest.mark.parametrize("board", fernzug.boards())
def test_a_whole_game_by_mouse(open_page: Open, board: str) -> None:
    page = open_page()
    player = Player(page)
    player.new_game(board)
    player.play_to_the_end()
    assert player.claims > 2
    assert page.locator("[data-end] [data-total]").count() == 3


def test_a_whole_game_by_keyboard_alone(open_page: Open) -> None:
    page = open_page()
    player = Typist(page)
    player.new_game("london")
    player.play_to_the_end()
    assert player.claims > 2
    assert player.draws > 2


def test_a_whole_game_on_a_touch_screen(open_page: Open) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    player = Toucher(page)
    player.new_game("paris")
    player.play_to_the_end()
    assert player.claims > 2


DOCUMENT = DOCS / "board-files.md"


def test_a_whole_game_on_a_board_of_ones_own(open_page: Open, tmp_path: Path) -> None:
    # The page has no map for the board, no drawing of its pieces and no paint for its colour.
    shown = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    file = tmp_path / "harbour.toml"
    file.write_text(shown[1].replace('"red"', '"teal"'), encoding="utf-8")
    with Site(tmp_path / "data", "--board", str(file)) as own:
        page = open_page()
        page.goto(own.url)
        # That a network is our own is worth saying of the boards of the package only.
        expect(page.locator("[data-board=paris] .own")).to_have_count(1)
        expect(page.locator("[data-board=harbour] .own")).to_have_count(0)
        player = Player(page)
        player.new_game("harbour")
        assert faults(page) == []
        face = page.locator("g[data-route] path[fill='var(--free-other-0)']")
        expect(face.first).to_be_visible()
        player.play_to_the_end()
        assert player.claims > 0
        assert page.locator("g[data-route] g.piece").count() >= player.claims
