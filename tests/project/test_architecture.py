"""How the package is put together: who may import whom, what an import costs, who knows boards."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fernzug
from fernzug.board import check as board_check
from fernzug.engine import tables

PACKAGE = Path(fernzug.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))

# Each layer may import those before it, and of its own only modules named before.
LAYERS: list[list[str]] = [
    ["build", "compiled", "drafts", "errors", "i18n", "spelling", "json_types", "board"],
    ["engine"],
    ["bonuses", "players"],
    ["tables", "bonus_values", "notation", "events"],
    ["position", "score", "position_reader", "ways", "reasons"],
    ["view", "view_reader", "start"],
    ["history", "game", "record", "match"],
]
"""The core, from the bottom up. Everything else stands on it and is imported by none of it."""

ABOVE = ["bots", "rl", "sim", "analysis", "arena", "lessons", "table", "terminal", "server", "cli"]
"""What stands on the core, in its order: the server knows nothing of the command line."""

CORE = [module for layer in LAYERS for module in layer]

LATE = {
    *(("game", "record"), ("board", "bonuses"), ("errors", "i18n")),
    *(("errors", "board"), ("i18n", "board")),
}
"""Imports inside a function or for the type checker only, which do not affect the order."""


def module_of(path: Path) -> str:
    """The first word of a module's name inside the package: its layer's name."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path: Path) -> set[str]:
    """The modules of the package that a file imports, wherever the import stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("fernzug")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fernzug"):
            assert not node.level, f"{path} has a relative import"
            if node.module == "fernzug":
                found |= {f"fernzug.{alias.name}" for alias in node.names}
            else:
                found.add(str(node.module))
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_dependencies_point_one_way(path: Path) -> None:
    own = module_of(path)
    if own in ABOVE:
        others = {name.split(".")[1] for name in imports(path) if "." in name} & set(ABOVE)
        assert others <= set(ABOVE[: ABOVE.index(own) + 1]), f"{path.name} imports {others}"
    if own not in CORE:
        return
    for name in imports(path):
        parts = name.split(".")
        assert len(parts) > 1, f"{path.name} imports the whole package"
        other = parts[1]
        assert other in CORE, f"{path.name} imports {name}, which stands above it"
        if (own, other) not in LATE:
            assert CORE.index(other) <= CORE.index(own), f"{path.name} imports {name}"


def test_every_module_of_the_core_exists() -> None:
    found = {module_of(path) for path in SOURCES}
    assert found - {*CORE, *ABOVE} == {"__init__", "__main__"}
    assert {*CORE, *ABOVE} <= found


def test_the_engine_imports_nothing_but_what_the_compiler_needs() -> None:
    allowed = {*sys.stdlib_module_names, "librt", "mypy_extensions", "fernzug"}
    for path in SOURCES:
        if module_of(path) not in CORE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [str(node.module)]
            assert {name.split(".")[0] for name in names} <= allowed, path


def imported_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement, beyond its own."""
    code = (
        "import sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "import json; print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True
    )
    return set(json.loads(run.stdout))


def test_importing_the_package_loads_nothing_heavy() -> None:
    """`import fernzug` costs well under 100 ms; these modules would be most of it."""
    heavy = {
        *("asyncio", "argparse", "ssl", "socket", "email", "http", "urllib.request", "logging"),
        *("multiprocessing", "subprocess", "unittest", "sqlite3", "tomllib", "importlib.resources"),
        *(
            "tempfile",
            "concurrent",
            "starlette",
            "uvicorn",
            "numpy",
            "gymnasium",
            "pyspiel",
            "readline",
            "curses",
        ),
    }
    loaded = imported_by("import fernzug")
    assert loaded & heavy == set()
    own = {name.split(".")[1] for name in loaded if name.startswith("fernzug.")}
    above = {module_of(path) for path in SOURCES} - {*CORE, "__init__"}
    assert own & above == set()
    assert (
        loaded & {f"fernzug.board.{name}" for name in ("reader", "check", "shape", "lines")}
        == set()
    )


def test_the_display_has_one_size() -> None:
    """The checks of board files stand below the engine and cannot ask it (S1)."""
    assert board_check.FACE_UP == tables.FACE_UP


# ---- Boards are data -----------------------------------------------------------------------------


def strings(path: Path) -> list[tuple[int, str]]:
    """The strings of a file that are no documentation."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documentation
    ]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_code_knows_a_boards_name(path: Path) -> None:
    """Neither its id nor its name stands in a string of code, nor in a name."""
    words = {name for board in fernzug.boards() for name in (board, fernzug.board(board).name)}
    known = re.compile(rf"\b({'|'.join(map(re.escape, sorted(words)))})\b", re.IGNORECASE)
    for line, text in strings(path):
        assert not known.search(text), f"{path.name}:{line} knows a board: {text!r}"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            assert node.id.lower() not in words


def test_no_module_of_the_core_is_too_long() -> None:
    """A module over some five hundred lines has two subjects."""
    long = {
        str(path.relative_to(PACKAGE)): lines
        for path in SOURCES
        if module_of(path) in CORE
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > 550
    }
    assert not long
