"""The documentation is true: examples run, links work, tables agree with the code."""

import contextlib
import doctest
import io
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import fernzug
from fernzug import events, position_reader, record
from fernzug.board.model import Board
from fernzug.bonuses import KINDS
from fernzug.cli import main, parser_for
from fernzug.rl.layout import MEANINGS
from fernzug.sim import play_bots
from fernzug.view import PlayerView

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
RULES = ROOT / "docs" / "rules.md"

RULE_ID = re.compile(r"\b[STDCKE][1-9]\b")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DASH = "\N{EN DASH}"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Block(NamedTuple):
    language: str
    text: str
    line: int
    end: int


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[Block]:
    text = read(page)
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start()) + 2, match.end())
        for match in FENCE.finditer(text)
    ]


def without_blocks(page: Path) -> str:
    return FENCE.sub("", read(page))


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


NEEDS = {
    "learning.md": ("numpy", "gymnasium", "pettingzoo", "pyspiel"),
    "data.md": ("pandas", "pyarrow"),
}
"""What the examples of a page import beside the package."""

every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


# ---------------------------------------------------------------------------- examples


def run_dialogue(block: Block, page: Path, names: dict[str, Any]) -> None:
    # The name must differ from block to block: doctest looks up the source of functions by it.
    title = f"{name_of(page)}, line {block.line}"
    test = doctest.DocTestParser().get_doctest(block.text, names, title, str(page), block.line - 1)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.write, clear_globs=False)
    assert not runner.failures, report.getvalue()
    names.update(test.globs)


def run_script(block: Block, page: Path, names: dict[str, Any], printed: str | None) -> None:
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(code, names)
    if printed is not None:
        assert output.getvalue() == printed


def printed_after(block: Block, page: Path) -> str | None:
    """A text block right after a script shows what the script prints."""
    following = re.compile(r"\s*```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    match = following.match(read(page), block.end)
    return None if match is None else match[1]


@every_page
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in NEEDS.get(page.name, ()):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "example", "fernzug": fernzug}
    found = blocks(page)
    for block in found:
        if block.language == "toml":
            # A board file that a page shows is the one that its examples load.
            Path("my_harbour.toml").write_text(block.text, encoding="utf-8")
    for block in found:
        if block.language == "python" and ">>>" in block.text:
            run_dialogue(block, page, names)
        elif block.language == "python":
            run_script(block, page, names, printed_after(block, page))


@pytest.mark.parametrize(
    "kind",
    [
        fernzug.Game,
        fernzug.Action,
        fernzug.Event,
        fernzug.View,
        PlayerView,
        fernzug.ScoreSheet,
        fernzug.Record,
    ],
)
def test_the_python_page_names_everything_public(kind: type) -> None:
    text = read(ROOT / "docs" / "python.md")
    start = text.index("## Everything at a glance")
    names = set(re.findall(r"[`.](\w+)", text[start:])) | {"resumed"}  # which serves records only
    fields = {
        *getattr(kind, "__slots__", ()),
        *getattr(kind, "__dataclass_fields__", ()),
        *vars(kind),
    }
    assert {name for name in fields if not name.startswith("_")} - names == set()


def test_the_first_game_has_ten_lines() -> None:
    first = next(block for block in blocks(ROOT / "README.md") if block.language == "python")
    assert len(first.text.splitlines()) <= 10
    assert "fernzug.Game(" in first.text


def first_bot() -> Block:
    page = ROOT / "docs" / "first-bot.md"
    return next(block for block in blocks(page) if block.language == "python")


def test_the_first_bot_has_ten_lines_and_plays_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(first_bot().text.splitlines()) <= 10
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text(first_bot().text, encoding="utf-8")
    for line, words in commands("fernzug"):
        if line.startswith("docs/first-bot.md") and words[0] == "arena":
            words[words.index("--games") + 1] = "4"
            assert main(words) == 0, line
            out = capsys.readouterr().out
            assert re.search(r"^mybot.py:Longest@[0-9a-f]{8} .* 0$", out, re.MULTILINE), line


def commands(program: str) -> Iterator[tuple[str, list[str]]]:
    """The arguments of a program in every command that the pages show."""
    for page in PAGES:
        for block in blocks(page):
            for line in block.text.splitlines():
                words = line.partition("#")[0].removeprefix("$ ").split()
                if line.startswith("$ ") and words[:1] == [program]:
                    yield f"{name_of(page)}: {line}", words[1:]


def complaint(words: list[str]) -> str:
    """The error message of the command line for these arguments."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as no:
        with contextlib.suppress(SystemExit):
            parser_for(words).parse_args(words)
        return no.getvalue()


def test_commands_can_be_typed() -> None:
    typed = list(commands("fernzug"))
    assert typed
    for line, words in typed:
        assert complaint(words) == "", line


def test_commands_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    board = next(b for b in blocks(ROOT / "docs" / "board-files.md") if b.language == "toml")
    for name in ("my_board.toml", "my.toml", "my_harbour.toml"):
        Path(name).write_text(board.text, encoding="utf-8")
    Path("mybot.py").write_text(first_bot().text, encoding="utf-8")
    for name in ("game.jsonl", "first_game.jsonl"):
        play_bots(fernzug.board("london"), ["random"] * 2, seed=1)[0].record().save(name)
    record.write([record.load("game.jsonl")] * 4, "games.jsonl.gz")
    data = find_spec("pyarrow") is not None
    run = 0
    for line, words in commands("fernzug"):
        if {"--help", "--cluster"} & set(words):
            continue  # Clusters have a test of their own.
        if {"--decisions", "--parquet"} & set(words) and not data:
            continue
        if words[0] in ("boards", "replay", "sim"):
            typed = [word for word in words if word != "…"]
            if "--games" in typed:
                typed[typed.index("--games") + 1] = "6"  # a few are enough here
            assert main(typed) == 0, line
            assert capsys.readouterr().out, line
            run += 1
    assert run > 8
    assert Path("games.csv").exists()


def test_make_knows_the_targets() -> None:
    targets = set(re.findall(r"^([a-z-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    typed = {words[0] for _, words in commands("make")}
    assert {"play", "test"} <= typed <= targets


# ---------------------------------------------------------------------------- links


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts generate them."""
    headings = re.findall(r"^#+ (.+)$", without_blocks(page), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in kept}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(without_blocks(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        aim = (page.parent / path).resolve() if path else page
        assert aim.exists(), f"there is no {target}"
        assert not anchor or anchor in anchors(aim), f"there is no heading for {target}"


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target in LINK.findall(read(index))}
    missing = {page for page in PAGES if page.parent == index.parent} - {index} - linked
    assert not missing, "docs/README.md should link to these pages too"


# ---------------------------------------------------------------------------- structure


def test_the_architecture_lists_every_module() -> None:
    package = ROOT / "src" / "fernzug"
    _, *table = rows(ROOT / "docs" / "architecture.md", "room in `src/fernzug`")
    listed: dict[str, set[str]] = {}
    for room, modules, _ in table:
        listed.setdefault(room.strip("`/"), set()).update(re.findall(r"`(\w+)`", modules))
    # A new kind of bonus should not have to touch this page.
    assert listed.pop("bonuses") == set()
    folders = {".": package} | {
        each.parent.name: each.parent for each in package.glob("*/__init__.py")
    }
    found = {
        room: {file.stem for file in folder.glob("*.py")} - {"__init__", "__main__"}
        for room, folder in folders.items()
        if room != "bonuses"
    }
    assert listed == found


@pytest.mark.parametrize("page", ["architecture", "engine", "server"])
def test_files_that_a_page_names_exist(page: str) -> None:
    roots = (ROOT, ROOT / "src" / "fernzug", ROOT / "src" / "fernzug" / "server")
    text = without_blocks(ROOT / "docs" / f"{page}.md")
    for name in set(re.findall(r"`([\w./-]+\.(?:py|ts|svelte|toml))`", text)):
        assert any((root / name).exists() for root in roots), f"{page}.md names {name}"


# ---------------------------------------------------------------------------- rules


def rule_ids() -> list[str]:
    return re.findall(r"^- \*\*(\w+)\*\* ", read(RULES), re.MULTILINE)


def test_rule_ids_are_unique_and_those_of_the_code() -> None:
    ids = rule_ids()
    assert len(ids) == len(set(ids))
    sources = (ROOT / "src" / "fernzug").rglob("*.py")
    assert {rule for file in sources for rule in RULE_ID.findall(read(file))} == set(ids)


@every_page
def test_pages_name_only_rules_that_exist(page: Path) -> None:
    assert set(RULE_ID.findall(without_blocks(page))) <= set(rule_ids())


# ---------------------------------------------------------------------------- tables


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]


def rows(page: Path, first_heading: str) -> list[list[str]]:
    """The rows of the table whose first heading is this, including the headings."""
    lines = iter(read(page).splitlines())
    for line in lines:
        if cells_of(line)[:1] == [first_heading] and line.startswith("|"):
            break
    else:
        pytest.fail(f"{name_of(page)} has no table that starts with '{first_heading}'")
    table = [line]
    for line in lines:
        if not line.startswith("|"):
            break
        table.append(line)
    cells = [cells_of(line) for line in table]
    return [cells[0], *cells[2:]]


def players(board: Board) -> str:
    return f"{board.min_players}{DASH}{board.max_players}"


def pieces(board: Board) -> str:
    return ", ".join(f"{kind.count} {kind.name_in('en', kind.count)}" for kind in board.pieces)


def cards(board: Board) -> str:
    return str(sum(board.color_counts) + board.wild_count)


def color_cards(board: Board) -> str:
    usual = max(set(board.color_counts), key=board.color_counts.count)
    counts = zip(board.colors, board.color_counts, strict=True)
    others = [f"{color} {count}" for color, count in counts if count != usual]
    return ", ".join([*others, f"others {usual}"]) if others else str(usual)


def bonuses(board: Board) -> str:
    return ", ".join(bonus.kind.replace("_", " ") for bonus in board.bonuses) or DASH


def network(board: Board) -> str:
    return {"printed": "as printed", "own": "our own"}[board.network]


def counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


README_COLUMNS: dict[str, Callable[[Board], str]] = {
    "board": lambda board: f"`{board.id}`",
    "players": players,
    "pieces of each player": pieces,
    "places": lambda board: str(len(board.locations)),
    "routes": lambda board: str(len(board.routes)),
    "tickets": lambda board: str(len(board.tickets)),
    "cards": cards,
    "bonus": bonuses,
    "network": network,
}

RULES_ROWS: dict[str, Callable[[Board], str]] = {
    "players": players,
    "pieces of each player": pieces,
    "transport cards": cards,
    "cards of each colour": color_cards,
    "cards dealt": lambda board: str(board.deal_cards),
    "tickets in the box": lambda board: str(len(board.tickets)),
    "tickets dealt / kept at least": lambda board: f"{board.deal_tickets} / {board.deal_keep}",
    "tickets drawn / kept at least": lambda board: f"{board.draw_tickets} / {board.draw_keep}",
    "one lane only, with up to": lambda board: counted(board.single_lane_up_to, "player"),
    "gray routes": lambda board: "yes" if any(r.color == "gray" for r in board.routes) else "none",
    "last round at, or below": lambda board: counted(board.last_round_at, "piece"),
    "route points are given": lambda board: "in play" if board.score_track else "at the end",
    "ties are broken by": lambda board: ", ".join(board.tie_breaks).replace("_", " "),
}
TOLD_IN_WORDS = {"wild cards", "bonus"}


def test_the_table_of_boards_agrees_with_the_boards() -> None:
    heading, *table = rows(ROOT / "README.md", "board")
    assert heading == list(README_COLUMNS)
    assert sorted(row[0].strip("`") for row in table) == fernzug.boards()
    for row in table:
        board = fernzug.board(row[0].strip("`"))
        assert row == [column(board) for column in README_COLUMNS.values()]


def test_the_table_of_differences_agrees_with_the_boards() -> None:
    heading, *table = rows(RULES, "")
    boards = {board.name: board for board in map(fernzug.board, fernzug.boards())}
    assert set(heading[1:]) == set(boards)
    assert {row[0] for row in table} == set(RULES_ROWS) | TOLD_IN_WORDS
    for row in table:
        if row[0] in RULES_ROWS:
            assert row[1:] == [RULES_ROWS[row[0]](boards[name]) for name in heading[1:]]


def test_the_table_of_positions_has_every_key() -> None:
    _, *table = rows(ROOT / "docs" / "notation.md", "key")
    assert sorted(row[0].strip("`") for row in table) == sorted(position_reader.KEYS)


def test_the_table_of_observations_has_every_field() -> None:
    _, *table = rows(ROOT / "docs" / "observations.md", "field")
    told = {
        row[0].strip("`"): (tuple(row[1].split(" \N{MULTIPLICATION SIGN} ")), row[2])
        for row in table
    }
    assert told == dict(MEANINGS)


def test_the_table_of_events_has_every_kind_and_key() -> None:
    _, *table = rows(ROOT / "docs" / "notation.md", "`event`")
    assert [row[0].strip("`") for row in table] == list(events.KINDS)
    keys = {key for row in table for key in re.findall(r"`(\w+)`", row[1])}
    assert keys == set(fernzug.Event.__slots__) - {"kind"}


def test_every_kind_of_bonus_is_described() -> None:
    """With everything that it adds to board files, notation, events and positions."""
    page = ROOT / "docs" / "bonuses.md"
    _, *table = rows(page, "kind")
    described = {row[0].strip("`"): row for row in table}
    assert set(described) == set(KINDS)
    for word, kind in KINDS.items():
        assert described[word][2] == ", ".join(kind.RULES)
        in_play = {*kind.OPTIONS, *kind.KEYS, *(fact.word for fact in kind.FACTS)}
        assert set(re.findall(r"`(\w+)`", described[word][3])) == in_play
