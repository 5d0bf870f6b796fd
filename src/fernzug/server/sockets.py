"""The WebSocket: turns messages into commands at a table."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket

from fernzug import bots
from fernzug.server import check
from fernzug.server.connection import NO_HELLO, NO_TABLE, TOO_FAST, Connection
from fernzug.server.limits import address_of
from fernzug.server.lobby import Lobby, known_level
from fernzug.server.log import note_error
from fernzug.server.names import clean_line
from fernzug.server.room import Request, Room, moment
from fernzug.server.wire import EXTENSION, Wire
from fernzug.table import Change, Moment, Refused, Table, protocol
from fernzug.table.characters import some, somebody
from fernzug.table.encoding import decode

FROM_CLIENT = check.checker(protocol.ClientMessage)

OwnCommand = (
    protocol.Play
    | protocol.Undo
    | protocol.GoToStep
    | protocol.Say
    | protocol.Leave
    | protocol.Takeover
)
"""Commands for one's own seat."""
SeatCommand = OwnCommand | protocol.Fill | protocol.Remove
"""Commands that concern one seat."""
CLOSING: dict[protocol.ErrorCode, int] = {"rate": TOO_FAST, "limit": TOO_FAST}
"""The close codes for those who do not get to a table, unless there is no such table."""
M = TypeVar("M")


def parse(received: str | bytes) -> protocol.ClientMessage:
    """Return the message that was received, or refuse it."""
    if isinstance(received, bytes):
        raise Refused("bad_message", "messages are text, not bytes")
    try:
        message: protocol.ClientMessage = decode(received)
    except ValueError:
        raise Refused("bad_message", "this is not JSON") from None
    try:
        FROM_CLIENT(message, "message")
    except check.Mismatch as mismatch:
        raise Refused("bad_message", str(mismatch)) from None
    return message


def id_of(received: str | bytes) -> str | None:
    """Return the id of a message that was refused, if it has a usable one."""
    try:
        message = decode(received)
        check.check(protocol.Id, message["id"])
        return str(message["id"])
    except (ValueError, TypeError, KeyError):
        return None


class Visitor:
    """One browser at one table."""

    __slots__ = ("_address", "_connection", "_lobby", "_room")

    def __init__(self, *, lobby: Lobby, room: Room, connection: Connection, address: str) -> None:
        self._lobby = lobby
        self._room = room
        self._connection = connection
        self._address = address

    async def listen(self) -> None:
        """Handle one message after the other until there are no more."""
        connection = self._connection
        while not connection.closing:
            received = await connection.read()
            if received is None:
                return
            await self._take(received)
            if connection.has_more:
                # Messages that were sent at once are not handled at once: others have their turn.
                await asyncio.sleep(0)

    async def _take(self, received: str | bytes) -> None:
        connection = self._connection
        metrics = self._lobby.metrics
        began = time.perf_counter()
        try:
            self._count_message()
            message = parse(received)
            await HANDLERS[message["type"]](self, message)
            metrics.count("messages", message["type"])
            metrics.time("message", time.perf_counter() - began)
        except Refused as refusal:
            metrics.count("refusals", refusal.code)
            connection.refuse(id_of(received), refusal.code, refusal.message, refusal.reply)
            if connection.strikes > self._lobby.settings.limits.message_strikes:
                connection.close(TOO_FAST, "too many messages")
        except Exception:
            # An error of the server must not end the connection, let alone the table.
            metrics.count("faults")
            note_error("message_failed", table=self._room.id)
            connection.refuse(id_of(received), "bad_message", "the server could not handle this")

    def _count_message(self) -> None:
        """Count a message for its connection and its address, or refuse it."""
        connection = self._connection
        try:
            if not connection.may_send(time.monotonic()):
                raise Refused("rate", "too many messages in a short time")
            self._lobby.addresses.take("messages_per_address", self._address)
        except Refused:
            connection.strikes += 1
            raise

    # ------------------------------------------------------------------------ messages by type

    async def hello(self, message: protocol.Hello) -> None:
        """Refuse a second hello; the first one was answered before anybody listened."""
        raise Refused("bad_message", "only the first message may be hello")

    async def ping(self, message: protocol.Ping) -> None:
        """Answer."""
        self._connection.tell({"type": "pong", "now": moment().wall})

    async def react(self, message: protocol.React) -> None:
        """Show a reaction to everybody."""
        self._require_seat(message["seat"])
        self._count_talk(message["seat"])
        self._room.react(message["seat"], message["reaction"])

    async def play(self, message: protocol.Play) -> None:
        """Take an action."""
        seat, version, action = message["seat"], message["version"], message["action"]
        await self._submit_own(
            message, lambda table, now: table.play(seat, version, action, now=now, id=message["id"])
        )

    async def undo(self, message: protocol.Undo) -> None:
        """Take the last action back."""
        seat, version = message["seat"], message["version"]
        self._require_seat(seat)
        self._lobby.addresses.take("undos", self._name_of(seat))
        await self._submit_own(
            message, lambda table, now: table.undo(seat, version, id=message["id"], at=now.wall)
        )

    async def step(self, message: protocol.GoToStep) -> None:
        """Go to a step of the lesson."""
        seat, step = message["seat"], message["step"]
        self._require_seat(seat)
        self._lobby.addresses.take("undos", self._name_of(seat))
        await self._submit_own(
            message, lambda table, now: table.go_to_step(seat, step, id=message["id"], at=now.wall)
        )

    async def hint(self, message: protocol.AskHint) -> None:
        """Give hints, as soon as they are worked out; other messages do not wait for them."""
        self._require_seat(message["seat"])
        self._lobby.addresses.take("hints", self._name_of(message["seat"]))
        self._room.give_hints(self._connection, message)

    async def chat(self, message: protocol.Say) -> None:
        """Say something to everybody."""
        seat = message["seat"]
        self._require_seat(seat)
        text = clean_line(message["text"])
        self._count_talk(seat)
        await self._submit_own(
            message, lambda table, now: table.say(seat, text, id=message["id"], at=now.wall)
        )

    async def leave(self, message: protocol.Leave) -> None:
        """Leave the seat to a bot."""
        seat = message["seat"]
        await self._submit_own(
            message, lambda table, now: table.leave(seat, id=message["id"], at=now.wall)
        )

    async def takeover(self, message: protocol.Takeover) -> None:
        """Take the seat back from the bot."""
        seat = message["seat"]
        await self._submit_own(
            message, lambda table, now: table.takeover(seat, id=message["id"], at=now.wall)
        )

    async def fill(self, message: protocol.Fill) -> None:
        """Put a bot on a free seat."""
        self._require_host()
        seat, level = message["seat"], known_level(message["level"])

        def fill(table: Table, now: Moment) -> list[Change]:
            who = somebody(level, table.seats.all, random.SystemRandom())
            return table.fill(seat, who, level, id=message["id"], at=now.wall)

        await self._submit(message, fill)

    async def remove(self, message: protocol.Remove) -> None:
        """Send somebody away."""
        self._require_host()
        seat, level = message["seat"], self._lobby.settings.stand_in_level

        def remove(table: Table, now: Moment) -> list[Change]:
            who = somebody(level, table.seats.all, random.SystemRandom())
            return table.remove(seat, who, level, id=message["id"], at=now.wall)

        await self._submit(message, remove)

    async def start(self, message: protocol.StartGame) -> None:
        """Start the game."""
        self._require_host()
        level = known_level(message.get("level", bots.DEFAULT_LEVEL))

        def start(table: Table, now: Moment) -> list[Change]:
            number = len(table.seats.free)
            who = some(number, level, table.seats.all, random.SystemRandom())
            return table.start(who, level, id=message["id"], at=now.wall)

        seq = await self._room.submit(start, id=message["id"])
        self._acknowledge(message["id"], seq)

    async def renew_code(self, message: protocol.RenewCode) -> None:
        """Give the table another code."""
        self._require_host()
        seq = await self._lobby.renew_code(self._room, message["id"])
        self._acknowledge(message["id"], seq)

    async def rematch(self, message: protocol.AskRematch) -> None:
        """Open the table of the next game."""
        if not (self._connection.audience or self._connection.host):
            raise Refused("not_yours", "only those who played can ask for another game")
        seq = await self._lobby.rematch(self._room, message["id"], self._address)
        self._acknowledge(message["id"], seq)

    # ------------------------------------------------------------------------ helpers

    async def _submit_own(self, message: OwnCommand, request: Request) -> None:
        """Carry out a command for one's own seat, and acknowledge it."""
        self._require_seat(message["seat"])

        def checked(table: Table, now: Moment) -> list[Change]:
            # Whoever was sent away while the command waited for its turn has the seat no more.
            self._require_seat(message["seat"])
            return request(table, now)

        await self._submit(message, checked)

    async def _submit(self, message: SeatCommand, request: Request) -> None:
        """Carry out a command at the table, and acknowledge it."""
        seq = await self._room.carry_out(request, message["seat"], message["id"])
        self._acknowledge(message["id"], seq)

    def _acknowledge(self, id: str, seq: int) -> None:
        self._connection.tell({"type": "ack", "id": id, "seq": seq})

    def _require_seat(self, seat: int) -> None:
        if seat not in self._connection.audience:
            raise Refused("not_yours", "this is not your seat")

    def _require_host(self) -> None:
        if not self._connection.host:
            raise Refused("not_host", "only the host may do this")

    def _count_talk(self, seat: int) -> None:
        """Count a line of chat or a reaction for its seat and its address, or refuse it."""
        self._lobby.addresses.take("talk", self._name_of(seat))
        self._lobby.addresses.take("talk_per_address", self._address)

    def _name_of(self, seat: int) -> str:
        """Return a seat's name for the limits: whoever reconnects has the same."""
        return f"{self._room.id} {seat}"


def _on(
    kind: type[M], handler: Callable[[Visitor, M], Awaitable[None]]
) -> tuple[str, Callable[[Visitor, Any], Awaitable[None]]]:
    """Return an entry of the table below; the message has to be of the handler's type."""
    return check.tag(kind), handler


HANDLERS = dict(
    [
        _on(protocol.Hello, Visitor.hello),
        _on(protocol.Ping, Visitor.ping),
        _on(protocol.React, Visitor.react),
        _on(protocol.Play, Visitor.play),
        _on(protocol.Undo, Visitor.undo),
        _on(protocol.GoToStep, Visitor.step),
        _on(protocol.AskHint, Visitor.hint),
        _on(protocol.Say, Visitor.chat),
        _on(protocol.Leave, Visitor.leave),
        _on(protocol.Takeover, Visitor.takeover),
        _on(protocol.Fill, Visitor.fill),
        _on(protocol.Remove, Visitor.remove),
        _on(protocol.StartGame, Visitor.start),
        _on(protocol.RenewCode, Visitor.renew_code),
        _on(protocol.AskRematch, Visitor.rematch),
    ]
)
"""What is done about each type of message from a browser."""


async def _hello(connection: Connection, seconds: float) -> protocol.Hello | None:
    """Return the first message, which says who has connected; None if there is none."""
    try:
        received = await asyncio.wait_for(connection.read(), seconds)
    except TimeoutError:
        connection.close(NO_HELLO, "no hello in time")
        return None
    if received is None:
        return None
    try:
        message = parse(received)
    except Refused as refusal:
        connection.refuse(None, refusal.code, refusal.message)
        connection.close(NO_HELLO, "the first message must be hello")
        return None
    if message["type"] != "hello":
        connection.refuse(None, "bad_message", "the first message must be hello")
        connection.close(NO_HELLO, "the first message must be hello")
        return None
    return message


async def serve(lobby: Lobby, socket: WebSocket) -> None:
    """Accept a connection, and have it served from its beginning to its end."""
    address = address_of(socket.client.host if socket.client else None)
    try:
        lobby.addresses.take("handshakes", address)
    except Refused as refusal:
        lobby.metrics.count("refusals", refusal.code)
        await socket.send_denial_response(PlainTextResponse(refusal.message, 429))
        return
    await socket.accept()
    table = socket.query_params.get("table", "")[:64]
    wire: Wire = socket.scope["extensions"][EXTENSION]
    wire.hand_over(partial(_serve, lobby, wire, table, address))


async def _serve(lobby: Lobby, wire: Wire, table: str, address: str) -> None:
    """Serve a connection that was accepted."""
    connection = Connection(wire, lobby.settings.limits, address)
    try:
        lobby.addresses.enter("sockets", address)
    except Refused as refusal:
        connection.refuse(None, refusal.code, refusal.message)
        connection.close(TOO_FAST, "too many connections")
        await connection.closed()
        return
    try:
        await _visit(lobby, connection, table, address)
    finally:
        lobby.addresses.leave("sockets", address)
        connection.close(1000, "")
        await connection.closed()


async def _visit(lobby: Lobby, connection: Connection, table: str, address: str) -> None:
    hello = await _hello(connection, lobby.settings.limits.hello_seconds)
    if hello is None:
        return
    try:
        room = await lobby.find(table, address)
        # Snapshots take a while: however many arrive at once, others have their turn in between.
        async with lobby.arriving:
            room = lobby.kept(room)
            room.arrive(connection, hello["tokens"], hello["seen"])
            await asyncio.sleep(0)
    except Refused as refusal:
        connection.refuse(None, refusal.code, refusal.message)
        connection.close(CLOSING.get(refusal.code, NO_TABLE), refusal.message)
        return
    try:
        visitor = Visitor(lobby=lobby, room=room, connection=connection, address=address)
        await visitor.listen()
    finally:
        room.depart(connection)
