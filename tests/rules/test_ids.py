"""Every rule has a test and code that name its id."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import fernzug

RULES = {"S": 3, "T": 2, "D": 8, "C": 9, "K": 3, "E": 7}
"""The chapters of the rules, and how many rules each has."""

IDS = [f"{chapter}{number}" for chapter, last in RULES.items() for number in range(1, last + 1)]

PACKAGE = Path(fernzug.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
ENGINE = [path for path in SOURCES if path.parent.name in ("engine", "bonuses")]
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))


def named_by(test: ast.FunctionDef) -> set[str]:
    """The ids in the name of a test, and in its docstring."""
    words = [word.upper() for word in test.name.split("_")]
    return set(words) | set(re.findall(r"\b[STDCKE]\d\b", ast.get_docstring(test) or ""))


@cache
def ids_of_tests() -> set[str]:
    named: set[str] = set()
    for path in TESTS:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                named |= named_by(node)
    return named


@cache
def ids_of_the_engine() -> set[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in ENGINE)
    return set(re.findall(r"\b[STDCKE]\d\b", text))


@pytest.mark.parametrize("rule", IDS)
def test_every_rule_has_a_test_that_names_it(rule: str) -> None:
    assert rule in ids_of_tests()


@pytest.mark.parametrize("rule", IDS)
def test_every_rule_is_named_by_the_engine(rule: str) -> None:
    assert rule in ids_of_the_engine()


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    found = {word for word in ids_of_tests() if re.fullmatch(r"[STDCKE]\d", word)}
    assert found == set(IDS)


def test_no_code_names_a_rule_that_does_not_exist() -> None:
    for path in SOURCES:
        found = set(re.findall(r"\b[STDCKE]\d\b", path.read_text(encoding="utf-8")))
        assert found <= set(IDS), path
