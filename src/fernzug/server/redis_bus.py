"""The bus of many processes: Redis.

Every process listens on two channels, one for all processes and one of its own. Nothing in Redis
has to survive: if it is restarted, the processes connect again and tell each other everything anew.
Servers that have nothing to do with each other can use one Redis with different numbers of its
databases, as in ``redis://host/1``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from fernzug.server.bus import Listener
from fernzug.server.log import note, note_error
from fernzug.server.metrics import Metrics
from fernzug.table.encoding import decode, encode

LEASE_SECONDS = 4.0
"""How long a process that has died keeps what it was to do."""
FIRST_SECONDS = 600
RETRY_SECONDS = 0.2
ANSWER_SECONDS = 5.0
SILENCE_SECONDS = 6.0
"""Every process hears itself more often than that; if it does not, the connection is dead."""
RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"

LOST = (RedisError, OSError, TimeoutError)


class RedisBus:
    """A connection to Redis."""

    def __init__(self, url: str, metrics: Metrics) -> None:
        self.name = secrets.token_hex(8)
        self.connected = False
        self._metrics = metrics
        self._redis: Redis = Redis.from_url(
            url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 1),
            client_name="fernzug",
            # With the newer protocol, messages are pushed, which every reader has to see to.
            protocol=2,
        )
        # Channels, unlike keys, do not belong to a database.
        self._prefix = f"fernzug:{self._redis.connection_pool.connection_kwargs.get('db') or 0}"
        self._everybody = f"{self._prefix}:all"
        self._listener: Listener | None = None
        self._outgoing: Any = None
        """The connection over which messages are sent; to borrow one would take longer."""
        self._listening: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._waiting: dict[str, list[Any]] = {}
        self._released: list[str] = []
        self._leases: dict[str, float] = {}
        """When each lease that this process has must be renewed."""

    # ------------------------------------------------------------------------ listening

    async def open(self, listener: Listener) -> None:
        """Begin to listen; return when Redis has answered, or does not."""
        self._listener = listener
        ready = asyncio.Event()
        self._listening = asyncio.get_running_loop().create_task(self._listen(ready))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), 5.0)

    async def _listen(self, ready: asyncio.Event) -> None:
        assert self._listener is not None
        told = False
        while True:
            try:
                async with self._channels() as channels:
                    self.connected = True
                    ready.set()
                    self._listener.reconnected()
                    await self._listen_to(channels)
            except LOST as error:
                if self.connected or not told:
                    told = True
                    note("bus_lost", logging.WARNING, reason=str(error))
                self.connected = False
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen_to(self, channels: Any) -> None:
        """Take messages until there are none for too long."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(SILENCE_SECONDS) as limit:
            while True:
                _, _, data = await channels.read_response()
                limit.reschedule(loop.time() + SILENCE_SECONDS)
                self._take(data)

    @contextlib.asynccontextmanager
    async def _channels(self) -> AsyncIterator[Any]:
        """Subscribe to both channels, and wait until that is done."""
        channels = await self._connect()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await channels.send_command("SUBSCRIBE", self._everybody, self._own(self.name))
                for _ in range(2):
                    await channels.read_response()
            yield channels
        finally:
            with contextlib.suppress(*LOST):
                await channels.disconnect(nowait=True)

    async def _connect(self) -> Any:
        """Return a connection of one's own: clients and pipelines take longer for a message."""
        pool: Any = self._redis.connection_pool
        connection = pool.make_connection()
        async with asyncio.timeout(ANSWER_SECONDS):
            await connection.connect()
        # Whoever uses it has one deadline for everything, instead of one for each answer.
        connection.socket_timeout = None
        return connection

    def _take(self, data: bytes) -> None:
        """Hand on the messages of another process."""
        # Whoever sends to all hears it, too.
        if self._listener is None or data.startswith(self.name.encode()):
            return
        try:
            sender, _, text = data.partition(b" ")
            for message in decode(text):
                self._listener.heard(sender.decode(), message)
        except Exception:
            note_error("bus_message_failed")

    # ------------------------------------------------------------------------ sending

    def send(self, receiver: str | None, message: Any) -> None:
        """Send a message to a process, or to all; it arrives soon, or never."""
        channel = self._everybody if receiver is None else self._own(receiver)
        self._waiting.setdefault(channel, []).append(message)
        self._start_sending()

    def _start_sending(self) -> None:
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        """Send what is waiting, all messages for a process at once."""
        try:
            while self._waiting or self._released:
                waiting, self._waiting = self._waiting, {}
                released, self._released = self._released, []
                sender = self.name.encode() + b" "
                commands: list[tuple[Any, ...]] = [
                    ("PUBLISH", channel, sender + encode(messages))
                    for channel, messages in waiting.items()
                ]
                commands += [("EVAL", RELEASE, 1, key, self.name) for key in released]
                if not await self._ask(commands) and not await self._ask(commands):
                    self._metrics.count("bus_lost", number=sum(map(len, waiting.values())))
        finally:
            self._sending = None

    async def _ask(self, commands: list[tuple[Any, ...]]) -> bool:
        """Send commands, and wait for their answers; return whether Redis could be reached."""
        try:
            if self._outgoing is None:
                self._outgoing = await self._connect()
            async with asyncio.timeout(ANSWER_SECONDS):
                packed = self._outgoing.pack_commands(commands)
                await self._outgoing.send_packed_command(packed, check_health=False)
                for _ in commands:
                    await self._outgoing.read_response()
        except LOST:
            await self._hang_up()
            return False
        return True

    async def _hang_up(self) -> None:
        outgoing, self._outgoing = self._outgoing, None
        if outgoing is not None:
            with contextlib.suppress(*LOST):
                await outgoing.disconnect(nowait=True)

    # ------------------------------------------------------------------------ agreeing

    async def lease(self, name: str) -> bool:
        """Whether this process is the one to do something for the next few seconds."""
        now = time.monotonic()
        if self._leases.get(name, 0.0) > now:
            return True
        key, milliseconds = _lease(name), int(1000 * LEASE_SECONDS)
        try:
            held = await self._redis.set(key, self.name, nx=True, px=milliseconds)
            if not held:
                held = await self._redis.get(key) == self.name.encode()
                if held:
                    await self._redis.pexpire(key, milliseconds)
        except LOST:
            # The store lets only one of them play, whoever else may think about it.
            return True
        if held:
            self._leases[name] = now + LEASE_SECONDS / 2
        else:
            self._leases.pop(name, None)
        return bool(held)

    def release(self, name: str) -> None:
        """Let another process do it."""
        if self._leases.pop(name, None) is not None:
            self._released.append(_lease(name))
            self._start_sending()

    async def first(self, key: str, value: str) -> str:
        """Return the first value that was given for a key in the last minutes."""
        try:
            found: Any = await self._redis.set(
                f"fernzug:first:{key}", value, nx=True, get=True, ex=FIRST_SECONDS
            )
        except LOST:
            return value
        return value if found is None else str(found, "utf-8")

    async def close(self) -> None:
        """Send what is waiting, and stop."""
        if self._sending is not None:
            await self._sending
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        await self._hang_up()
        with contextlib.suppress(*LOST):
            await self._redis.aclose()

    def _own(self, name: str) -> str:
        return f"{self._prefix}:to:{name}"


def _lease(name: str) -> str:
    return f"fernzug:lease:{name}"
