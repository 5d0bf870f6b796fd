"""The terminal game as people meet it: whole games, through a terminal and through a pipe."""

import codecs
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import fernzug
from fernzug.bots import DEFAULT_LEVEL, LEVELS, OPPONENTS
from fernzug.i18n import LANGUAGES, Texts
from fernzug.record import load
from fernzug.terminal.layout import DASH

pytestmark = pytest.mark.slow

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
termios = pytest.importorskip("termios")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x01|\x02|\r(?=\n)")
NEVER = r"(?!)"
OVERWRITTEN = re.compile(r"[^\n]*\r")

# The terminal must be the process's own, so that its Ctrl-C is heard.
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
PLAY = [sys.executable, "-W", "error", "-m", "fernzug.cli", "play"]
BOARD = fernzug.boards()[0]


class Terminal:
    """A process on a pseudo-terminal, and what it has shown so far."""

    def __init__(
        self, words: list[str], size: tuple[int, int], folder: Path | None, **environment: str
    ) -> None:
        self.main, side = pty.openpty()
        columns, lines = size
        termios.tcsetwinsize(side, (lines, columns))
        kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWN_TERMINAL, *PLAY[1:], *words],
            stdin=side,
            stdout=side,
            stderr=side,
            env={**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment},
            start_new_session=True,
            cwd=folder,
        )
        os.close(side)
        self.raw = ""  # since the last prompt
        self.text = ""  # all that was shown, as a reader sees it
        self.colored = False
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def read(self, until: str, seconds: float = 60) -> str:
        """Read until the text ends with a pattern, or there is no more; return what is new."""
        deadline = time.monotonic() + seconds
        over = False
        while True:
            text = OVERWRITTEN.sub("", ESCAPES.sub("", self.raw))
            if over or re.search(rf"(?:{until})\Z", text):
                assert "Traceback" not in text, text
                assert until == NEVER or re.search(until, text), text
                self.colored |= "\x1b[48;5;" in self.raw
                self.text += text
                self.raw = ""
                return text
            assert time.monotonic() < deadline, text
            if select.select([self.main], [], [], 1)[0]:
                try:
                    self.raw += self._decoder.decode(os.read(self.main, 65536))
                except OSError:
                    # The other side has gone: what was shown is all there is.
                    over = True

    def type(self, line: str) -> None:
        os.write(self.main, line.encode() + b"\n")

    def end(self) -> int:
        """Wait for the process; return its exit code."""
        self.read(NEVER)
        return self.process.wait(timeout=30)


@contextmanager
def terminal(
    *words: str,
    size: tuple[int, int] = (80, 24),
    folder: Path | None = None,
    **environment: str,
) -> Iterator[Terminal]:
    opened = Terminal(list(words), size, folder, **environment)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.process.kill()
            opened.process.wait()
        os.close(opened.main)


def piped(*words: str, typed: str = "", code: int = 0, **environment: str) -> str:
    """Play with what comes through a pipe; return all that was printed."""
    done = subprocess.run(
        [*PLAY, *words],
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "LINES": "24", **environment},
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stdout, done.stdout
    assert done.returncode == code, done.stdout
    return done.stdout


def next_line(text: str, texts: Texts) -> str:
    """What a simple player types at a prompt: a route if one can be claimed, else a card."""
    if texts("menu.number") in text:
        return "1"
    keep = re.search(re.escape(texts("menu.keep_one", n="@")).replace("@", r"(\d)"), text)
    if keep:
        return " ".join(str(number + 1) for number in range(int(keep[1])))
    claim = re.search(rf"^{texts('menu.claim')}.*\n *(\d+) ", text, re.MULTILINE)
    return claim[1] if claim else "1"


@pytest.mark.parametrize(
    ("name", "language", "size"),
    [
        (name, LANGUAGES[number % 3], ((80, 24), (120, 40))[number % 2])
        for number, name in enumerate(fernzug.boards())
    ],
)
def test_a_whole_game_on_a_terminal(
    name: str, language: str, size: tuple[int, int], tmp_path: Path
) -> None:
    texts = Texts(language)
    file = tmp_path / "game.jsonl"
    words = ["--board", name, "--players", "3", "--seed", "4", "--lang", language]
    with terminal(*words, "--record", str(file), size=size) as screen:
        # The record is written when the game is over.
        prompts = ["\n> ", re.escape(texts("menu.number")), re.escape(f"{file.name}.\n")]
        while True:
            told = screen.read("|".join(prompts))
            if texts("score.total") in told:
                break
            assert all(len(line) <= size[0] for line in told.splitlines()), told
            screen.type(next_line(told, texts))
        assert screen.end() == 0
        assert screen.colored
    assert texts("score.total") in told
    assert re.search(r"[✓✗] ", told)
    game = fernzug.replay(file)
    assert game.over
    totals = {sheet.total for sheet in game.scores()}
    assert all(re.search(rf" {total}\n", told) for total in totals)
    assert load(file).header["seats"] == ["human", "regular", "regular"]


def test_without_arguments_a_terminal_is_asked() -> None:
    with terminal(LC_ALL="de_DE.UTF-8") as screen:
        text = screen.read(re.escape(Texts("de")("start.board")))
        board = fernzug.board(BOARD)
        assert board.name_in("de") in text
        assert Texts("de")("start.own") in text
        screen.type("77")
        assert Texts("de")("start.wrong") in screen.read(re.escape(Texts("de")("start.board")))
        screen.type("1")
        screen.read(r"\[2\] ")
        screen.type("")
        text = screen.read(
            re.escape(Texts("de")("start.opponent", default=list(LEVELS).index(DEFAULT_LEVEL) + 1))
        )
        for level in OPPONENTS:
            line = Texts("de")(f"level.{level}.line")
            assert line in " ".join(text.split())
        screen.type("")
        text = screen.read("\n> ")
        assert Texts("de")("turn.setup") in text
        # The same as without a question, see --help.
        assert f"({Texts('de')(f'level.{DEFAULT_LEVEL}.name')})" in text
        screen.type("ende")
        screen.read(r"\] ")
        screen.type("n")
        assert screen.end() == 0


def test_the_tab_key_completes() -> None:
    with terminal("--board", BOARD, "--seed", "1") as screen:
        screen.read("\n> ")
        os.write(screen.main, b"ke\t")
        screen.read("keep ")
        screen.type("1")
        assert "You keep 1 of 2" in screen.read("\n> ")


def insist(screen: Terminal, act: Callable[[], object]) -> int:
    """Do what ends the program until it has ended; return its exit code.

    A signal or key between the prompt and the reading of the line may wait for the next one.
    """
    for _ in range(10):
        act()
        try:
            screen.process.wait(timeout=3)
            break
        except subprocess.TimeoutExpired:
            continue
    return screen.end()


def test_interrupts_end_politely_and_save_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    with terminal("--board", BOARD, "--seed", "1", "--record", str(file)) as screen:
        screen.read("\n> ")
        screen.type("1")
        screen.read("\n> ")
        assert insist(screen, lambda: os.write(screen.main, b"\x03")) == 130
        assert str(file) in screen.text
    assert not fernzug.replay(file).over

    # As long as the player has decided nothing there is nothing to lose.
    with terminal("--board", BOARD, "--seed", "1", folder=tmp_path) as screen:
        screen.read("\n> ")
        assert insist(screen, lambda: os.write(screen.main, b"\x04")) == 0
        assert "not saved" in screen.text
    assert list(tmp_path.iterdir()) == [file]

    file.unlink()
    with terminal("--board", BOARD, "--seed", "1", "--record", str(file)) as screen:
        screen.read("\n> ")
        assert insist(screen, lambda: screen.process.send_signal(signal.SIGHUP)) == 0
    assert file.exists()


@pytest.mark.parametrize(("key", "code"), [(b"\x03", 130), (b"\x04", 0)])
def test_a_game_that_was_interrupted_can_go_on(key: bytes, code: int, tmp_path: Path) -> None:
    words = ["--board", BOARD, "--seed", "1", "--against", "greedy"]
    with terminal(*words, folder=tmp_path) as screen:
        screen.read("\n> ")
        screen.type("1")
        screen.read("\n> ")
        assert insist(screen, lambda: os.write(screen.main, key)) == code
        command = re.search(r"fernzug play --resume (\S+)", screen.text)
        assert command
    game = fernzug.replay(tmp_path / command[1])
    assert game.phase == "turn"
    with terminal("--resume", command[1], folder=tmp_path) as screen:
        assert "The game continues" in screen.read("\n> ")
        assert "(greedy)" in screen.text


def test_what_is_typed_while_bots_think_is_ignored() -> None:
    slow = ["--against", "search:seconds=1.5"]
    with terminal("--board", BOARD, "--seed", "1", "--players", "2", *slow) as screen:
        screen.read("\n> ")
        screen.type("1")
        while "is thinking" not in screen.raw:
            screen.raw += os.read(screen.main, 65536).decode(errors="replace")
        screen.type("help")
        shown = screen.read("\n> ", seconds=120)
        assert "help" not in shown
        assert "What you can type" not in shown
        screen.type("help")
        assert "What you can type" in screen.read("\n> ")


def test_a_game_can_be_saved_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"
    words = ["--board", BOARD, "--players", "3", "--seat", "2", "--seed", "9"]
    out = piped(*words, "--against", "greedy", "random", typed=f"1\n1\n1\nquit\n{file}\n")
    assert f"fernzug play --resume {file}" in out
    assert load(file).header["seats"] == ["greedy", "human", "random"]
    before = fernzug.replay(file)
    out = piped("--resume", str(file), typed="log\nquit\nn\n")
    assert "The game continues where it was saved." in out
    assert "Player 1 (greedy)" in out
    assert "you are player 2" in out
    assert "  1  " in out
    assert before.seat == 1
    # Only what happened after the player's last turn is told without being asked.
    assert "Player 1 keeps" not in out.split("> log")[0]

    out = piped("--resume", str(file), "--against", "greedy", "--seat", "2", typed="")
    assert "Player 3 (greedy)" in out
    assert "cannot change a saved game" in piped("--resume", str(file), "--seed", "1", code=2)
    assert "cannot read" in piped("--resume", str(tmp_path / "none"), code=1)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[:-80], encoding="utf-8")
    assert re.search(rf"{re.escape(str(file))}:\d+: ", piped("--resume", str(file), code=1))


def test_what_the_others_did_stays_on_a_small_screen() -> None:
    out = piped("--board", BOARD, "--players", "2", "--seed", "3", typed="1\n" * 16)
    screens = re.findall(r"^Meanwhile\n.*?^> ", out, re.MULTILINE | re.DOTALL)
    assert any("more route" in screen for screen in screens)
    assert all(screen.count("\n") < 24 for screen in screens)


def test_wrong_input_is_explained_and_asked_again() -> None:
    board = fernzug.board(BOARD)
    route = max(board.routes, key=lambda each: each.cost)
    typed = [
        "fly",
        "9 9",
        "keep 1 2",
        "99",
        "1 2",
        "draw",
        "pass",
        f"claim {route.id.upper()}",
        "claim here-there",
        f"claim {route.id} wild*{route.cost}",
        "quit",
        "b",
        "quit",
        "n",
    ]
    out = piped("--board", BOARD, "--seed", "4", "--seat", "1", typed="\n".join(typed) + "\n")
    for reason in (
        "'fly' is neither an action nor a command",
        "is not a place in an offer",
        "There is no 99 in the menu.",
        "There is no 1 2 in the menu.",
        "Say what to draw",
        "Passing is possible only when nothing else is (T2).",
        "There is no route 'here-there'",
        "You still need",
        "Goodbye.",
    ):
        assert reason in out, reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_answer_in_the_language(language: str, tmp_path: Path) -> None:
    texts = Texts(language)
    board = fernzug.board(BOARD)
    place = board.locations[0].name_in(language)
    names = ("help", "map", "routes", "claims", "way", "log", "rules")
    typed = [texts(f"command.{name}.word") for name in names]
    file = tmp_path / "x.jsonl"
    typed += ["?", "1", "", *typed, f"{texts('command.map.word')} {place}", "rules d5", "rules Z9"]
    typed += [f"{texts('command.save.word')} {file}", f"save {file}", texts("save.yes")]
    typed += [f"save {tmp_path}/none/x", "log 2", "quit"]
    out = piped("--board", BOARD, "--seed", "4", "--lang", language, typed="\n".join(typed) + "\n")
    assert texts("help.title") in out
    assert " ".join(out.split()).count(texts("save.done", file=file)) == 2
    assert texts("quit.bye") in out
    joined = " ".join(out.split())
    assert texts("rulebook.missing", id="Z9", ids="S1").removesuffix(".") in joined
    failed = texts("save.failed", file=f"{tmp_path}/none/x", reason="No such file or directory")
    assert failed in joined
    assert "{" not in out
    assert "\x1b" not in out
    # Lines are broken between words; only a long path may be longer.
    assert all(len(line) <= 80 for line in out.splitlines() if str(tmp_path) not in line)
    other = {"de": "Player", "en": "Spieler", "fr": "Player"}[language]
    assert other not in out


def test_a_route_may_be_claimed_by_the_names_of_its_places() -> None:
    out = piped(
        *("--board", "london", "--players", "2", "--seed", "4", "--seat", "1", "--lang", "de"),
        typed="1\nclaim Big Ben\n\nclaim nirgendwo\nclaim BIG BEN - waterloo\n",
    )
    assert Texts("de")("reason.route", word="nirgendwo").removesuffix(".") in out
    assert f"Big Ben {DASH} Waterloo" in out.split("> claim BIG BEN")[1]
    assert "{" not in out


def test_a_colour_may_be_typed_in_the_players_language() -> None:
    board = fernzug.board(BOARD)
    game = fernzug.Game(BOARD, players=2, seed=4, first_player=None)
    color = next(card for card in game.view(None).faceup if card in board.colors)
    assert color is not None
    out = piped(
        "--board",
        BOARD,
        "--seed",
        "4",
        "--lang",
        "de",
        typed=f"1\ndraw {board.color_name(color, 'de')}\n",
    )
    assert Texts("de")("deed.you.took", card=board.color_name(color, "de")) in out


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    assert "choose a board" in piped(code=2)
    assert "there is no board" in piped("--board", "atlantis", code=2)
    assert "players, not 9" in piped("--board", BOARD, "--players", "9", code=2)
    assert "there is no player 4 among 3" in piped(
        "--board", BOARD, "--players", "3", "--seat", "4", code=2
    )
    assert "there is no bot 'nobody'" in piped("--board", BOARD, "--against", "nobody", code=2)
    assert "2 bots cannot play 1 seats" in piped(
        "--board", BOARD, "--players", "2", "--against", "random", "random", code=2
    )
    for target in (tmp_path / "none" / "x.jsonl", tmp_path):
        assert "cannot write" in piped("--board", BOARD, "--record", str(target), code=1)


def test_the_end_of_the_input_ends_the_game(tmp_path: Path) -> None:
    assert "not saved" in piped("--board", BOARD)
    file = tmp_path / "game.jsonl"
    out = piped("--board", BOARD, "--record", str(file), typed="1\n")
    assert str(file) in out
    assert fernzug.replay(file).phase == "turn"
