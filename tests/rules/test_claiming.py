"""Claiming a route: C1 to C9."""

import random
from typing import Any

import pytest

from fernzug import Board, Game, IllegalAction
from situations import (
    at_every_table,
    boards_with,
    by_seat,
    hands,
    has_bonus,
    kinds,
    on_every_board,
    route_of_cost,
    single,
    situation,
    tables_with,
    texts,
)

DOUBLE = tables_with(lambda board, players: any(route.twin for route in board.routes))


def claims(game: Game) -> set[str]:
    return {action.text for action in game.legal() if action.kind == "claim"}


def payments(game: Game, route: str) -> set[str]:
    start = f"claim {route} "
    return {text.removeprefix(start) for text in claims(game) if text.startswith(start)}


def expected_claims(board: Board, players: int, position: dict[str, Any]) -> set[str]:
    """Every claim that the rules allow seat 0, following their wording."""
    hand = {color: position["hands"][0].get(color, 0) for color in (*board.colors, "wild")}
    owners = position["routes"]
    flags = {c for bonus in board.bonuses if bonus.kind == "flag" for c in bonus.colors}
    allowed = set()
    for route in board.routes:
        if route.id in owners:  # C3: only a free route.
            continue
        twin_owner = owners.get(route.twin) if route.twin else None
        if twin_owner == 0:  # C5
            continue
        if twin_owner is not None and players <= board.single_lane_up_to:  # C6
            continue
        if position["pieces"][0][route.piece] < route.pieces:  # C4, C9
            continue
        colors = board.colors if route.color == "gray" else (route.color,)  # C1
        for wilds in range(route.cost + 1):  # C2: every mix that the hand allows.
            if hand["wild"] < wilds:
                continue
            rest = route.cost - wilds
            if rest == 0:
                allowed.add(f"claim {route.id} wild*{wilds}")
                continue
            for color in colors:
                if hand[color] >= rest:
                    paid = f"{color}*{rest}" + (f" wild*{wilds}" if wilds else "")
                    allowed.add(f"claim {route.id} {paid}")
                    if route.color in flags and route.color not in position["flags"][0]:  # E6
                        allowed.add(f"claim {route.id} {paid} flag")
    return allowed


def random_position(board: Board, players: int, chance: random.Random) -> dict[str, Any]:
    """Legal routes for all seats, and a hand, flags and pieces for seat 0."""
    owners: dict[str, int] = {}
    left = [{kind.id: kind.count for kind in board.pieces} for _ in range(players)]
    for route in chance.sample(list(board.routes), len(board.routes) // 2):
        seat = chance.randrange(players)
        if route.twin in owners and (
            owners[route.twin] == seat or players <= board.single_lane_up_to
        ):
            continue
        if left[seat][route.piece] >= route.pieces:
            owners[route.id] = seat
            left[seat][route.piece] -= route.pieces
    left[0] = {kind: chance.randint(0, number) for kind, number in left[0].items()}
    flags = [c for bonus in board.bonuses if bonus.kind == "flag" for c in bonus.colors]
    lying = chance.sample(flags, chance.randrange(len(flags))) if flags else []
    hand = {
        color: chance.choice((0, 0, 1, 2, 3, 4)) for color in board.colors
    }  # at most five of each lie elsewhere
    hand["wild"] = chance.choice((0, 1, 1, 2, 4))
    return {
        "routes": owners,
        "pieces": left,
        "flags": by_seat(players, 0, lying, []),
        "hands": hands(players, hand),
    }


@at_every_table
def test_c1_to_c6_c9_e6_exactly_the_claims_that_the_rules_allow(board: Board, players: int) -> None:
    chance = random.Random(players)
    for _ in range(40):
        position = random_position(board, players, chance)
        game = situation(board, players, **position)
        assert claims(game) == expected_claims(board, players, position)


@on_every_board
def test_c1_as_many_cards_of_its_colour_as_the_route_costs(board: Board) -> None:
    for route in board.routes:
        if route.color == "gray":
            continue
        hand = dict.fromkeys(board.colors, route.cost)
        game = situation(board, hands=[hand, {}])
        paid = {text.removesuffix(" flag") for text in payments(game, route.id)}
        assert paid == {f"{route.color}*{route.cost}"}
        hand[route.color] -= 1
        assert not payments(situation(board, hands=[hand, {}]), route.id)


@on_every_board
def test_c1_more_or_fewer_cards_than_the_cost_are_refused(board: Board) -> None:
    route = route_of_cost(board, 2)
    game = situation(board, hands=[{route.color: 4}, {}])
    for number in (1, 3):
        with pytest.raises(IllegalAction, match=f"costs 2 cards, not {number}"):
            game.play(f"claim {route.id} {route.color}*{number}")


@on_every_board
def test_c1_cards_of_another_colour_are_refused(board: Board) -> None:
    route = single(board)
    other = next(color for color in board.colors if color != route.color)
    game = situation(board, hands=[{other: route.cost}, {}])
    with pytest.raises(IllegalAction, match=f"takes {route.color} cards, not {other}"):
        game.play(f"claim {route.id} {other}*{route.cost}")


@boards_with(lambda board: any(route.color == "gray" for route in board.routes))
def test_c1_a_gray_route_takes_any_one_colour(board: Board) -> None:
    for route in board.routes:
        if route.color == "gray":
            hand = dict.fromkeys(board.colors, route.cost)
            game = situation(board, hands=[hand, {}])
            expected = {f"{color}*{route.cost}" for color in board.colors}
            assert payments(game, route.id) == expected


@boards_with(lambda board: any(r.color == "gray" and r.cost > 1 for r in board.routes))
def test_c1_cards_of_two_colours_are_never_mixed(board: Board) -> None:
    a, b = board.colors[:2]
    route = next(r for r in board.routes if r.color == "gray" and r.cost == 2)
    game = situation(board, hands=[{a: 1, b: 1}, {}])
    assert not payments(game, route.id)
    with pytest.raises(IllegalAction, match="cards of two colours are never mixed"):
        game.play(f"claim {route.id} {a}*1 {b}*1")
    # A wild card completes either colour, but not both.
    game = situation(board, hands=[{a: 1, b: 1, "wild": 1}, {}])
    assert payments(game, route.id) == {f"{a}*1 wild*1", f"{b}*1 wild*1"}


@on_every_board
def test_c1_pieces_are_placed(board: Board) -> None:
    for route in board.routes:
        color = board.colors[0] if route.color == "gray" else route.color
        game = situation(board, hands=[{color: route.cost}, {}])
        before = game.position()["pieces"][0]
        game.play(f"claim {route.id} {color}*{route.cost}")
        after = game.position()["pieces"][0]
        assert game.position()["routes"] == {route.id: 0}
        placed = {kind: before[kind] - after[kind] for kind in before}
        assert placed == {kind: route.pieces if kind == route.piece else 0 for kind in before}


@on_every_board
def test_c2_wild_cards_stand_for_any_colour_in_any_number(board: Board) -> None:
    cost = min(max(route.cost for route in board.routes if route.twin is None), 4)
    route = next(r for r in board.routes if r.cost == cost and r.color != "gray")
    game = situation(board, hands=[{route.color: cost, "wild": cost}, {}])
    paid = {text.removesuffix(" flag") for text in payments(game, route.id)}
    mixes = {f"{route.color}*{cost - n} wild*{n}" for n in range(1, cost)}
    assert paid == {f"{route.color}*{cost}", f"wild*{cost}"} | mixes
    game.play(f"claim {route.id} {route.color}*1 wild*{cost - 1}")
    assert game.position()["hands"][0] == {route.color: cost - 1, "wild": 1}


@on_every_board
def test_c2_wild_cards_alone(board: Board) -> None:
    for route in board.routes:
        game = situation(board, hands=[{"wild": route.cost}, {}])
        assert payments(game, route.id) == {f"wild*{route.cost}"}
        game.play(f"claim {route.id} wild*{route.cost}")
        assert game.position()["discard"] == {"wild": route.cost}


@at_every_table
def test_c3_any_free_route_need_not_join_the_others(board: Board, players: int) -> None:
    cards = hands(players, {"wild": max(route.cost for route in board.routes)})
    game = situation(board, players, hands=cards)
    assert {action.route for action in game.legal() if action.route} == {
        route.id for route in board.routes
    }
    home = single(board)
    game = situation(board, players, hands=cards, routes={home.id: 0})
    apart = [r for r in board.routes if not {r.a, r.b} & {home.a, home.b}]
    assert apart
    assert {r.id for r in apart} <= {action.route for action in game.legal()}


@at_every_table
def test_c3_a_route_that_is_taken_cannot_be_claimed(board: Board, players: int) -> None:
    route = single(board)
    claim = f"claim {route.id} {route.color}*{route.cost}"
    for owner, words in ((0, "taken by you"), (players - 1, f"taken by seat {players - 1}")):
        game = situation(
            board,
            players,
            hands=hands(players, {route.color: route.cost}),
            routes={route.id: owner},
        )
        assert not payments(game, route.id)
        with pytest.raises(IllegalAction, match=words):
            game.play(claim)


@on_every_board
def test_c3_never_more_than_one_in_a_turn(board: Board) -> None:
    route = single(board)
    game = situation(board, hands=[dict.fromkeys(board.colors, 6), {}])
    game.play(f"claim {route.id} {route.color}*{route.cost}")
    assert game.seat == 1
    assert game.legal(0) == []


@on_every_board
def test_c4_enough_pieces_of_the_right_kind(board: Board) -> None:
    for route in board.routes:
        color = board.colors[0] if route.color == "gray" else route.color
        # All pieces of every other kind are left.
        for left, possible in ((route.pieces, True), (route.pieces - 1, False)):
            game = situation(
                board, hands=[{color: route.cost}, {}], pieces=[{route.piece: left}, {}]
            )
            assert bool(payments(game, route.id)) == possible
        with pytest.raises(IllegalAction, match=rf"only {left} .* left, .* \(C4\)"):
            game.play(f"claim {route.id} {color}*{route.cost}")


def double(board: Board) -> tuple[Any, Any]:
    """The two lanes of a double route."""
    first = next(route for route in board.routes if route.twin)
    return first, board.routes[str(first.twin)]


@DOUBLE
def test_c5_nobody_claims_both_lanes(board: Board, players: int) -> None:
    for route in board.routes:
        if route.twin is None:
            continue
        game = situation(
            board, players, hands=hands(players, {"wild": route.cost}), routes={route.twin: 0}
        )
        assert not payments(game, route.id)
        with pytest.raises(IllegalAction, match=r"nobody may claim both lanes.*\(C5\)"):
            game.play(f"claim {route.id} wild*{route.cost}")


@DOUBLE
def test_c6_the_second_lane_with_few_and_with_many_players(board: Board, players: int) -> None:
    few = players <= board.single_lane_up_to
    for route in board.routes:
        if route.twin is None:
            continue
        game = situation(
            board, players, hands=hands(players, {"wild": route.cost}), routes={route.twin: 1}
        )
        assert bool(payments(game, route.id)) == (not few)
        claim = f"claim {route.id} wild*{route.cost}"
        if few:
            with pytest.raises(IllegalAction, match=rf"is shut: with {players} players.*\(C6\)"):
                game.play(claim)
        else:
            game.play(claim)
            assert game.position()["routes"] == {route.twin: 1, route.id: 0}


@DOUBLE
def test_c5_c6_in_play_as_in_a_position(board: Board, players: int) -> None:
    """Playing a claim shuts the lanes for the claimer and for the others."""
    first, second = double(board)
    wild = [{"wild": first.cost * 2 if seat == 0 else first.cost} for seat in range(2)]
    game = situation(board, players, hands=hands(players, *wild))
    game.play(f"claim {first.id} wild*{first.cost}")
    open_to_others = players > board.single_lane_up_to
    assert bool(payments(game, second.id)) == open_to_others
    while game.seat != 0:
        game.play("draw deck")
    assert not payments(game, second.id)


@DOUBLE
def test_c5_c6_a_position_with_forbidden_lanes_is_refused(board: Board, players: int) -> None:
    first, second = double(board)
    with pytest.raises(ValueError, match=r"owns both lanes of .* \(C5\)"):
        situation(board, players, routes={first.id: 1, second.id: 1})
    if players <= board.single_lane_up_to:
        with pytest.raises(ValueError, match=rf"with {players} players \(C6\)"):
            situation(board, players, routes={first.id: 0, second.id: 1})
    else:
        assert situation(board, players, routes={first.id: 0, second.id: 1}).seat == 0


@on_every_board
def test_c7_the_cards_played_are_discarded(board: Board) -> None:
    route = route_of_cost(board, 2)
    game = situation(board, hands=[{route.color: 2, "wild": 2}, {}], discard={"wild": 1})
    game.play(f"claim {route.id} {route.color}*1 wild*1")
    assert game.position()["hands"][0] == {route.color: 1, "wild": 1}
    assert game.position()["discard"] == {route.color: 1, "wild": 2}


def given(game: Game, seat: int) -> int:
    """The points that bonuses have given a seat in play."""
    return sum(int(bonus.given(game.state, seat)) for bonus in game.state.tables.bonuses)


@on_every_board
def test_c8_points_by_the_length_of_the_route(board: Board) -> None:
    points = {kind.id: kind.points for kind in board.pieces}
    for route in board.routes:
        game = situation(board, hands=[{"wild": route.cost}, {}], scores=[3, 5])
        game.play(f"claim {route.id} wild*{route.cost}")
        worth = points[route.piece][route.length] if board.score_track else 0
        assert game.position()["scores"] == [3 + worth + given(game, 0), 5]


@boards_with(lambda board: not board.score_track)
def test_c8_without_a_score_track_points_are_counted_at_the_end(board: Board) -> None:
    route = max(board.routes, key=lambda route: route.points)
    game = situation(board, hands=[{"wild": route.cost}, {}])
    (claimed,) = (e for e in game.play(f"claim {route.id} wild*{route.cost}") if e.route)
    assert claimed.points is None
    for seat in (0, 1, None):
        assert [player.points for player in game.view(seat).players] == [None, None]
        assert game.view(seat).scores is None
    assert game.scores()[0].routes == route.points


@boards_with(lambda board: board.score_track)
def test_c8_with_a_score_track_points_are_seen_at_once(board: Board) -> None:
    route = max(board.routes, key=lambda route: route.points)
    game = situation(board, hands=[{"wild": route.cost}, {}])
    events = game.play(f"claim {route.id} wild*{route.cost}")
    (claimed,) = (event for event in events if event.kind == "claimed")
    assert claimed.points == route.points
    seen = [player.points for player in game.view(1).players]
    assert seen == [route.points + given(game, 0), 0]


@boards_with(lambda board: any(kind.one_per_route for kind in board.pieces))
def test_c9_one_piece_a_route_and_a_printed_cost_in_cards(board: Board) -> None:
    kinds = {kind.id: kind for kind in board.pieces}
    subways = [route for route in board.routes if kinds[route.piece].one_per_route]
    assert {route.cost for route in subways} - {1}
    for route in subways:
        color = board.colors[0] if route.color == "gray" else route.color
        game = situation(
            board, hands=[{color: route.cost}, {}], pieces=[dict.fromkeys(kinds, 1), {}]
        )
        game.play(f"claim {route.id} {color}*{route.cost}")
        left = game.position()["pieces"][0]
        assert left == {kind: 0 if kind == route.piece else 1 for kind in kinds}
        assert game.position()["discard"] == {color: route.cost}
        assert game.position()["scores"][0] == kinds[route.piece].points[route.cost]


@boards_with(lambda board: len(board.pieces) > 1)
def test_c9_pieces_of_one_kind_do_not_stand_for_another(board: Board) -> None:
    for kind in board.pieces:
        game = situation(board, hands=[{"wild": board.wild_count}, {}], pieces=[{kind.id: 0}, {}])
        claimable = {board.routes[a.route].piece for a in game.legal() if a.route}
        assert claimable == {other.id for other in board.pieces} - {kind.id}


@on_every_board
def test_claims_are_told_to_all(board: Board) -> None:
    """C7: everybody sees what was paid."""
    route = route_of_cost(board, 2)
    game = situation(board, hands=[{route.color: 1, "wild": 1}, {}])
    events = game.play(f"claim {route.id} {route.color}*1 wild*1")
    assert kinds(events) == ["claimed"]
    assert events[0].cards == {route.color: 1, "wild": 1}
    assert [events[0].seen_by(seat) for seat in (0, 1, None)] == [events[0]] * 3


@boards_with(lambda board: not has_bonus("flag")(board))
def test_e6_without_a_flag_no_card_is_kept(board: Board) -> None:
    route = single(board)
    game = situation(board, hands=[{route.color: route.cost}, {}])
    assert not any(text.endswith("flag") for text in texts(game))
    with pytest.raises(IllegalAction, match="no card can be kept for a flag"):
        game.play(f"claim {route.id} {route.color}*{route.cost} flag")
