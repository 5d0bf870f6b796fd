"""What is told: messages of the protocol, to those concerned, and enough for those who return."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from changes import with_changes
from fernzug import Board
from fernzug.board.model import Route, Ticket
from fernzug.server import check
from fernzug.table import Change, ClockSetup, protocol, restore, telling
from fernzug.table.characters import CHARACTERS
from fernzug.table.progress import WorkedOut
from fernzug.table.telling import Audience
from fernzug.ways import shortest_way
from situations import BOARDS, boards_with, on_every_board, without_bonus_keys
from table.tabletop import HOST, Tabletop, beginning_at, bot, here, link, token

BOARD = BOARDS[0]
AUDIENCES: list[Audience] = [(), (0,), (1,), (0, 1)]


def conforms(message: object) -> Any:
    """Return a message after making sure that the protocol knows it."""
    sent = without_bonus_keys(json.loads(json.dumps(message)))
    check.check(protocol.ServerMessage, sent)
    return message


@on_every_board
def test_every_message_of_whole_games_conforms_to_the_protocol(board: Board) -> None:
    luck = random.Random(3)
    top = Tabletop(board, here, here, bot, clock=ClockSetup("bank", 600, 5))
    top.do(top.table.say(0, "Good luck", id="line", at=1000))
    while top.table.state == "playing":
        changes = top.play_at_random(luck)
        for audience in AUDIENCES:
            for change in changes:
                conforms(top.told(change, audience))
    for audience in AUDIENCES:
        snapshot = conforms(
            telling.snapshot(top.table, audience, host=True, seen=None, now=top.moment)
        )
        assert snapshot["views"][0]["view"]["scores"] is not None


@on_every_board
def test_a_restored_table_tells_the_same(board: Board) -> None:
    luck = random.Random(4)
    top = Tabletop(board, here, here)
    for step in range(60):
        if top.table.state != "playing":
            break
        top.play_at_random(luck)
        if step % 7 == 0:
            again = restore(top.setup, top.changes)
            for audience in AUDIENCES:
                mine = telling.snapshot(top.table, audience, host=False, seen=None, now=top.moment)
                assert (
                    telling.snapshot(again, audience, host=False, seen=None, now=top.moment) == mine
                )


def test_people_who_return_are_told_what_they_missed() -> None:
    luck = random.Random(5)
    top = Tabletop(BOARD, here, here)
    top.keep_all()
    for _ in range(10):
        top.play_at_random(luck)
    seen = top.table.seq - 4
    whole = telling.snapshot(top.table, (0,), host=False, seen=None, now=top.moment)
    missed = telling.snapshot(top.table, (0,), host=False, seen=seen, now=top.moment)
    assert (whole["since"], missed["since"]) == (0, seen)
    count = len(missed["events"])
    assert 0 < count < len(whole["events"])
    assert whole["events"][-count:] == missed["events"]
    nothing = telling.snapshot(top.table, (0,), host=False, seen=top.table.seq, now=top.moment)
    assert nothing["events"] == []


@pytest.mark.parametrize("seen", [0, 10_000])
def test_people_who_name_an_unknown_version_are_told_everything(seen: int) -> None:
    top = Tabletop(BOARD, here, here)
    assert telling.snapshot(top.table, (0,), host=False, seen=seen, now=top.moment)["since"] == 0


def test_people_who_missed_an_undo_are_told_everything() -> None:
    top = Tabletop(BOARD, here, here)
    top.play(0, "keep 1 2")
    seen = top.table.seq
    top.undo(0)
    assert telling.snapshot(top.table, (0,), host=False, seen=seen, now=top.moment)["since"] == 0
    seen = top.table.seq
    top.play(1, "keep 1 2")
    missed = telling.snapshot(top.table, (0,), host=False, seen=seen, now=top.moment)
    assert missed["since"] == seen
    assert [event["event"] for event in missed["events"]] == ["kept", "awaited"]


def test_the_message_of_an_undo_counts_the_events_undone() -> None:
    top = Tabletop(BOARD, here, here)
    played = conforms(top.told(top.play(0, "keep 1 2")[0], (1,)))
    undone = conforms(top.told(top.undo(0)[0], (1,)))
    assert undone["undone"] == len(played["events"])
    assert undone["events"] == []


def test_the_start_of_the_game_is_told() -> None:
    top = Tabletop(BOARD, here, link)
    snapshot = conforms(telling.snapshot(top.table, (0,), host=True, seen=None, now=top.moment))
    assert (snapshot["views"], snapshot["events"], snapshot["clock"]) == ([], [], None)
    joined, started = top.do(top.table.join("Ann", "x" * 64, None, at=1000))
    assert top.told(joined, (0,)) is None
    told = conforms(top.told(started, (0,)))
    assert told["events"][0]["event"] == "shuffled"
    assert "cards" not in told["events"][0]


def test_only_the_latest_lines_of_chat_are_kept() -> None:
    top = Tabletop(BOARD, here, here)
    change = top.do(top.table.say(1, "Hello", id="line", at=5))[0]
    told = conforms(top.told(change, ()))
    assert told["line"] == {"seq": change.seq, "seat": 1, "text": "Hello", "at": 5}
    for number in range(300):
        top.do(top.table.say(0, str(number), id=f"id {number}", at=5))
    assert [line["text"] for line in top.table.lines[-2:]] == ["298", "299"]
    assert len(top.table.lines) == 200


def test_no_secret_of_the_table_itself_is_told() -> None:
    top = Tabletop(BOARD, here, here, seed=987654321)
    text = json.dumps(telling.snapshot(top.table, (0, 1), host=True, seen=None, now=top.moment))
    for secret in (token(0), HOST, "987654321", top.setup.host, str(top.setup.seats[0].token)):
        assert secret not in text


@on_every_board
def test_a_seat_is_told_its_own_view_although_most_of_it_is_shared(board: Board) -> None:
    luck = random.Random(11)
    top = Tabletop(board, *[here] * 3)
    while True:
        for seat in (0, 1, 2):
            assert seat_view(top, seat)["view"] == top.game.view(seat).to_json()
        assert seat_views(top, ())[0]["view"] == top.game.view(None).to_json()
        if top.table.state != "playing":
            return
        top.play_at_random(luck)


@on_every_board
def test_whoever_hears_every_change_knows_the_whole_view(board: Board) -> None:
    """Even if each is told by another copy of the table, which has not worked out the others."""
    luck = random.Random(4)
    audiences: list[Audience] = [(0,), (1, 2), ()]
    top = Tabletop(board, *[here] * 3)
    copies = [top.table, restore(top.setup, top.changes), restore(top.setup, top.changes)]
    known = {audience: seat_views(top, audience) for audience in audiences}

    def learn(change: Change) -> None:
        for copy in copies[1:]:
            copy.apply(top.changes[-1], 0.0)
        told = telling.change_messages(luck.choice(copies), change, audiences, 0.0)
        for audience, message in told.items():
            assert message["type"] == "events"
            known[audience] = with_changes(known[audience], message["views"])
            assert known[audience] == seat_views(top, audience)

    while top.table.state == "playing":
        [change] = top.play_at_random(luck)
        learn(change)
        if top.table.can_undo(change.data["seat"]) and luck.random() < 0.3:
            learn(top.undo(change.data["seat"])[0])


def test_most_moves_leave_most_of_a_view_untold() -> None:
    top = Tabletop(BOARD, here, here, first_player=0)
    top.keep_all()
    whole = seat_view(top, 1)
    [drawn] = top.play(0, "draw deck")
    [told] = top.told(drawn, (1,))["views"]
    assert not {"shut", "progress", "bonuses", "revealed"} & told.keys()
    assert not {"board", "routes", "offer", "returned"} & told["view"].keys()
    assert [player["seat"] for player in told["view"]["players"]] == [0]
    assert len(json.dumps(told)) < len(json.dumps(whole)) / 2


# ------------------------------------------------------------------------ explanations


@on_every_board
def test_tickets_are_revealed_with_the_ways_that_complete_them_at_the_end_only(
    board: Board,
) -> None:
    luck = random.Random(8)
    top = Tabletop(board, here, here)
    while top.table.state == "playing":
        assert all(told["revealed"] == [] for told in seat_views(top, ()))
        top.play_at_random(luck)
    for audience in AUDIENCES:
        for told in seat_views(top, audience):
            owners = told["view"]["routes"]
            for seat, (tickets, sheet) in enumerate(
                zip(told["revealed"], told["view"]["scores"], strict=True)
            ):
                held = told["view"]["players"][seat]["tickets"]
                assert [one["ticket"] for one in tickets] == held
                points = {one["ticket"]: board.tickets[one["ticket"]].points for one in tickets}
                won = sum(points[one["ticket"]] for one in tickets if one["done"])
                assert (won, sum(points.values()) - won) == (
                    sheet["tickets_won"],
                    sheet["tickets_lost"],
                )
                for one in tickets:
                    assert {owners[route] for route in one["way"]} <= {seat}
                    assert ends_of(board, one["way"]) == (
                        {board.tickets[one["ticket"]].a, board.tickets[one["ticket"]].b}
                        if one["done"]
                        else set()
                    )


def ends_of(board: Board, routes: list[str]) -> set[str]:
    """Return the places that an odd number of the routes meet: the two ends of a way."""
    ends: set[str] = set()
    for name in routes:
        ends ^= {board.routes[name].a, board.routes[name].b}
    return ends


def seat_view(top: Tabletop, seat: int) -> Any:
    return seat_views(top, (seat,))[0]


def seat_views(top: Tabletop, audience: Audience) -> Any:
    return telling.seat_views(top.table, audience, telling.Common(top.table, top.game))


def set_up(board: Board, players: int = 2, **position: Any) -> Tabletop:
    game_factory = beginning_at({"players": players, **position})
    return Tabletop(board, *[here] * players, game_factory=game_factory)


@on_every_board
def test_every_free_route_can_be_claimed_or_is_explained(board: Board) -> None:
    luck = random.Random(6)
    top = Tabletop(board, here, here, first_player=0)
    top.keep_all()
    while top.table.state == "playing":
        if top.game.phase == "turn":
            seat = top.awaited()[0]
            told = seat_view(top, seat)
            claims = {a.route for a in top.game.legal() if a.kind == "claim"}
            free = {route.id for route in board.routes} - set(told["view"]["routes"])
            assert free == claims | set(told["blocked"])
            assert not claims & set(told["blocked"])
            assert set(told["shut"]) <= set(told["blocked"])
            assert seat_view(top, 1 - seat)["blocked"] == {}
        top.play_at_random(luck)


@on_every_board
def test_missing_cards_are_counted(board: Board) -> None:
    route = next(r for r in board.routes if r.cost > 1 and r.color != "gray")
    top = set_up(board, hands=[{route.color: route.cost - 2, "wild": 1}, {}])
    assert seat_view(top, 0)["blocked"][route.id] == {
        "code": "cards",
        "color": route.color,
        "missing": 1,
    }


@boards_with(lambda board: any(route.color == "gray" for route in board.routes))
def test_on_a_gray_route_the_nearest_colour_counts(board: Board) -> None:
    """C1: any one colour."""
    route = max((r for r in board.routes if r.color == "gray"), key=lambda r: r.cost)
    first, second = board.colors[:2]
    top = set_up(board, hands=[{first: 1, second: route.cost - 1}, {}])
    reason = seat_view(top, 0)["blocked"][route.id]
    assert reason == {"code": "cards", "color": "gray", "missing": 1}


@on_every_board
def test_missing_pieces_are_counted(board: Board) -> None:
    """C4: the reason is the kind of piece that the route takes."""
    route = max(board.routes, key=lambda r: r.pieces)
    pieces = {kind.id: kind.count for kind in board.pieces} | {route.piece: route.pieces - 1}
    top = set_up(board, pieces=[pieces, pieces], turns_left=2)
    assert seat_view(top, 0)["blocked"][route.id] == {
        "code": "pieces",
        "piece": route.piece,
        "left": route.pieces - 1,
        "missing": 1,
    }


@boards_with(lambda board: any(route.twin for route in board.routes))
def test_a_shut_lane_is_told_with_its_reason(board: Board) -> None:
    """C5 and C6: the twin lane is one's own, or few players use one lane only."""
    first = next(route for route in board.routes if route.twin and route.lane == 1)
    few = set_up(board, routes={first.id: 1})
    assert seat_view(few, 0)["shut"] == [first.twin]
    assert seat_view(few, 0)["blocked"][first.twin] == {"code": "shut"}
    assert seat_views(few, ())[0]["shut"] == [first.twin]
    many = set_up(board, board.single_lane_up_to + 1, routes={first.id: 0})
    assert seat_view(many, 0)["blocked"][first.twin] == {"code": "own_twin"}
    assert seat_view(many, 1)["shut"] == []
    assert seat_views(many, ())[0]["shut"] == []


@on_every_board
def test_the_way_of_a_ticket_shrinks_grows_and_ends(board: Board) -> None:
    """K3, and how far it is until then."""
    ticket = board.tickets[0]
    top = set_up(board, tickets=[[ticket.id], []])
    start = seat_view(top, 0)["progress"][ticket.id]
    assert start["missing"] > 0
    assert not start["done"]
    way = shortest_way(top.game.state, 0, ticket.a, ticket.b)
    assert way is not None
    assert way.pieces == start["missing"]
    routes = [board.routes[number].id for number in way.routes]
    assert start["way"] == routes
    assert end_of_way(board, ticket.a, routes) == ticket.b
    begun = set_up(board, tickets=[[ticket.id], []], routes={routes[0]: 0})
    assert routes[0] in seat_view(begun, 0)["progress"][ticket.id]["way"]
    done = set_up(board, tickets=[[ticket.id], []], routes=dict.fromkeys(routes, 0))
    progress = seat_view(done, 0)["progress"][ticket.id]
    assert progress == {"done": True, "missing": 0, "way": routes}


def end_of_way(board: Board, start: str, way: list[str]) -> str:
    """Walk along routes from a place; return where that leads."""
    place = start
    for route in (board.routes[name] for name in way):
        assert place in (route.a, route.b)
        place = route.b if place == route.a else route.a
    return place


LOST: dict[str, Any] = {"done": False, "missing": None, "way": []}


@on_every_board
def test_a_ticket_is_lost_when_all_ways_are_blocked(board: Board) -> None:
    """C5, C6: the last open lanes around a place of the ticket are taken by somebody else."""

    def around(place: str) -> list[Route]:
        return [route for route in board.routes if place in (route.a, route.b)]

    place = min(
        (p.id for p in board.locations if tickets_to(board, p.id)), key=lambda p: len(around(p))
    )
    ticket = tickets_to(board, place)[0]
    # With few players one lane is enough to shut both.
    walls = {route.id: 1 for route in around(place) if route.lane != 2}
    top = set_up(board, tickets=[[ticket.id], []], routes=walls)
    assert seat_view(top, 0)["progress"][ticket.id] == LOST


def tickets_to(board: Board, place: str) -> list[Ticket]:
    return [ticket for ticket in board.tickets if place in (ticket.a, ticket.b)]


@on_every_board
def test_a_ticket_is_lost_without_enough_pieces(board: Board) -> None:
    ticket = max(board.tickets, key=lambda t: t.points)
    pieces = [{kind.id: 0 for kind in board.pieces}] * 2
    top = set_up(board, tickets=[[ticket.id], []], pieces=pieces, turns_left=2)
    assert seat_view(top, 0)["progress"][ticket.id] == LOST


@on_every_board
def test_what_is_remembered_is_as_good_as_new(board: Board) -> None:
    audiences: list[Audience] = [(0,), (1,), (2,), ()]
    luck = random.Random(8)
    top = Tabletop(board, *[here] * 3)
    while top.table.state == "playing":
        seat = top.play_at_random(luck)[0].data["seat"]
        if top.table.can_undo(seat) and luck.random() < 0.2:
            top.undo(seat)
        told = [seat_views(top, audience) for audience in audiences]
        remembered, top.table.worked_out = top.table.worked_out, WorkedOut(3)
        assert [seat_views(top, audience) for audience in audiences] == told
        top.table.worked_out = remembered


def test_those_who_choose_are_told_how_many_tickets_they_must_keep() -> None:
    top = Tabletop(BOARD, here, here, first_player=0)
    assert seat_view(top, 0)["keep_least"] == BOARD.deal_keep
    assert set(seat_view(top, 0)["progress"]) == set(top.game.view(0).offer)
    top.keep_all()
    assert seat_view(top, 0)["keep_least"] == 0
    top.play(0, "tickets")
    assert seat_view(top, 0)["keep_least"] == BOARD.draw_keep
    assert seat_view(top, 1)["keep_least"] == 0


def test_what_is_compared_changes_with_the_info_of_a_table() -> None:
    top = Tabletop(BOARD, here, link, link, hints=True, clock=ClockSetup("turn", 30), grace=60)
    seats = top.table.seats
    steps: list[Callable[[], object]] = [
        lambda: seats.arrive((0,), top.now),
        lambda: seats.arrive((), top.now),
        lambda: top.do(top.table.join("Ada", "hash", 1, at=1)),
        lambda: top.do(top.table.leave(1, id="away", at=1)),
        lambda: top.do(top.table.join("Bob", "hash", 1, at=1)),
        lambda: top.do(top.table.renew_code("NEWER", id="code", at=1)),
        lambda: top.do(top.table.start(CHARACTERS[:1], "regular", id="start", at=1)),
        top.keep_all,
        lambda: seats.arrive((1,), top.now),
        lambda: seats.depart((1,), top.now),
        lambda: setattr(top, "now", 100.0),
        lambda: top.do(top.table.leave(0, id="left", at=1)),
        lambda: top.do(top.table.takeover(0, id="back", at=1)),
        lambda: top.do(top.table.hint(top.awaited()[0], top.table.seq, id="hint", at=1)),
        lambda: top.do(top.table.say(0, "Hello", id="line", at=1)),
        lambda: top.play_at_random(random.Random(1)),
    ]
    changed = 0
    before: tuple[object, object] | None = None
    for step in steps:
        step()
        now = (
            telling.table_info(top.table, top.now, invited=True),
            telling.changing_info(top.table, top.now),
        )
        if before is not None:
            assert (before[0] == now[0]) == (before[1] == now[1])
            changed += before[0] != now[0]
        before = now
    assert changed >= 10
