"""``fernzug store``: check, backup, restore, export."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from fernzug import record
from fernzug.cli import main
from fernzug.server.sqlite_file import FILE, lock
from paths import ROOT
from server.live import LiveServer, settings_for

PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store: six games in progress, one that is over, one that has not begun."""
    data = (ROOT / "tests" / "server" / "data" / "store-0.1.db.gz").read_bytes()
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / FILE).write_bytes(gzip.decompress(data))
    return folder


def damage(folder: Path) -> None:
    """Overwrite a page that has changes on it."""
    data = bytearray((folder / FILE).read_bytes())
    page = next(n for n in range(3, 99) if data[n * PAGE] == 10 and b'"played"' in data[n * PAGE :])
    data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    (folder / FILE).write_bytes(data)


def store(folder: Path, *words: str) -> int:
    return main(["store", *words, "--data", str(folder)])


def test_check_says_what_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store(folder, "check") == 0
    told = capsys.readouterr().out
    assert "tables: 1 over, 6 playing, 1 waiting; 309 changes" in told
    assert told.endswith("everything can be read\n")
    with LiveServer(settings_for(folder)):
        assert store(folder, "check") == 0


def test_check_names_the_damaged_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(folder)
    before = (folder / FILE).read_bytes()
    assert store(folder, "check") == 1
    told = capsys.readouterr().out
    assert "1 damaged page" in told
    assert "change" in told
    assert told.endswith("damaged\n")
    assert (folder / FILE).read_bytes() == before


def test_a_backup_of_a_running_server_can_be_restored(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.db"
    with LiveServer(settings_for(folder)) as server:
        made = server.make("here", "here")
        assert store(folder, "backup", str(copy)) == 0
        server.make("here", "here")
        assert store(folder, "restore", str(copy), "--replace") == 1
        assert "another server uses" in capsys.readouterr().err
    assert store(folder, "restore", str(copy)) == 1
    assert "has 10 tables; with --replace" in capsys.readouterr().err
    assert store(folder, "restore", str(copy), "--replace") == 0
    (kept,) = folder.glob("fernzug.db.replaced-*[0-9]")
    assert main(["store", "check", str(kept)]) == 0
    with LiveServer(settings_for(folder)) as server:
        browser = server.visit(made, 0, 1)
        assert browser.play(0, browser.legal(0)[0])["type"] == "ack"
        browser.close()


def test_nothing_is_overwritten_unasked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "mine"
    target.write_text("precious")
    for action in ("backup", "export"):
        assert store(folder, action, str(target)) == 1
        assert "exists already" in capsys.readouterr().err
        assert target.read_text() == "precious"
    assert store(folder, "backup", str(target), "--force") == 0
    assert main(["store", "check", str(target)]) == 0
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_what_is_left_of_a_damaged_store_is_restored(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(folder)
    assert store(folder, "backup", str(tmp_path / "copy.db")) == 1
    assert "is damaged, so there is no backup" in capsys.readouterr().err
    assert store(folder, "restore", str(folder / FILE)) == 1
    assert "1 damaged page" in capsys.readouterr().err
    assert store(folder, "check") == 0
    assert store(folder, "restore", str(folder / FILE)) == 1
    assert "nothing of it is damaged" in capsys.readouterr().err


def test_games_are_exported_as_records(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "games.jsonl"
    assert store(folder, "export", str(target)) == 0
    (game,) = record.read(target)
    assert len(game.header["names"]) == 2
    assert store(folder, "export", str(target), "--unfinished", "--force") == 0
    assert len(list(record.read(target))) == 7
    capsys.readouterr()
    assert store(folder, "export", "-") == 0
    assert capsys.readouterr().out == str(game)


def test_faults_are_told_in_words(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["store"]) == 2
    assert "name an action" in capsys.readouterr().err
    assert store(tmp_path / "nowhere", "check") == 1
    assert "there is no store" in capsys.readouterr().err
    assert store(folder, "check", str(ROOT / "README.md")) == 1
    assert "is not a store" in capsys.readouterr().err
    assert store(folder, "restore", str(ROOT / "README.md"), "--replace") == 1
    assert "is not a store" in capsys.readouterr().err
    assert store(folder, "check") == 0
    with lock(folder):
        assert store(folder, "restore", str(folder / FILE)) == 1
    assert "another server uses" in capsys.readouterr().err
