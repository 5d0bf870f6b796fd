"""Several processes with one store and one bus: any of them serves any table."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from fernzug.server.limits import Rate
from server.cluster import Cluster, exchange
from server.live import Browser, LiveServer, settings_for, wait_for
from server.stores import new_database
from services import Postgres, Redis

DATABASES = itertools.count(1)
Start = Callable[..., Cluster]


@pytest.fixture
def start(postgres: Postgres, redis: Redis, tmp_path: Path) -> Iterator[Start]:
    """Start a cluster with settings of its own."""
    started: list[Cluster] = []
    store, bus = new_database(postgres), f"{redis.url}?db={next(DATABASES)}"

    def start_cluster(number: int = 2, crowd: int = 10**6, **changes: Any) -> Cluster:
        settings = settings_for(tmp_path, store=store, bus=bus, **changes)
        crowded = replace(settings, limits=settings.limits.for_crowds(crowd))
        started.append(Cluster(crowded, number))
        return started[-1]

    yield start_cluster
    for cluster in started:
        cluster.__exit__(None, None, None)


def others_seen(cluster: Cluster, number: int, table: str) -> Any:
    return cluster.lobby(number).peers.present_at(table)


def test_two_people_at_different_processes_play_one_game(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "here", board="usa", seed=1)
    one, two = cluster[0].visit(made, 0), cluster[1].visit(made, 1)
    rng = random.Random(1)
    moves = 0
    while moves < 60:
        for seat, browser in ((0, one), (1, two)):
            legal = browser.legal(seat)
            if not legal:
                continue
            answer = browser.play(seat, rng.choice(legal))
            assert answer["type"] == "ack"
            assert answer["seq"] == browser.seq
            exchange(one, two)
            moves += 1
    spectator = cluster[1].visit(made)
    assert spectator.seq == one.seq == two.seq
    assert one.view(0)["view"]["players"][1] == spectator.view(None)["view"]["players"][1]
    metrics = [cluster[number].get("/metrics").decode() for number in range(2)]
    assert all('fernzug_changes_total{kind="played"}' in text for text in metrics)


def test_a_process_that_only_hands_on_what_happens_knows_it_when_asked(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "here", board="london", seed=1)
    players = cluster[0].visit(made, 0, 1)
    watching = cluster[1].visit(made)
    room = cluster.lobby(1).rooms[made["table"]]
    rng = random.Random(2)
    behind = 0
    while any(players.legal(seat) for seat in (0, 1)):
        seat = next(seat for seat in (0, 1) if players.legal(seat))
        assert players.play(seat, rng.choice(players.legal(seat)))["type"] == "ack"
        exchange(players, watching)
        behind = max(behind, room.behind)
        if rng.random() < 0.05:
            newcomer = cluster[1].visit(made)
            assert newcomer.snapshot["seq"] == players.seq
            assert newcomer.snapshot["views"] == watching.views
            newcomer.close()
    assert watching.view(None)["view"]["scores"] is not None
    assert room.table.state == "over"
    assert room.behind == 0
    assert behind > 1


def test_those_who_choose_at_once_at_different_processes_both_succeed(start: Start) -> None:
    cluster = start(3)
    for _ in range(5):
        made = cluster[0].make("here", "here", "here", board="usa")
        browsers = [cluster[seat].visit(made, seat) for seat in range(3)]
        for seat, browser in enumerate(browsers):
            action = browser.legal(seat)[0]
            browser.send(
                {
                    "type": "play",
                    "id": f"{seat}",
                    "seat": seat,
                    "version": browser.seq,
                    "action": action,
                }
            )
        answers = [browser.answer(f"{seat}") for seat, browser in enumerate(browsers)]
        assert [answer["type"] for answer in answers] == ["ack"] * 3
        assert len({answer["seq"] for answer in answers}) == 3
        exchange(*browsers)
        for browser in browsers:
            browser.close()


def test_a_command_that_is_repeated_at_another_process_is_carried_out_once(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "here")
    one = cluster[0].visit(made, 0, 1)
    answer = one.play(0, one.legal(0)[0], id="same")
    two = cluster[1].visit(made, 0, 1)
    assert two.seq >= answer["seq"]
    assert two.play(0, "anything", id="same") == answer
    assert two.seq == one.seq


def test_everybody_sees_who_is_there(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "here")
    one = cluster[0].visit(made, 0)
    assert [seat["connected"] for seat in one.info["seats"]] == [True, False]
    two = cluster[1].visit(made, 1)
    while not all(seat["connected"] for seat in one.info["seats"]):
        one.receive()
    assert cluster[0].get(f"/api/tables/{made['table']}")["table"]["seats"][1]["connected"]
    watching = cluster[1].visit(made)
    while one.info["spectators"] != 1:
        one.receive()
    watching.close()
    two.close()
    while one.info["spectators"] or one.info["seats"][1]["connected"]:
        one.receive()


def test_chat_and_reactions_reach_everybody(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "here")
    one, two = cluster[0].visit(made, 0), cluster[1].visit(made, 1)
    wait_for(lambda: others_seen(cluster, 0, made["table"]))
    one.command("chat", seat=0, text="Grüße!")
    assert two.until("chat")["line"]["text"] == "Grüße!"
    wait_for(lambda: others_seen(cluster, 1, made["table"]))
    two.send({"type": "react", "seat": 1, "reaction": "bravo"})
    assert one.until("reaction") == {"type": "reaction", "seat": 1, "reaction": "bravo"}


def test_only_one_process_lets_a_bot_think(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "here", "novice", board="usa")
    one, two = cluster[0].visit(made, 0), cluster[1].visit(made, 1)
    wait_for(lambda: others_seen(cluster, 0, made["table"]))
    wait_for(lambda: others_seen(cluster, 1, made["table"]))
    # While all choose their tickets at once, the processes have yet to hear of each other.
    play_on(one, two, 12)
    before = [decisions(cluster[number]) for number in range(2)]
    play_on(one, two, 20)
    after = [decisions(cluster[number]) for number in range(2)]
    assert sum(old < new for old, new in zip(before, after, strict=True)) == 1


def play_on(one: Browser, two: Browser, steps: int) -> None:
    """Let two people, on the first two seats, play whenever they can."""
    for _ in range(steps):
        exchange(one, two)
        for seat, browser in ((0, one), (1, two)):
            if browser.legal(seat):
                browser.play(seat, browser.legal(seat)[0])
                break
        else:
            one.until("events", bot=True)


def decisions(server: LiveServer) -> int:
    """Return how many times a bot has decided in a process."""
    text = server.get("/metrics").decode()
    found = re.search(r"^fernzug_bot_decision_seconds_count (\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def test_when_the_process_of_the_bots_is_gone_another_takes_over(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "novice", board="usa", seed=1)
    one = cluster[0].visit(made, 0)
    one.play(0, one.legal(0)[0])
    one.until("events", bot=True)
    two = cluster[1].visit(made, 0)
    cluster.servers.pop(0).stop()
    assert one.closed_with() == 1012
    for _ in range(10):
        while not two.legal(0):
            two.receive()
        assert two.play(0, two.legal(0)[0])["type"] == "ack"
    assert any(message.get("bot") for message in two.heard)


def test_people_join_and_are_told_at_any_process(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "link", "link")
    host = cluster[0].visit(made, 0, host=True)
    wanted = {"code": made["code"], "name": "Ann", "id": "join once"}
    joined = [cluster[number].post("/api/join", wanted) for number in (1, 0, 1)]
    assert joined[0] == joined[1] == joined[2]
    while host.info["seats"][1]["name"] != "Ann":
        host.receive()
    assert host.info["seats"][2]["name"] is None
    guest = Browser(cluster[1], joined[0]["table"], [joined[0]["token"]])
    assert guest.snapshot["own"] == [1]
    assert host.command("remove", seat=1)["type"] == "ack"
    assert guest.closed_with() == 4409
    assert host.command("renew_code")["type"] == "ack"
    code = host.info["code"]
    assert cluster[1].ask("GET", f"/api/tables/{made['code']}")[0] == 404
    assert cluster[1].get(f"/api/tables/{code}")["table"]["id"] == made["table"]


def test_the_same_request_creates_one_table_at_whichever_process_it_arrives(start: Start) -> None:
    cluster = start(2)
    new = {"board": "london", "seats": [{"kind": "here"}, {"kind": "bot"}], "id": "create once"}
    made = [cluster[number].post("/api/tables", new) for number in (0, 1, 0)]
    assert made[0] == made[1] == made[2]
    other = cluster[0].post("/api/tables", {**new, "id": "another"})
    assert other["table"] != made[0]["table"]


def test_public_tables_of_all_processes_are_listed(start: Start) -> None:
    cluster = start(2)
    made = cluster[0].make("here", "link", public=True)
    browser = cluster[0].visit(made, 0)

    def listed(number: int) -> list[str]:
        return [table["id"] for table in cluster[number].get("/api/tables")["tables"]]

    assert listed(0) == [made["table"]]
    wait_for(lambda: listed(1) == [made["table"]])
    browser.close()
    wait_for(lambda: listed(1) == [])


def test_an_address_has_its_limits_at_all_processes_together(start: Start) -> None:
    cluster = start(2, crowd=4)
    made = cluster[0].make("here", "here")
    browsers = [cluster[0].visit(made) for _ in range(3)]

    def allowed() -> int:
        return 4 - int(cluster.lobby(1).peers._held_elsewhere("sockets", "127.0.0.1"))

    wait_for(lambda: allowed() == 1)
    browsers.append(cluster[1].visit(made))
    with pytest.raises(ConnectionClosed, match="4429"):
        cluster[1].visit(made)
    for browser in browsers:
        browser.close()


def test_rates_are_counted_at_all_processes_together(start: Start) -> None:
    cluster = start(2, crowd=64, limits={"wrong_codes": Rate(0.001, 6)})
    statuses = [cluster[0].ask("GET", f"/api/tables/ZZZZ{letter}")[0] for letter in "ABCDEF"]
    assert statuses == [404] * 6
    wait_for(lambda: cluster[1].ask("GET", "/api/tables/ZZZZG")[0] == 429)


def test_rematches_at_different_processes_are_one_table(start: Start) -> None:
    cluster = start(2, bot_pace=(0.0, 0.0))
    made = cluster[0].make("here", "here", board="london")
    one, two = cluster[0].visit(made, 0), cluster[1].visit(made, 1)
    rng = random.Random(3)
    while one.view(0)["view"]["phase"] != "over":
        for seat, browser in ((0, one), (1, two)):
            if browser.legal(seat):
                browser.play(seat, rng.choice(browser.legal(seat)))
                exchange(one, two)
    for browser in (one, two):
        browser.send({"type": "rematch", "id": "again"})
    for browser in (one, two):
        assert browser.answer("again")["type"] == "ack"
        while browser.info["rematch"] is None:
            browser.receive()
    assert one.info["rematch"] == two.info["rematch"]
    found = cluster[1].get(f"/api/tables/{one.info['rematch']['code']}")
    assert found["table"]["id"] == one.info["rematch"]["table"]


def test_a_clock_goes_on_at_another_process(start: Start) -> None:
    cluster = start(2)
    clock = {"kind": "turn", "seconds": 300}
    made = cluster[0].make("here", "here", clock=clock)
    one = cluster[0].visit(made, 0)
    time.sleep(0.6)
    two = cluster[1].visit(made, 1)

    def left() -> int:
        watched = cluster[1].visit(made)
        watched.close()
        return int(watched.snapshot["clock"]["left"][0])

    wait_for(lambda: left() < 299_500)
    one.close()
    two.close()


def test_what_the_database_cannot_be_asked_for_does_not_exist(start: Start) -> None:
    cluster = start(1)
    for key in ("%00AAAA", "%00AAAAAAAAAAA"):
        status, answer, _ = cluster[0].ask("GET", f"/api/tables/{key}")
        assert (status, answer["code"]) == (404, "not_found")
    assert b"storage_errors" not in cluster[0].get("/metrics")
