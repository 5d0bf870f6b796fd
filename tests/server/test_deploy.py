"""What stands in front of the server and beside it: nginx, systemd, Prometheus and Grafana."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from fernzug.server import metrics
from fernzug.server.metrics import HELP
from fernzug.server.store import StoreError
from paths import ROOT
from server.live import LiveServer, settings_for, wait_for

DEPLOY = ROOT / "deploy"
SOURCES = [file.read_text() for file in (ROOT / "src/fernzug/server").glob("*.py")]


def test_liveness_and_readiness(own_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("/healthz", "/healthz/live", "/healthz/ready"):
        assert own_server.get(path)["ok"]

    async def silent() -> None:
        raise StoreError("gone")

    monkeypatch.setattr(own_server.site.lobby.store, "ping", silent)
    for path in ("/healthz", "/healthz/ready"):
        status, told, _ = own_server.ask("GET", path)
        assert (status, told["ok"], told["reason"]) == (503, False, "the store does not answer")
    assert own_server.get("/healthz/live")["ok"]


def counted() -> set[str]:
    """The names under which the sources count and time something."""
    pattern = r'(?:\.count|\.time|gauges)\s*[(\[]\s*"(\w+)"'
    return {name for source in SOURCES for name in re.findall(pattern, source)}


def test_every_metric_is_described() -> None:
    assert counted() | {"build_info"} == set(HELP)


def test_the_metrics_are_as_prometheus_expects_them(own_server: LiveServer) -> None:
    parser = pytest.importorskip("prometheus_client.parser")
    made = own_server.make("here", "novice")
    browser = own_server.visit(made, 0)
    browser.play(0, "nonsense")
    browser.play(0, browser.legal(0)[0])
    status, text, headers = own_server.ask("GET", "/metrics")
    assert status == 200
    assert headers["content-type"] == metrics.CONTENT_TYPE
    families = {each.name: each for each in parser.text_string_to_metric_families(text.decode())}
    for name, family in families.items():
        assert re.fullmatch(r"(fernzug|process)_[a-z_]+", name)
        assert family.documentation or name.startswith("process_")
        for sample in family.samples:
            if family.type == "counter":
                assert sample.name.endswith("_total")
            if family.type == "histogram":
                assert name.endswith("_seconds")
    assert {"fernzug_sockets", "fernzug_commit_seconds", "process_cpu_seconds"} <= set(families)
    browser.close()


def test_the_dashboard_asks_only_for_metrics_that_exist() -> None:
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    known = {f"fernzug_{name}{ending}" for name in HELP for ending in ENDINGS[kind_of(name)]}
    known |= {f"process_{name}" for name in ("cpu_seconds_total", "resident_memory_bytes")}
    known |= {"process_open_fds", "process_start_time_seconds"}
    asked = set()
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            asked |= set(re.findall(r"\b(?:fernzug|process)_\w+", target["expr"]))
    assert asked <= known
    # What goes wrong has to be on it.
    assert {"fernzug_faults_total", "fernzug_storage_errors_total"} <= asked


ENDINGS = {"count": ["_total"], "time": ["_seconds_bucket"], "gauges": [""]}


def kind_of(name: str) -> str:
    """Whether a metric is counted, timed or a gauge."""
    for kind in ("count", "time"):
        if any(re.search(rf'\.{kind}\(\s*"{name}"', source) for source in SOURCES):
            return kind
    return "gauges"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    program = shutil.which("true")
    for file in DEPLOY.glob("fernzug*.*"):
        text = file.read_text().replace("/opt/fernzug/bin/fernzug", str(program))
        name = file.name.replace("@.", "@8081.")
        (tmp_path / name).write_text(text)
    units = sorted(str(file) for file in tmp_path.iterdir())
    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True
    )
    told = [line for line in run.stderr.splitlines() if str(tmp_path) in line or "fernzug" in line]
    assert told == []


# ---------------------------------------------------------------------------- nginx


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[int, list[LiveServer]]]:
    """The shipped configuration in front of a server; yields the port for TLS."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    plain, secure = free_port(), free_port()
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    request += ["-subj", "/CN=games.example", "-addext", "subjectAltName=DNS:games.example"]
    request += ["-out", str(certificate), "-keyout", str(key)]
    subprocess.run(request, check=True, capture_output=True)
    settings = settings_for(tmp_path / "data", proxy="127.0.0.1", host_names=("games.example",))
    with LiveServer(settings) as server:
        shipped = (DEPLOY / "nginx.conf").read_text()
        shipped = shipped.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        shipped = re.sub(r"listen \[::\].*\n", "", shipped)
        shipped = shipped.replace("listen 80;", f"listen 127.0.0.1:{plain};")
        shipped = shipped.replace("listen 443", f"listen 127.0.0.1:{secure}")
        shipped = re.sub(
            r"/etc/letsencrypt/live/games.example/fullchain.pem", str(certificate), shipped
        )
        shipped = re.sub(r"/etc/letsencrypt/live/games.example/privkey.pem", str(key), shipped)
        with nginx_with(shipped, tmp_path, secure):
            yield secure, [server]


@contextmanager
def nginx_with(text: str, folder: Path, port: int) -> Iterator[None]:
    """Run nginx until it is no longer needed; ``text`` says what belongs into ``http``."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if nginx is None:
        pytest.skip("there is no nginx")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{text}\n}}\n"
    )
    command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    command += ["-e", str(folder / "error.log")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: listens(port))
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


def trusting(tmp_path: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))


def ask(
    port: int, tmp_path: Path, request: str, body: bytes = b"", **headers: str
) -> tuple[int, bytes]:
    """Send one request over TLS, and return the status and the body."""
    head = {"Host": "games.example", "Connection": "close", **headers}
    head |= {"Content-Length": str(len(body)), "Content-Type": "application/json"} if body else {}
    lines = [f"{request} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items()), "", ""]
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as raw,
        trusting(tmp_path).wrap_socket(raw, server_hostname="games.example") as secure,
    ):
        secure.sendall("\r\n".join(lines).encode() + body)
        received = b""
        while part := secure.recv(65536):
            received += part
    first, _, rest = received.partition(b"\r\n")
    return int(first.split()[1]), rest.partition(b"\r\n\r\n")[2]


def test_a_game_is_played_through_nginx(
    proxied: tuple[int, list[LiveServer]], tmp_path: Path
) -> None:
    port, (server,) = proxied
    assert ask(port, tmp_path, "GET /healthz/ready")[0] == 200
    assert ask(port, tmp_path, "GET /")[0] == 200
    # The machine's own metrics are not for others, whichever way they ask.
    assert ask(port, tmp_path, "GET /metrics")[0] == 403
    assert ask(port, tmp_path, "GET /healthz", Host="evil.example")[0] in (400, 421)
    assert ask(port, tmp_path, "POST /api/tables", b"x" * 20_000)[0] == 413
    new = {"board": "london", "seats": [{"kind": "here"}, {"kind": "here"}]}
    origin = "https://games.example"
    status, text = ask(port, tmp_path, "POST /api/tables", json.dumps(new).encode(), Origin=origin)
    assert status == 201, text
    foreign = "https://evil.example"
    status, _ = ask(port, tmp_path, "POST /api/tables", json.dumps(new).encode(), Origin=foreign)
    assert status == 403
    made = json.loads(text[text.index(b"{") : text.rindex(b"}") + 1])
    with connect(
        f"wss://games.example/ws?table={made['table']}",
        sock=socket.create_connection(("127.0.0.1", port)),
        ssl=trusting(tmp_path),
        origin=Origin("https://games.example"),
        compression=None,
    ) as browser:
        tokens = [each["token"] for each in made["tokens"]]
        browser.send(json.dumps({"type": "hello", "tokens": tokens, "seen": None}))
        snapshot: Any = json.loads(browser.recv(timeout=60))
        assert snapshot["type"] == "snapshot"
        action = snapshot["views"][0]["view"]["legal"][0]
        play = {"type": "play", "id": "1", "seat": 0, "version": snapshot["seq"], "action": action}
        browser.send(json.dumps(play))
        answers = [json.loads(browser.recv(timeout=60))["type"] for _ in range(2)]
        assert "ack" in answers
    # Limits are counted for the people behind the proxy, not for the proxy.
    addresses = server.site.lobby.addresses
    assert addresses.open["sockets"].keys() <= {"127.0.0.1"}
    end = time.monotonic() + 60
    while addresses.open["sockets"] and time.monotonic() < end:
        time.sleep(0.01)
    assert not addresses.open["sockets"]


def test_nginx_overwrites_what_a_client_claims_about_itself() -> None:
    shipped = (DEPLOY / "nginx.conf").read_text()
    assert re.search(r"X-Forwarded-For\s+\$remote_addr;", shipped)
    assert "$proxy_add_x_forwarded_for" not in shipped


def test_nginx_counts_a_household_as_one_address(tmp_path: Path) -> None:
    shipped = (DEPLOY / "nginx.conf").read_text()
    limits = shipped[shipped.index("map $binary_remote_addr") : shipped.index("server {")]
    port = free_port()
    with nginx_with(
        f"{limits.replace('50r/s', '1r/m')}\nserver {{ listen 127.0.0.1:{port}; root {tmp_path};"
        " set_real_ip_from 127.0.0.1; real_ip_header X-Real-IP;"
        " limit_req zone=fernzug_requests; }",
        tmp_path,
        port,
    ):
        turned_away = {
            "2001:db8:1:2::1": False,
            "2001:db8:1:2:ffff:ffff:0a0a:ffff": True,
            "2001:db8:1:3::1": False,
            "2001:db8::1": False,
            "2001:db8::1:0:0:1": True,
            "192.0.2.1": False,
            "192.0.2.2": False,
        }
        for address, expected in turned_away.items():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/nothing", headers={"X-Real-IP": address})
            assert (connection.getresponse().status == 429) == expected, address
            connection.close()
