"""Why an action is good: true on the board, and the same whatever the seat may not know."""

from typing import Any

import pytest

import fernzug
from fernzug import Board, Game
from fernzug.analysis.advice import reasons_for
from fernzug.errors import Reason
from fernzug.i18n import LANGUAGES, Texts
from fernzug.i18n.sentences import Ids, sentence
from fernzug.ways import shortest_way
from situations import on_every_board
from twins import twins


def told(game: Game, action: str) -> list[Reason]:
    view = game.view(0)
    chosen = next(each for each in view.legal if each.text == action)
    return list(reasons_for(view, chosen))


@on_every_board
def test_a_claim_on_the_way_brings_a_ticket_nearer_or_completes_it(board: Board) -> None:
    ticket = max(board.tickets, key=lambda each: each.points)
    position: dict[str, Any] = {"board": board.id, "players": 2, "tickets": [[ticket.id], []]}
    game = Game.from_position(position)
    way = shortest_way(game.state, 0, ticket.a, ticket.b)
    assert way is not None
    *others, last = [board.routes[number] for number in way.routes]
    assert others
    position["hands"] = [{"wild": last.cost}, {}]
    claim = f"claim {last.id} wild*{last.cost}"
    (first, *_) = told(Game.from_position(position), claim)
    assert first.code == "advice.nearer"
    assert first.parts == {"ticket": ticket.id, "count": way.pieces - last.pieces}
    position["routes"] = {route.id: 0 for route in others}
    (first, *_) = told(Game.from_position(position), claim)
    assert first == Reason("advice.completes", ticket=ticket.id)


@pytest.mark.parametrize(
    ("lying", "code"),
    [("pink", "advice.deck"), ("blue", "advice.unknown"), ("wild", "advice.unknown")],
)
def test_the_deck_is_better_than_the_display_only_if_nothing_there_helps(
    lying: str, code: str
) -> None:
    """The ticket needs blue cards, for the gray route on its way is built."""
    game = Game.from_position(
        {
            "board": "london",
            "players": 2,
            "tickets": [["piccadilly_circus-waterloo"], []],
            "routes": {"trafalgar_square-big_ben": 0},
            "faceup": ["pink", "orange", "orange", "pink", lying],
        }
    )
    assert told(game, "draw deck") == [Reason(code)]


@on_every_board
def test_reasons_are_the_same_whatever_the_seat_may_not_know(board: Board) -> None:
    compared = 0
    for seed in range(3):
        first, second, script = twins(board, 2, 0, seed)
        one, other = Game.from_position(first), Game.from_position(second)
        for seat, action in script:
            for legal in one.view(0).legal:
                assert reasons_for(one.view(0), legal) == reasons_for(other.view(0), legal)
                compared += 1
            for game in (one, other):
                game.play(action, seat=seat)
    assert compared > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words(language: str) -> None:
    texts = Texts(language)
    for name in fernzug.boards():
        game = Game(name, 2, seed=1)
        for turn in range(60):
            if game.seat is None:
                break
            view = game.view(game.seat)
            for action in view.legal:
                for reason in reasons_for(view, action):
                    assert sentence(texts, reason, Ids()) != texts("reason.other")
            game.play(view.legal[turn * 7 % len(view.legal)])
