"""The command line, as its users call it: what it prints and how it exits."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fernzug
from fernzug import bots, cli
from fernzug.i18n import Texts
from fernzug.sim import Simulation, simulate
from paths import DOCS

DOCUMENT = DOCS / "board-files.md"
FULL = Path("/dev/full")


def fernzug_command(
    *words: str, code: int = 0, stdin: str = "", **environment: str
) -> tuple[str, str]:
    """Run the command line in a process of its own; return both outputs."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "fernzug.cli", *words],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLUMNS": "80", **environment},
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a whole game."""
    board = fernzug.board(fernzug.boards()[0])
    list(simulate(Simulation(board, 2, 1, 5, records=str(tmp_path))))
    return tmp_path / "game-000000.jsonl"


# ---------------------------------------------------------------------------- the whole


def test_help_tells_every_command() -> None:
    out, _ = fernzug_command("--help")
    assert all(re.search(rf"^    {name} +\w", out, re.MULTILINE) for name in cli.COMMANDS)


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_has_a_help_of_its_own(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([command, "--help"])
    assert left.value.code == 0
    assert f"usage: fernzug {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["play", "sim", "arena"])
def test_help_describes_levels_and_bots(command: str) -> None:
    out, _ = fernzug_command(command, "--help")
    texts = Texts("en")
    words = " ".join(out.split())
    for level in bots.OPPONENTS:
        assert f" {level} {texts(f'level.{level}.line')}" in words
    for name in bots.BUILTIN:
        assert re.search(rf"^  {name} +[A-Z]", out, re.MULTILINE)
    default = re.findall(r"^  (\w+) .*\(default\)$", out, re.MULTILINE)
    assert default == ([bots.DEFAULT_LEVEL] if command == "play" else [])


def test_the_version_says_which_engine_is_at_work() -> None:
    out, _ = fernzug_command("--version")
    assert out.splitlines()[0] == f"fernzug {fernzug.__version__}"
    assert re.fullmatch(r"engine: (compiled|plain Python \(.*)", out.splitlines()[1])
    plain, _ = fernzug_command("--version", FERNZUG_PLAIN="1")
    assert "plain Python (FERNZUG_PLAIN is set)" in plain
    assert "times slower" in plain


def test_a_wrong_command_line_exits_with_2() -> None:
    out, _ = fernzug_command(code=2)
    assert "commands:" in out
    _, error = fernzug_command("fly", code=2)
    assert "invalid choice: 'fly'" in error


def test_the_package_itself_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fernzug", "--version"], capture_output=True, check=True
    )
    assert done.stdout.startswith(b"fernzug ")


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from fernzug import cli\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith(('fernzug.cli.', 'fernzug.terminal'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fernzug.cli", "boards", "show", fernzug.boards()[0]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0
    process.stderr.close()


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
def test_a_full_disk_behind_the_output_is_told() -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fernzug.cli", "boards"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "fernzug boards: standard output: No space left on device\n"


def test_a_terminal_without_accents_gets_question_marks() -> None:
    out, _ = fernzug_command("boards", PYTHONIOENCODING="ascii")
    assert "2?4" in out


# ---------------------------------------------------------------------------- boards


def test_boards_lists_the_key_figures_within_80_columns() -> None:
    out, _ = fernzug_command("boards")
    lines = out.splitlines()
    assert all(len(line) <= 80 for line in lines[:-1])
    for name in fernzug.boards():
        board = fernzug.board(name)
        line = next(line for line in lines if line.startswith(name))
        assert f"{board.min_players}\N{EN DASH}{board.max_players}" in line
        assert (" *" in line) == (board.network == "own")
        for number in (len(board.locations), len(board.routes), len(board.tickets)):
            assert re.search(rf"\b{number}\b", line)
    assert "our own, not the printed one" in out


def test_boards_as_json() -> None:
    out, _ = fernzug_command("boards", "--json")
    data = json.loads(out)
    assert [entry["id"] for entry in data] == fernzug.boards()
    for entry in data:
        board = fernzug.board(entry["id"])
        assert entry["routes"] == len(board.routes)
        assert entry["cards"]["wild"] == board.wild_count
        assert entry["pieces"] == {kind.id: kind.count for kind in board.pieces}


@pytest.mark.parametrize("name", fernzug.boards())
def test_a_board_can_be_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    board = fernzug.board(name)
    assert cli.main(["boards", "show", name]) == 0
    out = capsys.readouterr().out
    assert all(place.name in out for place in board.locations)
    assert ("our own" in out) == (board.network == "own")
    assert cli.main(["boards", "--json", "show", name]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [route["id"] for route in data["route_list"]] == [route.id for route in board.routes]


def test_an_unknown_board_exits_with_2() -> None:
    _, error = fernzug_command("boards", "show", "atlantis", code=2)
    assert error.startswith("fernzug boards: there is no board 'atlantis'")


def test_a_board_file_that_cannot_be_read_exits_with_1(tmp_path: Path) -> None:
    _, error = fernzug_command("boards", "show", str(tmp_path / "none.toml"), code=1)
    assert error.startswith("fernzug boards: cannot read the board file")


def test_board_files_are_checked(tmp_path: Path) -> None:
    text = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    good = tmp_path / "good.toml"
    good.write_text(text[1], encoding="utf-8")
    out, _ = fernzug_command("boards", "check", str(good))
    assert out == f"{good}: ok, Harbour: 4 places, 5 routes, 4 tickets\n"

    bad = tmp_path / "bad.toml"
    broken = text[1].replace('a = "hill", b = "port"', 'a = "hil", b = "port"')
    bad.write_text(broken.replace("min = 2, max = 3", "min = 3, max = 2"), encoding="utf-8")
    missing = tmp_path / "missing.toml"
    out, _ = fernzug_command("boards", "check", str(bad), str(good), str(missing), code=1)
    lines = out.splitlines()
    faults = [line for line in lines if line.startswith(f"{bad}:")]
    assert len(faults) >= 3
    assert all(re.match(rf"{re.escape(str(bad))}:\d+: \S", fault) for fault in faults)
    assert any("hil" in fault for fault in faults)
    assert f"{good}: ok" in out
    assert "No such file or directory" in lines[-1]

    for command in ("boards show", "sim --board", "play --board"):
        _, error = fernzug_command(*command.split(), str(bad), code=1)
        assert f"{bad}:" in error


def test_crowded_boards_are_warned_of(tmp_path: Path) -> None:
    text = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    near = tmp_path / "near.toml"
    near.write_text(text[1].replace("x = 340, y =  60", "x =  70, y =  60"), encoding="utf-8")
    out, _ = fernzug_command("boards", "check", str(near))
    ok, warning, *_ = out.splitlines()
    assert ok.startswith(f"{near}: ok, ")
    assert re.match(
        rf"{re.escape(str(near))}:\d+: warning: 'lake' is only 36 px from 'hill'", warning
    )


def test_a_file_that_is_no_text_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "noise.toml"
    file.write_bytes(b"id = 'x'\n\xff\xfe")
    out, _ = fernzug_command("boards", "check", str(file), code=1)
    assert out.startswith(f"{file}:2: ")


# ---------------------------------------------------------------------------- replay


def test_a_record_is_told_in_words(record: Path) -> None:
    out, _ = fernzug_command("replay", str(record))
    game = fernzug.replay(record)
    winner = min(game.scores(), key=lambda sheet: sheet.rank)
    assert re.search(r"^  1  Player \d (takes|draws|claims)", out, re.MULTILINE)
    assert f"Player {winner.seat + 1} has won." in out
    assert all(re.search(rf"Player {s.seat + 1} .*{s.total}$", out, re.MULTILINE) for s in
               game.scores())  # fmt: skip
    again, _ = fernzug_command("replay", "-", stdin=record.read_text(encoding="utf-8"))
    assert again == out


@pytest.mark.parametrize(
    ("language", "word"), [("de", "gewonnen"), ("en", "has won"), ("fr", "gagné")]
)
def test_a_record_is_told_in_three_languages(
    record: Path, language: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(record), "--lang", language]) == 0
    assert word in capsys.readouterr().out


def test_a_record_as_json_has_every_state(record: Path) -> None:
    out, _ = fernzug_command("replay", str(record), "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    events = record.read_text(encoding="utf-8").splitlines()[1:-1]
    assert len(lines) == len(events)
    assert lines[0]["line"] == 2
    assert lines[-1]["event"] == {"event": "ended"}
    assert lines[-1]["position"] == fernzug.replay(record).position()
    middle = fernzug.Game.from_position(lines[len(lines) // 2]["position"])
    assert not middle.over


def test_a_turn_and_a_seat_can_be_asked_for(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(record), "--turn", "3"]) == 0
    assert all(line.startswith(("  3  ", "     ")) for line in capsys.readouterr().out.splitlines())
    assert cli.main(["replay", str(record), "--turn", "9999", "--lang", "en"]) == 2
    assert "no turn 9999" in capsys.readouterr().err
    assert cli.main(["replay", str(record), "--turn", "9999", "--json"]) == 2
    assert capsys.readouterr().out == ""
    assert cli.main(["replay", str(record), "--json", "--turn", "0", "--seat", "1"]) == 0
    for line in capsys.readouterr().out.splitlines():
        data = json.loads(line)
        assert data["view"]["viewer"] == 1
        if data["event"].get("seat") == 0:
            assert "tickets" not in data["event"]
            assert "color" not in data["event"]
    assert cli.main(["replay", str(record), "--seat", "7"]) == 2


def test_a_game_that_was_broken_off_is_told_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = fernzug.Game(fernzug.boards()[0], players=2, seed=3)
    file = tmp_path / "short.jsonl"
    game.record().save(file)
    assert cli.main(["replay", str(file), "--lang", "en"]) == 0
    assert "stops here" in capsys.readouterr().out
    assert cli.main(["replay", str(file), "--lang", "en", "--seat", "0"]) == 0
    assert "total" not in capsys.readouterr().out


def test_a_changed_or_cut_record_is_refused_with_the_line(record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = record.with_name("cut.jsonl")
    cut.write_text("".join(lines[:-4]), encoding="utf-8")
    out, error = fernzug_command("replay", str(cut), code=1)
    assert out == ""
    assert error.startswith(f"fernzug replay: {cut}:{len(lines) - 4}: ")

    changed = record.with_name("changed.jsonl")
    number = next(i for i, line in enumerate(lines) if '"drew"' in line)
    lines[number] = (
        lines[number].replace('"seat": 0', '"seat": 9').replace('"seat": 1', '"seat": 0')
    )
    changed.write_text("".join(lines), encoding="utf-8")
    for form in ([], ["--json"]):
        out, error = fernzug_command("replay", str(changed), *form, code=1)
        assert out == ""
        assert error.startswith(f"fernzug replay: {changed}:{number + 1}: ")


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    noise = tmp_path / "noise.jsonl"
    noise.write_bytes(b"\xff\xfe\x00")
    _, error = fernzug_command("replay", str(noise), code=1)
    assert "not a text file" in error
    _, error = fernzug_command("replay", str(tmp_path / "none.jsonl"), code=1)
    assert "cannot read" in error
    assert "No such file" in error
    _, error = fernzug_command("replay", str(tmp_path), code=1)
    assert "cannot read" in error
