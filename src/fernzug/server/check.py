"""Check incoming messages against the types that define them.

This supports what :mod:`fernzug.table.protocol` uses: typed dicts, literals, lists, dicts, unions,
and bounded strings and integers. A value that does not fit is refused with a message that says
where and why; nothing is converted.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from fernzug.table.bounds import Bounds


class Mismatch(ValueError):
    """A value does not have the right type."""


Checker = Callable[[object, str], None]


def check(kind: Any, value: object) -> None:
    """Raise :class:`Mismatch` unless the value has the type."""
    checker(kind)(value, "message")


@cache
def checker(kind: Any) -> Checker:
    """Return a function that checks values of a type, created once per type."""
    origin = get_origin(kind)
    if kind is Any:
        return lambda value, where: None
    if is_typeddict(kind):
        return _object(kind)
    if origin is Annotated:
        base, *bounds = get_args(kind)
        return _bounded(checker(base), bounds[0])
    if origin is Literal:
        return _literal(get_args(kind))
    if origin in (Union, types.UnionType):
        return _union(get_args(kind))
    if origin is list:
        return _list(checker(get_args(kind)[0]))
    if origin is dict:
        return _dict(checker(get_args(kind)[1]))
    return _plain(kind)


def _refuse(where: str, wanted: str) -> Mismatch:
    return Mismatch(f"{where} is not {wanted}")


_WORDS = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


def _plain(kind: Any) -> Checker:
    nothing = kind is None or kind is types.NoneType
    wanted = "null" if nothing else _WORDS[kind]
    accepted: set[type] = {types.NoneType} if nothing else {kind}
    if kind is float:
        accepted.add(int)

    def run(value: object, where: str) -> None:
        # Compare the exact type: True is not accepted as the number 1.
        if type(value) not in accepted:
            raise _refuse(where, wanted)
        if kind is str:
            _encodable(value, where)

    return run


def _encodable(value: object, where: str) -> None:
    """Refuse lone surrogates: JSON can spell them, but they cannot be sent on."""
    try:
        str(value).encode()
    except UnicodeEncodeError:
        raise _refuse(where, "a valid Unicode string") from None


def _bounded(base: Checker, bounds: Bounds) -> Checker:
    def run(value: object, where: str) -> None:
        base(value, where)
        size = value if isinstance(value, int) else len(value)  # type: ignore[arg-type]
        if not bounds.low <= size <= bounds.high:
            raise _refuse(where, bounds.words)

    return run


def _literal(words: tuple[object, ...]) -> Checker:
    wanted = "one of " + ", ".join(str(word) for word in words)

    def run(value: object, where: str) -> None:
        if not isinstance(value, str) or value not in words:
            raise _refuse(where, wanted)

    return run


def _union(kinds: tuple[Any, ...]) -> Checker:
    tagged = {tag(kind): checker(kind) for kind in kinds if is_typeddict(kind)}
    if len(tagged) == len(kinds):
        return _tagged(tagged)
    checkers = [checker(kind) for kind in kinds]

    def run(value: object, where: str) -> None:
        reasons = []
        for each in checkers:
            try:
                return each(value, where)
            except Mismatch as mismatch:
                reasons.append(str(mismatch))
        raise Mismatch(" and ".join(reasons))

    return run


def tag(kind: Any) -> str:
    """Return the value of the field ``type`` that identifies a message."""
    hints = get_type_hints(kind, include_extras=True)
    return str(get_args(hints["type"])[0]) if "type" in hints else kind.__name__


def _tagged(kinds: dict[str, Checker]) -> Checker:
    known = ", ".join(kinds)

    def run(value: object, where: str) -> None:
        if type(value) is not dict:
            raise _refuse(where, "an object")
        word = value.get("type")
        if not isinstance(word, str) or word not in kinds:
            raise Mismatch(f"the type of the {where} is not one of {known}")
        kinds[word](value, where)

    return run


def _list(item: Checker) -> Checker:
    def run(value: object, where: str) -> None:
        if type(value) is not list:
            raise _refuse(where, "a list")
        for number, each in enumerate(value):
            item(each, f"{where}[{number}]")

    return run


def _dict(item: Checker) -> Checker:
    def run(value: object, where: str) -> None:
        if type(value) is not dict:
            raise _refuse(where, "an object")
        for key, each in value.items():
            _encodable(key, where)
            item(each, f"{where}.{key}")

    return run


def _object(kind: Any) -> Checker:
    hints = get_type_hints(kind)
    extras = get_type_hints(kind, include_extras=True)
    fields = {name: checker(_bare(extras[name])) for name in hints}
    required: frozenset[str] = kind.__required_keys__

    def run(value: object, where: str) -> None:
        if type(value) is not dict:
            raise _refuse(where, "an object")
        for name in required:
            if name not in value:
                raise Mismatch(f"{where} lacks '{name}'")
        for name, each in value.items():
            found = fields.get(name)
            if found is None:
                raise Mismatch(f"{where} has an unknown field")
            found(each, f"{where}.{name}")

    return run


def _bare(kind: Any) -> Any:
    """Return the type of a field without ``NotRequired``."""
    return get_args(kind)[0] if get_origin(kind) in (NotRequired, Required) else kind
