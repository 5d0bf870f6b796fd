"""Bots in any language: a program that reads requests and writes answers, one JSON line each.

``stdio:python mybot.py --fast`` starts the program ``python`` with two arguments. Everything after
the colon is a command line, quoted as for a shell, although no shell runs it. The command may be
preceded by ``timeout=SECONDS`` for one decision and ``start=SECONDS`` for the first answer.
``docs/bot-protocol.md`` describes the protocol.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Sequence
from typing import Any

from fernzug.board import as_json
from fernzug.board.model import Board
from fernzug.bots.base import Bot
from fernzug.bots.guard import BotError
from fernzug.bots.program import Program
from fernzug.events import Event
from fernzug.json_types import GameEvent
from fernzug.notation import Action, notation_of
from fernzug.view import View

PROTOCOL = 1
"""The version of the protocol; it changes when old programs would no longer understand it."""

TIMEOUT = 30.0
"""Seconds for a decision if there is no budget in seconds."""

MIN_TIMEOUT = 5.0
"""Seconds for a decision, however short the budget."""

START_TIMEOUT = 10.0
"""Seconds until the program must have answered the first request."""

EXIT_TIMEOUT = 1.0
"""Seconds that a program has to exit by itself when the game is over."""


class StdioBot(Bot):
    """An external program that plays one seat in one game.

    It is started for the first decision. Whatever it does wrong raises
    :class:`~fernzug.bots.guard.BotError`, after the program has been killed.
    """

    def __init__(
        self,
        board: Board,
        command: str,
        seed: int = 0,
        iterations: int | None = None,
        seconds: float | None = None,
    ) -> None:
        super().__init__(board, seed)
        self.arguments, settings = split_command(str(command))
        self.budget = {"iterations": iterations, "seconds": seconds}
        default = TIMEOUT if seconds is None else max(2.0 * seconds, MIN_TIMEOUT)
        self.timeout = settings.get("timeout", default)
        self.start_timeout = settings.get("start", START_TIMEOUT)
        self.title: str | None = None  # what the program calls itself
        self._wants_events = False
        self._events: list[GameEvent] = []
        self._program: Program | None = None

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Return what the program answers."""
        if self._program is None:
            self._hello(view)
        request: dict[str, Any] = {"type": "decide", "view": view.to_json()}
        # The list would otherwise appear twice.
        request["legal"] = request["view"].pop("legal")
        if self._wants_events:
            request["events"] = self._events
        self._events = []
        answer = self._ask(request, "action", self.timeout)
        try:
            return notation_of(self.board).parse(_text(answer, "action"))
        except ValueError as error:
            raise self._end("nonsense", f"it answered {_shown(answer)}: {error}") from None

    def watch(self, events: Sequence[Event]) -> None:
        """Keep what happened for the next request."""
        if self._program is None or self._wants_events:
            self._events += [event.to_json() for event in events]

    def close(self) -> None:
        """Say goodbye and stop the program, by force if necessary."""
        if self._program is not None:
            farewell: dict[str, Any] = {"type": "bye"}
            if self._wants_events:
                farewell["events"] = self._events
            self._program.send(farewell)
            self._program.close(EXIT_TIMEOUT)

    def _hello(self, view: View) -> None:
        try:
            self._program = Program(self.arguments)
        except OSError as error:
            raise BotError("start", f"cannot start '{self.arguments[0]}': {error}") from None
        request = {
            "type": "hello",
            "protocol": PROTOCOL,
            "board": as_json.for_programs(self.board),
            "players": len(view.players),
            "seat": view.viewer,
            "seed": self.seed,
            "budget": {**self.budget, "timeout": self.timeout},
        }
        answer = self._ask(request, "ready", self.start_timeout)
        self.title = str(answer["name"]) if "name" in answer else None
        self._wants_events = answer.get("events") is True
        if not self._wants_events:
            self._events = []

    def _ask(self, request: dict[str, Any], expected: str, seconds: float) -> dict[str, Any]:
        """Return the answer to a request, an object of the expected type."""
        program = self._program
        if program is None:
            raise BotError("crash", "the program has exited")
        try:
            line = program.ask(request, seconds)
        except BotError as error:
            raise self._end(error.kind, str(error)) from None
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("type") != expected:
            shown = line.decode("utf-8", "replace").strip()
            wanted = f'a line of JSON with "type": "{expected}"'
            raise self._end("nonsense", f"it wrote {_shown(shown)} instead of {wanted}")
        return answer

    def _end(self, kind: str, text: str) -> BotError:
        """Kill the program, and return the error to raise, with the end of its standard error."""
        if self._program is None:
            return BotError(kind, text)
        self._program.close(0.0)
        last = self._program.errors()
        return BotError(kind, f"{text}; its standard error: {last}" if last else text)


def split_command(command: str) -> tuple[list[str], dict[str, float]]:
    """Return the program with its arguments, and the settings in front of it."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command line '{command}' cannot be read: {error}") from None
    settings: dict[str, float] = {}
    while words and "=" in words[0]:
        key, _, text = words.pop(0).partition("=")
        if key not in ("timeout", "start"):
            raise ValueError(
                f"'{key}' is not a setting of a program; use timeout=SECONDS and start=SECONDS "
                "in front of the command"
            )
        settings[key] = _seconds(key, text)
    if not words:
        raise ValueError("name the program: stdio:./mybot, or stdio:python mybot.py")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no executable program '{words[0]}'")
    return words, settings


def _seconds(key: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 86_400.0:
        raise ValueError(f"{key}={text} is not a number of seconds")
    return seconds


def _text(answer: dict[str, Any], key: str) -> str:
    value = answer.get(key)
    if not isinstance(value, str):
        raise ValueError(f"'{key}' must be a string")
    return value


def _shown(value: object, max_size: int = 200) -> str:
    text = repr(value)
    return text if len(text) <= max_size else text[: max_size - 1] + "\N{HORIZONTAL ELLIPSIS}"
