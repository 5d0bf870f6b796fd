"""Bots by name: what the registry makes, and what it refuses in words."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import fernzug
from fernzug import bots
from fernzug.bots import Bot, Budget

BOARD = fernzug.board("london")


@pytest.mark.parametrize("name", [*bots.BUILTIN, *bots.OPPONENTS])
def test_every_name_makes_a_bot(name: str) -> None:
    bot = bots.make(name, BOARD, seed=3)
    assert isinstance(bot, Bot)
    assert (bot.board, bot.seed) == (BOARD, 3)


def test_the_levels_name_bots_that_exist() -> None:
    assert {bots.parse(level.bot)[0] for level in bots.OPPONENTS.values()} <= set(bots.names())


@pytest.mark.parametrize("board", fernzug.boards())
def test_every_opponent_has_a_measured_strength_on_every_board(board: str) -> None:
    rated = bots.ratings()[board]
    assert list(rated) == list(bots.OPPONENTS)
    # The levels are named in the order of their strength, and none is as weak as chance.
    levels = [rated[level] for level in bots.LEVELS]
    assert min(levels) > 0
    assert levels == sorted(levels)
    # Whoever has a way of playing is neither a beginner nor a master.
    for one in bots.PERSONALITIES:
        assert rated["casual"] < rated[one] < rated["master"]


def test_the_documentation_shows_the_ratings_that_players_see() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "bots.md").read_text()
    for level in bots.OPPONENTS:
        cells = [str(by_level[level]) for by_level in bots.ratings().values()]
        row = f"| `{level}` | {' | '.join(cells)} |"
        assert row in text, f"docs/bots.md and bots/ratings.toml differ: {row}"


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("planner", ("planner", {})),
        ("search:iterations=20", ("search", {"iterations": "20"})),
        (
            "search: iterations = 20 , seconds=0.5",
            ("search", {"iterations": "20", "seconds": "0.5"}),
        ),
        ("stdio:./a --b=c,d e", ("stdio", {"command": "./a --b=c,d e"})),
    ],
)
def test_specs_are_split(spec: str, parts: tuple[str, dict[str, str]]) -> None:
    assert bots.parse(spec) == parts


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("planer", "there is no bot 'planer', did you mean 'planner'?"),
        ("nobody", "there is no bot 'nobody'"),
        ("search:iteration=5", "no parameter 'iteration', did you mean 'iterations'?"),
        ("search:seed=5", "the bot 'search' has no parameter 'seed'"),
        ("planner:fast", "'fast' in 'planner:fast' is not a parameter; write key=value"),
        ("planner:style=bloker", "there is no style 'bloker', did you mean 'blocker'?"),
        ("search:workers=0", "there must be a worker, not 0"),
        ("planner:=3", "'=3' in 'planner:=3' is not a parameter"),
        ("stdio:", "name the program"),
        ("stdio:timeout=3", "name the program"),
        ("stdio:./no-such-program", "there is no executable program './no-such-program'"),
        ("stdio:'", "cannot be read"),
        ("stdio:patience=3 python", "'patience' is not a setting of a program"),
        ("stdio:timeout=soon python", "timeout=soon is not a number of seconds"),
        ("stdio:timeout=-1 python", "is not a number of seconds"),
    ],
)
def test_what_is_wrong_with_a_spec_is_told_in_words(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        bots.make(spec, BOARD)
    assert words in str(error.value)


def test_a_budget_goes_to_bots_that_have_one() -> None:
    bot = bots.make("search", BOARD, budget=Budget(iterations=7))
    assert getattr(bot, "iterations") == 7  # noqa: B009
    assert isinstance(bots.make("planner", BOARD, budget=Budget(iterations=7)), Bot)


# ---------------------------------------------------------------------------- other packages


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a bot of its own, as an installer would leave it on the path."""
    (tmp_path / "first_bots.py").write_text(
        "from fernzug.bots import Bot\n"
        "class First(Bot):\n"
        "    def __init__(self, board, seed=0, skip=0):\n"
        "        super().__init__(board, seed)\n"
        "        self.skip = skip\n"
        "    def choose(self, view, legal):\n"
        "        return legal[self.skip % len(legal)]\n",
        encoding="utf-8",
    )
    info = tmp_path / "first_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: first-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[fernzug.bots]\nfirst = first_bots:First\nrandom = first_bots:First\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    bots._others.cache_clear()
    yield
    bots._others.cache_clear()


@pytest.mark.usefixtures("installed")
def test_other_packages_add_bots() -> None:
    assert "first" in bots.names()
    bot = bots.make("first:skip=1", BOARD)
    view = fernzug.Game(BOARD, 2, seed=1).view(0)
    assert bot.choose(view, view.legal) == view.legal[1]
    with pytest.raises(ValueError, match="no parameter 'skp'"):
        bots.make("first:skp=1", BOARD)


@pytest.mark.usefixtures("installed")
def test_the_own_names_cannot_be_replaced() -> None:
    assert type(bots.make("random", BOARD)) is bots.BUILTIN["random"]
    assert bots.names().count("random") == 1
