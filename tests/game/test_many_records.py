"""Files with the records of many games."""

import gzip
from pathlib import Path

import pytest

import fernzug
from fernzug import cli, record
from fernzug.record import RecordError, SeveralRecords
from fernzug.sim import Simulation, simulate

BOARD = fernzug.board("london")


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("bots", [(), ("greedy", "random")])
def test_a_simulation_writes_them_and_they_are_read_back(
    name: str, bots: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / name
    plan = Simulation(BOARD, 2, 7, 3, bots, records=str(path))
    list(simulate(plan))
    found = list(record.read(path))
    assert [each.header["seed"] for each in found] == [plan.game_seed(n) for n in range(7)]
    assert all(fernzug.replay(each).over for each in found)
    written = path.read_bytes()
    list(simulate(plan, workers=2))
    assert path.read_bytes() == written, "any number of workers writes the same file"
    assert [each.header for each in record.read(path, first=5)] == [r.header for r in found[5:]]
    again = tmp_path / f"again-{name}"
    record.write(found, again)
    assert list(map(str, record.read(again))) == list(map(str, found))
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".part")] == []


def test_a_single_record_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    game = fernzug.Game(BOARD, 2, seed=1)
    path.write_bytes(gzip.compress(str(game.record()).encode()))
    assert fernzug.replay(path).position() == game.position()


def test_one_game_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    list(simulate(Simulation(BOARD, 2, 3, 3, records=str(path))))
    assert cli.main(["replay", str(path), "--game", "2"]) == 0
    out = capsys.readouterr().out
    single = tmp_path / "single.jsonl"
    list(record.read(path))[2].save(single)
    assert cli.main(["replay", str(single)]) == 0
    assert capsys.readouterr().out == out
    for words, reason in (
        ([str(path)], "has several games; choose one with --game N"),
        ([str(path), "--game", "3"], "has no game 3"),
        (["-", "--game", "1"], "--game is for files"),
    ):
        assert cli.main(["replay", *words]) == 2
        assert reason in capsys.readouterr().err


def test_what_is_broken_is_told_with_the_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    list(simulate(Simulation(BOARD, 2, 3, 3, records=str(path))))
    with pytest.raises(SeveralRecords, match="another game begins here"):
        record.load(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    second = next(i for i, line in enumerate(lines[1:], start=1) if record.FORMAT in line)
    broken = second + 5
    lines[broken] = lines[broken].replace('"event"', '"evnet"')
    path.write_text("".join(lines), encoding="utf-8")
    games = record.read(path)
    next(games)
    with pytest.raises(RecordError, match="was changed") as error:
        next(games)
    assert error.value.line == broken + 1
    path.write_text("".join(lines[: second + 3]), encoding="utf-8")
    with pytest.raises(RecordError, match="truncated"):
        list(record.read(path))
    packed = tmp_path / "games.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(lines).encode())[:-20])
    with pytest.raises(RecordError, match="cannot be unpacked"):
        record.load(packed)
    packed.write_bytes(b"this is a letter")
    with pytest.raises(RecordError, match="cannot be unpacked"):
        record.load(packed)
