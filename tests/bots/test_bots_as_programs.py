"""Our bots as programs: they choose what they would choose in our own process."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest

import fernzug
from fernzug import Board, Game, bots, cli
from fernzug.board.as_json import for_programs
from fernzug.bots.base import Bot
from fernzug.bots.speaking import ProtocolError, speak
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.knowledge import Knowledge
from fernzug.engine.playout import pick
from fernzug.engine.state import State, filled
from fernzug.match import Match
from fernzug.view_reader import view_from
from situations import at_every_table_slowly

BOARD = fernzug.board("london")


def numbers(known: Knowledge) -> dict[str, Any]:
    """Everything that a bot can read from knowledge."""
    names = [name for name in dir(State) if not name.startswith("_")]
    fields = {name: getattr(known.state, name) for name in names}
    found: dict[str, Any] = {
        name: list(value) if hasattr(value, "__len__") else value
        for name, value in fields.items()
        if not callable(value) and name not in ("journal", "scripted_decks", "tables")
    }
    for name in ("hidden", "hand_count", "ticket_count", "offer_count"):
        found[f"known.{name}"] = list(getattr(known, name))
    offer = found.pop("offer")
    first = int(known.state.offer_start(known.seat)) if known.seat >= 0 else 0
    # Beyond the tickets that lie there, the vector holds what is left of older offers.
    found["own offer"] = sorted(offer[first + 1 : first + 1 + offer[first]])
    return {**found, "unplaced": known.unplaced, "seat": known.seat}


@at_every_table_slowly
def test_a_view_can_be_read_back(board: Board, players: int) -> None:
    game = Game(board, players, seed=3)
    stream = Stream(3, PLAYERS)
    scratch = filled(game.state.tables.words, 0)
    steps = 0
    while not game.over:
        for viewer in [*range(players), None]:
            view = game.view(viewer)
            told = json.loads(json.dumps(view.to_json()))
            again = view_from(told, board, int(game.state.reshuffles))
            assert again == view
            assert numbers(again.knowledge) == numbers(view.knowledge)
        assert game.seat is not None
        # A few actions at once: neighbouring positions have little new to tell.
        for _ in range(1 if steps < 20 else 7):
            if (seat := game.seat) is not None:
                action = int(pick(game.state, seat, stream, scratch))
                chosen = next(a for a in game.legal(seat) if a.number == action)
                game.play(chosen, seat=seat)
        steps += 1
    assert view_from(game.view(0).to_json(), board).scores == game.view(0).scores


class Talk(Bot):
    """Asks a bot as a program would be asked, without a process."""

    def __init__(self, spec: str, board: Board, seed: int) -> None:
        super().__init__(board, seed)
        self.spec = spec
        self.lines: list[dict[str, Any]] = []
        self.events: list[Any] = []

    def watch(self, events: Any) -> None:
        self.events += [event.to_json() for event in events]

    def choose(self, view: Any, legal: Any) -> Any:
        if not self.lines:
            self.lines.append(hello(self.board, seed=self.seed, seat=view.viewer))
        request = {"type": "decide", "view": view.to_json(), "events": self.events}
        self.lines.append(request)
        self.events = []
        answers = io.StringIO()
        speak(self.spec, None, io.StringIO("\n".join(map(json.dumps, self.lines))), answers)
        text = json.loads(answers.getvalue().splitlines()[-1])["action"]
        return next(action for action in legal if action.text == text)


def hello(on: Board, **more: object) -> dict[str, Any]:
    return {
        "type": "hello",
        "protocol": 1,
        "board": for_programs(on),
        "players": 2,
        "seed": 5,
        **more,
    }


@pytest.mark.parametrize("spec", ["greedy", "planner:slips=30", "search:iterations=40,net=0"])
def test_the_program_plays_as_the_bot_does(spec: str) -> None:
    def events(player: Bot) -> list[fernzug.Event]:
        game = Game(BOARD, 2, seed=4)
        with Match(game, {0: player, 1: bots.make("greedy", BOARD, seed=2)}) as match:
            for _ in range(24):
                if (seat := game.seat) is not None:
                    match.play(match.choose(seat), seat)
        return game.events

    assert events(Talk(spec, BOARD, 9)) == events(bots.make(spec, BOARD, seed=9))


@pytest.mark.slow
def test_the_command_speaks_the_protocol() -> None:
    program = f"stdio:'{sys.executable}' -m fernzug bot planner"
    guard = bots.guarded(program, BOARD, seed=1)
    with Match(Game(BOARD, 2, seed=2), {0: guard, 1: bots.make("random", BOARD)}) as match:
        match.play_out()
    assert guard.failure is None


def test_a_bot_that_watches_is_told_events(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[fernzug.Event] = []

    class Listener(Bot):
        def choose(self, view: Any, legal: Any) -> Any:
            return legal[0]

        def watch(self, events: Any) -> None:
            heard.extend(events)

    monkeypatch.setattr(bots, "_others", lambda: {"listener": Listener})
    game = Game(BOARD, 2, seed=4)
    seen = [event.seen_by(0) for event in game.events]
    lines = [
        hello(BOARD),
        {
            "type": "decide",
            "view": game.view(0).to_json(),
            "events": [event.to_json() for event in seen],
        },
        {"type": "bye"},
    ]
    speak("listener", None, io.StringIO("\n".join(map(json.dumps, lines))), io.StringIO())
    assert heard == seen


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["nonsense"], "line 1 is not a request: nonsense"),
        (["[]"], "line 1 is not a request"),
        ([json.dumps({"type": "decide"})], "line 1 has a request that is not expected: 'decide'"),
        ([json.dumps({"type": "hello"})], "line 1 is a greeting without 'protocol'"),
        ([json.dumps(hello(BOARD, protocol=2))], "speaks version 1 of the protocol, not 2"),
        (
            [json.dumps(hello(BOARD, board={"id": "atlantis", "hash": "1"}))],
            "the game is on another board than we know, 'atlantis'",
        ),
    ],
)
def test_what_is_wrong_with_a_conversation_is_told(
    lines: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ProtocolError) as error:
        speak("greedy", None, io.StringIO("\n".join(lines)), io.StringIO())
    assert words in str(error.value)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    assert cli.main(["bot", "greedy"]) == 1
    assert words in capsys.readouterr().err


def test_a_wrong_name_is_told() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "fernzug", "bot", "planer"],
        input=json.dumps(hello(BOARD)),
        capture_output=True,
        check=False,
        text=True,
    )
    assert run.returncode == 2
    assert "there is no bot 'planer', did you mean 'planner'?" in run.stderr
