"""Pairs of games that differ only in what one seat may not know, and how to play both alike."""

from __future__ import annotations

import random
from typing import Any

from fernzug import Board, Game
from fernzug.engine.state import NONE, OVER, State
from fernzug.events import as_seen
from situations import TABLES
from watch import deck_of, offers_of, ticket_deck_of

Script = list[tuple[int, str]]


def twins(
    board: Board, players: int, viewer: int | None, seed: int, steps: int = 60
) -> tuple[dict[str, Any], dict[str, Any], Script]:
    """Return two positions, and actions that look the same to the viewer in both."""
    luck = random.Random(seed)
    game = Game(board, players, seed=seed)
    for _ in range(luck.randrange(4, 30)):
        game.play(luck.choice(game.legal()))
    other = Game.resumed(game.start, shaken(game.state, viewer, luck), [])
    first, second = game.position(), other.position()
    second["deck"] = _alike(first["deck"], second["deck"])
    assert first != second
    mine = Game.from_position(first)
    its = Game.from_position(second)
    script: Script = []
    while len(script) < steps and (step := _step(mine, its, viewer, luck)):
        script.append(step)
        for played in (mine, its):
            played.play(step[1], seat=step[0])
    return first, second, script


def shaken(state: State, viewer: int | None, chance: random.Random) -> State:
    """Return a state that differs in everything which a seat may not know, and in nothing else."""
    s = state.copy()
    _shake_cards(s, viewer, chance)
    _shake_tickets(s, viewer, chance)
    s.seed = chance.randrange(1 << 62)
    return s


def _shake_cards(s: State, viewer: int | None, chance: random.Random) -> None:
    """Deal the deck and the unknown cards of the other hands anew."""
    size = int(s.tables.colors) + 1
    pool = deck_of(s)
    missing = []
    for seat in range(s.players):
        if seat == viewer:
            continue
        for color in range(size):
            place = seat * size + color
            unknown = int(s.hands[place] - s.known[place])
            pool += [color] * unknown
            missing += [seat] * unknown
            s.hands[place] = s.known[place]
    chance.shuffle(pool)
    for seat in missing:
        s.hands[seat * size + pool.pop()] += 1
    for i, color in enumerate(pool):
        s.deck[i] = color


def _shake_tickets(s: State, viewer: int | None, chance: random.Random) -> None:
    """Swap the tickets of the others, those offered to them and the ticket deck."""
    t = s.tables
    open_owners = s.phase == OVER
    pool = ticket_deck_of(s)
    for ticket in range(t.tickets):
        if s.ticket_owner[ticket] not in (NONE, viewer) and not open_owners:
            pool.append(ticket)
    for seat, offer in enumerate(offers_of(s)):
        if seat != viewer:
            pool += offer
    new = dict(zip(pool, chance.sample(pool, len(pool)), strict=True))
    owner = list(s.ticket_owner)
    ring = ticket_deck_of(s)
    for ticket, other in new.items():
        s.ticket_owner[other] = owner[ticket]
        # Who else gave a ticket back is a secret too.
        own = 0 if viewer is None else int(s.returned[other]) & (1 << viewer)
        s.returned[other] = own | (chance.randrange(1 << s.players) & ~_bit(viewer))
    for i, ticket in enumerate(ring):
        s.ticket_deck[(s.ticket_top + i) % t.tickets] = new[ticket]
    size = int(t.offer_size) + 1
    for seat, offer in enumerate(offers_of(s)):
        if seat != viewer:
            for i, ticket in enumerate(offer):
                s.offer[seat * size + 1 + i] = new[ticket]


def _bit(viewer: int | None) -> int:
    return 0 if viewer is None else 1 << viewer


def _alike(model: list[str], cards: list[str]) -> list[str]:
    """Return a deck in the order of another one, as far as it goes, but for every fourth card.

    What is turned up or drawn by the viewer has to be the same in both games; the more there is of
    it, the further they can be played alike.
    """
    left = sorted(cards)
    deck = []
    for number, color in enumerate(model):
        same = color if number % 4 != 3 and color in left else None
        card = same or next((other for other in left if other != color), left[0])
        left.remove(card)
        deck.append(card)
    return deck


def _step(mine: Game, its: Game, viewer: int | None, luck: random.Random) -> tuple[int, str] | None:
    """Return an action that is possible in both games and tells the viewer the same."""
    seat = mine.seat
    assert seat is not None
    possible = [action for action in mine.legal(seat) if action in its.legal(seat)]
    luck.shuffle(possible)
    for action in possible:
        one, two = mine.copy(), its.copy()
        same = as_seen(one.play(action), viewer) == as_seen(two.play(action), viewer)
        # When a game is over all tickets lie open, and these differ.
        if same and not one.over:
            return seat, action.text
    return None


def cases() -> list[tuple[Board, int, int | None]]:
    """Return every board and number of players, with every seat and a spectator."""
    return [
        (board, players, viewer) for board, players in TABLES for viewer in (*range(players), None)
    ]
