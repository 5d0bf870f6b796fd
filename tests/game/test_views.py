"""A view equals that of any state that agrees with it: what a seat may not know is not there."""

import json
import random

import pytest

import fernzug
from fernzug import Board, Event, Game
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.knowledge import Knowledge, determinise
from fernzug.engine.state import NONE, State, filled
from fernzug.events import as_seen
from fernzug.view import View, view_of
from situations import (
    TABLES,
    at_every_table,
    at_every_table_slowly,
    on_every_board,
    situation,
    some_steps,
    texts,
)
from twins import shaken
from watch import NUMBERS, VECTORS, deck_of, offers_of, ticket_deck_of


def numbers(sight: Knowledge) -> list[object]:
    """Everything that a program can read from a sight."""
    s = sight.state
    found: list[object] = [list(getattr(s, name)) for name in (*VECTORS, "deck", "ticket_deck")]
    found += [list(s.offer), s.ticket_top, *(getattr(s, name) for name in NUMBERS)]
    found += [sight.seat, sight.unplaced, s.journal]
    return found + [
        list(vector)
        for vector in (sight.hidden, sight.hand_count, sight.ticket_count, sight.offer_count)
    ]


@at_every_table_slowly
def test_a_view_is_the_same_for_all_states_that_agree_with_it(board: Board, players: int) -> None:
    chance = random.Random(players)
    different = 0
    for seed in (31, 32):
        for game in some_steps(board, players, seed=seed, every=5):
            for viewer in (*range(players), None):
                other = shaken(game.state, viewer, chance)
                mine, its = game.view(viewer), view_of(other, viewer, board.id)
                assert json.dumps(mine.to_json()) == json.dumps(its.to_json())
                assert mine == its
                assert numbers(mine.knowledge) == numbers(its.knowledge)
                different += deck_of(other) != deck_of(game.state)
    assert different


@at_every_table_slowly
def test_what_others_do_in_secret_is_told_in_the_same_words(board: Board, players: int) -> None:
    """Blind cards, offers and choices of others, in two states that agree, are the same events."""
    chance = random.Random(players)
    told = set()
    for game in some_steps(board, players, seed=33, every=2):
        if game.over:
            continue
        actor = int(game.seat or 0)
        for viewer in (*(seat for seat in range(players) if seat != actor), None):
            other = Game.resumed(game.start, shaken(game.state, viewer, chance), [])
            for action in game.legal():
                secret = action.kind in ("tickets", "keep") or action.color == "deck"
                if not secret or action not in other.legal():
                    continue
                if game.state.deck_size == 1:
                    continue  # The reshuffle that follows turns up other cards.
                mine, its = game.copy(), other.copy()
                ours = as_seen(mine.play(action), viewer)
                assert ours == as_seen(its.play(action), viewer)
                # When the game is over the tickets lie open, and these differ.
                assert mine.over or mine.view(viewer) == its.view(viewer)
                told |= {event.kind for event in ours}
    assert {"drew", "offered", "kept", "returned"} <= told


@at_every_table
def test_the_past_is_told_without_secrets(board: Board, players: int) -> None:
    """Nothing that a seat is told names a blind card or a ticket of another, nor any deck."""
    *_, game = some_steps(board, players, seed=34, every=10_000)
    for viewer in (*range(players), None):
        for event in game.events:
            seen = event.seen_by(viewer)
            if event.kind in ("shuffled", "reshuffled", "shuffled_tickets"):
                assert seen == Event(event.kind, count=event.count)
            elif event.kind in ("dealt", "drew", "offered", "kept", "returned"):
                own = event.seat == viewer
                secret = Event(event.kind, seat=event.seat, count=event.count)
                assert seen == (event if own else secret)
            else:
                assert seen == event


@at_every_table_slowly
def test_a_state_dealt_from_a_sight_agrees_with_it(board: Board, players: int) -> None:
    stream = Stream(5, PLAYERS)
    for game in some_steps(board, players, seed=35, every=4):
        for viewer in (*range(players), None):
            view = game.view(viewer)
            dealt = determinise(view.knowledge, stream)
            assert view_of(dealt, viewer, board.id) == view
            assert sorted(ticket_deck_of(dealt) + held(dealt)) == list(range(len(board.tickets)))


def held(s: State) -> list[int]:
    owned = [i for i in range(s.tables.tickets) if s.ticket_owner[i] != NONE]
    return owned + [ticket for offer in offers_of(s) for ticket in offer]


@on_every_board
def test_cards_taken_face_up_are_known_until_they_may_have_been_played(board: Board) -> None:
    a, b = board.colors[:2]
    route = next(r for r in board.routes if r.color == a and r.cost <= 2)
    game = situation(board, hands=[{a: 3}, {}], faceup=[a, b, a, b, b], deck=[b, b])
    game.play(f"draw {a}")
    game.play("draw deck")
    for viewer in (0, 1, None):
        assert game.view(viewer).players[0].known == {a: 1}
    assert game.view(0).players[0].hand == {a: 4, b: 1}
    assert game.view(1).players[0].hand is None
    assert game.view(1).players[0].hand_count == 5
    game.play("draw deck")
    game.play("draw deck")
    game.play(f"claim {route.id} {a}*{route.cost}")
    # Nobody can tell whether the card that was seen is among those played.
    assert game.view(1).players[0].known == {}


@on_every_board
def test_a_known_wild_card_and_known_cards_beyond_those_played(board: Board) -> None:
    route = next(r for r in board.routes if r.color != "gray" and r.cost == 2)
    known = [{route.color: 2, "wild": 2}, {}]
    game = situation(board, hands=[{route.color: 3, "wild": 2}, {}], known=known)
    game.play(f"claim {route.id} {route.color}*1 wild*1")
    assert game.view(1).players[0].known == {route.color: 1, "wild": 1}


@at_every_table
def test_unseen_cards_are_what_is_left_when_all_others_are_counted(
    board: Board, players: int
) -> None:
    box = {**dict(zip(board.colors, board.color_counts, strict=True)), "wild": board.wild_count}
    for game in some_steps(board, players, seed=36, every=5):
        for viewer in (*range(players), None):
            view = game.view(viewer)
            counts = filled(len(box), 0)
            for bonus in game.state.tables.bonuses:
                bonus.count_cards(game.state, counts)
            for lying, (color, number) in zip(counts, box.items(), strict=True):
                placed = lying + view.discard.get(color, 0) + list(view.faceup).count(color)
                for player in view.players:
                    cards = player.known if player.hand is None else player.hand
                    placed += cards.get(color, 0)
                assert view.unseen.get(color, 0) == number - placed
            hidden = sum(
                p.hand_count - sum((p.known if p.hand is None else p.hand).values())
                for p in view.players
            )
            assert sum(view.unseen.values()) == view.deck_count + hidden


@at_every_table_slowly
def test_legal_actions_and_offers_are_told_to_the_own_seat_only(board: Board, players: int) -> None:
    for game in some_steps(board, players, seed=37, every=3):
        assert game.view(None).legal == ()
        assert game.view(None).offer == game.view(None).returned == ()
        for seat in range(players):
            view = game.view(seat)
            assert [action.text for action in view.legal] == texts(game, seat)
            choosing = bool((game.state.choosing >> seat) & 1)
            assert bool(view.offer) == choosing
            assert view.players[seat].offer_count == len(view.offer)
            for other in (*range(players), None):
                assert game.view(other).players[seat].choosing == choosing


def test_a_view_is_json_and_can_be_shown() -> None:
    for board, players in TABLES:
        for game in some_steps(board, players, seed=38, every=20):
            for viewer in (0, None):
                view = game.view(viewer)
                data = json.loads(json.dumps(view.to_json()))
                assert data["board"] == board.id
                assert data["viewer"] == viewer
                assert (data["seat"], data["turn"]) == (view.seat, view.turn)
                assert (data["turns_left"], data["passes"]) == (view.turns_left, view.passes)
                assert data["first_player"] == view.first_player
                assert data["ticket_deck_count"] == view.ticket_deck_count
                assert (data["scores"] is None) == (not game.over)
                words = "a spectator" if viewer is None else "seat 0"
                assert words.removeprefix("a ") in repr(view)
                assert view.board == board
                assert isinstance(view, View)
                assert view != data


def test_a_view_cannot_be_hashed() -> None:
    with pytest.raises(TypeError):
        hash(Game("london", 2, seed=1).view(0))


@pytest.mark.parametrize("seat", [-1, 2, 1.0, "0", True])
def test_there_is_no_view_for_a_seat_that_does_not_exist(seat: object) -> None:
    game = Game("london", 2, seed=1)
    with pytest.raises(ValueError, match="there is no seat"):
        game.view(seat)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no seat"):
        game.legal(seat)  # type: ignore[arg-type]
    with pytest.raises(fernzug.IllegalAction, match="there is no seat"):
        game.play("keep 1", seat=seat)  # type: ignore[arg-type]
