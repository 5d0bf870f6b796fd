"""Explicit chance: with the cards of a real game as its answers, nature plays the real game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fernzug import Board, Game
from fernzug.engine import facts
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.nature import Settling
from fernzug.engine.state import NONE, State, blank
from fernzug.position import position_of
from fernzug.tables import tables_of
from situations import at_every_table, at_every_table_slowly, situation
from watch import deck_of, ticket_deck_of

Answer = tuple[int, Counter[int]]
"""A card or ticket that was drawn, and everything that it was drawn from."""


def answers(
    noted: list[tuple[int, ...]], first_ticket: int, deck: list[int], tickets: list[int]
) -> Iterator[Answer]:
    """What facts say of chance, from the deck as it really lay and the tickets in no order."""
    cards = Counter(deck)
    fresh = Counter(first_ticket + ticket for ticket in tickets)
    for fact in noted:
        if fact[0] in (facts.DEALT, facts.TURNED_UP, facts.DREW):
            yield fact[-1], cards.copy()
            cards[fact[-1]] -= 1
        elif fact[0] == facts.RESHUFFLED:
            cards.update(fact[1:])
        elif fact[0] == facts.OFFERED:
            for ticket in fact[2:]:
                yield first_ticket + ticket, fresh.copy()
                fresh[first_ticket + ticket] -= 1


def settle(settling: Settling, given: Iterator[Answer]) -> Settling:
    """Answer until there is nothing to ask; everything is as likely as it is frequent."""
    while settling.after is None:
        answer, drawn_from = next(given)
        assert Counter(dict(enumerate(settling.chances))) == drawn_from
        assert drawn_from[answer] > 0
        settling = settling.answered(answer)
    return settling


def told(s: State, fresh: int) -> dict[str, Any]:
    """A state without what is still chance's: the order of the deck and of the fresh tickets."""
    position = position_of(s, "")
    for key in ("deck", "ticket_deck", "seed"):
        position.pop(key, None)
    ring = ticket_deck_of(s)
    position["deck"] = sorted(deck_of(s))
    position["tickets to come"] = sorted(ring[:fresh]), ring[fresh:]
    return position


@at_every_table_slowly
def test_nature_plays_the_real_game(board: Board, players: int) -> None:
    tables = tables_of(board)
    for seed in range(2):
        game = Game(board, players, seed=seed)
        start = blank(tables, players, 0)
        start.first_player = game.state.first_player
        first_ticket = int(tables.colors) + 1
        begun = Settling(start, tables.tickets, NONE, [], [])
        assert begun.after is None
        box = [card for card in range(first_ticket) for _ in range(tables.cards[card])]
        given = answers(list(game.facts), first_ticket, box, list(range(tables.tickets)))
        settling = settle(begun, given)
        stream = Stream(seed, PLAYERS)
        while True:
            fresh = int(settling.fresh_after)
            state = settling.after
            assert state is not None
            assert told(state, fresh) == told(game.state, fresh)
            if game.over:
                break
            legal = game.legal()
            action = legal[int(stream.below(len(legal)))]
            deck, tickets = deck_of(game.state), ticket_deck_of(game.state)[:fresh]
            given = answers(game.advance(action), first_ticket, deck, tickets)
            settling = settle(Settling(state, fresh, action.number, [], []), given)


@at_every_table
def test_cards_of_a_new_deck_are_asked_for_too(board: Board, players: int) -> None:
    """D6: a deck that runs out in the middle of a decision is made of the discards."""
    color, other, *_ = board.colors
    game = situation(
        board,
        players,
        faceup=[color, other, color, other, color],
        deck=[other],
        discard={color: 1, other: 2},
        rest="out",
    )
    before = game.state
    draw = next(action.number for action in game.legal() if action.text == f"draw {color}")
    settling = Settling(before, 0, draw, [], [])
    assert settling.asker == NONE
    settling = settling.answered(board.colors.index(other))
    assert settling.after is not None
    again = next(action.number for action in game.legal() if action.text == "draw deck")
    settling = Settling(settling.after, 0, again, [], [])
    assert settling.asker == before.seat
    chances = [int(count) for count in settling.chances]
    assert chances[board.colors.index(color)] == 1
    assert chances[board.colors.index(other)] == 2
    assert sum(chances) == 3
