"""Places and routes by the names that people type."""

import pytest

import fernzug
from fernzug import Board, Game
from fernzug.i18n import LANGUAGES
from fernzug.terminal.naming import name_like, places_like, plain, routes_called, split_payment
from fernzug.terminal.routes import route_lines
from situations import BOARDS
from terminal.player_words import words_for


def test_places_are_found_as_people_type_them() -> None:
    assert plain("Île-de-la Cité") == "iledelacite"
    for board in BOARDS:
        for language in LANGUAGES:
            words = words_for(board, language)
            for place in board.locations:
                typed = plain(words.place(place.id))
                assert place in places_like(words, typed)
                assert place in places_like(words, place.id.upper())
    words = words_for(BOARDS[0])
    view = Game(BOARDS[0], 2, seed=1).view(0)
    assert route_lines(words, view, "nowhere", 80) == ["No place is called 'nowhere'."]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_routes_are_found_by_the_names_of_their_places(board: Board, language: str) -> None:
    words = words_for(board, language)
    for route in board.routes:
        lanes = {route.id, route.twin or route.id}
        a, b = words.place(route.a), words.place(route.b)
        to = words.texts("map.to")
        for text in (
            f"{a} {b}",
            f"{b.upper()} - {a.lower()}",
            f"{a} {to} {b}",
            words.way(a=route.a, b=route.b),
        ):
            assert {found.id for found in routes_called(words, text)} == lanes, text
        assert routes_called(words, route.id) == [route]
        assert route in routes_called(words, a)
        text, cards = split_payment(words, f"{a} {b} {words.color(board.colors[0])}*2 wild*1")
        assert (text, cards) == (f"{a} {b}", f"{board.colors[0]}*2 wild*1")
        assert split_payment(words, f"{route.id} wild flag") == (route.id, "wild flag")


def test_routes_are_found_by_parts_of_names() -> None:
    words = words_for(fernzug.board("london"))
    assert [route.id for route in routes_called(words, "baker hyde")] == ["baker_street-hyde_park"]
    assert [route.id for route in routes_called(words, "waterloo big ben")] == ["big_ben-waterloo"]
    assert len(routes_called(words, "baker")) > 1
    assert routes_called(words, "ba") == []
    assert routes_called(words, "baker waterloo") == []
    assert name_like(words, "Baker Stret") == "Baker Street"
    assert name_like(words, "big_ben-watrloo") == "big_ben-waterloo"
    assert name_like(words, "xyzzy") is None
    assert split_payment(words, "big ben waterloo blue") == ("big ben waterloo", "blue")
