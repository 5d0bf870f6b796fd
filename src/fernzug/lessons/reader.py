"""Read the text of a lesson into its faults or, if there are none, into a lesson."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from fernzug.board import files as board_files
from fernzug.board.entries import (
    TEXT,
    Entry,
    Key,
    Report,
    Unread,
    inspect,
    list_of,
    one_of,
    optional,
    table,
    whole,
)
from fernzug.board.lines import Path
from fernzug.board.model import Board
from fernzug.game import Game
from fernzug.i18n import LANGUAGES
from fernzug.lessons.model import ACTION, CONTROLS, TURN, Lesson, LessonError, Reply, Step
from fernzug.lessons.patterns import Pattern, fault_of
from fernzug.notation import NotationError, notation_of
from fernzug.spelling import did_you_mean

MAX_STEPS = 40
MAX_MINUTES = 60

_TEXTS = table("a text", **{language: Key(TEXT) for language in LANGUAGES})
_WORDS = list_of(TEXT)


def _position(value: Any, path: Path, report: Report) -> Any:
    """Take a position as it is; the game says what is wrong with it."""
    if not isinstance(value, dict):
        report(path, "'position' must be a table")
        raise Unread
    return value


_REPLY = table("a reply", to=Key(_WORDS), text=Key(_TEXTS))

_STEP = table(
    "a step",
    title=Key(_TEXTS),
    text=Key(_TEXTS),
    task=optional(_TEXTS, {}),
    do=optional(_WORDS, ()),
    unless=optional(_WORDS, ()),
    until=optional(one_of(ACTION, TURN), ACTION),
    then=optional(_WORDS, ()),
    replies=optional(list_of(_REPLY), ()),
    point=optional(_WORDS, ()),
    position=optional(_position),
)

_LESSON = table(
    "the lesson",
    board=Key(TEXT),
    minutes=Key(whole(1, MAX_MINUTES)),
    opponents=Key(_WORDS),
    title=Key(_TEXTS),
    about=Key(_TEXTS),
    steps=Key(list_of(_STEP)),
)


def read(text: str, name: str) -> Lesson:
    """Return the lesson; ``LessonError`` tells everything that is wrong with its text."""
    entry, faults = inspect(text, "lesson", _LESSON, _findings)
    if entry is None or faults:
        raise LessonError(faults)
    return _build(entry, name, text)


def alternatives(text: str) -> tuple[str, ...]:
    """Return the actions of an entry of ``then``: the first legal one is played."""
    return tuple(part.strip() for part in text.split("|"))


# ---------------------------------------------------------------------------- checking


def _findings(entry: Entry) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with a lesson whose entries have the right shape."""
    try:
        board = board_files.load(entry["board"])
    except Unread:
        return
    except (ValueError, OSError) as error:
        yield ("board",), str(error)
        return
    yield from _people(entry, board)
    try:
        steps = entry["steps"]
    except Unread:
        return
    if not 1 <= len(steps) <= MAX_STEPS:
        yield ("steps",), f"a lesson has 1 to {MAX_STEPS} steps, not {len(steps)}"
    for number, step in enumerate(steps):
        for check in (_shape_of_step, partial(_words_of_step, board), partial(_start, board)):
            try:
                yield from check(step, number, entry)
            except Unread:
                continue
    if steps and steps[-1].get("do"):
        yield steps[-1].path, "the last step must be one to read, without 'do'"


def _people(entry: Entry, board: Board) -> Iterator[tuple[Path, str]]:
    try:
        opponents = entry["opponents"]
    except Unread:
        return
    for number, name in enumerate(opponents):
        if name in opponents[:number]:
            yield ("opponents", number), f"{name} cannot sit at the table twice"
    if 1 + len(opponents) not in board.players:
        yield (
            ("opponents",),
            f"{board.name} is for {board.min_players} to {board.max_players} players, "
            f"not {1 + len(opponents)}",
        )


def _shape_of_step(step: Entry, number: int, entry: Entry) -> Iterator[tuple[Path, str]]:
    path = step.path
    if bool(step["do"]) != bool(step["task"]):
        yield path, "a step has both 'do' and 'task', or neither"
    if not step["do"]:
        for key in ("unless", "then", "replies"):
            if step[key]:
                yield (*path, key), f"a step without 'do' has no '{key}'"
    if number == 0 and step["position"] is None:
        yield path, "the first step needs a 'position'"
    if number and step["position"] is not None and entry["steps"][number - 1].get("do"):
        yield (
            (*path, "position"),
            "a step begins from a position of its own only after one that is read",
        )


def _words_of_step(
    board: Board, step: Entry, number: int, entry: Entry
) -> Iterator[tuple[Path, str]]:
    path = step.path
    lists = [(path, "do", step["do"]), (path, "unless", step["unless"])]
    lists += [((*path, "replies", i), "to", reply["to"]) for i, reply in enumerate(step["replies"])]
    for where, key, texts in lists:
        for i, text in enumerate(texts):
            fault = fault_of(Pattern(text), board)
            if fault is not None:
                yield (*where, key, i), fault
    for i, text in enumerate(step["then"]):
        for action in alternatives(text):
            try:
                notation_of(board).parse(action)
            except NotationError as error:
                yield (*path, "then", i), f"'{action}': {error.why.in_english(board)}"
    for i, target in enumerate(step["point"]):
        fault = _target_fault(target, board)
        if fault is not None:
            yield (*path, "point", i), fault


def _target_fault(target: str, board: Board) -> str | None:
    kind, _, id = target.partition(" ")
    if id:
        known = {"route": board.routes.keys(), "place": board.locations.keys()}.get(kind, ())
        if id in known:
            return None
        meant = did_you_mean(id, known)
        return f"'{target}' is neither 'route ID' nor 'place ID' of the board{meant}"
    if target in CONTROLS:
        return None
    return f"there is nothing called '{target}' to point at{did_you_mean(target, CONTROLS)}"


def _start(board: Board, step: Entry, number: int, entry: Entry) -> Iterator[tuple[Path, str]]:
    if step["position"] is None:
        return
    path = (*step.path, "position")
    try:
        Game.from_position(_whole(step["position"], entry), board)
    except ValueError as error:
        yield path, str(error)


# ---------------------------------------------------------------------------- building


def _whole(position: dict[str, Any], entry: Entry) -> dict[str, Any]:
    """Add what the lesson says once for all its positions."""
    return {"board": entry["board"], "players": 1 + len(entry["opponents"]), **position}


def _build(entry: Entry, name: str, text: str) -> Lesson:
    return Lesson(
        id=name,
        board=board_files.load(entry["board"]),
        title=dict(entry["title"]),
        about=dict(entry["about"]),
        minutes=entry["minutes"],
        opponents=tuple(entry["opponents"]),
        steps=tuple(_step(step, entry) for step in entry["steps"]),
        source=text,
    )


def _step(step: Entry, entry: Entry) -> Step:
    return Step(
        title=dict(step["title"]),
        text=dict(step["text"]),
        task=dict(step["task"]),
        do=_patterns(step["do"]),
        unless=_patterns(step["unless"]),
        until=step["until"],
        then=tuple(alternatives(text) for text in step["then"]),
        replies=tuple(
            Reply(_patterns(reply["to"]), dict(reply["text"])) for reply in step["replies"]
        ),
        point=tuple(step["point"]),
        position=None if step["position"] is None else _whole(step["position"], entry),
    )


def _patterns(texts: list[str]) -> tuple[Pattern, ...]:
    return tuple(Pattern(text) for text in texts)
