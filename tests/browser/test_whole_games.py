"""Whole games: by mouse on every board, by keyboard alone, and on a touch screen."""

from __future__ import annotations

import pytest

import fernzug
from browser.conftest import Open
from browser.player import Player, Toucher, Typist


@pytest.mark.parametrize("board", fernzug.boards())
def test_a_whole_game_by_mouse(open_page: Open, board: str) -> None:
    page = open_page()
    player = Player(page)
    player.new_game(board)
    player.play_to_the_end()
    assert player.claims > 2
    assert page.locator("[data-end] tr[data-total]").count() == 3


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
