"""A newcomer adds a bonus given at the end, one given in play, and a city (docs/bonuses.md).

They are added to a copy of the package, which runs plain in processes of its own: bots play on it,
the terminal, ``boards show``, a record and a server table.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from project.new_parts import ROOT, blocks, make_copy

pytestmark = pytest.mark.slow

CITY = "harbour"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    make_copy(folder)
    return folder


def run(copy: Path, *command: str, typed: str = "") -> str:
    """Return what a Python command prints that sees the copy and nothing else."""
    paths = os.pathsep.join([str(copy), str(ROOT / "tests"), str(ROOT / "tests" / "server")])
    environment = {**os.environ, "PYTHONPATH": paths, "FERNZUG_PLAIN": "1", "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-W", "error", *command],
        env=environment,
        cwd=copy,
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


PLAY = """
import json, sys
import fernzug
from fernzug import bots
assert fernzug.__file__.startswith(sys.argv[1]), fernzug.__file__
found = []
for names in json.loads(sys.argv[2]):
    game = fernzug.Game("harbour", players=len(names), seed=len(found))
    players = [bots.make(name, game.board, seed=seat) for seat, name in enumerate(names)]
    while game.seat is not None:
        view = game.view(game.seat)
        game.play(players[game.seat].choose(view, view.legal))
    again = fernzug.replay(str(game.record()))
    assert again.position() == game.position()
    assert fernzug.Game.from_position(game.position()).scores() == game.scores()
    found.append({
        "events": [event.kind for event in game.events],
        "bonuses": [sheet.bonuses for sheet in game.scores()],
        "milestones": game.position()["milestones"],
        "steps": [
            [step.to_json() for steps in game.view(None).progress(seat).values() for step in steps]
            for seat in range(game.players)
        ],
    })
print(json.dumps(found))
"""


def test_bots_play_and_records_replay(copy: Path) -> None:
    tables = [["planner", "greedy"], ["search:iterations=20", "racer", "random"]]
    found = json.loads(run(copy, "-c", PLAY, str(copy), json.dumps(tables)))
    for game in found:
        firsts = sum(len(names) for names in game["milestones"])
        assert game["events"].count("milestone_reached") == firsts > 0
        for bonuses, names, steps in zip(
            game["bonuses"], game["milestones"], game["steps"], strict=True
        ):
            assert bonuses["milestones"] == 2 * len(names)
            assert bonuses["lighthouses"] == 3 * steps[0]["have"]
            assert steps[1]["items"] == names
    assert any(bonuses["lighthouses"] for game in found for bonuses in game["bonuses"])


def test_simulations_count_them(copy: Path) -> None:
    out = copy / "games.csv"
    run(copy, "-m", "fernzug", "sim", "--board", CITY, "--games", "20", "--csv", str(out))
    head, *rows = out.read_text(encoding="utf-8").splitlines()
    assert {"seat0_lighthouses", "seat1_milestones"} <= set(head.split(","))
    assert len(rows) == 20


def test_the_board_is_checked_and_shown(copy: Path) -> None:
    file = copy / "fernzug" / "board" / "data" / f"{CITY}.toml"
    assert "ok" in run(copy, "-m", "fernzug", "boards", "check", str(file))
    assert "Lighthouses, Milestones" in run(copy, "-m", "fernzug", "boards", "show", CITY)
    broken = copy / "broken.toml"
    broken.write_text(blocks()[f"{CITY}.toml"].replace("routes = 2, ", ""), encoding="utf-8")
    command = ["-m", "fernzug", "boards", "check", str(broken)]
    with pytest.raises(AssertionError, match="a bonus of kind 'lighthouses' needs 'routes'"):
        run(copy, *command)


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_the_terminal_knows_their_rules(copy: Path, language: str) -> None:
    command = ["-m", "fernzug", "play", "--board", CITY, "--players", "2", "--seed", "1"]
    said = run(copy, *command, "--lang", language, typed="rules\nkeep 1\nquit\nq\n")
    assert "X1" in said
    assert "X2" in said


SERVE = """
import sys
from pathlib import Path
from live import LiveServer, settings_for
with LiveServer(settings_for(Path(sys.argv[1]))) as server:
    board = next(b for b in server.get("/api/boards")["boards"] if b["id"] == "harbour")
    assert [bonus["kind"] for bonus in board["bonuses"]] == ["lighthouses", "milestones"]
    browser = server.visit(server.make("here", "novice", board="harbour"), 0)
    while browser.view(0)["view"]["phase"] != "over":
        legal = browser.legal(0)
        if legal:
            claims = [text for text in legal if text.startswith("claim")]
            browser.play(0, (claims or legal)[0])
        else:
            browser.until("events")
    told = browser.view(0)
    assert set(told["bonuses"][0]) == {"lighthouses", "milestones"}
    assert any(step["items"] for seat in told["bonuses"] for step in seat["milestones"])
    browser.close()
"""


def test_people_play_it_on_a_server(copy: Path, tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    run(copy, "-c", SERVE, str(tmp_path))
