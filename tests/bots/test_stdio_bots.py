"""Programs that play over standard input and output: good ones, and all that can go wrong."""

import ast
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import fernzug
from fernzug import Board, bots
from fernzug.board.as_json import ROUTE_KEYS, for_programs
from fernzug.bots import Guard
from fernzug.bots.guard import KINDS
from fernzug.bots.stdio import StdioBot, split_command
from fernzug.match import Match
from situations import at_every_table, on_every_board

BOARD = fernzug.board("london")
EXAMPLE = Path(__file__).parents[2] / "examples" / "stdio_bot.py"

PROGRAM = """
import json, os, subprocess, sys, time
def say(message):
    print(json.dumps(message), flush=True)
def first(request):
    say({"type": "action", "action": request["legal"][0]})
decisions = 0
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        hello = request
        say({"type": "ready", "name": "test", **READY})
    elif request["type"] == "decide":
        decisions += 1
        if decisions < 3:
            first(request)
        else:
            BODY
    elif request["type"] == "bye":
        BYE
"""


def program(folder: Path, body: str, ready: str = "{}", bye: str = "break") -> str:
    """Write a program that does something from its third decision on; return its spec."""
    text = PROGRAM.replace("READY", ready).replace("BYE", bye)
    lines = body.strip().splitlines()
    text = text.replace("BODY", "\n            ".join(lines))
    path = folder / "bot.py"
    path.write_text(text, encoding="utf-8")
    return f"'{sys.executable}' '{path}'"


def play_out(spec: str, seed: int = 5, opponent: str = "random") -> Guard:
    """Play a game to its end with a program on seat 0."""
    guard = bots.guarded(spec, BOARD, seed=1)
    game = fernzug.Game(BOARD, players=2, seed=seed)
    with Match(game, {0: guard, 1: bots.make(opponent, BOARD, seed=2)}) as match:
        match.play_out()
    assert game.over
    return guard


def failure_of(spec: str) -> tuple[str, str]:
    guard = play_out(spec)
    assert guard.failure is not None
    assert guard.failure.decision == 3
    return guard.failure.kind, guard.failure.text


# ---------------------------------------------------------------------------- the example


def test_the_example_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse(EXAMPLE.read_text(encoding="utf-8"))
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    }
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert imported <= sys.stdlib_module_names


@at_every_table
def test_the_example_plays_on_every_board(board: Board, players: int) -> None:
    guard = bots.guarded(f"stdio:'{sys.executable}' '{EXAMPLE}'", board)
    game = fernzug.Game(board, players, seed=8)
    others = bots.make("random", board)
    with Match(game, {0: guard, **dict.fromkeys(range(1, players), others)}) as match:
        match.play_out()
    assert guard.failure is None
    assert game.scores()[0].rank == 1


# ---------------------------------------------------------------------------- what is said


def test_a_program_hears_who_it_is_and_what_happens(tmp_path: Path) -> None:
    heard = tmp_path / "heard.jsonl"
    path = tmp_path / "bot.py"
    path.write_text(
        "import json, sys\n"
        f"heard = open({str(heard)!r}, 'w')\n"
        "for line in sys.stdin:\n"
        "    heard.write(line)\n"
        "    request = json.loads(line)\n"
        "    if request['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'ready', 'name': 'ear', 'events': True}), flush=True)\n"
        "    elif request['type'] == 'decide':\n"
        "        print(json.dumps({'type': 'action', 'action': request['legal'][0]}), flush=True)\n"
        "heard.close()\n"
    )
    guard = play_out(f"stdio:'{sys.executable}' '{path}'")
    assert guard.failure is None
    hello, *decisions, bye = map(json.loads, heard.read_text().splitlines())
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "board": for_programs(BOARD),
        "players": 2,
        "seat": 0,
        "seed": 1,
        "budget": {"iterations": None, "seconds": None, "timeout": 30.0},
    }
    assert {request["type"] for request in decisions} == {"decide"}
    assert bye["type"] == "bye"
    # A program that collects the events misses none, and learns no secret of the others.
    events = [event for request in [*decisions, bye] for event in request["events"]]
    assert events[-1] == {"event": "ended"}
    assert all(
        "color" not in event for event in events if event["event"] == "drew" and event["seat"]
    )
    first = decisions[0]
    assert first["legal"] == ["keep 1", "keep 2", "keep 1 2"]
    view: dict[str, Any] = dict(fernzug.Game(BOARD, 2, seed=5).view(0).to_json())
    del view["legal"]
    assert first["view"] == json.loads(json.dumps(view))


@on_every_board
def test_the_board_is_told_in_full(board: Board) -> None:
    told = json.loads(json.dumps(for_programs(board)))
    assert [route["id"] for route in told["routes"]] == [route.id for route in board.routes]
    assert [ticket["points"] for ticket in told["tickets"]] == [t.points for t in board.tickets]
    assert sum(told["cards"].values()) == sum(board.color_counts) + board.wild_count
    assert [bonus["kind"] for bonus in told["bonuses"]] == [bonus.kind for bonus in board.bonuses]


@pytest.mark.parametrize(
    ("command", "words", "settings"),
    [
        ("python bot.py", ["python", "bot.py"], {}),
        ("python 'my bot.py' a=b", ["python", "my bot.py", "a=b"], {}),
        ("timeout=2 start=5.5 python x", ["python", "x"], {"timeout": 2.0, "start": 5.5}),
    ],
)
def test_command_lines(
    command: str,
    words: list[str],
    settings: dict[str, float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    assert split_command(command) == (words, settings)


@pytest.mark.parametrize(("seconds", "timeout"), [(None, 30.0), (1.0, 5.0), (10.0, 20.0)])
def test_the_time_limit_follows_the_budget(seconds: float | None, timeout: float) -> None:
    command = f"'{sys.executable}'"
    assert StdioBot(BOARD, command, seconds=seconds).timeout == timeout
    assert StdioBot(BOARD, f"timeout=3 {command}", seconds=seconds).timeout == 3.0


# ---------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("raise RuntimeError('I am lost')", "crash", ("exit code 1", "RuntimeError: I am lost")),
        ("os._exit(7)", "crash", ("exit code 7",)),
        ("os.kill(os.getpid(), 9)", "crash", ("signal 9",)),
        (
            "sys.stdout.close(); os.close(1); time.sleep(60)",
            "crash",
            ("closed its standard output",),
        ),
        ("print('thinking about it', flush=True)", "nonsense", ("'thinking about it'", '"action"')),
        ("say([1, 2])", "nonsense", ("[1, 2]",)),
        ("say({'type': 'ready'})", "nonsense", ("instead of",)),
        ("say({'type': 'action'})", "nonsense", ("'action' must be a string",)),
        ("say({'type': 'action', 'action': 7})", "nonsense", ("'action' must be a string",)),
        ("say({'type': 'action', 'action': 'fly me'})", "nonsense", ("'fly' is not an action",)),
        ("print('[' * 100000, flush=True)", "nonsense", ("[[[[",)),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "nonsense", ("instead",)),
        ("say({'type': 'action', 'action': 'keep 1'})", "illegal", ("'keep 1' is not legal",)),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_a_program_that_fails_is_replaced(
    body: str, kind: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    spec = "stdio:" + program(tmp_path, body)
    guard = play_out(spec)
    assert guard.failure is not None
    assert guard.failure.kind == kind
    assert guard.failure.decision == 3
    for word in words:
        assert word in guard.failure.text


@pytest.mark.parametrize("body", ["time.sleep(60)", "while True: pass"])
def test_a_program_that_hangs_is_replaced(body: str, tmp_path: Path) -> None:
    start = time.monotonic()
    kind, text = failure_of("stdio:timeout=0.3 " + program(tmp_path, body))
    assert (kind, text) == ("timeout", "no answer within 0.3 seconds")
    assert time.monotonic() - start < 20


def test_a_program_that_does_not_read_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import time\ntime.sleep(60)\n")
    guard = play_out(f"stdio:start=0.3 '{sys.executable}' '{path}'")
    assert guard.failure is not None
    assert guard.failure.kind == "timeout"


def test_a_program_that_answers_twice_is_found_out(tmp_path: Path) -> None:
    guard = play_out("stdio:" + program(tmp_path, "first(request)\nfirst(request)"))
    assert guard.failure is not None
    assert guard.failure.kind in ("nonsense", "illegal")


def test_a_flood_of_lines_fills_nothing(tmp_path: Path) -> None:
    flood = "for _ in range(10000): print('x' * 100)\nsys.stdout.flush()"
    kind, _ = failure_of("stdio:" + program(tmp_path, flood))
    assert kind == "nonsense"


def test_the_end_of_the_standard_error_is_kept(tmp_path: Path) -> None:
    body = "sys.stderr.write('first words ' + 'x' * 5000 + ' last words')\nsys.exit(4)"
    kind, text = failure_of("stdio:" + program(tmp_path, body))
    assert kind == "crash"
    assert text.endswith("last words")
    assert "first words" not in text
    assert len(text) < 2500


def test_a_program_that_cannot_be_run_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    guard = play_out(f"stdio:{path}")
    assert guard.failure is not None
    assert guard.failure.kind == "start"


# ---------------------------------------------------------------------------- the end


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that has ended but was not asked for by its parent is not alive either.
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


@pytest.mark.skipif(os.name != "posix", reason="process groups are a matter of POSIX")
@pytest.mark.parametrize("bye", ["break", "time.sleep(60)"])
def test_what_a_program_has_started_ends_with_it(bye: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = (
        f"if decisions == 3:\n"
        f"    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"    open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        f"first(request)"
    )
    guard = play_out("stdio:" + program(tmp_path, body, bye=bye))
    assert guard.failure is None
    started = [int(word) for word in pids.read_text().split()]
    assert len(started) == 2
    assert all(gone(pid) for pid in started)


def test_a_bot_that_was_never_asked_starts_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    bot = bots.make(f"stdio:'{sys.executable}' -c \"open(r'{mark}', 'w')\"", BOARD)
    bot.close()
    assert not mark.exists()


# ---------------------------------------------------------------------------- the page

PAGE = Path(__file__).parents[2] / "docs" / "bot-protocol.md"


def documented(heading: str) -> set[str]:
    """The keys in the first column of a table of the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index(next(line for line in lines if line.startswith(f"| {heading} |")))
    keys: set[str] = set()
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        keys.update(re.findall(r"`(\w+)`", line.split("|")[1]))
    return keys


def test_the_page_names_every_key() -> None:
    view = fernzug.Game(BOARD, 2, seed=1).view(0).to_json()
    assert documented("key of `view`") == set(view) - {"legal"}
    assert documented("key of `board`") == set(for_programs(BOARD))
    assert documented("failure") == set(KINDS)
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{key}`" in text for key in [*ROUTE_KEYS, *view["players"][0]])


def test_the_smallest_bot_plays(tmp_path: Path) -> None:
    block = re.search(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    path = tmp_path / "smallest.py"
    path.write_text(block[1])
    assert play_out(f"stdio:'{sys.executable}' '{path}'").failure is None
