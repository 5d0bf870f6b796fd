"""A damaged page costs the tables on it and no others, and the server says so in words."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fernzug import board
from fernzug.server.sqlite_file import FILE, INSERT_CHANGE, INSERT_TABLE, open_file
from fernzug.server.sqlite_pages import Pages
from fernzug.server.sqlite_repair import open_sound, survey
from fernzug.server.store import StoreError
from server.live import LiveServer, settings_for
from table.tabletop import Tabletop, here

PAGE = 4096
TABLES = 40

Damage = Callable[[bytes, random.Random], bytes]
DAMAGES: dict[str, Damage] = {
    "zeros": lambda page, rng: bytes(len(page)),
    "noise": lambda page, rng: rng.randbytes(len(page)),
    "another page": lambda page, rng: page[::-1],
    "a torn write": lambda page, rng: page[:1024] + bytes(len(page) - 1024),
    "a few bytes": lambda page, rng: page[:8] + rng.randbytes(16) + page[24:],
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with many tables whose changes fill some two hundred pages."""
    path = tmp_path_factory.mktemp("sound") / FILE
    top = Tabletop(board("london"), here, here)
    for _ in range(16):
        seat = next(seat for seat in (0, 1) if top.table.awaits(seat))
        assert top.table.game is not None
        top.play(seat, str(top.table.game.legal(seat)[0]))
    connection = open_file(path)
    connection.execute("BEGIN")
    for number in range(TABLES):
        setup = replace(top.setup, id=f"table{number:04}", code=f"{number:05}")
        text = json.dumps(setup.to_json())
        connection.execute(INSERT_TABLE, (setup.id, setup.code, "playing", 0, text))
        said = {"kind": "said", "seat": 0, "text": "x" * 280}
        rows = [(setup.id, c.seq, c.at, c.to_text()) for c in top.changes]
        last = len(rows)
        rows += [(setup.id, last + n, 0, json.dumps(said)) for n in range(1, 30)]
        connection.executemany(INSERT_CHANGE, rows)
    connection.execute("COMMIT")
    connection.close()
    return path


def rows_of(path: Path) -> dict[str, list[Any]]:
    """The changes of each table, as SQLite reads them."""
    connection = sqlite3.connect(path)
    found: dict[str, list[Any]] = {}
    for (id,) in connection.execute("SELECT id FROM tables").fetchall():
        query = "SELECT seq, at, change FROM changes WHERE table_id = ? ORDER BY seq"
        found[id] = connection.execute(query, (id,)).fetchall()
    connection.close()
    return found


def readable(path: Path, ids: Iterable[str]) -> dict[str, list[Any]]:
    """What SQLite itself can still read of a damaged file."""
    connection = sqlite3.connect(path)
    found = {}
    for id in ids:
        query = "SELECT seq, at, change FROM changes WHERE table_id = ? ORDER BY seq"
        with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            if connection.execute("SELECT setup FROM tables WHERE id = ?", (id,)).fetchone():
                found[id] = connection.execute(query, (id,)).fetchall()
    connection.close()
    return found


def test_the_reader_of_pages_agrees_with_sqlite(sound: Path) -> None:
    pages = Pages(sound)
    expected = rows_of(sound)
    found: dict[str, list[Any]] = {id: [] for id in expected}
    for cell in pages.walk(pages.roots()["changes"], set()):
        assert cell.row is not None
        found[str(cell.row[0])].append(cell.row[1:])
    assert found == {id: [tuple(row) for row in rows] for id, rows in expected.items()}
    assert not survey(sound).damaged_pages


def test_what_is_only_in_the_log_counts(tmp_path: Path) -> None:
    connection = open_file(tmp_path / FILE)
    connection.execute(INSERT_TABLE, ("a", "b", "waiting", 5, '{"board":"usa"}'))
    connection.execute("PRAGMA wal_checkpoint")
    connection.execute(INSERT_TABLE, ("c", "d", "waiting", 6, '{"board":"usa"}'))
    connection.execute("BEGIN")
    connection.execute(INSERT_TABLE, ("e", "f", "waiting", 7, '{"board":"usa"}'))
    assert {table.id for table in survey(tmp_path / FILE).tables} == {"a", "c"}
    connection.execute("COMMIT")
    assert {table.id for table in survey(tmp_path / FILE).tables} == {"a", "c", "e"}
    connection.close()


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_page_costs_the_tables_on_it_and_no_others(
    tmp_path: Path, sound: Path, kind: str
) -> None:
    """Every kind of page in turn: of changes, of tables, of the index, and the first one."""
    rng = random.Random(kind)
    before = rows_of(sound)
    data = sound.read_bytes()
    number = len(data) // PAGE
    interior = [n for n in range(2, number + 1) if data[(n - 1) * PAGE] == 2]
    for page in sorted({1, *interior, *rng.sample(range(2, number + 1), 6)}):
        folder = tmp_path / str(page)
        folder.mkdir()
        start, end = (page - 1) * PAGE, page * PAGE
        damaged = data[:start] + DAMAGES[kind](data[start:end], rng) + data[end:]
        (folder / FILE).write_bytes(damaged)
        still = readable(folder / FILE, before)
        connection = open_sound(folder / FILE)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
        after = rows_of(folder / FILE)
        harmed = {id for id in before if after.get(id) != before[id]}
        assert not harmed & {id for id, rows in still.items() if rows == before[id]}, page
        # A page has some ten rows, and each is of another table at worst.
        assert len(harmed) <= 14, (page, harmed)
        for id in after:
            # What is left of the others is their beginning.
            assert after[id] == before[id][: len(after[id])]


def test_a_server_goes_on_with_a_damaged_store(
    tmp_path: Path, sound: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(sound, tmp_path / FILE)
    data = bytearray(sound.read_bytes())
    pages = Pages(sound)
    cells = list(pages.walk(pages.roots()["changes"], set()))
    page = next(cell.page for cell in cells if cell.row and cell.row[:2] == ("table0020", 30))
    data[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    (tmp_path / FILE).write_bytes(data)
    with LiveServer(settings_for(tmp_path)) as server:
        status, told, _ = server.ask("GET", "/api/tables/table0001")
        assert (status, told["table"]["state"]) == (200, "playing")
        status, told, _ = server.ask("GET", "/api/tables/table0020")
        assert (status, told["table"]["state"]) == (200, "playing")
    (kept,) = tmp_path.glob("fernzug.db.damaged-*")
    assert kept.read_bytes() == bytes(data), "the damaged file is kept as it is"
    assert "table0020" in survey(kept).set_back
    assert "Traceback" not in capfd.readouterr().err


def test_a_file_with_nothing_left_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(random.Random(1).randbytes(20 * PAGE))
    with pytest.raises(StoreError, match="nothing of it can be read"):
        open_sound(tmp_path / FILE)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
