"""``fernzug serve`` as people start it, and how it ends."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fernzug.server import command
from fernzug.server.network import url_of
from fernzug.server.sqlite_store import SqliteStore
from paths import DOCS

pytestmark = pytest.mark.slow

DOCUMENT = DOCS / "board-files.md"


def start(*options: str) -> tuple[subprocess.Popen[str], str]:
    """Start a server; return it and its address."""
    words = [sys.executable, "-m", "fernzug.cli", "serve", "--port", "0", "--bot-workers", "1"]
    process = subprocess.Popen(
        [*words, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert "Fernzug is at http://localhost:" in line
    return process, line.split()[3]


@contextmanager
def running(*options: str) -> Iterator[str]:
    """Run a server for a while; yield its address."""
    process, url = start(*options)
    try:
        yield url
    finally:
        process.terminate()
        process.communicate(timeout=60)


def ask(url: str, body: object = None) -> Any:
    """Return the JSON that a server answers."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_when_asked_to(tmp_path: Path, number: signal.Signals) -> None:
    process, url = start("--data", str(tmp_path / "new" / "folder"))
    with urllib.request.urlopen(url + "healthz", timeout=60) as answer:
        assert json.load(answer)["ok"]
    process.send_signal(number)
    out, log = process.communicate(timeout=60)
    assert process.returncode == 0, log
    lines = [json.loads(line) for line in log.splitlines()]
    assert [line["event"] for line in lines] == ["lobby_open", "lobby_closed"]
    assert out == ""


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "fernzug.cli", "serve", *options]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = serve("--port", port, "--data", str(tmp_path))
    assert done.returncode == 1
    assert "in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_in_use_is_reported(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    done = serve("--port", "0", "--data", str(tmp_path))
    asyncio.run(store.close())
    assert done.returncode == 1
    assert "another server uses" in done.stderr


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = serve("--port", "0", "--data", str(tmp_path / "file" / "folder"))
    assert done.returncode == 1
    assert "cannot use" in done.stderr
    assert done.stderr.endswith(": Not a directory\n")
    assert "Traceback" not in done.stderr


def test_a_number_that_is_not_a_port(tmp_path: Path) -> None:
    done = serve("--port", "99999", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "not a port" in done.stderr


def test_without_the_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert command.run(argparse.Namespace()) == 1
    assert "'.[web]'" in capsys.readouterr().err


def test_options_become_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    words = ["--bot-pace", "0.5", "--bot-workers", "3", "--grace", "7", "--per-address", "900"]
    settings = command.settings_from(parser.parse_args([*words, "--origin", "https://a.example"]))
    assert settings.bot_pace == (0.5, 1.0)
    assert (settings.bot_workers, settings.grace) == (3, 7)
    assert settings.limits.sockets_per_address == 900
    assert settings.origins == ("https://a.example",)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert command.default_data() == tmp_path / "fernzug"
    assert os.fspath(command.settings_from(parser.parse_args([])).data) == str(tmp_path / "fernzug")


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://localhost:80/"),
        ("127.0.0.1", "http://localhost:80/"),
        ("192.0.2.1", "http://192.0.2.1:80/"),
        ("2001:db8::1", "http://[2001:db8::1]:80/"),
    ],
)
def test_the_address_is_shown_as_it_is_typed(host: str, url: str) -> None:
    assert url_of(command.shown_host(host), 80) == url


def test_a_table_on_a_board_file_waits_until_the_file_is_offered_again(tmp_path: Path) -> None:
    board = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert board is not None
    file = tmp_path / "mine.toml"
    file.write_text(board[1], encoding="utf-8")
    data = ("--data", str(tmp_path / "data"))
    seats = [{"kind": "bot", "level": "expert"}, {"kind": "bot", "level": "novice"}]

    offered = ("--board", str(file))
    with running(*data, *offered) as url:
        assert "harbour" in [one["id"] for one in ask(url + "api/boards")["boards"]]
        table = ask(url + "api/tables", {"board": "harbour", "seats": seats})["table"]
        address = f"api/tables/{table}"
        assert ask(url + address)["table"]["board"] == "harbour"

    with running(*data) as url:
        assert "harbour" not in [one["id"] for one in ask(url + "api/boards")["boards"]]
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(url + address)
        assert "does not offer the board" in refused.value.read().decode()

    with running(*data, *offered) as url:
        assert ask(url + address)["table"]["board"] == "harbour"


def test_a_faulty_board_file_is_refused_with_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('id = "usa"\n', encoding="utf-8")
    done = serve("--board", str(file), "--data", str(tmp_path))
    assert done.returncode == 1
    assert f"{file}" in done.stderr
    assert "name" in done.stderr
    assert "Traceback" not in done.stderr
