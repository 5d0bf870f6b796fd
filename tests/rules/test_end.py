"""The last round, and what counts when it is over: E1, E2 and E7."""

import random
from collections import Counter
from typing import Any

import pytest

import oracle
from fernzug import Board, Game, ScoreSheet
from situations import (
    at_every_table,
    at_every_table_slowly,
    boards_with,
    by_seat,
    hands,
    has_bonus,
    kinds,
    on_every_board,
    single,
    situation,
    tables_with,
    texts,
    way,
)


def almost_out(board: Board, players: int, seat: int, left: int) -> tuple[Game, str]:
    """A game in which a claim leaves a seat with that many pieces, and the claim."""
    route = single(board)
    other = [kind.id for kind in board.pieces if kind.id != route.piece]
    pieces = {route.piece: route.pieces + left, **dict.fromkeys(other, 0)}
    game = situation(
        board,
        players,
        seat=seat,
        hands=by_seat(players, seat, {route.color: route.cost}, {}),
        pieces=by_seat(players, seat, pieces, {}),
    )
    return game, f"claim {route.id} {route.color}*{route.cost}"


@at_every_table
def test_e1_every_player_has_exactly_one_more_turn(board: Board, players: int) -> None:
    for seat in range(players):
        for left in range(board.last_round_at + 1):
            game, claim = almost_out(board, players, seat, left)
            assert "last_round" in kinds(game.play(claim))
            turns: list[int | None] = []
            while not game.over:
                assert game.view(None).turns_left == players - len(turns)
                turns.append(game.seat)
                game.play("draw deck")
                game.play("draw deck")
            # Whoever started the last round has the last turn.
            assert turns == [(seat + 1 + i) % players for i in range(players)]
            assert turns[-1] == seat


@at_every_table
def test_e1_one_piece_more_does_not_start_the_last_round(board: Board, players: int) -> None:
    game, claim = almost_out(board, players, 0, board.last_round_at + 1)
    assert "last_round" not in kinds(game.play(claim))
    assert game.view(None).turns_left is None


@boards_with(lambda board: len(board.pieces) > 1)
def test_e1_pieces_of_all_kinds_count_together(board: Board) -> None:
    """Enough of each kind alone, but not together; and the other way round."""
    route = single(board)
    other = next(kind.id for kind in board.pieces if kind.id != route.piece)
    for left, starts in ((board.last_round_at, True), (board.last_round_at + 1, False)):
        for own in range(left + 1):
            game = situation(
                board,
                hands=[{route.color: route.cost}, {}],
                pieces=[{route.piece: route.pieces + own, other: left - own}, {}],
            )
            events = game.play(f"claim {route.id} {route.color}*{route.cost}")
            assert ("last_round" in kinds(events)) == starts


@at_every_table
def test_e1_it_is_triggered_once(board: Board, players: int) -> None:
    """A second player who runs low on pieces in the last round does not extend it."""
    first, second = [r for r in board.routes if r.color != "gray" and not r.twin][:2]
    none = {kind.id: 0 for kind in board.pieces}
    game = situation(
        board,
        players,
        hands=hands(players, {first.color: first.cost}, {second.color: second.cost}),
        pieces=hands(
            players,
            {**none, first.piece: first.pieces},
            {**none, second.piece: second.pieces},
            *[{kind.id: kind.count for kind in board.pieces}] * (players - 2),
        ),
    )
    claim = f"claim {first.id} {first.color}*{first.cost}"
    assert "last_round" in kinds(game.play(claim))
    events = game.play(f"claim {second.id} {second.color}*{second.cost}")
    assert "last_round" not in kinds(events)
    assert game.view(None).turns_left == players - 1


@at_every_table
def test_e1_the_last_round_of_a_position(board: Board, players: int) -> None:
    """`turns_left` counts the turns still to be played, including the current one."""
    for left in range(1, players + 1):
        game = situation(board, players, turns_left=left)
        for _ in range(left):
            assert not game.over
            game.play("draw deck")
            game.play("draw deck")
        assert game.over


@at_every_table
def test_e1_only_a_turn_that_is_over_counts(board: Board, players: int) -> None:
    """The last turn is played out: both cards are drawn, tickets are chosen."""
    game = situation(board, players, turns_left=1)
    drawn = game.copy()
    drawn.play("draw deck")
    assert not drawn.over
    game.play("tickets")
    assert not game.over
    game.play(texts(game)[0])
    assert game.over


# ---- Points and places ---------------------------------------------------------------------------


def expected(board: Board, players: int, position: dict[str, Any]) -> list[dict[str, int]]:
    """The score sheets of a position, worked out from the rules word by word."""
    owners = position["routes"].items()
    routes = [[board.routes[name] for name, own in owners if own == s] for s in range(players)]
    return oracle.score(board, routes, position["tickets"], [])


def told(sheet: ScoreSheet) -> dict[str, Any]:
    return {
        "routes": sheet.routes,
        "won": sheet.tickets_won,
        "lost": sheet.tickets_lost,
        "completed": sheet.tickets_completed,
        "total": sheet.total,
        "rank": sheet.rank,
        **sheet.bonuses,
    }


def random_end(board: Board, players: int, chance: random.Random, most: int) -> dict[str, Any]:
    """Few routes and tickets, so that ties are frequent."""
    free = [route for route in board.routes if route.lane != 2]
    left = [{kind.id: kind.count for kind in board.pieces} for _ in range(players)]
    routes = {}
    for route in chance.sample(free, chance.randint(0, min(len(free), most * players))):
        seat = chance.randrange(players)
        if left[seat][route.piece] >= route.pieces:
            left[seat][route.piece] -= route.pieces
            routes[route.id] = seat
    tickets: list[list[str]] = [[] for _ in range(players)]
    for ticket in chance.sample(list(board.tickets), chance.randint(0, most)):
        tickets[chance.randrange(players)].append(ticket.id)
    return {"phase": "over", "routes": routes, "tickets": tickets}


@at_every_table_slowly
def test_e2_e3_e4_e5_e7_the_score_sheets_are_what_the_rules_say(board: Board, players: int) -> None:
    if not oracle.knows(board):
        pytest.skip("tests/oracle.py has to be taught a kind of bonus of this board")
    chance = random.Random(players)
    for number in range(120):
        position = random_end(board, players, chance, most=2 + number % 6)
        sheets = situation(board, players, **position).scores()
        assert [told(sheet) for sheet in sheets] == expected(board, players, position)


@at_every_table
def test_e7_a_tie_is_broken_by_completed_tickets(board: Board, players: int) -> None:
    """Try routes for one seat until it has as many points as the other has with its ticket."""
    chance = random.Random(players)
    ticket = min(board.tickets, key=lambda ticket: ticket.points)
    own = way(board, ticket.a, ticket.b)
    free = [r.id for r in board.routes if r.lane != 2 and not {r.id, r.twin} & set(own)]
    for winner, other in ((0, 1), (players - 1, 0)):
        tickets = by_seat(players, winner, [ticket.id], [])
        for _ in range(5000):
            routes = dict.fromkeys(own, winner)
            routes |= dict.fromkeys(chance.sample(free, chance.randint(1, 6)), other)
            position = {"phase": "over", "routes": routes, "tickets": tickets}
            sheets = expected(board, players, position)
            if sheets[winner]["total"] == sheets[other]["total"] and fits(board, routes, other):
                break
        else:
            pytest.fail("no tie was found")
        found = situation(board, players, **position).scores()
        assert [told(sheet) for sheet in found] == sheets
        assert (found[winner].rank, found[other].rank) == (1, 2)


def fits(board: Board, routes: dict[str, int], seat: int) -> bool:
    """Whether a seat has the pieces for its routes."""
    used = Counter[str]()
    for name, owner in routes.items():
        if owner == seat:
            used[board.routes[name].piece] += board.routes[name].pieces
    return all(used[kind.id] <= kind.count for kind in board.pieces)


@boards_with(lambda board: board.score_track)
def test_e2_points_given_before_then_each_ticket_won_or_lost(board: Board) -> None:
    route = single(board)
    ticket = board.tickets[0]
    game = situation(
        board, phase="over", scores=[20, 0], tickets=[[ticket.id], []], routes={route.id: 1}
    )
    mine, other = game.scores()
    assert (mine.routes, mine.tickets_won, mine.tickets_lost) == (20, 0, ticket.points)
    assert mine.total == 20 - ticket.points + sum(mine.bonuses.values())
    assert other.routes == 0


@boards_with(lambda board: not board.score_track)
def test_e2_c8_routes_are_counted_now_if_they_were_not_before(board: Board) -> None:
    routes = {route.id: 0 for route in board.routes if route.lane != 2 and route.cost == 1}
    points = sum(board.routes[name].points for name in routes)
    game = situation(board, phase="over", routes=routes)
    assert game.scores()[0].routes == points > 0
    # Points that a position says were given before are not lost.
    game = situation(board, phase="over", routes=routes, scores=[5, 7])
    assert [sheet.routes for sheet in game.scores()] == [points + 5, 7]


@at_every_table
def test_e2_e7_points_that_a_position_names_count(board: Board, players: int) -> None:
    scores = [5, 9, *[5] * (players - 2)]
    game = situation(board, players, phase="over", scores=scores)
    assert [sheet.total for sheet in game.scores()] == scores
    assert [sheet.rank for sheet in game.scores()] == [2, 1, *[2] * (players - 2)]


@on_every_board
def test_e7_most_points_win_also_below_nothing(board: Board) -> None:
    cheap, dear = sorted(board.tickets, key=lambda ticket: ticket.points)[:: len(board.tickets) - 1]
    game = situation(board, phase="over", tickets=[[dear.id], [cheap.id]])
    assert [sheet.total for sheet in game.scores()] == [-dear.points, -cheap.points]
    assert [sheet.rank for sheet in game.scores()] == [2, 1]


@at_every_table
def test_e7_what_is_still_equal_shares_the_place(board: Board, players: int) -> None:
    game = situation(board, players, phase="over")
    assert [sheet.rank for sheet in game.scores()] == [1] * players
    # A rank that is shared is followed by a gap.
    lost = by_seat(players, players - 1, [board.tickets[0].id], [])
    game = situation(board, players, phase="over", tickets=lost)
    assert [sheet.rank for sheet in game.scores()] == [1] * (players - 1) + [players]


@tables_with(lambda board, players: has_bonus("longest_path")(board))
def test_e7_the_holder_of_the_longest_path_card_wins_the_second_tie_break(
    board: Board, players: int
) -> None:
    longer, shorter = sorted(
        (r for r in board.routes if not r.twin), key=lambda route: -route.pieces
    )[:: len([r for r in board.routes if not r.twin]) - 1]
    scores = [0, 10, *[-50] * (players - 2)]
    routes = {longer.id: 0, shorter.id: 1}
    game = situation(board, players, phase="over", scores=scores, routes=routes)
    first, second, *_ = game.scores()
    assert first.total == second.total == 10
    assert (first.bonuses["longest_path"], second.bonuses["longest_path"]) == (10, 0)
    assert (first.rank, second.rank) == (1, 2)
    # Both hold it, so they share the rank.
    twins = next(
        (a, b)
        for a in board.routes
        for b in board.routes
        if a.id < b.id and a.pieces == b.pieces and not a.twin and not b.twin
    )
    routes = {twins[0].id: 0, twins[1].id: 1}
    scores = [0, 0, *[-50] * (players - 2)]
    game = situation(board, players, phase="over", scores=scores, routes=routes)
    assert [sheet.rank for sheet in game.scores()][:2] == [1, 1]
    assert [sheet.bonuses["longest_path"] for sheet in game.scores()][:2] == [10, 10]


@tables_with(lambda board, players: "longest_path" in board.tie_breaks)
def test_e7_completed_tickets_come_before_the_longest_path(board: Board, players: int) -> None:
    """The first tie-break decides even though the other seat holds the card."""
    ticket = min(board.tickets, key=lambda ticket: ticket.points)
    own = way(board, ticket.a, ticket.b)
    longer = max(board.routes, key=lambda route: route.pieces)
    assert longer.pieces > sum(board.routes[name].pieces for name in own)
    game = situation(
        board,
        players,
        phase="over",
        routes={**dict.fromkeys(own, 0), longer.id: 1},
        tickets=by_seat(players, 0, [ticket.id], []),
        scores=[10, ticket.points, *[-50] * (players - 2)],
    )
    first, second, *_ = game.scores()
    assert first.total == second.total
    assert second.bonuses["longest_path"] == 10
    assert (first.rank, second.rank) == (1, 2)


@on_every_board
def test_hands_do_not_count(board: Board) -> None:
    """E2: cards that are left over are worth nothing."""
    game = situation(board, phase="over", hands=hands(2, {"wild": 3}))
    assert [sheet.total for sheet in game.scores()] == [0, 0]
