"""Setting up: S1 to S3."""

from collections import Counter
from itertools import permutations

import pytest

from fernzug import Board, Game, IllegalAction
from situations import (
    TABLES,
    at_every_table,
    boards_with,
    bonus_of,
    faceup,
    has_bonus,
    kinds,
    on_every_board,
    situation,
    tables_with,
    texts,
)


def box(board: Board) -> Counter[str]:
    """All transport cards of a board."""
    return Counter(dict(zip(board.colors, board.color_counts, strict=True))) + Counter(
        wild=board.wild_count
    )


@at_every_table
def test_s1_cards_are_shuffled_and_dealt_and_five_lie_face_up(board: Board, players: int) -> None:
    game = Game(board, players, seed=1)
    position = game.position()
    assert [sum(hand.values()) for hand in position["hands"]] == [board.deal_cards] * players
    assert None not in position["faceup"]
    assert len(position["faceup"]) == 5
    everywhere = Counter(position["deck"]) + Counter(position["faceup"])
    everywhere += Counter(position["discard"])
    for hand in position["hands"]:
        everywhere += Counter(hand)
    assert everywhere == box(board)
    first, second = (Game(board, players, seed=seed).position() for seed in (2, 3))
    assert first["deck"] != second["deck"]
    assert first["deck"] != sorted(first["deck"])


@on_every_board
def test_s1_cards_are_dealt_from_the_top_of_the_deck(board: Board) -> None:
    events = Game(board, board.min_players, seed=5).events
    deck = list(events[0].cards or ())
    given = [event.color for event in events if event.kind in ("dealt", "turned_up")]
    assert given == deck[: len(given)]


@on_every_board
def test_s1_d5_three_wild_cards_at_the_set_up_are_replaced(board: Board) -> None:
    """Try seeds until the first display has three wild cards."""
    for seed in range(2000):
        game = Game(board, board.min_players, seed=seed)
        display = [event.color for event in game.events if event.kind == "turned_up"][:5]
        if display.count("wild") >= 3:
            break
    else:
        pytest.fail("no seed lays out three wild cards")
    assert "swept" in kinds(game.events)
    assert Counter(game.position()["discard"]) >= Counter(display)
    assert faceup(game).count("wild") <= 2 or kinds(game.events).count("swept") == 3


@at_every_table
def test_s2_tickets_are_shuffled_dealt_and_the_least_number_kept(
    board: Board, players: int
) -> None:
    game = Game(board, players, seed=4)
    assert game.phase == "setup"
    offers = game.position()["offer"]
    assert [len(offer) for offer in offers] == [board.deal_tickets] * players
    deck = next(event.tickets for event in game.events if event.kind == "shuffled_tickets")
    assert deck is not None
    assert sorted(deck) == sorted(ticket.id for ticket in board.tickets)
    assert list(deck) != [ticket.id for ticket in board.tickets]
    assert [ticket for offer in offers for ticket in offer] == list(deck)[
        : players * board.deal_tickets
    ]
    for seat in range(players):
        numbers = [len(action.places) for action in game.legal(seat)]
        assert min(numbers) == board.deal_keep
        assert max(numbers) == board.deal_tickets
        assert all(action.kind == "keep" for action in game.legal(seat))


@boards_with(lambda board: board.deal_keep > 1)
def test_s2_fewer_than_the_least_number_cannot_be_kept(board: Board) -> None:
    game = Game(board, board.min_players, seed=4)
    with pytest.raises(IllegalAction, match=f"at least {board.deal_keep} of the tickets"):
        game.play("keep 1")


@at_every_table
def test_s2_all_choose_at_the_same_time_in_any_order(board: Board, players: int) -> None:
    least = " ".join(["keep", *map(str, range(1, board.deal_keep + 1))])
    for order in list(permutations(range(players)))[:24]:
        game = Game(board, players, seed=6, first_player=players - 1)
        offers = game.position()["offer"]
        deck = game.position()["ticket_deck"]
        waiting = set(range(players))
        for seat in order:
            assert game.phase == "setup"
            assert game.seat == min(waiting)
            game.play(least, seat=seat)
            waiting.discard(seat)
            if waiting:
                with pytest.raises(IllegalAction, match="has chosen its tickets already"):
                    game.play(least, seat=seat)
                # Nothing is given back until everybody has chosen.
                assert game.position()["ticket_deck"] == deck
        assert (game.phase, game.seat) == ("turn", players - 1)
        back = [ticket for offer in offers for ticket in offer[board.deal_keep :]]
        # In the order of the seats, whoever chose first.
        assert game.position()["ticket_deck"] == deck + back
        kept = [set(offer[: board.deal_keep]) for offer in offers]
        assert [set(tickets) for tickets in game.position()["tickets"]] == kept


@at_every_table
def test_s2_nobody_learns_which_tickets_another_kept(board: Board, players: int) -> None:
    game = Game(board, players, seed=8)
    offer = game.position()["offer"][0]
    events = game.play(" ".join(["keep", *map(str, range(1, board.deal_keep + 1))]), seat=0)
    kept = next(event for event in events if event.kind == "kept")
    assert kept.tickets == tuple(offer[: board.deal_keep])
    for other in (*range(1, players), None):
        seen = kept.seen_by(other)
        assert (seen.seat, seen.count, seen.tickets) == (0, board.deal_keep, None)
        player = game.view(other).players[0]
        assert (player.tickets, player.ticket_count) == (None, board.deal_keep)
        assert not any(ticket in str(seen) for ticket in offer)
    assert set(game.view(0).players[0].tickets or ()) == set(offer[: board.deal_keep])


@tables_with(lambda board, players: has_bonus("longest_path")(board))
def test_s3_the_longest_path_card_lies_beside_the_board(board: Board, players: int) -> None:
    game = Game(board, players, seed=3)
    assert [sheet.bonuses["longest_path"] for sheet in game.scores()] == [0] * players
    assert bonus_of(board, "longest_path").points > 0


@at_every_table
def test_s3_nobody_has_points_before_the_first_turn(board: Board, players: int) -> None:
    game = Game(board, players, seed=3)
    assert game.position()["scores"] == [0] * players
    assert all(sum(sheet.bonuses.values()) == 0 for sheet in game.scores())


@at_every_table
def test_the_host_may_choose_who_starts_else_the_seed_does(board: Board, players: int) -> None:
    for first in range(players):
        game = Game(board, players, seed=9, first_player=first)
        while game.phase == "setup":
            game.play(texts(game)[0])
        assert game.seat == first
    starters = {Game(board, players, seed=seed).position()["first_player"] for seed in range(60)}
    assert starters == set(range(players))


def test_the_set_up_of_a_position_deals_what_it_does_not_name() -> None:
    """S2 from a position: offers are dealt unless they are given."""
    for board, players in TABLES:
        game = situation(board, players, phase="setup")
        assert [len(game.view(seat).offer) for seat in range(players)] == (
            [board.deal_tickets] * players
        )
        tickets = [ticket.id for ticket in board.tickets]
        offer = [tickets[seat : seat + 1] for seat in range(players)]
        game = situation(board, players, phase="setup", offer=offer)
        assert [texts(game, seat) for seat in range(players)] == [["keep 1"]] * players
