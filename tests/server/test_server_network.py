"""The switch that lets other machines join.

All of it happens on this machine: 127.0.0.4 stands for its address in the network.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fernzug.server import network
from fernzug.server.network import Network, is_private
from server.live import PATIENCE, LiveServer, settings_for

# No other test uses this address, so the server finds its port free there.
NETWORK = "127.0.0.4"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(settings_for(tmp_path, network=NETWORK)) as running:
        yield running


def switch(
    server: LiveServer, open: bool, at: str = "127.0.0.1", **headers: str
) -> tuple[int, Any]:
    """Press the switch on a page of this machine, or as the headers say otherwise."""
    host = headers.setdefault("host", f"{at}:{server.port}")
    headers.setdefault("origin", f"http://{host}")
    told = {name: value for name, value in headers.items() if value}
    status, answer, _ = server.ask("POST", "/api/network", {"open": open}, at=at, **told)
    return status, answer


def state(server: LiveServer, at: str = "127.0.0.1", **headers: str) -> Any:
    return server.ask("GET", "/api/network", at=at, **headers)[1]


def is_listening(server: LiveServer) -> bool:
    try:
        return server.ask("GET", "/healthz", at=NETWORK)[0] == 200
    except ConnectionRefusedError:
        return False


def test_others_can_join_only_while_the_switch_is_on(server: LiveServer) -> None:
    assert state(server) == {"open": False, "url": None, "switch": True}
    assert not is_listening(server)
    url = f"http://{NETWORK}:{server.port}/"
    for _ in range(2):
        on = {"open": True, "url": url, "switch": True}
        assert switch(server, True) == (200, on)
        assert switch(server, True) == (200, on)
        assert state(server) == on
        assert is_listening(server)
        assert state(server, at=NETWORK) == {"open": True, "url": url, "switch": False}
        assert switch(server, False) == (200, {"open": False, "url": None, "switch": True})
        assert not is_listening(server)


def test_a_guest_plays_at_the_same_table_and_is_shut_out_with_the_switch(
    server: LiveServer,
) -> None:
    made = server.make("here", "link", start="full")
    host = server.visit(made, 0)
    switch(server, True)
    seat = {"code": made["code"], "name": "Ben"}
    status, joined, _ = server.ask("POST", "/api/join", seat, at=NETWORK)
    assert (status, joined["table"]) == (201, made["table"])
    host.until("events")
    url = f"ws://{NETWORK}:{server.port}/ws?table={made['table']}"
    with connect(url, open_timeout=PATIENCE) as guest:
        guest.send('{"type": "hello", "tokens": ["' + joined["token"] + '"], "seen": null}')
        assert '"snapshot"' in str(guest.recv(timeout=PATIENCE))
        switch(server, False)
        with pytest.raises(ConnectionClosed):
            list(guest)
    # The host does not notice more than that the guest is gone.
    assert host.play(0, "keep 1 2")["type"] == "ack"
    host.close()


def strangers(port: int) -> dict[str, dict[str, str]]:
    """What is sent by those who are not a page of this server on this machine."""
    return {
        "a program that does not say where it comes from": {"origin": ""},
        "a page of another site": {"origin": "https://evil.example"},
        "a page of another server on this machine": {"origin": f"http://127.0.0.1:{port + 1}"},
        "a page without an origin, such as a frame in a sandbox": {"origin": "null"},
        "a page whose name was made to lead here": {"host": f"evil.example:{port}"},
        "a name that only begins like ours": {"host": f"localhost.evil.example:{port}"},
        "a name without the port": {"host": "localhost"},
        "the name of the network": {"host": f"{NETWORK}:{port}"},
        "a form of another site": {"sec_fetch_site": "cross-site"},
        "a page of another port": {"sec_fetch_site": "same-site"},
        "a proxy on this machine": {"x_forwarded_for": "203.0.113.7"},
        "another proxy": {"via": "1.1 proxy"},
    }


def test_nobody_but_a_page_on_this_machine_can_open_it(server: LiveServer) -> None:
    for who, headers in strangers(server.port).items():
        status, problem = switch(server, True, **headers)
        # A foreign name is refused before anybody looks at the request.
        assert status == 421 or (status, problem["code"]) == (403, "origin"), who
    # A form needs no permission to be sent elsewhere, but cannot send JSON.
    own = {"origin": f"http://localhost:{server.port}", "host": f"localhost:{server.port}"}
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        body = b'{"open": true}'
        status, _, _ = server.ask("POST", "/api/network", body, content_type=kind, **own)
        assert status == 400
    assert server.ask("POST", "/api/network", {"open": "yes"}, **own)[0] == 400
    server.ask("GET", "/api/network?open=true", **own)
    assert not is_listening(server)
    assert switch(server, True, **own)[0] == 200


def test_a_guest_cannot_switch(server: LiveServer) -> None:
    switch(server, True)
    own = f"localhost:{server.port}"
    for headers in ({}, {"host": own}):
        for open in (True, False):
            status, problem = switch(server, open, at=NETWORK, **headers)
            assert (status, problem["code"]) == (403, "origin")
    assert is_listening(server)


def test_a_page_that_came_another_way_uses_its_own_address(server: LiveServer) -> None:
    elsewhere = {"open": True, "url": None, "switch": False}
    assert state(server, x_forwarded_for="203.0.113.7") == elsewhere


def test_the_switch_can_be_left_out(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, network=network.OFF)) as server:
        assert state(server) == {"open": False, "url": None, "switch": False}
        assert switch(server, True)[0] == 403


@pytest.mark.parametrize("found", [None, "203.0.113.5", "169.254.1.2"])
def test_it_is_opened_in_private_networks_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str | None
) -> None:
    monkeypatch.setattr(network, "own_address", lambda: found)
    with LiveServer(settings_for(tmp_path)) as server:
        status, problem = switch(server, True)
        assert (status, problem["code"]) == (409, "no_network")
        assert state(server) == {"open": False, "url": None, "switch": True}


def test_an_address_of_another_machine_cannot_be_opened(tmp_path: Path) -> None:
    with LiveServer(settings_for(tmp_path, network="192.0.2.1")) as server:
        status, problem = switch(server, True)
        assert (status, problem["code"]) == (409, "no_network")
        assert "192.0.2.1" in problem["message"]


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("192.168.1.20", True),
        ("10.0.0.7", True),
        ("172.20.0.3", True),
        ("8.8.8.8", False),
        ("169.254.9.9", False),
        ("0.0.0.0", False),
        ("fd00::1", True),
        ("2600::1", False),
    ],
)
def test_private_addresses(address: str, private: bool) -> None:
    assert is_private(address) == private


def request_to(host: str) -> Request:
    headers = [(b"host", host.encode())]
    scope = {"type": "http", "headers": headers, "client": ("127.0.0.1", 5), "server": ("", 80)}
    return Request(scope)


def test_a_server_that_listens_for_everybody_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path)
    monkeypatch.setattr(network, "own_address", lambda: "192.168.1.20")
    everywhere = Network("0.0.0.0", 80, settings)
    assert everywhere.state(request_to("localhost")) == {
        "open": True,
        "url": "http://192.168.1.20:80/",
        "switch": False,
    }
    one = Network("192.168.1.30", 8080, settings)
    assert one.state(request_to("localhost:8080"))["url"] == "http://192.168.1.30:8080/"
    monkeypatch.setattr(network, "own_address", lambda: None)
    lonely = Network("0.0.0.0", 8080, settings)
    assert not lonely.state(request_to("localhost:8080"))["open"]
    # A proxy on this machine is the way in for others, so there is nothing to switch.
    behind = Network("127.0.0.1", 8080, replace(settings, proxy="127.0.0.1"))
    assert behind.state(request_to("localhost:8080"))["switch"] is False
