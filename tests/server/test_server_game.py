"""Playing over real sockets."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import fernzug
import fernzug.record
from fernzug.server import check, lobby_protocol
from fernzug.table import protocol
from server.live import Browser, LiveServer, open_socket, settings_for, wait_for
from situations import without_bonus_keys


def play_on(browser: Browser, seats: list[int], luck: random.Random, most: int = 2000) -> None:
    """Let the browser play its seats at random until the game is over."""
    for _ in range(most):
        if browser.views[0]["view"]["phase"] == "over":
            return
        seat = next((seat for seat in seats if browser.legal(seat)), None)
        if seat is None:
            browser.until("events")
            continue
        answer = browser.play(seat, luck.choice(browser.legal(seat)))
        assert answer["type"] == "ack", answer


@pytest.mark.parametrize("board", fernzug.boards())
def test_a_whole_game_against_bots(server: LiveServer, board: str) -> None:
    made = server.make("here", "regular", "novice", board=board)
    browser = server.visit(made, 0)
    play_on(browser, [0], random.Random(1))
    for message in browser.heard:
        check.check(protocol.ServerMessage, without_bonus_keys(message))
    assert browser.view(0)["view"]["scores"]
    if browser.info["state"] != "over":
        browser.until("table")
    assert browser.info["state"] == "over"
    record = server.get(f"/api/record/{made['table']}")
    check.check(lobby_protocol.RecordData, without_bonus_keys(record))
    assert record["frames"][-1]["view"]["phase"] == "over"
    _, text, _ = server.ask("GET", f"/api/record/{made['table']}.jsonl")
    replayed = fernzug.replay(text.decode())
    assert [sheet.total for sheet in replayed.scores()] == [
        sheet["total"] for sheet in browser.view(0)["view"]["scores"]
    ]
    browser.close()


def test_hot_seat_one_browser_plays_all_seats(server: LiveServer) -> None:
    made = server.make("here", "here", "here")
    browser = server.visit(made, 0, 1, 2)
    assert browser.snapshot["own"] == [0, 1, 2]
    play_on(browser, [0, 1, 2], random.Random(2))
    assert browser.views[0]["view"]["phase"] == "over"
    browser.close()


def test_friends_join_by_code_and_by_link(own_server: LiveServer) -> None:
    made = own_server.make("here", "link", "link", public=True)
    host = own_server.visit(made, 0, host=True)
    assert host.snapshot["table"]["state"] == "waiting"
    assert [table["code"] for table in own_server.get("/api/tables")["tables"]] == [made["code"]]
    found = own_server.get(f"/api/tables/{made['code'].lower()}")
    check.check(lobby_protocol.Found, found)
    ann = own_server.post("/api/join", {"code": made["code"].lower(), "name": " Ann\u0007  B. "})
    ben = own_server.post("/api/join", {"table": made["table"], "name": "Ben", "seat": 2})
    assert (ann["seat"], ben["seat"]) == (1, 2)
    assert host.command("start")["type"] == "ack"
    assert host.info["state"] == "playing"
    assert [seat["name"] for seat in host.info["seats"]] == ["Player 0", "Ann B.", "Ben"]
    second = Browser(own_server, ann["table"], [ann["token"]])
    assert second.snapshot["own"] == [1]
    status, problem, _ = own_server.ask("POST", "/api/join", {"code": made["code"], "name": "Cleo"})
    assert (status, problem["code"]) == (409, "table_full")
    host.close()
    second.close()


def test_all_choose_tickets_at_once_and_see_what_happens(server: LiveServer) -> None:
    made = server.make("here", "here", first_player=1)
    one, two = server.visit(made, 0), server.visit(made, 1)
    version = two.seq
    assert one.play(0, "keep 1 2")["type"] == "ack"
    assert two.play(1, "keep 1", version=version)["type"] == "ack"
    assert one.until("events", seq=two.seq)["views"][0]["view"]["seat"] == 1
    one.close()
    two.close()


def test_a_command_that_arrives_twice_is_carried_out_once(server: LiveServer) -> None:
    made = server.make("here", "here")
    browser = server.visit(made, 0, 1)
    first = browser.play(0, "keep 1 2", id="the same")
    second = browser.play(0, "keep 1 2", id="the same")
    assert first == second
    again = server.visit(made, 0)
    assert again.play(0, "keep 1 2", id="the same") == first
    browser.close()
    again.close()


def test_a_spectator_may_only_watch(server: LiveServer) -> None:
    made = server.make("here", "here")
    player = server.visit(made, 0, 1)
    spectator = server.visit(made)
    assert spectator.snapshot["own"] == []
    assert spectator.view(None)["view"]["legal"] == []
    assert player.until("table")["table"]["spectators"] == 1
    asked: list[tuple[str, dict[str, object]]] = [
        ("play", {"version": 1, "action": "keep 1"}),
        ("undo", {"version": 1}),
        ("chat", {"text": "hello"}),
        ("leave", {}),
        ("takeover", {}),
    ]
    for kind, fields in asked:
        assert spectator.command(kind, seat=0, **fields)["code"] == "not_yours"
    assert spectator.command("rematch")["code"] == "not_yours"
    assert spectator.command("fill", seat=0, level="regular")["code"] == "not_host"
    player.play(0, "keep 1 2")
    kept = spectator.until("events")["events"][0]
    assert kept == {"event": "kept", "seat": 0, "count": 2}
    player.close()
    spectator.close()


def test_a_token_plays_only_its_own_seat(server: LiveServer) -> None:
    made = server.make("here", "here")
    browser = server.visit(made, 1)
    assert browser.play(0, "keep 1 2")["code"] == "not_yours"
    assert browser.play(1, "keep 1 2")["type"] == "ack"
    other = server.make("here", "here")
    stranger = Browser(server, other["table"], [token["token"] for token in made["tokens"]])
    assert stranger.snapshot["own"] == []
    browser.close()
    stranger.close()


def test_reload_and_a_second_device_just_work(server: LiveServer) -> None:
    made = server.make("here", "here")
    first = server.visit(made, 0)
    first.play(0, "keep 1 2")
    seen = first.seq
    first.close()
    server.visit(made, 1).play(1, "keep 1 2")
    back = server.visit(made, 0, seen=seen)
    assert back.snapshot["since"] == seen
    assert [event["event"] for event in back.snapshot["events"]] == [
        *("kept", "returned", "returned", "awaited")
    ]
    second = server.visit(made, 0)
    assert second.snapshot["since"] == 0
    assert second.snapshot["views"] == back.snapshot["views"]
    back.close()
    second.close()


def test_undo_over_the_wire(server: LiveServer) -> None:
    made = server.make("here", "here")
    browser = server.visit(made, 0, 1)
    browser.play(0, "keep 1 2")
    assert browser.view(0)["undo"]
    assert browser.command("undo", seat=0, version=browser.seq)["type"] == "ack"
    assert browser.view(0)["view"]["phase"] == "setup"
    assert browser.command("undo", seat=0, version=browser.seq)["code"] == "no_undo"
    browser.close()


def test_chat_and_reactions_reach_everybody(server: LiveServer) -> None:
    made = server.make("here", "here")
    one, two = server.visit(made, 0), server.visit(made, 1)
    text = "<b>Zürich</b>\n\u202e \U0001f682"
    assert one.command("chat", seat=0, text=text)["type"] == "ack"
    line = two.until("chat")["line"]
    assert (line["seat"], line["text"]) == (0, "<b>Zürich</b> \U0001f682")
    one.send({"type": "react", "seat": 0, "reaction": "bravo"})
    assert two.until("reaction") == {"type": "reaction", "seat": 0, "reaction": "bravo"}
    late = server.visit(made)
    assert [each["text"] for each in late.snapshot["chat"]] == [line["text"]]
    quiet = server.make("here", "here", chat=False)
    silent = server.visit(quiet, 0)
    assert silent.command("chat", seat=0, text="hello")["code"] == "chat_off"
    for browser in (one, two, late, silent):
        browser.close()


def test_the_host_fills_and_frees_seats(server: LiveServer) -> None:
    made = server.make("here", "link", "link")
    host = server.visit(made, 0, host=True)
    rude = server.post("/api/join", {"code": made["code"], "name": "Rude"})
    guest = Browser(server, rude["table"], [rude["token"]])
    assert host.command("remove", seat=1)["type"] == "ack"
    assert guest.closed_with() == 4409
    assert Browser(server, rude["table"], [rude["token"]]).snapshot["own"] == []
    assert host.command("fill", seat=1, level="nobody")["code"] == "not_found"
    assert host.command("fill", seat=1, level="novice")["type"] == "ack"
    assert host.command("fill", seat=1, level="novice")["code"] == "seat_taken"
    assert host.command("fill", seat=2, level="novice")["type"] == "ack"
    assert host.info["state"] == "waiting"
    assert host.command("start", level="nobody")["code"] == "not_found"
    first = host.command("start", id="start")
    assert first["type"] == "ack"
    assert host.command("start", id="start") == first, "it is the same one"
    assert host.command("start")["code"] == "not_playing"
    assert host.info["state"] == "playing"
    host.close()


def test_only_the_host_decides(server: LiveServer) -> None:
    made = server.make("here", "here", "link")
    guest = server.visit(made, 0, 1)
    for kind, fields in (("start", {}), ("renew_code", {}), ("remove", {"seat": 2})):
        assert guest.command(kind, **fields)["code"] == "not_host"
    guest.close()


def test_a_game_may_start_as_soon_as_every_seat_is_taken(server: LiveServer) -> None:
    made = server.make("here", "link", start="full")
    assert server.get(f"/api/tables/{made['code']}")["table"]["start"] == "full"
    ann = server.post("/api/join", {"code": made["code"], "name": "Ann"})
    assert Browser(server, ann["table"], [ann["token"]]).snapshot["table"]["state"] == "playing"


def test_the_host_removes_somebody_from_a_running_game(server: LiveServer) -> None:
    made = server.make("here", "link", first_player=1)
    host = server.visit(made, 0, host=True)
    rude = server.post("/api/join", {"code": made["code"], "name": "Player 0"})
    guest = Browser(server, rude["table"], [rude["token"]])
    assert host.command("start")["type"] == "ack"
    assert host.info["seats"][1]["name"] == "Player 0 2"
    assert host.command("remove", seat=1)["type"] == "ack"
    assert guest.closed_with() == 4409
    assert host.until("events", bot=True)["events"][0]["seat"] == 1
    assert host.info["seats"][1]["kind"] == "bot"
    again = Browser(server, rude["table"], [rude["token"]])
    assert (again.snapshot["own"], again.snapshot["table"]["code"]) == ([], None)
    again.close()
    host.close()


def test_commands_that_waited_while_their_seat_was_taken_away_are_refused(
    own_server: LiveServer,
) -> None:
    made = own_server.make("here", "link", start="full")
    host = own_server.visit(made, 0, host=True)
    rude = own_server.post("/api/join", {"code": made["code"], "name": "Rude"})
    guest = Browser(own_server, rude["table"], [rude["token"]])
    for number in range(20):
        guest.send({"type": "chat", "id": f"{number}", "seat": 1, "text": "Ha!"})
    assert host.command("remove", seat=1)["type"] == "ack"
    host.command("chat", seat=0, text="Quiet.")
    heard = [message for message in host.heard if message["type"] in ("chat", "table")]
    gone = next(
        number
        for number, message in enumerate(heard)
        if message["type"] == "table" and message["table"]["seats"][1]["kind"] == "bot"
    )
    said = [message["line"]["text"] for message in heard[gone:] if message["type"] == "chat"]
    assert said == ["Quiet."]
    guest.close()
    host.close()


def test_codes_that_are_renewed_at_once_leave_one(own_server: LiveServer) -> None:
    made = own_server.make("here", "link")
    hosts = [own_server.visit(made, host=True) for _ in range(4)]
    for number, host in enumerate(hosts):
        host.send({"type": "renew_code", "id": f"{number}"})
    for host in hosts:
        host.until("ack")
        host.close()
    codes = {
        made["code"],
        *(
            message["table"]["code"]
            for host in hosts
            for message in host.heard
            if message["type"] == "table"
        ),
    }
    now = own_server.site.lobby.rooms[made["table"]].table.code
    assert now in codes
    for code in codes:
        status, _, _ = own_server.ask("GET", f"/api/tables/{code}")
        assert status == (200 if code == now else 404)


def test_guessing_the_code_of_a_table_that_one_may_watch_is_limited(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "link")
        statuses = [
            server.ask(
                "POST", "/api/join", {"name": "Eve", "table": made["table"], "code": f"ZZZ{n:02}"}
            )[0]
            for n in range(30)
        ]
    assert statuses[0] == 404
    assert statuses[-1] == 429


def test_a_renewed_code_works_and_the_old_one_does_not(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "link", "link")
        host = server.visit(made, 0, host=True)
        spectator = server.visit(made)
        assert host.command("renew_code", id="renew")["type"] == "ack"
        code = host.info["code"]
        assert code != made["code"]
        assert host.command("renew_code", id="renew")["type"] == "ack"
        assert host.info["code"] == code, "it was renewed once"
        host.close()
        assert spectator.until("table")["table"]["code"] is None
        assert server.get(f"/api/tables/{made['table']}")["table"]["code"] is None
        spectator.close()
        assert_code(server, made, code)
    with LiveServer(settings_for(tmp_path)) as server:
        assert_code(server, made, code)


def assert_code(server: LiveServer, made: Any, code: str) -> None:
    """A table is joined with its code, and with nothing else."""
    assert server.get(f"/api/tables/{code}")["table"]["code"] == code
    for wrong in ({"code": made["code"]}, {"code": made["table"]}, {"table": made["table"]}):
        status, problem, _ = server.ask("POST", "/api/join", {"name": "Ann", **wrong})
        assert (status, problem["code"]) == (404, "not_found")
    assert server.post("/api/join", {"code": code.lower(), "name": "Ann"})["code"] == code


def test_a_seeded_table_is_marked(own_server: LiveServer) -> None:
    chosen = own_server.make("here", "novice", seed=7, public=True)
    fair = own_server.make("here", "novice", public=True)
    visitors = [own_server.visit(made, 0) for made in (chosen, fair)]
    listed = {table["id"]: table for table in own_server.get("/api/tables")["tables"]}
    for made, visitor, seeded in zip((chosen, fair), visitors, (True, False), strict=True):
        assert listed[made["table"]]["seeded"] is seeded
        assert visitor.snapshot["table"]["seeded"] is seeded
        play_on(visitor, [0], random.Random(5))
        record = own_server.get(f"/api/record/{made['table']}")
        assert record["table"]["seeded"] is seeded
        _, text, _ = own_server.ask("GET", f"/api/record/{made['table']}.jsonl")
        assert fernzug.record.parse(text.decode()).header.get("seeded", False) is seeded
        visitor.close()


def test_a_seat_that_was_left_is_played_by_a_bot_and_taken_back(server: LiveServer) -> None:
    made = server.make("here", "here", first_player=0)
    one, two = server.visit(made, 0), server.visit(made, 1)
    assert one.command("leave", seat=0)["type"] == "ack"
    assert two.until("events")["bot"]
    two.play(1, two.legal(1)[-1])
    while not two.legal(1):
        two.until("events")
    assert two.info["seats"][0]["bot"] == "left"
    assert one.command("takeover", seat=0)["type"] == "ack"
    wait_for(lambda: two.receive()["type"] == "table")
    assert two.info["seats"][0]["bot"] is None
    one.close()
    two.close()


def test_a_bot_plays_for_somebody_who_is_gone(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "here", grace=5, first_player=0)
        one, two = server.visit(made, 0), server.visit(made, 1)
        room = server.site.lobby.rooms[made["table"]]
        # A shorter grace time than people can choose.
        room.table.seats.grace = 0.2
        two.play(1, two.legal(1)[-1])
        one.close()
        assert two.until("events", bot=True)["events"][0]["seat"] == 0
        back = server.visit(made, 0)
        assert back.snapshot["table"]["seats"][0]["bot"] is None
        back.close()
        two.close()


def test_a_game_waits_for_its_people_whoever_watches(server: LiveServer) -> None:
    made = server.make("here", "novice", "novice")
    spectator = server.visit(made)
    for _ in range(20):
        # Bots that were asked would have answered by the time that these are.
        assert spectator.command("takeover", seat=0)["code"] == "not_yours"
        assert server.site.lobby.bot_pool.waiting == 0
    assert spectator.seq == 1
    player = server.visit(made, 0)
    assert spectator.until("events")["bot"]
    player.close()
    spectator.close()


def test_when_time_is_up_a_bot_decides(server: LiveServer) -> None:
    made = server.make("here", "here", clock={"kind": "turn", "seconds": 500})
    browser = server.visit(made, 0, 1)
    assert browser.snapshot["clock"]["running"] == [0, 1]
    assert 0 < browser.snapshot["clock"]["left"][0] <= 500_000
    clock = server.site.lobby.rooms[made["table"]].table.clock
    clock.left[:] = [0.1, 100.0]
    server.visit(made).close()
    told = browser.until("events", bot=True)
    assert told["events"][0]["seat"] == 0
    browser.close()


def test_a_rematch_with_the_same_tokens(server: LiveServer) -> None:
    made = server.make("here", "novice")
    browser = server.visit(made, 0)
    assert browser.command("rematch")["code"] == "not_over"
    play_on(browser, [0], random.Random(3))
    watching = server.visit(made)
    assert browser.command("rematch")["type"] == "ack"
    assert browser.command("rematch")["type"] == "ack", "it is the same one"
    following = watching.until("table")["table"]["rematch"]
    again = Browser(server, following["table"], browser.tokens)
    assert again.snapshot["own"] == [0]
    assert again.snapshot["table"]["code"] == following["code"]
    assert [seat["name"] for seat in again.snapshot["table"]["seats"]] == [
        seat["name"] for seat in browser.info["seats"]
    ]
    for each in (browser, watching, again):
        each.close()


def test_after_a_restart_everything_goes_on(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make(
            "here", "here", "link", start="full", clock={"kind": "bank", "seconds": 600}
        )
        browser = server.visit(made, 0, 1)
        ann = server.post("/api/join", {"code": made["code"], "name": "Ann"})
        browser.until("events")
        browser.play(0, "keep 1 2", id="once")
        browser.command("chat", seat=0, text="until later")
        before = browser.views
    assert browser.closed_with() == 1012
    with LiveServer(settings_for(tmp_path)) as server:
        assert server.get(f"/api/tables/{made['code']}")["table"]["state"] == "playing"
        back = server.visit(made, 0, 1, seen=browser.seq)
        assert back.snapshot["views"] == before
        assert (back.snapshot["since"], back.snapshot["events"]) == (browser.seq, [])
        assert [line["text"] for line in back.snapshot["chat"]] == ["until later"]
        assert back.play(0, "keep 1 2", id="once")["type"] == "ack"
        assert back.play(1, "keep 1 2")["type"] == "ack"
        third = Browser(server, ann["table"], [ann["token"]])
        assert third.play(2, "keep 1")["type"] == "ack"
        back.close()
        third.close()


def test_a_finished_game_can_be_replayed_after_a_restart(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "novice")
        assert server.ask("GET", f"/api/record/{made['table']}")[1]["code"] == "not_over"
        browser = server.visit(made, 0)
        play_on(browser, [0], random.Random(4))
        before = server.get(f"/api/record/{made['table']}")["frames"]
        browser.close()
    with LiveServer(settings_for(tmp_path)) as server:
        assert server.get(f"/api/record/{made['table']}")["frames"] == before
        assert server.ask("GET", f"/api/tables/{made['code']}")[0] == 404


def test_tables_are_dropped_from_memory_and_read_again(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, linger=0.05)) as server:
        made = server.make("here", "here")
        browser = server.visit(made, 0)
        browser.play(0, "keep 1 2")
        views = browser.views
        browser.close()
        wait_for(lambda: made["table"] not in server.site.lobby.rooms)
        again = server.visit(made, 0)
        assert again.snapshot["views"] == views
        again.close()


def test_a_request_that_arrives_twice_creates_one_table(server: LiveServer) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    new = {"id": "request 1", "board": "paris", "seats": seats}
    first = server.post("/api/tables", new)
    assert server.post("/api/tables", new) == first
    join = {"id": "request 2", "code": first["code"], "name": "Ben"}
    assert server.post("/api/join", join) == server.post("/api/join", join)
    assert json.dumps(first).count("token") == 2


def test_an_id_alone_does_not_get_the_answer_to_somebody_elses_request(server: LiveServer) -> None:
    made = server.make("here", "link", "link")
    ann = server.post("/api/join", {"id": "the same", "code": made["code"], "name": "Ann"})
    ben = server.post("/api/join", {"id": "the same", "code": made["code"], "name": "Ben"})
    assert (ann["seat"], ben["seat"]) == (1, 2)
    assert ann["token"] != ben["token"]


def test_an_unfinished_game_cannot_be_replayed(server: LiveServer) -> None:
    made = server.make("here", "here")
    for key in (made["table"], made["code"]):
        for path in (f"/api/record/{key}", f"/api/record/{key}.jsonl"):
            status, problem, _ = server.ask("GET", path)
            assert status == 409
            assert "not_over" in str(problem)


def test_latecomers_do_not_hear_of_a_move_that_was_taken_back(server: LiveServer) -> None:
    """Whatever version people claim to have seen, they hear nothing beyond the present."""
    made = server.make("here", "here")
    player = server.visit(made, 0)
    player.play(0, "keep 1 2")
    player.command("undo", seat=0, version=player.seq)
    for seen in (None, *range(player.seq + 2), 10**6):
        for seats in ((), (1,)):
            late = server.visit(made, *seats, seen=seen)
            kinds = [event["event"] for event in late.snapshot["events"]]
            assert "kept" not in kinds
            assert late.snapshot["since"] in (0, player.seq)
            late.close()
    player.close()


def test_a_table_that_was_written_by_a_broken_program_is_refused(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "here")
    with sqlite3.connect(tmp_path / "fernzug.db") as file:
        file.execute('UPDATE changes SET change = \'{"kind":"played","seat":0}\'')
    file.close()
    with LiveServer(settings_for(tmp_path)) as server:
        lost = open_socket(server, made["table"])
        lost.send('{"type":"hello","tokens":[],"seen":null}')
        assert json.loads(lost.recv())["code"] == "storage"
        lost.close()
        assert server.ask("GET", f"/api/tables/{made['code']}")[0] == 503
        server.make("here", "here")


def test_a_table_of_another_version_of_its_board_is_refused(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "here")
    with sqlite3.connect(tmp_path / "fernzug.db") as file:
        file.execute("UPDATE tables SET setup = json_set(setup, '$.board_hash', 'other')")
    file.close()
    with LiveServer(settings_for(tmp_path)) as server:
        status, problem, _ = server.ask("GET", f"/api/tables/{made['table']}")
        assert (status, problem["code"]) == (404, "not_found")
