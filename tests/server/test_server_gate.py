"""The gate: what no browser sends is counted and cut off before it costs anybody time."""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from fernzug.server.gate import Gate, max_connections, pieces
from fernzug.server.limits import Limits, Rate
from fernzug.server.metrics import Metrics
from fernzug.table import Refused
from paths import ROOT
from server.live import PATIENCE, Browser, LiveServer, open_socket, settings_for, wait_for

PING, TEXT, CONTINUATION = 0x9, 0x1, 0x0
FINAL = 0x80
MASKED = 0x80


def frame(opcode: int, payload: bytes = b"", final: bool = True) -> bytes:
    """Return a frame as a client sends it, masked with zeros."""
    head = struct.pack("!BB", opcode | (FINAL if final else 0), MASKED | len(payload))
    return head + b"\0\0\0\0" + payload


class Raw:
    """A connection without a browser."""

    def __init__(self, server: LiveServer) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.port = server.port

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send_until_cut(self, data: bytes) -> None:
        """Send the same again and again until the server hangs up."""
        with pytest.raises(ConnectionError):
            self._send_on(data)

    def _send_on(self, data: bytes) -> None:
        while True:
            self.send(data)

    def shake_hands(self, table: str, *headers: str) -> None:
        lines = [
            f"GET /ws?table={table} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
            *("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", *headers, "", ""),
        ]
        self.send("\r\n".join(lines).encode())

    def watch(self, table: str) -> None:
        """Become a spectator, and wait for the snapshot."""
        self.shake_hands(table)
        hello = json.dumps({"type": "hello", "tokens": [], "seen": None}).encode()
        self.until(b"\r\n\r\n")
        self.send(frame(TEXT, hello))
        self.until(b'"snapshot"')

    def until(self, end: bytes) -> bytes:
        received = b""
        while end not in received:
            data = self.socket.recv(65536)
            assert data, received
            received += data
        return received

    def rest(self) -> bytes:
        """Return everything until the server hangs up."""
        received = b""
        try:
            while data := self.socket.recv(65536):
                received += data
        except ConnectionResetError:
            pass
        self.socket.close()
        return received


def close_code(received: bytes) -> int:
    """Return the code of the close frame that ends what was received."""
    for start in range(len(received) - 3, -1, -1):
        if received[start] == 0x88 and received[start + 1] == len(received) - start - 2:
            return int.from_bytes(received[start + 2 : start + 4], "big")
    raise AssertionError(received)


def status(received: bytes) -> int:
    return int(received.split(b" ", 2)[1])


def counted(server: LiveServer, name: str, label: str) -> int:
    number: int = server.site.metrics.counters[name, label]
    return number


@pytest.mark.parametrize(
    "flood",
    [
        frame(PING) * 4000,
        frame(PING, b"x" * 125) * 4000,
        frame(0xA) * 4000,
        frame(TEXT, final=False) + frame(CONTINUATION, final=False) * 4000,
        frame(TEXT, b"x") * 4000,
    ],
    ids=["pings", "large pings", "pongs", "empty fragments", "messages"],
)
def test_a_flood_of_frames_is_cut_off(tmp_path: Path, flood: bytes) -> None:
    with LiveServer(settings_for(tmp_path, limits={"frames": Rate(0.001, 50)})) as server:
        made = server.make("here", "here")
        honest = server.visit(made, 0)
        raw = Raw(server)
        raw.watch(made["table"])
        with suppress(ConnectionError):
            raw.send(flood)
        raw.rest()
        wait_for(lambda: counted(server, "cut", "frames") == 1)
        wait_for(lambda: server.app.state.gate.connections == 1)
        assert honest.play(0, "keep 1 2")["type"] == "ack"
        honest.close()


def test_too_many_frames_are_told_with_a_code(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"frames": Rate(0.001, 50)})) as server:
        raw = Raw(server)
        raw.watch(server.make("here", "here")["table"])
        raw.send(frame(PING) * 60)
        assert close_code(raw.rest()) == 4429


def test_a_client_that_only_pings_and_never_reads_is_cut_off(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"unread_bytes": 10_000})) as server:
        raw = Raw(server)
        raw.watch(server.make("here", "here")["table"])
        raw.send_until_cut(frame(PING, b"x" * 125) * 1000)
        wait_for(lambda: counted(server, "cut", "unread") == 1)
        wait_for(lambda: server.app.state.gate.connections == 0)
        raw.socket.close()


HEAD = b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("limit", "sent"),
    [
        ("header_seconds", b""),
        ("header_seconds", b"GET / HT"),
        ("header_seconds", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: y"),
        ("header_seconds", b"\r\n\r\n"),
        ("body_seconds", HEAD + b"Content-Length: 100\r\n\r\n{"),
        ("body_seconds", HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"),
    ],
    ids=["silent", "half a line", "half a header", "blank lines", "half a body", "half a chunk"],
)
def test_what_does_not_arrive_is_not_waited_for(tmp_path: Path, limit: str, sent: bytes) -> None:
    with LiveServer(settings_for(tmp_path, limits={limit: 0.2})) as server:
        raw = Raw(server)
        raw.send(sent)
        assert status(raw.rest()) == 408
        wait_for(lambda: server.app.state.gate.connections == 0)
        assert server.get("/healthz")["ok"]
        assert server.site.metrics.counters["faults", ""] == 0


def test_an_answer_that_nobody_reads_is_not_kept(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"answer_seconds": 0.3})) as server:
        raw = Raw(server)
        ask = b"GET /api/boards HTTP/1.1\r\nHost: localhost\r\n\r\n"
        raw.send_until_cut(ask)
        wait_for(lambda: server.app.state.gate.connections == 0)
        raw.socket.close()


def test_headers_have_a_size(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        raw = Raw(server)
        raw.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"y" * 18_000)
        assert status(raw.rest()) == 431


def test_a_body_without_an_end_is_cut_off(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path)) as server:
        raw = Raw(server)
        raw.send(HEAD + b"Content-Length: 100000000\r\n\r\n")
        raw.send_until_cut(b"x" * 65536)
        wait_for(lambda: counted(server, "cut", "spill") == 1)
        raw.socket.close()


@pytest.mark.parametrize(
    "request_line",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1x\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n",
    ],
)
def test_what_is_not_http_is_a_bad_request(server: LiveServer, request_line: bytes) -> None:
    raw = Raw(server)
    raw.send(request_line)
    assert status(raw.rest()) == 400


def test_a_handshake_with_too_many_headers_is_refused(server: LiveServer) -> None:
    for header in ("X: " + "y" * 9000, "\r\n".join(f"X{n}: y" for n in range(200))):
        raw = Raw(server)
        raw.shake_hands("nowhere", header)
        assert status(raw.rest()) == 431


def test_requests_that_do_not_wait_for_their_answers_are_refused(server: LiveServer) -> None:
    raw = Raw(server)
    raw.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
    received = raw.rest()
    assert received.count(b"HTTP/1.1 400") == 1
    assert received.count(b"HTTP/1.1 200") <= 2


def test_connections_of_an_address_are_limited_however_silent(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"connections_per_address": 3})) as server:
        silent = [Raw(server) for _ in range(3)]
        wait_for(lambda: server.app.state.gate.connections == 3)
        assert status(Raw(server).rest()) == 429
        silent.pop().socket.close()
        wait_for(lambda: server.app.state.gate.connections == 2)
        assert server.get("/healthz")["ok"]
        for each in silent:
            each.socket.close()


def test_new_connections_and_requests_have_a_rate(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"connects": Rate(0.001, 3)})) as server:
        statuses = [server.ask("GET", "/healthz")[0] for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
    with LiveServer(settings_for(tmp_path, limits={"requests": Rate(0.001, 3)})) as server:
        statuses = [server.ask("GET", "/healthz")[0] for _ in range(4)]
        assert statuses == [200, 200, 200, 429]


def test_there_is_room_for_the_open_files_of_everything_else() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
        assert max_connections(Limits()) == 768
        assert max_connections(Limits(connections=10)) == 10
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert os.sysconf("SC_OPEN_MAX") == soft


def test_a_full_server_says_so_and_a_proxy_speaks_for_many() -> None:
    limits = Limits(connections=3, connections_per_address=1)
    gate = Gate(limits, Metrics(), "127.0.0.1, 10.0.0.0/8")
    for host in ("127.0.0.1", "10.1.2.3", None):
        assert gate.address_of(host) is None
    for _ in range(2):
        gate.enter(gate.address_of("127.0.0.1"))
    someone = gate.address_of("192.0.2.1")
    gate.enter(someone)
    with pytest.raises(Refused, match="the server has too many"):
        gate.enter(gate.address_of("192.0.2.2"))
    gate.leave(None)
    with pytest.raises(Refused, match="from this address"):
        gate.enter(someone)
    gate.enter(gate.address_of("192.0.2.2"))


def test_pieces_are_the_whole() -> None:
    data = bytes(range(256)) * 20
    assert b"".join(pieces(data)) == data
    assert list(pieces(b"short")) == [b"short"]


def test_reconnecting_has_a_rate(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"handshakes": Rate(0.001, 3)})) as server:
        made = server.make("here", "here")
        for _ in range(3):
            Browser(server, made["table"], []).close()
        with pytest.raises(InvalidStatus) as refused:
            open_socket(server, made["table"])
        assert refused.value.response.status_code == 429


def test_reconnecting_does_not_help_to_talk_or_to_take_back(tmp_path: Path) -> None:
    limits = {"talk": Rate(0.001, 2), "undos": Rate(0.001, 2)}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        made = server.make("here", "here")
        answers = []
        for number in range(3):
            browser = server.visit(made, 0)
            answers.append(browser.command("chat", seat=0, text=str(number)))
            answers.append(browser.command("undo", seat=0, version=browser.seq))
            browser.close()
        codes = [answer.get("code") for answer in answers]
        assert codes == [None, "no_undo", None, "no_undo", "rate", "rate"]


def test_codes_are_guessed_no_faster_over_sockets_than_over_http(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"wrong_codes": Rate(0.001, 4)})) as server:
        made = server.make("here", "link")
        assert server.ask("GET", "/api/tables/AAAAA")[0] == 404
        assert server.ask("POST", "/api/join", {"code": "AAAAB", "name": "Eve"})[0] == 404
        assert server.ask("GET", "/api/record/AAAAC")[0] == 404
        codes = []
        for code in ("AAAAD", made["code"]):
            guess = open_socket(server, code)
            guess.send('{"type":"hello","tokens":[],"seen":null}')
            codes.append(json.loads(guess.recv(timeout=PATIENCE))["code"])
            guess.close()
        assert codes == ["not_found", "rate"]
        # Even the right code is of no use now, or guessing would pay.
        assert server.ask("GET", f"/api/tables/{made['code']}")[0] == 429


def test_messages_of_an_address_have_a_rate(tmp_path: Path) -> None:
    limits = {"messages_per_address": Rate(0.001, 5)}
    with LiveServer(settings_for(tmp_path, limits=limits)) as server:
        made = server.make("here", "here")
        one, two = server.visit(made, 0), server.visit(made, 1)
        for _ in range(5):
            one.send({"type": "ping"})
            one.until("pong")
        two.send({"type": "ping"})
        assert two.until("error")["code"] == "rate"
        one.close()
        two.close()


def test_players_have_a_place_however_many_watch(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"spectators": 2})) as server:
        made = server.make("here", "here")
        watching = [Browser(server, made["table"], []) for _ in range(2)]
        third = open_socket(server, made["table"])
        third.send('{"type":"hello","tokens":[],"seen":null}')
        assert json.loads(third.recv(timeout=PATIENCE))["code"] == "limit"
        player = server.visit(made, 0)
        for each in (*watching, player):
            each.close()


def test_coming_and_going_is_gathered_into_one_message(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, limits={"news_seconds": 3600.0})) as server:
        made = server.make("here", "here")
        player = server.visit(made, 0)
        room = server.site.lobby.rooms[made["table"]]
        for _ in range(10):
            Browser(server, made["table"], []).close()
        wait_for(lambda: len(room.connections) == 1)
        assert player.play(0, "keep 1 2")["type"] == "ack"
        assert sum(message["type"] == "table" for message in player.heard) <= 2
        player.close()


def test_the_page_of_limits_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "limits_md.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_eight_rematches_at_once_are_one_table(own_server: LiveServer) -> None:
    made = own_server.make("here", "here", board="london")
    browsers = [own_server.visit(made, 0, 1) for _ in range(8)]
    room = own_server.site.lobby.rooms[made["table"]]
    player = browsers[0]
    while player.view(0)["view"]["phase"] != "over":
        seat = next(seat for seat in (0, 1) if player.legal(seat))
        player.play(seat, player.legal(seat)[0])
    before = len(own_server.site.lobby.rooms)
    for number, browser in enumerate(browsers):
        browser.send({"type": "rematch", "id": f"again {number}"})
    for number, browser in enumerate(browsers):
        assert browser.answer(f"again {number}")["type"] == "ack"
    assert room.table.rematch is not None
    assert len(own_server.site.lobby.rooms) == before + 1
    for browser in browsers:
        browser.close()


def test_names_that_somebody_made_lead_here_are_refused(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, host_names=("games.example",))) as server:
        own = ("localhost", "LOCALHOST:8080", "127.0.0.1", "[::1]:80", "192.0.2.7", "games.example")
        for host in (*own, socket.gethostname()):
            assert server.ask("GET", "/healthz", host=host)[0] == 200, host
        for host in ("evil.example", "localhost.evil.example", "evilgames.example:80"):
            status, words, _ = server.ask("GET", "/", host=host)
            assert status == 421
            assert b"--host-name" in words
        for host in ("", "a b", "[", "x@y", "a:b:c"):
            assert server.ask("GET", "/", host=host)[0] == 400, host
        made = server.make("here", "here")
        with pytest.raises(InvalidStatus) as refused:
            open_socket(server, made["table"], additional_headers={"Host": "evil.example"})
        assert refused.value.response.status_code in (400, 421)


@pytest.mark.parametrize("origin", ["http://[", "http://", "x", "http://a@127.0.0.1", "null"])
def test_a_malformed_origin_is_refused_not_a_fault(own_server: LiveServer, origin: str) -> None:
    status, problem, _ = own_server.ask("POST", "/api/join", {}, origin=origin)
    assert (status, problem["code"]) == (403, "origin")


def test_a_page_of_a_public_name_can_connect_through_a_proxy(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, host_names=("games.example",))) as server:
        made = server.make("here", "here")
        open_socket(server, made["table"], origin="https://games.example").close()
