"""Pages, headers, metrics, and the types of the protocol."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from statistics import mean
from typing import Any, get_args

import pytest

import fernzug
from fernzug import bots
from fernzug.server import assets, check, lobby_protocol
from fernzug.server.assets import content
from fernzug.server.limits import is_this_machine
from fernzug.server.lobby import Lobby
from fernzug.server.security import policy
from fernzug.server.sockets import HANDLERS
from fernzug.sim.playing import play_bots
from fernzug.table import protocol
from server.live import LiveServer, settings_for

ROOT = Path(__file__).parent.parent.parent


def test_the_typescript_types_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "protocol_ts.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_code_of_a_refusal_is_in_the_protocol() -> None:
    known = set(get_args(protocol.ErrorCode))
    source = ROOT / "src" / "fernzug"
    used = set()
    for path in [*source.glob("table/*.py"), *source.glob("server/*.py")]:
        for part in path.read_text().split("Refused(")[1:]:
            word = part.lstrip().split('"')[1] if part.lstrip().startswith('"') else None
            used |= {word} if word else set()
    assert used
    assert used <= known
    # Pages of other origins are turned away before any table is asked.
    assert known - used <= {"origin"}


def test_boards_and_levels(server: LiveServer) -> None:
    boards = server.get("/api/boards")
    check.check(lobby_protocol.Boards, boards)
    assert [board["id"] for board in boards["boards"]] == fernzug.boards()
    levels = server.get("/api/levels")
    check.check(lobby_protocol.Levels, levels)
    assert levels["levels"] == list(bots.LEVELS)
    assert levels["personalities"] == list(bots.PERSONALITIES)
    assert levels["default"] in levels["levels"]
    assert levels["ratings"] == bots.ratings()


def test_the_boards_have_measured_facts_that_still_hold(server: LiveServer) -> None:
    for told in server.get("/api/boards")["boards"]:
        board = fernzug.board(told["id"])
        least, most = told["facts"]["minutes"]
        assert 0 < least < most
        picture = told["facts"]["picture"]
        assert set(picture) < {route.id for route in board.routes}
        assert set(picture.values()) <= set(range(board.max_players))
        games = [play_bots(board, ["planner"] * 3, seed)[0] for seed in range(5)]
        turns = mean(game.view(None).turn for game in games)
        # A full table takes a quarter of a minute for each turn of each player.
        assert most == pytest.approx(board.max_players * turns / 3 / 4, rel=0.4)


def test_boards_are_sent_small_and_once(server: LiveServer) -> None:
    status, body, headers = server.ask("GET", "/api/boards", accept_encoding="gzip, br")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert json.loads(gzip.decompress(body))["boards"]
    status, body, _ = server.ask("GET", "/api/boards", if_none_match=headers["etag"])
    assert (status, body) == (304, b"")


def test_every_answer_has_security_headers(server: LiveServer) -> None:
    for path in ("/", "/api/boards", "/nothing.png", "/healthz"):
        _, _, headers = server.ask("GET", path)
        rules = headers["content-security-policy"].split("; ")
        assert "default-src 'none'" in rules
        assert "script-src 'self'" in rules
        assert "frame-ancestors 'none'" in rules
        assert (
            f"connect-src 'self' ws://127.0.0.1:{server.port}" in headers["content-security-policy"]
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers or "uvicorn" in headers["server"]


def test_a_fault_of_the_server_is_answered_safely_and_counted(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Lobby) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(Lobby, "open_tables", fail)
    status, problem, headers = own_server.ask("GET", "/api/tables")
    assert status == 500
    assert problem == {"code": "bad_message", "message": "the server could not handle this"}
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "fernzug_faults_total 1" in own_server.get("/metrics").decode()


def test_a_strange_host_does_not_get_into_the_security_policy() -> None:
    assert "evil" not in policy("evil; script-src *")
    assert "ws://example.org:80" in policy("example.org:80")


def test_health_and_metrics(own_server: LiveServer) -> None:
    assert own_server.get("/healthz")["ok"]
    made = own_server.make("here", "here")
    browser = own_server.visit(made, 0)
    browser.play(0, "keep 1 2")
    browser.play(0, "keep 1 2")
    text = own_server.get("/metrics").decode()
    for line in (
        "fernzug_sockets 1",
        "fernzug_tables 1",
        'fernzug_changes_total{kind="played"} 1',
        'fernzug_refusals_total{kind="illegal"} 1',
        'fernzug_tables_made_total{kind="london"} 1',
        "fernzug_commit_seconds_count",
    ):
        assert line in text
    browser.close()


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.7", False),
        ("::ffff:192.0.2.7", False),
        ("2001:db8::1", False),
        ("localhost", False),
        (None, False),
    ],
)
def test_which_addresses_are_this_machine(host: str | None, own: bool) -> None:
    assert is_this_machine(host) is own


def test_metrics_are_not_shown_through_a_proxy(tmp_path: Path) -> None:
    passed_on = {"x_forwarded_for": "192.0.2.7"}, {"forwarded": "for=192.0.2.7"}, {"via": "1.1 x"}
    with LiveServer(settings_for(tmp_path / "closed")) as server:
        for headers in passed_on:
            status, problem, _ = server.ask("GET", "/metrics", **headers)
            assert (status, problem["code"]) == (403, "not_yours")
        assert server.ask("GET", "/metrics")[0] == 200
    with LiveServer(settings_for(tmp_path / "open", open_metrics=True)) as server:
        for headers in passed_on:
            assert server.ask("GET", "/metrics", **headers)[0] == 200


def test_metrics_are_not_shown_to_other_machines(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fernzug.server.app.is_this_machine", lambda host: False)
    assert server.ask("GET", "/metrics")[0] == 403


def test_pages_and_files(own_server: LiveServer) -> None:
    page = content(b"<html>" + b" " * 2000, "text/html; charset=utf-8")
    script = content(b"let a = 1", "text/javascript", {"br": b"brotli", "gzip": b"zipped"})
    own_server.site.files.clear()
    own_server.site.files.update({"index.html": page, "assets/app.js": script})
    for path in ("/", "/index.html", "/t/abcdef", "/join/ABCDE"):
        status, body, headers = own_server.ask("GET", path)
        assert (status, body[:6]) == (200, b"<html>")
        assert headers["content-type"].startswith("text/html")
    assert own_server.ask("GET", "/assets/app.js")[1] == b"let a = 1"
    _, body, headers = own_server.ask("GET", "/assets/app.js", accept_encoding="gzip, deflate, br")
    assert (body, headers["content-encoding"]) == (b"brotli", "br")
    assert own_server.ask("GET", "/assets/app.js", accept_encoding="gzip")[1] == b"zipped"
    for path in ("/nothing.js", "/api/nothing", "/../../setup.py", "/assets/..%2f..%2fx.py"):
        assert own_server.ask("GET", path)[0] == 404
    assert own_server.ask("POST", "/")[0] == 405


def test_files_are_found_with_their_compressed_forms(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("page " * 500)
    (tmp_path / "assets" / "app.js").write_text("script")
    (tmp_path / "assets" / "app.js.br").write_bytes(b"small")
    (tmp_path / "unknown.zzz").write_text("?")
    found = assets.load(tmp_path)
    assert set(found) == {"index.html", "assets/app.js", "unknown.zzz"}
    assert found["assets/app.js"].encoded["br"] == b"small"
    assert gzip.decompress(found["index.html"].encoded["gzip"]) == found["index.html"].plain
    assert found["unknown.zzz"].kind == "application/octet-stream"
    assert assets.load(tmp_path / "missing") == {}


# ------------------------------------------------------------------------ checking messages


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (7, "not an object"),
        ({}, "not one of hello"),
        ({"type": "fly"}, "not one of hello"),
        ({"type": ["play"]}, "not one of hello"),
        ({"type": "play"}, "lacks"),
        ({"type": "hello", "tokens": "x", "seen": None}, "not a list"),
        ({"type": "hello", "tokens": ["short"], "seen": None}, "16 to 64 characters"),
        ({"type": "hello", "tokens": [7], "seen": None}, "not a string"),
        ({"type": "hello", "tokens": ["x" * 20] * 18, "seen": None}, "list of 0 to 17"),
        ({"type": "hello", "tokens": [], "seen": True}, "not a whole number"),
        ({"type": "hello", "tokens": [], "seen": 1.5}, "not a whole number"),
        ({"type": "hello", "tokens": [], "seen": -1}, "from 0 to"),
        ({"type": "ping", "more": 1}, "unknown field"),
        ({"type": "react", "seat": 0, "reaction": "boo"}, "not one of"),
        ({"type": "chat", "id": "\ud800", "seat": 0, "text": "x"}, "valid Unicode"),
    ],
)
def test_invalid_messages_are_refused_with_the_reason(message: object, reason: str) -> None:
    with pytest.raises(check.Mismatch, match=reason):
        check.check(protocol.ClientMessage, message)


def test_every_message_of_a_browser_has_a_handler() -> None:
    assert set(HANDLERS) == {check.tag(kind) for kind in get_args(protocol.ClientMessage)}


def test_valid_messages_are_accepted() -> None:
    check.check(protocol.ClientMessage, {"type": "ping"})
    check.check(protocol.ClientMessage, {"type": "hello", "tokens": ["x" * 16], "seen": 3})


def test_numbers_and_anything() -> None:
    check.check(float, 1)
    check.check(float, 1.5)
    check.check(Any, object())
    check.check(dict[str, bool], {"a": True})
    for kind, value in ((float, True), (dict[str, bool], []), (dict[str, bool], {"a": 1})):
        with pytest.raises(check.Mismatch):
            check.check(kind, value)
