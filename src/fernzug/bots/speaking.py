"""One of our bots as a program: the other end of the conversation of :mod:`fernzug.bots.stdio`.

``docs/bot-protocol.md`` describes the protocol.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from fernzug import bots
from fernzug.board import files
from fernzug.board.model import Board
from fernzug.bots.base import Bot, Budget
from fernzug.bots.stdio import PROTOCOL
from fernzug.events import Event
from fernzug.view_reader import view_from

RESHUFFLED = "reshuffled"


class ProtocolError(Exception):
    """The other side says something that the protocol does not have, or that we cannot do."""


def speak(spec: str, board: Board | None, source: TextIO, target: TextIO) -> None:
    """Play one seat of one game: answer requests until the other side says goodbye.

    ``board`` is the board to play on if it does not come with the package.
    """
    speaker: _Speaker | None = None
    for number, line in enumerate(source, start=1):
        try:
            request = json.loads(line)
            kind = request["type"]
        except (ValueError, TypeError, KeyError):
            raise ProtocolError(f"line {number} is not a request: {line.strip()[:200]}") from None
        if kind == "bye":
            break
        if kind == "hello":
            speaker = _greeted(spec, board, request, number)
            # Events tell how often the deck was reshuffled, which no view says.
            answer: dict[str, Any] = {"type": "ready", "name": spec, "events": True}
        elif kind == "decide" and speaker is not None:
            answer = {"type": "action", "action": speaker.decide(request)}
        else:
            raise ProtocolError(f"line {number} has a request that is not expected: {kind!r}")
        print(json.dumps(answer, ensure_ascii=False), file=target, flush=True)
    if speaker is not None:
        speaker.bot.close()


def _greeted(spec: str, board: Board | None, hello: dict[str, Any], number: int) -> _Speaker:
    try:
        return _Speaker(spec, board, hello)
    except KeyError as error:
        raise ProtocolError(f"line {number} is a greeting without {error}") from None


class _Speaker:
    """A bot, and what it has been told."""

    def __init__(self, spec: str, board: Board | None, hello: dict[str, Any]) -> None:
        if hello["protocol"] != PROTOCOL:
            raise ProtocolError(
                f"this program speaks version {PROTOCOL} of the protocol, not {hello['protocol']}"
            )
        self.board = _board(board, hello["board"])
        budget = hello.get("budget") or {}
        self.bot: Bot = bots.make(
            spec,
            self.board,
            hello["seed"],
            Budget(budget.get("iterations"), budget.get("seconds")),
        )
        self.reshuffles = 0

    def decide(self, request: dict[str, Any]) -> str:
        """Return the text of the bot's choice."""
        told = request.get("events", [])
        self.reshuffles += sum(event["event"] == RESHUFFLED for event in told)
        if self.bot.watches:
            self.bot.watch([_event(data) for data in told])
        view = view_from(request["view"], self.board, self.reshuffles)
        return self.bot.choose(view, view.legal).text


def _event(data: dict[str, Any]) -> Event:
    fields = {name: value for name, value in data.items() if name != "event"}
    for name in ("cards", "tickets"):
        if isinstance(fields.get(name), list):
            fields[name] = tuple(fields[name])
    return Event(data["event"], **fields)


def _board(given: Board | None, told: dict[str, Any]) -> Board:
    board = given
    if board is None and told["id"] in files.boards():
        board = files.load(told["id"])
    if board is not None and board.hash == told["hash"]:
        return board
    raise ProtocolError(
        f"the game is on another board than we know, '{told['id']}' with the hash {told['hash']}; "
        "name its file with --board"
    )
