"""The store in a file, and what the server makes of it.

What every store has to do is in ``test_store_contract.py``.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fernzug.server import lobby, sqlite_store
from fernzug.server.limits import UNLIMITED
from fernzug.server.sqlite_file import APPLICATION, FILE, INSERT_TABLE, open_file
from fernzug.server.sqlite_store import SqliteStore
from fernzug.server.store import Store, StoreError
from fernzug.table import Change, Table, restore
from server.live import LiveServer, settings_for, wait_for
from server.stores import sqlite_opener, use
from situations import BOARDS
from table.tabletop import Tabletop, here, link

BOARD = BOARDS[0]


SCHEMA_1 = f"""
CREATE TABLE tables (
  id TEXT PRIMARY KEY,
  code TEXT NOT NULL,
  state TEXT NOT NULL,
  created INTEGER NOT NULL,
  touched INTEGER NOT NULL,
  setup TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_by_state ON tables (state, code);
CREATE TABLE changes (
  table_id TEXT NOT NULL REFERENCES tables (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = 1;
"""
"""The file of version 0.1."""


def test_a_file_of_version_0_1_can_be_read_and_written(tmp_path: Path) -> None:
    top = Tabletop(BOARD, here, here)
    top.play(0, "keep 1 2")
    with sqlite3.connect(tmp_path / FILE) as file:
        file.executescript(SCHEMA_1)
        text = json.dumps(top.setup.to_json())
        file.execute(
            "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?)", ("abc", "ABCDE", "playing", 5, 5, text)
        )
        for number, change in enumerate(top.written, start=1):
            file.execute("INSERT INTO changes VALUES (?, ?, ?, ?)", ("abc", number, 1000, change))
    file.close()

    async def read(store: Store) -> None:
        stored = await store.load("abc")
        assert stored is not None
        assert (stored.setup, stored.changes[: len(top.written)]) == (top.setup, top.changes)
        assert await store.table_of_code("ABCDE") == "abc"
        seq = len(stored.changes) + 1
        await store.append("abc", [Change(seq, 5, "left", {"seat": 0})], None)
        await store.create(replace(top.setup, id=f"new {seq}", code="FGHIJ"), [], "over")

    use(sqlite_opener(tmp_path), read)
    use(sqlite_opener(tmp_path), read)
    with sqlite3.connect(tmp_path / FILE) as file:
        columns = [row[1] for row in file.execute("PRAGMA table_info(tables)")]
        indices = [row[1] for row in file.execute("PRAGMA index_list(tables)")]
    file.close()
    assert "touched" not in columns
    assert "tables_by_state" in indices


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    asyncio.run(SqliteStore(tmp_path).close())
    with sqlite3.connect(tmp_path / FILE) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(StoreError, match="newer version"):
        SqliteStore(tmp_path)


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as file:
        file.execute("CREATE TABLE other (a)")
    file.close()
    with pytest.raises(StoreError, match="not a file of this program"):
        SqliteStore(tmp_path)
    (tmp_path / FILE).write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="not a file of this program"):
        SqliteStore(tmp_path)


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with pytest.raises(StoreError, match="another server"):
        SqliteStore(tmp_path)
    asyncio.run(store.close())
    asyncio.run(SqliteStore(tmp_path).close())


def test_what_is_acknowledged_is_on_disk(tmp_path: Path) -> None:
    connection = open_file(tmp_path / FILE)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2, "FULL"
    connection.close()


def test_on_a_full_disk_moves_are_refused_and_nothing_is_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []

    def open_and_keep(path: Path) -> sqlite3.Connection:
        opened.append(open_file(path))
        return opened[-1]

    monkeypatch.setattr(sqlite_store, "open_sound", open_and_keep)
    talkative = {"talk": UNLIMITED, "talk_per_address": UNLIMITED}
    with LiveServer(settings_for(tmp_path, limits=talkative)) as server:
        made = server.make("here", "here")
        browser = server.visit(made, 0, 1)
        # A file that must not grow is like a disk that is full.
        (connection,) = opened
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        answer = browser.command("chat", seat=0, text="x" * 200)
        for _ in range(200):
            if answer["type"] == "error":
                break
            answer = browser.command("chat", seat=0, text="x" * 200)
        assert answer["code"] == "storage"
        before, seq = browser.views, browser.seq
        # Small changes may still find room, a large one does not.
        refused = browser.command("chat", seat=0, text="x" * 280, id="too much")
        assert refused["code"] == "storage"
        status, problem, _ = server.ask(
            "POST", "/api/tables", {"board": "usa", "seats": [{"kind": "bot"}] * 2}
        )
        assert (status, problem["code"]) == (503, "storage")
        assert server.visit(made, 0, 1).snapshot["views"] == before
        assert browser.seq == seq
        connection.execute("PRAGMA max_page_count = 1000000")
        assert browser.command("chat", seat=0, text="x" * 280, id="too much")["type"] == "ack"
        assert browser.play(0, "keep 1 2")["type"] == "ack"
        server.make("here", "here")
        browser.close()
    with LiveServer(settings_for(tmp_path)) as server:
        again = server.visit(made, 0, 1)
        assert again.snapshot["views"] == browser.views
        assert again.snapshot["seq"] == browser.seq
        again.close()


def test_housekeeping_survives_a_store_that_fails_for_a_while(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, collect_seconds=0.01, delete_seconds=0.0)
    old = replace(Tabletop(BOARD, here, link).setup, id="old", code="FGHIJ", created=0)
    with LiveServer(settings) as server, sqlite3.connect(tmp_path / FILE) as file:
        file.execute("ALTER TABLE days RENAME TO hidden")
        file.commit()
        wait_for(lambda: b"fernzug_storage_errors_total" in server.get("/metrics"))
        file.execute("ALTER TABLE hidden RENAME TO days")
        file.execute("DELETE FROM days")
        file.execute(INSERT_TABLE, (old.id, old.code, "waiting", 0, json.dumps(old.to_json())))
        file.execute("UPDATE tables SET idle_days = 100")
        file.commit()
        wait_for(lambda: not file.execute("SELECT * FROM tables").fetchall())
    file.close()


def test_tables_are_restored_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long game takes a while to read, and everybody else must not wait for it."""
    with LiveServer(settings_for(tmp_path)) as server:
        made = server.make("here", "here")
    threads: list[threading.Thread] = []

    def noting(*arguments: Any) -> Table:
        threads.append(threading.current_thread())
        return restore(*arguments)

    monkeypatch.setattr(lobby, "restore", noting)
    with LiveServer(settings_for(tmp_path)) as server:
        loop: list[threading.Thread] = []
        server.call(lambda: loop.append(threading.current_thread()))
        server.visit(made, 0).close()
    assert len(threads) == 1
    assert threads != loop
