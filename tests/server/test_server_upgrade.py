"""A store of version 0.1 opens, and all its tables go on.

``data/store-0.1.db.gz`` was written by a server of version 0.1, as it was released: a game in
progress on every board, with undone moves, chat, and a seat that was left and taken back; one with
a clock and a bot; a finished one; and a table that waits for people. ``data/store-0.1.json.gz`` has
the tokens, and what their seats saw last.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from server.live import LiveServer, settings_for

DATA = Path(__file__).with_name("data")
TABLES: dict[str, Any] = json.loads(gzip.decompress((DATA / "store-0.1.json.gz").read_bytes()))
PLAYING = [name for name, told in TABLES.items() if told["state"] == "playing"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the store of 0.1."""
    file = tmp_path / "fernzug.db"
    file.write_bytes(gzip.decompress((DATA / "store-0.1.db.gz").read_bytes()))
    with sqlite3.connect(file) as store:
        assert store.execute("PRAGMA user_version").fetchone() == (1,)
    store.close()
    return tmp_path


def known_then(view: Any, then: Any) -> Any:
    """Return a view without what 0.1 did not tell."""
    return {
        **{name: view[name] for name in then},
        "players": [
            {name: now[name] for name in before}
            for now, before in zip(view["players"], then["players"], strict=True)
        ],
    }


def test_every_table_is_as_it_was_left(folder: Path) -> None:
    with LiveServer(settings_for(folder)) as server:
        for told in TABLES.values():
            browser = server.visit(told, *range(5), host=True)
            assert browser.snapshot["table"]["state"] == told["state"]
            assert browser.snapshot["seq"] == told["seq"]
            for seat, then in zip(browser.views, told["views"], strict=True):
                assert known_then(seat["view"], then) == then
            browser.close()


def test_every_game_goes_on(folder: Path) -> None:
    with LiveServer(settings_for(folder)) as server:
        for name in PLAYING:
            told = TABLES[name]
            browser = server.visit(told, 0, 1)
            while not any(browser.legal(seat) for seat in (0, 1)):
                browser.receive()
            for _ in range(4):
                seat = next((seat for seat in (0, 1) if browser.legal(seat)), None)
                if seat is None:
                    break
                assert browser.play(seat, browser.legal(seat)[0])["type"] == "ack"
            assert browser.seq > told["seq"]
            browser.close()
    # Written by the new version after those of the old one, and read again.
    with LiveServer(settings_for(folder)) as server:
        for name in PLAYING:
            browser = server.visit(TABLES[name], 0, 1)
            assert browser.snapshot["seq"] > TABLES[name]["seq"]
            browser.close()


def test_a_table_that_waits_can_be_joined_and_a_finished_game_replayed(folder: Path) -> None:
    with LiveServer(settings_for(folder)) as server:
        waiting, over = TABLES["waiting"], TABLES["over"]
        host = server.visit(waiting, 0, host=True)
        server.post("/api/join", {"code": waiting["code"], "name": "Ada"})
        # In 0.1, a game started as soon as every seat was taken.
        assert host.until("events")["events"]
        host.close()
        assert server.get(f"/api/record/{over['table']}")["frames"]
        status, record, _ = server.ask("GET", f"/api/record/{over['table']}.jsonl")
        assert status == 200
        assert b'"end"' in record
        guest = server.visit(over, 0)
        assert guest.command("rematch")["type"] == "ack"
        guest.close()
