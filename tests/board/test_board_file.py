"""Finding, reading and checking board files: every fault at once, each with its line."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernzug.board import files as board_files
from fernzug.board.lines import lines_of
from fernzug.board.model import Board, BoardError, Fault
from fernzug.bonuses import KINDS
from paths import DATA, DOCS

DOCUMENT = DOCS / "board-files.md"


def tiny_board() -> str:
    """The complete board in the documentation."""
    match = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    return match[1]


TINY = tiny_board()


def test_the_board_of_the_documentation_can_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "harbour.toml"
    file.write_bytes(TINY.encode())
    board = board_files.load(file)
    assert isinstance(board, Board)
    assert board == board_files.load(str(file))
    assert board.source == TINY
    assert board.locations["hill"].lines == ("Castle", "Hill")
    assert board.locations["lake"].lines == ("Lake",)
    assert board.locations["hill"].lat is None
    assert board.routes["lake-hill"].twin == "hill-lake.2"
    assert board.routes["mill-port"].piece == "boat"
    assert board.drawing.pitch > 0


def test_the_documentation_tells_of_every_kind_of_bonus() -> None:
    text = DOCUMENT.with_name("bonuses.md").read_text(encoding="utf-8")
    for kind, needs in ((kind, part.NEEDS) for kind, part in KINDS.items()):
        row = next(line for line in text.splitlines() if line.startswith(f"| `{kind}` |"))
        assert all(f"`{key}`" in row for key in needs)


def test_the_documentation_tells_of_every_key() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for file in board_files.boards():
        for path in paths(tomllib.loads(board_files.load(file).source)):
            key = path[-1]
            if isinstance(key, str) and path[-2:-1] not in {("points",), ("names",), ("notes",)}:
                assert f"`{key}`" in text


# ---- Finding -------------------------------------------------------------------------------------


def test_an_unknown_board_is_refused_with_the_known_ones() -> None:
    known = ", ".join(board_files.boards())
    words = f"there is no board 'lodnon', did you mean 'london'? (boards: {known})"
    with pytest.raises(ValueError, match=re.escape(words)):
        board_files.load("lodnon")


def test_a_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    for path in ("nowhere.toml", str(tmp_path / "usa"), tmp_path / "usa.toml", tmp_path):
        with pytest.raises(ValueError, match=r"cannot read the board file '.*': \w+"):
            board_files.load(path)


def test_a_file_of_other_bytes_is_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b'id = "a"\nname = "K\xf6ln"\n')
    with pytest.raises(BoardError, match=r"^line 2: this is not UTF-8 text$"):
        board_files.load(file)


def test_the_mark_that_some_editors_write_first_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_text(TINY, encoding="utf-8-sig")
    assert board_files.load(file) == board_files.parse(TINY)


def test_boards_gives_a_list_of_its_own() -> None:
    board_files.boards().clear()
    assert board_files.boards()


# ---- Faults, one by one --------------------------------------------------------------------------

FAULTS: dict[str, dict[str, str]] = tomllib.loads(
    (DATA / "board_faults.toml").read_text(encoding="utf-8")
)
LANE_2 = '  { a = "hill", b = "lake", length = 1, color = "blue", lane = 2 },'


def says(name: str) -> str:
    """What is said of a fault."""
    return FAULTS[name]["says"].replace("KINDS", ", ".join(KINDS))


def spoilt(name: str) -> str:
    """The tiny board with one of the faults."""
    fault = FAULTS[name]
    assert fault["old"] in TINY
    return TINY.replace(fault["old"], fault["new"], 1)


def many(line: str, count: int) -> str:
    return "".join(line.replace("#", str(number)) + "\n" for number in range(count))


def texts(text: str) -> list[str]:
    return [fault.text for fault in board_files.check(text)]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_in_words_with_its_line(name: str) -> None:
    text, at = spoilt(name), FAULTS[name].get("at")
    line = None if at is None else line_of(text, at)
    assert Fault(line, says(name)) in board_files.check(text)
    with pytest.raises(BoardError):
        board_files.parse(text)


def line_of(text: str, mark: str) -> int:
    """The first line that contains the mark."""
    return text.count("\n", 0, text.index(mark)) + 1


@pytest.mark.parametrize(
    "name",
    [
        "misspelt key",
        "mistyped number",
        "unknown place",
        "lanes of different length",
        "unknown bonus",
        "missing key",
        "C8 length without points",
        "players the wrong way round",
    ],
)
def test_one_slip_is_few_faults(name: str) -> None:
    found = texts(spoilt(name))
    # A slip may break what relies on it (a tie break on a bonus), but never floods the list.
    assert says(name) in found
    assert len(found) <= 2


def test_a_misspelt_lane_does_not_lose_its_twin() -> None:
    text = TINY.replace(LANE_2, LANE_2.replace("lake", "laek"))
    assert texts(text) == ["unknown place 'laek', did you mean 'lake'?"]


def test_lanes_of_different_kinds() -> None:
    ferry = '{ id = "ferry", count = 1, points = { 1 = 1 } },'
    text = TINY.replace("\n]\n\ncolors", f"\n{ferry}\n]\n\ncolors")
    text = text.replace("lane = 2", 'lane = 2, piece = "ferry"')
    assert board_files.check(text) == [
        Fault(
            line_of(text, "lane = 2"),
            "the lanes of 'hill-lake' take different pieces: 'boat' and 'ferry'",
        )
    ]


def test_all_faults_are_told_at_once_from_top_to_bottom() -> None:
    text = (
        TINY.replace("max = 3", "max = 12")
        .replace("singular =", "singlar =")
        .replace("wild =", "wilde =")
        .replace('label = "w"', 'label = "west"')
        .replace("length = 3", "length = 7")
        .replace('a = "lake", b = "port"', 'a = "moon", b = "port"')
    )
    faults = board_files.check(text)
    assert [str(fault) for fault in faults] == [
        f"line {line_of(text, 'max = 12')}: 'max' must be a whole number from 2 to 8, not 12",
        f"line {line_of(text, 'singlar')}: a kind of piece has no key 'singlar',"
        " did you mean 'singular'?",
        f"line {line_of(text, 'wilde')}: the board has no key 'wilde', did you mean 'wild'?",
        f"line {line_of(text, 'west')}: 'label' must be one of n, ne, e, se, s, sw, w, nw,"
        " not 'west'",
        f"line {line_of(text, 'length = 7')}: the points of 'boat' have no entry for length 7",
        f"line {line_of(text, 'moon')}: unknown place 'moon'",
    ]
    with pytest.raises(BoardError) as caught:
        board_files.parse(text)
    assert str(caught.value) == "\n".join(str(fault) for fault in faults)
    assert caught.value.faults == tuple(faults)


def test_tickets_between_parts_that_no_route_joins() -> None:
    text = re.sub(r'  { a = "(lake|hill)", b = "(mill|port)", length.*\n', "", TINY)
    faults = board_files.check(text)
    assert [fault.text for fault in faults] == [
        f"no routes join the places of ticket '{way}'"
        for way in ("lake-mill", "hill-mill", "hill-port", "lake-port")
    ]
    assert faults[0].line == line_of(text, 'a = "lake", b = "mill", points')


def test_limits_of_the_engine() -> None:
    color = '  { id = "c#", count = 1 },'
    place = '  { id = "p#", name = "P", x = 1, y = 1 },'
    route = '  { a = "hill", b = "p#", length = 1, color = "red" },'
    text = TINY.replace("colors = [\n", f"colors = [\n{many(color, 11)}")
    assert board_files.check(text) == [
        Fault(line_of(text, "colors = ["), "too many colours: 13, but at most 12 are allowed")
    ]
    text = TINY.replace("locations = [\n", f"locations = [\n{many(place, 240)}")
    text = text.replace("routes = [\n", f"routes = [\n{many(route, 240)}")
    assert board_files.check(text) == [
        Fault(
            line_of(text, "locations = [\n"),
            "too many places: 244, but at most 63 are allowed",
        ),
        Fault(line_of(text, "routes = ["), "too many routes: 245, but at most 240 are allowed"),
    ]


def test_a_long_text_is_shown_cut_short() -> None:
    (text,) = texts(TINY.replace('label = "w"', f'label = "{"w" * 99}"'))
    assert text.endswith(f"not '{'w' * 36}...")


def test_an_empty_file_and_an_unclosed_one() -> None:
    faults = board_files.check("")
    assert {fault.line for fault in faults} == {None}
    assert "the board needs 'routes'" in [fault.text for fault in faults]
    unclosed = board_files.check('id = """harbour\n\n')
    assert [fault.line for fault in unclosed] == [3]
    assert unclosed[0].text.startswith("not valid TOML: ")


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000 + "]" * 5000, "0x" + "F" * 5000])
def test_a_value_beyond_all_measure_is_a_fault(value: str) -> None:
    fault = board_files.check(f"id = {value}")[-1]
    assert "too big" in fault.text


def test_c9_a_kind_of_one_piece_takes_one_whatever_it_costs() -> None:
    text = TINY.replace("count = 8", "count = 2, one_per_route = true")
    route = board_files.parse(text).routes["hill-port"]
    assert (route.cost, route.pieces) == (3, 1)


# ---- Lines ---------------------------------------------------------------------------------------


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every table, item and value in a parsed text."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from paths(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from paths(each, (*path, number))


# Every line that begins a value names the line it is on.
TRICKY = '''a.b.c = 1  # x = 2
"q\\u00e9 \\"\\t\\\\ x".'' = """two = 2
]]} \\""" four = "4" """""
'literal' = \'\'\'
five = \'\' 5 \'\'\'
date = 1979-05-27 07:32:00
list = [ [7,
  8], # ] a comment
  { x = 9, y.z = "}" }, 'a]', "", '',
]
[table]
e = {}
f = []
[[routes]]
a = 15
[routes.sub]
x = 17
[[routes.parts]]
k = 19
[[routes.parts]]
k = """21 \\
  still the same"""
[[routes]]
[[routes.parts]]
q = 0x19
[ u . "v" ]
z = true'''


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_everything_that_toml_has(end: str) -> None:
    lines = lines_of(TRICKY.replace("\n", end))
    assert set(lines) == set(paths(tomllib.loads(TRICKY)))
    assert {
        path: lines[path]
        for path in [
            ("a", "b", "c"),
            ('qé "\t\\ x', ""),
            ("literal",),
            ("date",),
            ("list", 0, 0),
            ("list", 0, 1),
            ("list", 1, "y", "z"),
            ("list", 4),
            ("table", "f"),
            ("routes", 0),
            ("routes", 0, "sub", "x"),
            ("routes", 0, "parts", 1, "k"),
            ("routes", 1),
            ("routes", 1, "parts", 0, "q"),
            ("u", "v", "z"),
        ]
    } == {
        ("a", "b", "c"): 1,
        ('qé "\t\\ x', ""): 2,
        ("literal",): 4,
        ("date",): 6,
        ("list", 0, 0): 7,
        ("list", 0, 1): 8,
        ("list", 1, "y", "z"): 9,
        ("list", 4): 9,
        ("table", "f"): 13,
        ("routes", 0): 14,
        ("routes", 0, "sub", "x"): 17,
        ("routes", 0, "parts", 1, "k"): 21,
        ("routes", 1): 23,
        ("routes", 1, "parts", 0, "q"): 25,
        ("u", "v", "z"): 27,
    }


@pytest.mark.parametrize("name", board_files.boards())
def test_lines_of_every_value_of_a_shipped_file(name: str) -> None:
    source = board_files.load(name).source
    lines, text = lines_of(source), source.splitlines()
    assert set(lines) == set(paths(tomllib.loads(source)))
    for path, line in lines.items():
        if isinstance(path[-1], str):
            assert path[-1] in text[line - 1]


def test_a_board_of_tables_is_the_same_board_with_other_lines() -> None:
    start = TINY.index("routes = [")
    end = TINY.index("tickets = [")
    tables = "".join(
        f"[[routes]]\na = {route['a']!r}\nb = {route['b']!r}\n"
        f"length = {route['length']}\ncolor = {route['color']!r}\n"
        + (f"lane = {route['lane']}\n" if "lane" in route else "")
        for route in tomllib.loads(TINY)["routes"]
    )
    text = f"{TINY[:start]}{TINY[end:]}\n{tables}"
    assert board_files.parse(text).hash == board_files.parse(TINY).hash
    wrong = text.replace("length = 3", "length = 30")
    assert board_files.check(wrong)[0].line == line_of(wrong, "length = 30")


# ---- Any file at all -----------------------------------------------------------------------------

SOURCES = [TINY, *(board_files.load(name).source for name in board_files.boards())]
SCRAPS = st.sampled_from(
    [
        *["{", "}", "[", "]", '"', "'", '"""', "'''", "=", ",", "#", "\n", "[[routes]]\n"],
        *["-1", "0", "999", "1.5", "nan", "inf", "true", "2020-01-01", "{}", "[]", '"x"', '"hill"'],
        *["gray", "wild", "names", ""],
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A damaged board file: truncated, junk inserted, lines moved, values replaced."""
    text = draw(st.sampled_from(SOURCES))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        damage = draw(st.sampled_from(["cut", "scrap", "line", "value"]))
        if damage == "cut":
            text = text[:at] + text[at + draw(st.integers(1, 60)) :]
        elif damage == "scrap":
            text = text[:at] + draw(SCRAPS) + text[at:]
        elif damage == "line":
            lines = text.split("\n")
            line = lines[draw(st.integers(0, len(lines) - 1))]
            lines.insert(draw(st.integers(0, len(lines))), line)
            text = "\n".join(lines)
        else:
            value = re.compile(r'(= *)("[^"\n]*"|[\d.-]+)').search(text, at)
            if value is not None:
                text = text[: value.start(2)] + draw(SCRAPS) + text[value.end(2) :]
    return text


# A big file on a busy machine takes longer than the usual limit of time.
@settings(deadline=None)
@given(mutated())
def test_any_damage_gives_a_board_or_faults(text: str) -> None:
    faults = board_files.check(text)
    for fault in faults:
        if fault.line is None:
            assert fault.text.startswith(("the board needs ", "this is not a board file"))
        else:
            assert 1 <= fault.line <= text.count("\n") + 1
    if faults:
        with pytest.raises(BoardError):
            board_files.parse(text)
    else:
        board = board_files.parse(text)
        assert board == board_files.parse(board.source)


@given(st.text())
def test_any_text_gives_faults(text: str) -> None:
    assert board_files.check(text)
