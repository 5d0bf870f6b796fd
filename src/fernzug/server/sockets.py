"""The WebSocket: from a message to a command at a table."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from starlette.websockets import WebSocket

from fernzug.server import check
from fernzug.server.connection import NO_HELLO, NO_TABLE, TOO_FAST, Connection
from fernzug.server.limits import address_of
from fernzug.server.lobby import Lobby, known_level
from fernzug.server.log import note_error
from fernzug.server.names import clean_line
from fernzug.server.room import Request, Room, moment
from fernzug.table import Refused, protocol
from fernzug.table.setup import BOT_NAMES

FROM_CLIENT = check.checker(protocol.ClientMessage)


def parse(received: str | bytes) -> Any:
    """Return the message that was received, or refuse it."""
    if isinstance(received, bytes):
        raise Refused("bad_message", "messages are text, not bytes")
    try:
        message = json.loads(received, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("bad_message", "this is not JSON") from None
    try:
        FROM_CLIENT(message, "message")
    except check.Mismatch as mismatch:
        raise Refused("bad_message", str(mismatch)) from None
    return message


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def id_of(received: str | bytes) -> str | None:
    """Return the id of a message that was refused, if it has a usable one."""
    try:
        message = json.loads(received)
        check.check(protocol.Id, message["id"])
        return str(message["id"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


class Visitor:
    """One browser at one table."""

    def __init__(self, lobby: Lobby, room: Room, connection: Connection, address: str) -> None:
        self._lobby = lobby
        self._room = room
        self._connection = connection
        self._address = address

    async def listen(self) -> None:
        """Carry out one message after the other until there are no more."""
        connection = self._connection
        while not connection.closing:
            received = await connection.read()
            if received is None:
                return
            await self._take(received)

    async def _take(self, received: str | bytes) -> None:
        connection = self._connection
        metrics = self._lobby.metrics
        began = time.perf_counter()
        try:
            if not connection.may_send(time.monotonic()):
                connection.strikes += 1
                raise Refused("rate", "too many messages in a short time")
            message = parse(received)
            kind = message["type"]
            await self._carry_out(message)
            metrics.count("messages", kind)
            metrics.time("message", time.perf_counter() - began)
        except Refused as refusal:
            metrics.count("refusals", refusal.code)
            connection.refuse(id_of(received), refusal.code, refusal.message)
            if connection.strikes > self._lobby.settings.limits.message_strikes:
                connection.close(TOO_FAST, "too many messages")
        except Exception:
            # A fault of ours must not take the connection, let alone the table, with it.
            metrics.count("faults")
            note_error("message_failed", table=self._room.id)
            connection.refuse(id_of(received), "bad_message", "the server could not handle this")

    async def _carry_out(self, message: Any) -> None:
        kind = message["type"]
        if kind == "ping":
            self._connection.tell({"type": "pong", "now": moment().wall})
        elif kind == "hello":
            raise Refused("bad_message", "hello has been said already")
        elif kind == "react":
            self._own(message["seat"])
            self._may_say()
            self._room.react(message["seat"], message["reaction"])
        else:
            seq = await self._command(message)
            self._connection.tell({"type": "ack", "id": message["id"], "seq": seq})

    async def _command(self, message: Any) -> int:
        room, id = self._room, message["id"]
        if message["type"] == "rematch":
            if not (self._connection.audience or self._connection.host):
                raise Refused("not_yours", "only those who played can ask for another game")
            return await self._lobby.rematch(room, None, id, self._address)
        seat = message["seat"]
        if message["type"] in ("fill", "remove"):
            if not self._connection.host:
                raise Refused("not_host", "only whoever made the table may do this")
        else:
            self._own(seat)
        return await room.submit(self._request(message, seat, id), seat, id)

    def _request(self, message: Any, seat: int, id: str) -> Request:
        kind = message["type"]
        if kind == "play":
            version, action = message["version"], message["action"]
            return lambda table, now: table.play(seat, version, action, now, id)
        if kind == "undo":
            version = message["version"]
            return lambda table, now: table.undo(seat, version, id, now.wall)
        if kind == "chat":
            text = clean_line(message["text"])
            self._may_say()
            return lambda table, now: table.say(seat, text, id, now.wall)
        if kind == "leave":
            return lambda table, now: table.leave(seat, id, now.wall)
        if kind == "takeover":
            return lambda table, now: table.takeover(seat, id, now.wall)
        if kind == "fill":
            level = known_level(message["level"])
            name = BOT_NAMES[seat % len(BOT_NAMES)]
            return lambda table, now: table.fill(seat, name, level, id, now.wall)
        return lambda table, now: table.remove(seat, id, now.wall)

    def _own(self, seat: int) -> None:
        if seat not in self._connection.audience:
            raise Refused("not_yours", "this is not your seat")

    def _may_say(self) -> None:
        if not self._connection.may_say(time.monotonic()):
            raise Refused("rate", "too much talk in a short time")


async def _hello(connection: Connection, seconds: float) -> protocol.Hello | None:
    """Return the first message, which says who is there; None if there is none."""
    try:
        received = await asyncio.wait_for(connection.read(), seconds)
    except TimeoutError:
        connection.close(NO_HELLO, "nobody has said hello")
        return None
    if received is None:
        return None
    try:
        message: Any = parse(received)
    except Refused as refusal:
        connection.refuse(None, refusal.code, refusal.message)
        connection.close(NO_HELLO, "the first message has to be hello")
        return None
    if message["type"] != "hello":
        connection.refuse(None, "bad_message", "the first message has to be hello")
        connection.close(NO_HELLO, "the first message has to be hello")
        return None
    hello: protocol.Hello = message
    return hello


async def serve(lobby: Lobby, socket: WebSocket) -> None:
    """Serve one connection from its beginning to its end."""
    address = address_of(socket.client.host if socket.client else None)
    await socket.accept()
    connection = Connection(socket, lobby.settings.limits)
    writer = asyncio.get_running_loop().create_task(connection.write())
    try:
        lobby.addresses.open_socket(address)
    except Refused as refusal:
        connection.refuse(None, refusal.code, refusal.message)
        connection.close(TOO_FAST, "too many connections")
        await writer
        return
    try:
        await _visit(lobby, connection, socket.query_params.get("table", ""), address)
    finally:
        lobby.addresses.close_socket(address)
        connection.close(1000, "")
        await writer


async def _visit(lobby: Lobby, connection: Connection, table: str, address: str) -> None:
    hello = await _hello(connection, lobby.settings.limits.hello_seconds)
    if hello is None:
        return
    try:
        room = await lobby.room(table[:64])
    except Refused as refusal:
        connection.refuse(None, refusal.code, refusal.message)
        connection.close(NO_TABLE, refusal.message)
        return
    room.arrive(connection, hello["tokens"], hello["seen"])
    try:
        await Visitor(lobby, room, connection, address).listen()
    finally:
        room.depart(connection)
