"""Limits: whatever is too large, too fast or too much is refused, and the tables go on."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fernzug.server.connection import to_frame
from fernzug.server.limits import Addresses, Bucket, Limits, Rate, address_of
from fernzug.table import Refused
from server.live import PATIENCE, Browser, LiveServer, open_socket, settings_for


def test_a_bucket_fills_with_time() -> None:
    bucket = Bucket(Rate(2.0, 3), now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.5), bucket.take(0.5)] == [True, False]
    assert sum(bucket.take(1000.0) for _ in range(10)) == 3


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("somewhere", "unknown"),
        (None, "unknown"),
    ],
)
def test_what_counts_as_one_address(host: str | None, address: str) -> None:
    assert address_of(host) == address


def test_addresses_are_counted_and_forgotten() -> None:
    now = 0.0
    limits = Limits(sockets_per_address=2, new_tables=Rate(1 / 3600, 1))
    addresses = Addresses(limits, clock=lambda: now)
    addresses.enter("sockets", "a")
    addresses.enter("sockets", "a")
    with pytest.raises(Refused, match="this address"):
        addresses.enter("sockets", "a")
    addresses.enter("sockets", "b")
    addresses.leave("sockets", "a")
    addresses.enter("sockets", "a")
    addresses.leave("sockets", "b")
    assert addresses.open["sockets"] == {"a": 2}
    addresses.elsewhere = lambda what, who: 2
    with pytest.raises(Refused, match="this address"):
        addresses.enter("sockets", "b")
    addresses.require("new_tables", "a")
    addresses.take("new_tables", "a")
    for ask in (addresses.require, addresses.take):
        with pytest.raises(Refused, match="were created"):
            ask("new_tables", "a")
    now = 3601.0
    addresses.take("new_tables", "a")


def test_a_message_that_is_too_large_closes_the_connection(server: LiveServer) -> None:
    browser = server.visit(server.make("here", "here"), 0)
    browser.send("x" * 20_000)
    assert browser.closed_with() == 1009


def test_a_body_that_is_too_large_is_refused(server: LiveServer) -> None:
    status, problem, _ = server.ask("POST", "/api/tables", {"board": "x" * 20_000})
    assert (status, problem["code"]) == (413, "too_large")


def test_a_connection_that_sends_too_fast_is_refused_then_closed(tmp_path: Path) -> None:
    limits = {"messages": Rate(0.001, 3), "message_strikes": 5}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        made = server.make("here", "here")
        browser = server.visit(made, 0)
        for _ in range(9):
            browser.send({"type": "ping"})
        assert browser.closed_with() == 4429
        kinds = [message["type"] for message in browser.heard if message["type"] != "snapshot"]
        assert kinds == ["pong"] * 3 + ["error"] * 6
        assert browser.heard[-1]["code"] == "rate"
        other = server.visit(made, 1)
        assert other.play(1, "keep 1 2")["type"] == "ack"
        other.close()


def test_chat_and_reactions_have_a_slower_rate(tmp_path: Path) -> None:
    limits = {"talk": Rate(0.001, 2)}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        browser = server.visit(server.make("here", "here"), 0)
        answers = [browser.command("chat", seat=0, text=str(n)) for n in range(3)]
        assert [answer["type"] for answer in answers] == ["ack", "ack", "error"]
        browser.send({"type": "react", "seat": 0, "reaction": "bravo"})
        assert browser.until("error")["code"] == "rate"
        browser.close()


def test_sockets_and_tables_of_an_address_are_limited(tmp_path: Path) -> None:
    limits = {"sockets_per_address": 2, "tables_per_address": 2}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        made = server.make("here", "here")
        server.make("here", "here")
        seats = [{"kind": "bot"}, {"kind": "bot"}]
        status, problem, _ = server.ask("POST", "/api/tables", {"board": "usa", "seats": seats})
        assert (status, problem["code"]) == (429, "limit")
        one, two = server.visit(made, 0), server.visit(made, 1)
        third = open_socket(server, made["table"])
        assert json.loads(third.recv())["code"] == "limit"
        with pytest.raises(ConnectionClosed):
            third.recv()
        one.close()
        two.close()


def test_requests_have_a_rate(tmp_path: Path) -> None:
    limits = {"lobby_requests": Rate(0.001, 3)}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        statuses = [server.ask("GET", "/api/tables/ABCDE")[0] for _ in range(4)]
        assert statuses == [404, 404, 404, 429]
        assert server.ask("GET", "/healthz")[0] == 200


def test_a_slow_reader_is_closed_and_delays_nobody(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"outbox_messages": 4})) as server:
        made = server.make("here", "here")
        slow = server.visit(made, 1, max_queue=1)
        room = server.site.lobby.rooms[made["table"]]
        connection = next(iter(room.connections))
        # More than the buffers of the system hold, whatever their size.
        large = to_frame({"type": "chat", "text": "x" * 1_000_000})
        sent = 0
        while not connection.closing:
            server.call(lambda: connection.send(large))
            sent += 1
        assert sent > 4
        quick = server.visit(made, 0)
        assert quick.play(0, "keep 1 2")["type"] == "ack"
        quick.close()
        assert slow.closed_with() == 4408
        assert len(slow.bytes) < sent


def test_what_waits_for_a_slow_reader_arrives_in_order(server: LiveServer) -> None:
    made = server.make("here", "here")
    slow = server.visit(made, 1, max_queue=1)
    connection = next(iter(server.site.lobby.rooms[made["table"]].connections))
    frames = [to_frame({"type": "pong", "now": now, "x": "x" * 300_000}) for now in range(13)]

    def send_all() -> None:
        for frame in frames:
            connection.send(frame)

    server.call(send_all)
    assert [slow.until("pong")["now"] for _ in frames] == list(range(13))
    slow.close()


def test_a_connection_without_hello_is_closed(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"hello_seconds": 0.1})) as server:
        made = server.make("here", "here")
        silent = open_socket(server, made["table"])
        with pytest.raises(ConnectionClosed) as closed:
            silent.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


def test_a_connection_that_does_not_begin_with_hello_is_closed(server: LiveServer) -> None:
    made = server.make("here", "here")
    for first in ('{"type":"ping"}', "nonsense"):
        rude = open_socket(server, made["table"])
        rude.send(first)
        assert json.loads(rude.recv())["code"] == "bad_message"
        with pytest.raises(ConnectionClosed) as closed:
            rude.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


def test_a_table_that_does_not_exist(server: LiveServer) -> None:
    lost = open_socket(server, "nowhere")
    lost.send('{"type":"hello","tokens":[],"seen":null}')
    assert json.loads(lost.recv())["code"] == "not_found"
    with pytest.raises(ConnectionClosed) as closed:
        lost.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_pages_of_other_origins_are_turned_away(server: LiveServer) -> None:
    made = server.make("here", "here")
    with pytest.raises(InvalidStatus) as refused:
        open_socket(server, made["table"], origin="http://evil.example")
    assert refused.value.response.status_code == 403
    own = open_socket(server, made["table"], origin=f"http://127.0.0.1:{server.port}")
    own.close()
    body = {"board": "usa", "seats": [{"kind": "bot"}, {"kind": "bot"}]}
    status, problem, _ = server.ask("POST", "/api/tables", body, origin="http://evil.example")
    assert (status, problem["code"]) == (403, "origin")
    assert server.ask("POST", "/api/tables", body, origin="null")[0] == 403
    own_origin = f"http://127.0.0.1:{server.port}"
    assert server.ask("POST", "/api/tables", body, origin=own_origin)[0] == 201


def test_more_origins_can_be_allowed(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, origins=("https://friend.example/",))) as server:
        made = server.make("here", "here")
        open_socket(server, made["table"], origin="https://friend.example").close()


@pytest.mark.parametrize("name", ["", "   ", "\u200d", "\u0000\u0001", "x" * 25])
def test_names_that_cannot_be_shown_are_refused(server: LiveServer, name: str) -> None:
    made = server.make("here", "link")
    status, problem, _ = server.ask("POST", "/api/join", {"code": made["code"], "name": name})
    assert status == 400
    assert problem["code"] in ("bad_name", "bad_message")


@pytest.mark.parametrize(
    "body",
    [
        [],
        None,
        {"board": "usa"},
        {"board": "usa", "seats": []},
        {"board": "usa", "seats": [{"kind": "king"}]},
        {"board": "usa", "seats": [{"kind": "bot"}]},
        {"board": "usa", "seats": [{"kind": "bot"}] * 9},
        {"board": "nowhere", "seats": [{"kind": "bot"}] * 2},
        {"board": "../usa.toml", "seats": [{"kind": "bot"}] * 2},
        {"board": "usa", "seats": [{"kind": "bot", "level": "god"}] * 2},
        {"board": "usa", "seats": [{"kind": "bot"}] * 2, "seed": -1},
        {"board": "usa", "seats": [{"kind": "bot"}] * 2, "seed": True},
        {"board": "usa", "seats": [{"kind": "bot"}] * 2, "first_player": 7},
        {"board": "usa", "seats": [{"kind": "bot"}] * 2, "clock": {"kind": "turn"}},
        {"board": "usa", "seats": [{"kind": "bot"}] * 2, "clock": {"kind": "turn", "seconds": 1}},
        {"board": "usa", "seats": [{"kind": "bot"}] * 2, "surprise": 1},
        {"board": "usa", "seats": [{"kind": "here"}, {"kind": "link"}]},
        {"board": "\ud800", "seats": [{"kind": "bot"}] * 2},
    ],
)
def test_impossible_tables_are_refused_with_a_reason(server: LiveServer, body: object) -> None:
    status, problem, _ = server.ask("POST", "/api/tables", json.dumps(body).encode())
    assert status in (400, 404)
    assert problem["message"]


def test_bodies_that_are_not_json_are_refused(server: LiveServer) -> None:
    for body in (b"", b"{", b"\xff\xfe", b"[" * 10_000):
        assert server.ask("POST", "/api/join", body)[0] == 400
    status, _, _ = server.ask("POST", "/api/join", b"{}", content_type="text/plain")
    assert status == 400


def test_too_many_tables_at_once(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"tables": 1})) as server:
        server.make("here", "here")
        seats = [{"kind": "bot"}, {"kind": "bot"}]
        status, problem, _ = server.ask("POST", "/api/tables", {"board": "usa", "seats": seats})
        assert (status, problem["code"]) == (429, "limit")


def test_saying_hello_twice_is_refused(server: LiveServer) -> None:
    made = server.make("here", "here")
    browser = Browser(server, made["table"], [])
    browser.send({"type": "hello", "tokens": [], "seen": None})
    assert browser.until("error")["code"] == "bad_message"
    browser.close()


def test_a_table_is_not_used_to_fill_the_disk(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"changes_per_table": 3})) as server:
        made = server.make("here", "here")
        browser = server.visit(made, 0)
        answers = [browser.command("chat", seat=0, text=text) for text in "abc"]
        assert [answer["type"] for answer in answers] == ["ack", "ack", "error"]
        assert answers[-1]["code"] == "limit"
        browser.close()


def test_only_people_whom_nobody_joins_can_go_without_a_name(server: LiveServer) -> None:
    here, bot = {"kind": "here"}, {"kind": "bot", "level": "novice"}
    made = server.post("/api/tables", {"board": "london", "seats": [here, here, bot]})
    seats = server.get(f"/api/tables/{made['table']}")["table"]["seats"]
    assert [seat["name"] for seat in seats[:2]] == [None, None]
    assert seats[2]["name"]
    for others in ({"seats": [here, {"kind": "link"}]}, {"seats": [here, bot], "public": True}):
        status, problem, _ = server.ask("POST", "/api/tables", {"board": "london", **others})
        assert (status, problem["code"]) == (400, "bad_name")


def test_a_long_list_of_tables_is_not_put_together_for_everybody_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        lobby = server.site.lobby
        lists: list[int] = []

        def slow() -> list[Any]:
            lists.append(len(lists))
            time.sleep(0.2)
            return []

        monkeypatch.setattr(lobby, "_own_open_tables", slow)
        for _ in range(20):
            assert server.get("/api/tables") == {"tables": []}
        assert len(lists) == 1
