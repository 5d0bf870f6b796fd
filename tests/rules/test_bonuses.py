"""The bonuses: E3 to E6."""

import random
import tomllib
from collections import Counter
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import fernzug
from fernzug import Board, Game, IllegalAction
from fernzug.bonuses.longest_path import longest_path, longest_trail
from fernzug.tables import tables_of
from paths import DATA
from situations import (
    boards_with,
    bonus_of,
    by_seat,
    faceup,
    hands,
    has_bonus,
    joined,
    kinds,
    on_every_board,
    situation,
    tables_with,
    texts,
)

PATHS: list[dict[str, Any]] = tomllib.loads(
    (DATA / "longest_paths.toml").read_text(encoding="utf-8")
)["paths"]

WITH_PATH = tables_with(lambda board, players: has_bonus("longest_path")(board))
WITH_FLAG = tables_with(lambda board, players: has_bonus("flag")(board))


# ---- The longest path ----------------------------------------------------------------------------


def length_of(board: Board, routes: list[str]) -> int:
    owner = vec[i64](0 if route.id in routes else -1 for route in board.routes)
    return int(longest_path(tables_of(board).network, owner, 0))


@pytest.mark.parametrize("case", PATHS, ids=[case["about"] for case in PATHS])
def test_e3_paths_worked_out_by_hand(case: dict[str, Any]) -> None:
    assert length_of(fernzug.board(case["board"]), case["routes"]) == case["length"]


def brute_force(board: Board, routes: list[str]) -> int:
    """Try every way from every place."""
    ends: dict[str, list[tuple[str, str, int]]] = {}
    for name in routes:
        route = board.routes[name]
        ends.setdefault(route.a, []).append((name, route.b, route.pieces))
        ends.setdefault(route.b, []).append((name, route.a, route.pieces))

    def on(place: str, used: frozenset[str]) -> int:
        return max(
            (n + on(end, used | {name}) for name, end, n in ends[place] if name not in used),
            default=0,
        )

    return max((on(place, frozenset()) for place in ends), default=0)


@on_every_board
def test_e3_every_network_against_all_ways(board: Board) -> None:
    """The search leaves out ways that cannot be the longest; on any network it must find it."""
    chance = random.Random(3)
    for number in range(150):
        size = min(2 + number % 11, len(board.routes))
        routes = [route.id for route in chance.sample(list(board.routes), size)]
        assert length_of(board, routes) == brute_force(board, routes), routes


def is_path(board: Board, routes: list[str]) -> bool:
    """Whether routes follow one another from place to place, none of them twice."""
    first = board.routes[routes[0]]
    for here in (first.a, first.b):
        place = here
        for name in routes:
            route = board.routes[name]
            if place not in (route.a, route.b):
                break
            place = route.b if place == route.a else route.a
        else:
            return len(set(routes)) == len(routes)
    return False


@on_every_board
def test_e3_the_routes_of_the_longest_path_are_told_in_order(board: Board) -> None:
    chance = random.Random(4)
    network = tables_of(board).network
    for number in range(200):
        owned = chance.sample(range(len(board.routes)), min(1 + number % 14, len(board.routes)))
        owner = vec[i64](0 if route in owned else -1 for route in range(len(board.routes)))
        length = int(longest_path(network, owner, 0))
        trail = longest_trail(network, owner, 0, length)
        names = [board.routes[route].id for route in trail]
        assert set(trail) <= set(owned)
        assert is_path(board, names), names
        assert sum(board.routes[name].pieces for name in names) == length
    assert longest_trail(network, vec[i64]([-1] * len(board.routes)), 0, 0) == []


def spread(board: Board, spaces: int, number: int) -> list[str]:
    """Routes of a length that have no place in common."""
    found: list[Any] = []
    for route in board.routes:
        used = {end for other in found for end in (other.a, other.b)}
        if route.pieces == spaces and not used & {route.a, route.b}:
            found.append(route)
    return [route.id for route in found[:number]]


@WITH_PATH
def test_e3_everybody_who_ties_gets_the_points_and_nobody_else(board: Board, players: int) -> None:
    points = bonus_of(board, "longest_path").points
    long, short = spread(board, 4, players), spread(board, 2, players)
    for tied in range(1, players + 1):
        routes = {name: seat for seat, name in enumerate(long[:tied])}
        routes |= {short[seat]: seat for seat in range(tied, players)}
        game = situation(board, players, routes=routes)
        won = [sheet.bonuses["longest_path"] for sheet in game.scores()]
        assert won == [points] * tied + [0] * (players - tied)


@WITH_PATH
def test_e3_nobody_gets_them_for_a_length_of_nothing(board: Board, players: int) -> None:
    game = situation(board, players)
    assert [sheet.bonuses["longest_path"] for sheet in game.scores()] == [0] * players


@boards_with(has_bonus("longest_path"))
def test_e3_spaces_count_not_routes(board: Board) -> None:
    """One route of six spaces is longer than two of two."""
    six = next(route for route in board.routes if route.pieces == 6)
    two = next(
        [a.id, b.id]
        for a in board.routes
        for b in board.routes
        if a.id < b.id and a.pieces == b.pieces == 2 and {a.a, a.b} & {b.a, b.b} and a.twin != b.id
    )
    game = situation(board, routes={six.id: 1, **dict.fromkeys(two, 0)})
    assert [sheet.bonuses["longest_path"] for sheet in game.scores()] == [0, 10]


# ---- Sights --------------------------------------------------------------------------------------


@tables_with(lambda board, players: has_bonus("sights")(board))
def test_e4_each_sight_touched_is_a_point_once(board: Board, players: int) -> None:
    sights = set(bonus_of(board, "sights").locations)
    assert bonus_of(board, "sights").points == 1
    for route in board.routes:
        game = situation(board, players, routes={route.id: 1})
        points = [sheet.bonuses["sights"] for sheet in game.scores()]
        assert points == by_seat(players, 1, len(sights & {route.a, route.b}), 0)
    # Two routes of one player at a sight are no more than one, two players have it both.
    place = next(iter(sorted(sights)))
    at = [r for r in board.routes if place in (r.a, r.b) and r.lane != 2]
    ends = [{r.a, r.b} & sights for r in at]
    game = situation(board, players, routes={at[0].id: 0, at[1].id: 0, at[2].id: 1})
    points = [sheet.bonuses["sights"] for sheet in game.scores()]
    assert points[:2] == [len(ends[0] | ends[1]), len(ends[2])]


# ---- Districts -----------------------------------------------------------------------------------


def tree(board: Board, places: tuple[str, ...]) -> list[str]:
    """Routes that join places: all are laid, and the longest that is not needed left out."""
    lanes = [route for route in board.routes if route.lane != 2]
    routes = [route.id for route in sorted(lanes, key=lambda route: -route.pieces)]
    for name in list(routes):
        rest = [other for other in routes if other != name]
        if all_joined(board, rest, places):
            routes = rest
    return routes


def all_joined(board: Board, routes: list[str], places: tuple[str, ...]) -> bool:
    return all(joined(board, routes, places[0], place) for place in places)


@tables_with(lambda board, players: has_bonus("districts")(board))
def test_e5_a_district_is_completed_when_all_its_places_are_joined(
    board: Board, players: int
) -> None:
    for group in bonus_of(board, "districts").groups:
        routes = tree(board, group.locations)
        game = situation(board, players, routes=dict.fromkeys(routes, 1))
        assert completed(board, game, 1) >= {group.id}
        for missing in routes:
            owners = {name: 0 if name == missing else 1 for name in routes}
            game = situation(board, players, routes=owners)
            assert group.id not in completed(board, game, 1)


def completed(board: Board, game: Game, seat: int) -> set[str]:
    """The districts that a seat has completed; each has a number of its own."""
    groups = bonus_of(board, "districts").groups
    points = game.scores()[seat].bonuses["districts"]
    own = [name for name, owner in game.position()["routes"].items() if owner == seat]
    done = {group.id for group in groups if all_joined(board, own, group.locations)}
    assert points == sum(group.points for group in groups if group.id in done)
    return done


@boards_with(has_bonus("districts"))
def test_e5_the_joining_path_may_leave_the_district(board: Board) -> None:
    """Without any route inside the district it is completed over places outside."""
    found = 0
    for group in bonus_of(board, "districts").groups:
        inside = set(group.locations)
        routes = [r.id for r in board.routes if r.lane != 2 and not {r.a, r.b} <= inside]
        if not all_joined(board, routes, group.locations):
            continue
        for name in list(routes):
            rest = [other for other in routes if other != name]
            if all_joined(board, rest, group.locations):
                routes = rest
        if sum(board.routes[name].pieces for name in routes) > board.pieces[0].count:
            continue
        game = situation(board, routes=dict.fromkeys(routes, 0))
        assert game.scores()[0].bonuses["districts"] >= group.points
        found += 1
    assert found


@boards_with(has_bonus("districts"))
def test_e5_touching_all_places_is_not_enough(board: Board) -> None:
    group = next(g for g in bonus_of(board, "districts").groups if len(g.locations) == 4)
    a, b, c, d = group.locations
    pairs = next(
        (x.id, y.id)
        for x in board.routes
        for y in board.routes
        if {x.a, x.b} | {y.a, y.b} == {a, b, c, d}
    )
    game = situation(board, routes=dict.fromkeys(pairs, 0))
    assert game.scores()[0].bonuses["districts"] == 0


# ---- The flag ------------------------------------------------------------------------------------


def flag_route(board: Board, color: str, cost: int | None = None) -> Any:
    return next(r for r in board.routes if r.color == color and cost in (None, r.cost))


@WITH_FLAG
def test_e6_the_player_may_keep_one_of_the_ordinary_cards(board: Board, players: int) -> None:
    for color in bonus_of(board, "flag").colors:
        route = flag_route(board, color)
        game = situation(board, players, hands=hands(players, {color: route.cost}))
        claim = f"claim {route.id} {color}*{route.cost}"
        assert {claim, f"{claim} flag"} <= set(texts(game))
        without = game.copy()
        without.play(claim)
        assert without.position()["flags"] == [[]] * players
        assert without.position()["discard"] == {color: route.cost}
        assert "flag_kept" in kinds(game.play(f"{claim} flag"))
        assert game.position()["flags"] == by_seat(players, 0, [color], [])
        rest = {color: route.cost - 1} if route.cost > 1 else {}
        assert game.position()["discard"] == rest
        # It lies in front of the player for all to see, and is no card of the hand any more.
        assert game.view(1).players[0].bonuses["flags"] == [color]
        assert game.position()["hands"][0] == {}


@WITH_FLAG
def test_e6_never_a_wild_card(board: Board, players: int) -> None:
    for color in bonus_of(board, "flag").colors:
        route = flag_route(board, color)
        game = situation(board, players, hands=hands(players, {"wild": route.cost}))
        assert not any(text.endswith("flag") for text in texts(game))
        with pytest.raises(IllegalAction, match=r"no card can be kept .* \(E6\)"):
            game.play(f"claim {route.id} wild*{route.cost} flag")


@boards_with(has_bonus("flag"))
def test_e6_an_ordinary_card_beside_wild_ones(board: Board) -> None:
    color = next(
        c
        for c in bonus_of(board, "flag").colors
        if any(r.color == c and r.cost == 2 for r in board.routes)
    )
    route = flag_route(board, color, 2)
    game = situation(board, hands=[{color: 1, "wild": 1}, {}])
    game.play(f"claim {route.id} {color}*1 wild*1 flag")
    assert game.position()["flags"][0] == [color]
    assert game.position()["discard"] == {"wild": 1}


@WITH_FLAG
def test_e6_not_if_a_card_of_that_colour_lies_there_already(board: Board, players: int) -> None:
    for color in bonus_of(board, "flag").colors:
        route = flag_route(board, color)
        cards = hands(players, {color: route.cost})
        claim = f"claim {route.id} {color}*{route.cost}"
        game = situation(board, players, hands=cards, flags=by_seat(players, 0, [color], []))
        assert claim in texts(game)
        assert f"{claim} flag" not in texts(game)
        with pytest.raises(IllegalAction, match=rf"a {color} card lies in front of you already"):
            game.play(f"{claim} flag")
        # What lies in front of others does not matter.
        game = situation(board, players, hands=cards, flags=by_seat(players, 1, [color], []))
        assert f"{claim} flag" in texts(game)


@boards_with(has_bonus("flag"))
def test_e6_only_routes_of_the_flags_colours(board: Board) -> None:
    flag = bonus_of(board, "flag").colors
    for route in board.routes:
        if route.color not in flag:
            game = situation(board, hands=[{route.color: route.cost}, {}])
            claim = f"claim {route.id} {route.color}*{route.cost}"
            assert claim in texts(game)
            assert f"{claim} flag" not in texts(game)
            with pytest.raises(IllegalAction, match=r"\(E6\)"):
                game.play(f"{claim} flag")


@WITH_FLAG
def test_e6_a_complete_flag_is_scored_and_its_cards_discarded(board: Board, players: int) -> None:
    flag = bonus_of(board, "flag")
    for last in flag.colors:
        lying = [color for color in flag.colors if color != last]
        route = flag_route(board, last)
        for seat in range(players):
            game = situation(
                board,
                players,
                seat=seat,
                hands=by_seat(players, seat, {last: route.cost}, {}),
                flags=by_seat(players, seat, lying, []),
            )
            events = game.play(f"claim {route.id} {last}*{route.cost} flag")
            assert [k for k in kinds(events) if "flag" in k] == ["flag_kept", "flag_scored"]
            points = route.points + flag.points
            assert game.position()["scores"] == by_seat(players, seat, points, 0)
            assert game.position()["flags"] == [[]] * players
            assert game.position()["discard"] == Counter([*lying, *[last] * route.cost])
            sheet = game.scores()[seat]
            assert (sheet.routes, sheet.bonuses["flag"]) == (route.points, flag.points)
            assert sheet.total == points


@WITH_FLAG
def test_e6_a_flag_is_discarded_at_the_end_of_the_turn(board: Board, players: int) -> None:
    """The cards played are discarded first (C7): if the deck is empty they become the new deck at
    once (D6), and the cards of the flag are the first discards beside it.
    """
    flag = bonus_of(board, "flag")
    for last in flag.colors:
        lying = [color for color in flag.colors if color != last]
        route = next((r for r in board.routes if r.color == last and r.cost == 2), None)
        if route is None:
            continue
        other = next(color for color in board.colors if color not in flag.colors)
        scarce: dict[str, Any] = {"rest": "out", "flags": by_seat(players, 0, lying, [])}
        cards = hands(players, {last: 2})
        game = situation(board, players, faceup=[other] * 5, hands=cards, **scarce)
        events = game.play(f"claim {route.id} {last}*2 flag")
        assert kinds(events) == ["claimed", "flag_kept", "reshuffled", "flag_scored"]
        assert game.position()["deck"] == [last]
        assert game.position()["discard"] == Counter(flag.colors)
        # Where places are empty, all of these cards are laid out.
        game = situation(board, players, faceup=[None] * 5, hands=cards, **scarce)
        game.play(f"claim {route.id} {last}*2 flag")
        assert Counter(faceup(game)) == Counter([last, *flag.colors, None])
        assert faceup(game)[0] == last


@boards_with(has_bonus("flag"))
def test_e6_two_colours_or_no_card_kept_score_nothing(board: Board) -> None:
    flag = bonus_of(board, "flag")
    first, second, third = flag.colors
    route = flag_route(board, second)
    game = situation(board, hands=[{second: route.cost}, {}], flags=[[first], []])
    game.play(f"claim {route.id} {second}*{route.cost} flag")
    assert game.scores()[0].bonuses["flag"] == 0
    route = flag_route(board, third)
    game = situation(board, hands=[{third: route.cost}, {}], flags=[[first, second], []])
    game.play(f"claim {route.id} {third}*{route.cost}")
    assert game.scores()[0].bonuses["flag"] == 0
    assert set(game.position()["flags"][0]) == {first, second}


@boards_with(has_bonus("flag"))
def test_e6_again_and_again(board: Board) -> None:
    flag = bonus_of(board, "flag")
    used: set[str] = set()
    cards: Counter[str] = Counter()
    claims = []
    for _ in range(2):
        for color in flag.colors:
            route = next(
                r
                for r in board.routes
                if r.color == color and not {r.id, r.twin} & used and r.cost <= 2
            )
            used.add(route.id)
            cards[color] += route.cost
            claims.append((f"claim {route.id} {color}*{route.cost} flag", route.points))
    game = situation(board, hands=[dict(cards), {}])
    points = 0
    for number, (claim, worth) in enumerate(claims, start=1):
        game.play(claim)
        points += worth
        assert game.view(1).players[0].bonuses["flag_sets"] == number // 3
        assert game.view(1).players[0].points == points + number // 3 * flag.points
        game.play("draw deck")
        if game.seat == 1:
            game.play("draw deck")
    assert game.scores()[0].bonuses["flag"] == 2 * flag.points


@WITH_FLAG
def test_e6_cards_lying_there_at_the_end_are_worth_nothing(board: Board, players: int) -> None:
    flag = bonus_of(board, "flag")
    game = situation(board, players, phase="over", flags=[list(flag.colors[:2])] * players)
    assert [sheet.total for sheet in game.scores()] == [0] * players


@boards_with(has_bonus("flag"))
def test_e6_positions_that_cannot_be_are_refused(board: Board) -> None:
    flag = bonus_of(board, "flag")
    other = next(color for color in board.colors if color not in flag.colors)
    for lying in ([other], ["wild"], [flag.colors[0]] * 2):
        with pytest.raises(ValueError, match=r"cannot lie in front of seat 0 \(E6\)"):
            situation(board, flags=[lying, []])
    with pytest.raises(ValueError, match="was complete, so it was scored"):
        situation(board, flags=[list(flag.colors), []])
    with pytest.raises(ValueError, match="must hold a list"):
        situation(board, flags=[7, []])
    with pytest.raises(ValueError, match="must hold whole numbers"):
        situation(board, flag_sets=["1", 0])


@on_every_board
def test_progress_says_how_far_each_seat_has_come(board: Board) -> None:
    """E3 to E6: nothing at the start; with a tree that joins all places, everything on it."""
    start = situation(board).view(0).progress(0)
    assert set(start) == {bonus.kind for bonus in board.bonuses}
    assert all(step.have == 0 and not step.items for steps in start.values() for step in steps)
    game = situation(board)
    joined = {board.routes[0].a}
    while len(joined) < len(board.locations):
        for number, route in enumerate(board.routes):
            if (route.a in joined) != (route.b in joined):
                game.state.owner[number] = 0
                joined |= {route.a, route.b}
    for bonus in board.bonuses:
        for step in game.view(1).progress(0)[bonus.kind]:
            told = step.to_json()
            assert (told["have"], told["need"]) == (step.have, step.need)
            assert repr(step).startswith("Step(")
            if bonus.locations or bonus.groups:
                assert step.have == step.need == len(step.items) > 0
            if bonus.kind == "longest_path":
                assert step.have > 0


@boards_with(has_bonus("flag"))
def test_e6_progress_counts_the_colors_that_lie_there(board: Board) -> None:
    lying = list(bonus_of(board, "flag").colors[:1])
    (step,) = situation(board, flags=[lying, []]).view(1).progress(0)["flag"]
    assert (step.have, step.need, step.items) == (1, 3, lying)
