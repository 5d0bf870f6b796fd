"""Write the TypeScript types of the protocol from the Python ones.

``python tools/protocol_ts.py`` writes ``web/src/net/protocol.ts``; with ``--check`` it only says
whether that file is up to date.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from fernzug import json_types
from fernzug.server import lobby_protocol
from fernzug.table import protocol

TARGET = Path(__file__).parent.parent / "web" / "src" / "net" / "protocol.ts"
HEADER = (
    "// Written by tools/protocol_ts.py from json_types.py, table/protocol.py and "
    "server/lobby_protocol.py in src/fernzug. Do not edit.\n"
)
MODULES = (json_types, protocol, lobby_protocol)
UNIONS = ("ServerMessage", "ClientMessage")
WORDS = (
    "SeatKind",
    "TableState",
    "StartRule",
    "StandIn",
    "Reaction",
    "Face",
    "ErrorCode",
    "AdviceCode",
    "Verdict",
    "ReviewState",
)
NAMES = "Names"
NAMED = {getattr(protocol, word): word for word in WORDS}
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown"}


def main() -> int:
    """Write or check the file; return the exit code."""
    text = generate()
    if "--check" in sys.argv[1:]:
        fresh = TARGET.exists() and TARGET.read_text(encoding="utf-8") == text
        print("up to date" if fresh else f"{TARGET.name} is out of date: run this without --check")
        return 0 if fresh else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    return 0


def generate() -> str:
    """Return the whole file."""
    parts = [HEADER]
    for module in MODULES:
        parts += _module(module)
    return "\n".join(parts)


def _module(module: types.ModuleType) -> Iterator[str]:
    notes = _notes(module)
    for name, value in vars(module).items():
        if is_typeddict(value) and value.__module__ == module.__name__:
            yield _interface(value, notes)
        elif name in UNIONS:
            yield f"export type {name} = {_union(value)};\n"
        elif name == NAMES and module is json_types:
            yield _comment(notes.get(name), "") + f"export type {name} = {_type(value)};\n"
        elif name in WORDS and name in notes:
            yield _comment(notes[name], "") + f"export type {name} = {_spelled(value)};\n"
            listed = ", ".join(f"'{word}'" for word in get_args(value))
            yield f"export const {_constant(name)}: readonly {name}[] = [{listed}];\n"


def _constant(name: str) -> str:
    """``SeatKind`` becomes ``SEAT_KINDS``."""
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in name).strip("_")
    return words.upper() + "S"


def _interface(kind: Any, notes: dict[str, str]) -> str:
    hints = get_type_hints(kind, include_extras=True)
    lines = [_comment(inspect.getdoc(kind), "") + f"export interface {kind.__name__} {{"]
    for field, hint in hints.items():
        optional = "" if field in kind.__required_keys__ else "?"
        note = _comment(notes.get(f"{kind.__name__}.{field}"), "  ")
        lines.append(f"{note}  {field}{optional}: {_type(hint)};")
    return "\n".join([*lines, "}\n"])


def _comment(text: str | None, indent: str) -> str:
    return f"{indent}/** {' '.join(text.split())} */\n" if text else ""


def _notes(module: types.ModuleType) -> dict[str, str]:
    """Return the docstrings of fields and names in the Python file."""
    tree = ast.parse(inspect.getsource(module))
    notes = dict(_texts_below(tree.body, ""))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            notes |= _texts_below(node.body, f"{node.name}.")
    return notes


def _texts_below(body: list[ast.stmt], prefix: str) -> dict[str, str]:
    found = {}
    for node, below in pairwise(body):
        name = _name(node)
        if name and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            found[prefix + name] = str(below.value.value)
    return found


def _name(node: ast.stmt) -> str | None:
    target = node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.Assign):
        target = node.targets[0]  # type: ignore[assignment]
    return target.id if isinstance(target, ast.Name) else None


def _type(hint: Any) -> str:
    origin = get_origin(hint)
    if origin is Literal and hint in NAMED:
        return NAMED[hint]
    if origin in (NotRequired, Annotated):
        return _type(get_args(hint)[0])
    if origin is Literal:
        return _spelled(hint)
    if origin in (Union, types.UnionType):
        return _union(hint)
    if origin is list:
        item = _type(get_args(hint)[0])
        return f"({item})[]" if " " in item else f"{item}[]"
    if origin is dict:
        return f"Record<string, {_type(get_args(hint)[1])}>"
    if hint in (None, types.NoneType):
        return "null"
    return PLAIN.get(hint) or str(hint.__name__)


def _spelled(hint: Any) -> str:
    return " | ".join(f"'{word}'" for word in get_args(hint))


def _union(hint: Any) -> str:
    return " | ".join(_type(each) for each in get_args(hint))


if __name__ == "__main__":
    sys.exit(main())
