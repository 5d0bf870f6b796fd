"""Bots of one's own: a class in a file, or a class at hand."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fernzug
from fernzug import Action, View, bots, cli
from fernzug.arena import Contest, Store, run, summaries
from fernzug.bots import Bot, files, own
from fernzug.sim import Simulation, simulate

BOARD = fernzug.board("london")
EXAMPLE = Path(__file__).parents[2] / "examples" / "first_bot.py"

LAST = """
from fernzug.bots import Bot
from helper_of_last import last

class Last(Bot):
    def __init__(self, board, seed=0, crash=False):
        super().__init__(board, seed)
        self.crash = crash

    def choose(self, view, legal):
        if self.crash:
            return legal[1 // 0]
        return last(legal)
"""


class First(Bot):
    """Takes the first legal action."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return it."""
        return legal[0]


@pytest.fixture
def last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with a bot that imports what lies beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("last.py").write_text(LAST, encoding="utf-8")
    Path("helper_of_last.py").write_text("def last(legal):\n    return legal[-1]\n")
    return "last.py:Last"


def test_a_class_in_a_file_plays(last: str) -> None:
    bot = bots.make(last, BOARD, seed=3)
    assert (type(bot).__name__, bot.seed) == ("Last", 3)
    view = fernzug.Game(BOARD, 2, seed=1).view(0)
    assert bot.choose(view, view.legal) == view.legal[-1]
    # The only class of a file need not be named, and parameters follow.
    assert bots.make("last.py", BOARD).crash is False  # type: ignore[attr-defined]
    assert bots.make("last.py:crash=1", BOARD).crash == 1  # type: ignore[attr-defined]
    assert bots.make("last.py:Last:crash=1", BOARD).crash == 1  # type: ignore[attr-defined]


@pytest.mark.slow
def test_it_plays_in_every_command(last: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arena", last, "random", "--board", "london", "--games", "4"]) == 0
    assert "last.py:Last@" in capsys.readouterr().out
    words = ["sim", "--board", "london", "--games", "4", "--bots", last, "random"]
    assert cli.main([*words, "--workers", "2"]) == 0
    assert "0 last.py:Last" in capsys.readouterr().out


def test_a_changed_file_is_another_bot(last: str) -> None:
    with Store("a.sqlite") as store:
        for number in (1, 2):
            contest = Contest(BOARD, 2, [last, "random"], games=2)
            assert run(contest, store).played == 2, "the new version has not played yet"
            assert run(contest, store).played == 0
            Path("last.py").write_text(LAST + f"# version {number}\n", encoding="utf-8")
        names = {row.bot for row in summaries(store)[0].bots}
        assert len(names) == 3
        # Whoever asks for the old version is not given the new one.
        old = contest.entrants[0]
        with pytest.raises(ValueError, match="is not the file it was"):
            bots.make(old, BOARD)


def test_a_bot_that_raises_is_told_with_its_line(last: str) -> None:
    with Store(":memory:") as store:
        run(Contest(BOARD, 2, [f"{last}:crash=1", "random"], games=2), store)
        row = next(row for row in summaries(store)[0].bots if row.bot.startswith("last"))
    assert row.failures == 2
    line = 1 + LAST.splitlines().index("            return legal[1 // 0]")
    assert row.failure is not None
    assert "ZeroDivisionError: " in row.failure
    assert row.failure.endswith(f"(last.py, line {line})")


def test_a_class_that_was_typed_in_may_raise() -> None:
    """As in a notebook, where no file has its source."""
    typed: dict[str, Any] = {"__name__": "__typed_in__"}
    alone = LAST.replace("from helper_of_last import last", "")
    exec(alone.replace("self.crash = crash", "self.crash = True"), typed)
    with Store(":memory:") as store:
        run(Contest(BOARD, 2, [typed["Last"], "random"], games=2), store)
        row = next(row for row in summaries(store)[0].bots if row.bot.startswith("Last"))
    assert row.failures == 2
    assert "ZeroDivisionError: " in str(row.failure)


@pytest.mark.parametrize(
    ("text", "spec", "words"),
    [
        (None, "gone.py:Bot", "cannot read the bot's file 'gone.py': No such file"),
        ("class A: pass", "b.py:A", "'b.py:A' is not a bot: it must be a subclass of"),
        ("x = 1", "b.py:x", "'b.py:x' is not a bot"),
        ("x = 1", "b.py", "name the bot's class, as in b.py:MyBot; 'b.py' has no class of a bot"),
        ("import", "b.py:A", "the bot's file 'b.py' cannot be loaded: SyntaxError: "),
        ("a = 1\nb = 1 / 0", "b.py:A", "cannot be loaded: line 2: ZeroDivisionError: "),
        ("import sys\nsys.exit(3)", "b.py:A", "cannot be loaded: line 2: SystemExit: 3"),
        ("from fernzug.bots import Bot\nclass Ab(Bot): pass", "b.py:Ab", "lacks the method choose"),
        (LAST, "b.py:Lost", "'b.py' has no class 'Lost', did you mean 'Last'?"),
        (LAST, "b.py:Last:speed=3", "has no parameter 'speed'"),
        (LAST, "b.py:Last:fast", "'fast' in 'b.py:Last:fast' is not a parameter"),
        (
            LAST.replace("super().__init__(board, seed)", "raise RuntimeError('no luck')"),
            "b.py:Last",
            "the bot 'b.py:Last' cannot be made: RuntimeError: no luck (b.py, line 7)",
        ),
    ],
)
@pytest.mark.usefixtures("last")
def test_what_is_wrong_with_a_file_is_told_in_words(
    text: str | None, spec: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        Path("b.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"\w") as error:
        bots.check(spec, BOARD)
    assert words in str(error.value)
    assert cli.main(["arena", spec, "random", "--board", "london"]) == 2
    assert words.partition(" '")[0] in capsys.readouterr().err


def test_what_is_no_class_of_a_bot_is_told_in_words() -> None:
    for wrong, name in ((int, "int"), (3, "3"), (BOARD, repr(BOARD))):
        with pytest.raises(ValueError, match=re.escape(f"'{name}' is not a bot: it must be")):
            Contest(BOARD, 2, [wrong, "random"], games=2)  # type: ignore[list-item]


def test_the_only_class_of_a_file_must_be_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("half.py").write_text("from fernzug.bots import Bot\nclass Half(Bot):\n    pass\n")
    with pytest.raises(ValueError, match=r"'half.py:Half' is not complete: it lacks the method"):
        bots.make("half.py", BOARD)


def test_a_program_in_python_is_not_a_class_in_a_file(last: str) -> None:
    for command in (f"stdio:{sys.executable} last.py", f"stdio:{sys.executable} {last}"):
        assert Contest(BOARD, 2, [command, "random"], games=2).entrants[0] == command
        assert bots.sources([command]) == {}
        bots.check(command, BOARD)


def test_a_file_of_a_package_is_imported_as_such(last: str) -> None:
    folder = Path("crew_of_bots")
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "part.py").write_text("from fernzug.bots import Bot\nBASE = Bot\n")
    (folder / "bot.py").write_text(
        "from .part import BASE\n"
        "class One(BASE):\n"
        "    def choose(self, view, legal): return legal[0]\n"
    )
    assert type(bots.make("crew_of_bots/bot.py", BOARD)).__module__ == "crew_of_bots.bot"


def test_a_class_at_hand_plays() -> None:
    assert isinstance(bots.make(First, BOARD), First)
    with Store(":memory:") as store:
        contest = Contest(BOARD, 2, [First, "random"], games=4)
        assert run(contest, store).played == 4
        played = {row.bot: row.seats for row in summaries(store)[0].bots}
    assert played == {contest.entrants[0]: 4, "random": 4}
    assert own.read(contest.entrants[0]) is not None
    assert sum(part.games for part in simulate(Simulation(BOARD, 2, 3, 1, [First, First]))) == 3


def test_a_class_at_hand_is_found_by_other_processes() -> None:
    plan = Simulation(BOARD, 2, 4, 1, [First, "random"])
    alone = [part.tally for part in simulate(plan)]
    assert [part.tally for part in simulate(plan, workers=2)] == alone


def test_a_class_inside_a_function_plays_in_this_process_only() -> None:
    class Inner(First):
        pass

    contest = Contest(BOARD, 2, [Inner, "random"], games=2)
    assert own.only_here(contest.entrants) == [contest.entrants[0]]
    with Store(":memory:") as store:
        assert run(contest, store).played == 2
        with pytest.raises(ValueError, match="define it at the top of a file"):
            run(Contest(BOARD, 2, [Inner, "random"], games=4), store, workers=2)


def test_something_else_is_not_a_bot() -> None:
    with pytest.raises(ValueError, match="'int' is not a bot"):
        Contest(BOARD, 2, [int, "random"], games=2)  # type: ignore[list-item]


def test_files_can_be_sent_along(last: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that does not have the file is given its text."""
    (Path.cwd() / "alone.py").write_text(LAST.replace("from helper_of_last import last", ""))
    texts = bots.sources(["alone.py:Last", "planner"])
    assert list(texts) == ["alone.py"]
    Path("alone.py").unlink()
    monkeypatch.setattr(files, "_sent", {})
    files.provide(texts)
    assert type(bots.make("alone.py:Last", BOARD)).__name__ == "Last"


READER = """
from fernzug.bots import Bot, files

class Reader(Bot):
    def __init__(self, board, seed=0, least=0, file=""):
        super().__init__(board, seed)
        self.text = files.read(file).decode()

    def choose(self, view, legal):
        return legal[0]
"""


def test_a_file_that_a_parameter_names_belongs_to_the_bot(
    last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The arena notes its version, a cluster is sent it, and another version is another bot."""
    Path("reader.py").write_text(READER)
    Path("7").write_text("one")
    spec = "reader.py:Reader:least=1,file=7"
    (name,) = Contest(BOARD, 2, [spec], games=2).entrants
    assert re.fullmatch(r"reader.py:Reader@[0-9a-f]{8}:least=1,file=7@[0-9a-f]{8}", name)
    assert bots.pinned(name) == name
    assert bots.make(name, BOARD).text == "one"  # type: ignore[attr-defined]
    texts = bots.sources([name])
    assert set(texts) == {"reader.py", "7"}
    Path("7").write_text("other")
    assert bots.pinned(spec) != name
    assert bots.make(spec, BOARD).text == "other"  # type: ignore[attr-defined]
    for refused in (bots.make, bots.check):
        with pytest.raises(ValueError, match="'7' is not the file it was: its version is"):
            refused(name, BOARD)
    Path("7").unlink()
    with pytest.raises(ValueError, match="cannot read the bot's file '7': No such file"):
        Contest(BOARD, 2, [spec], games=2)
    monkeypatch.setattr(files, "_sent", {})
    files.provide(texts)
    assert bots.make(name, BOARD).text == "one"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["Longest", "Careful"])
def test_the_examples_play(name: str) -> None:
    with Store(":memory:") as store:
        run(Contest(BOARD, 2, [f"{EXAMPLE}:{name}", "random"], games=6), store)
        assert sum(row.failures for row in summaries(store)[0].bots) == 0
