"""Every limit of the server with its reason, and the counting of what each address asks for.

``docs/limits.md`` is written from :class:`Limits` by ``tools/limits_md.py``.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from fernzug.table import Refused

MAX_KEYS = 10_000
"""How many addresses, or seats, are remembered for each limit."""

MAX_HOST = 64
"""The longest address has 45 characters, and may name an interface as well."""

T = TypeVar("T")


class Rate(NamedTuple):
    """So many per second in the long run, and so many at once."""

    per_second: float
    at_once: float

    def times(self, factor: float) -> Rate:
        """Return a rate that allows so many times as much."""
        return Rate(self.per_second * factor, self.at_once * factor)


UNLIMITED = Rate(1e9, 1e9)


def _limit(default: T, *, of: str, by: str, otherwise: str, why: str) -> T:
    """Return a field with what its page says: what is limited, for whom, and why."""
    about = {"of": of, "by": by, "otherwise": otherwise, "why": why}
    made: T = field(default=default, metadata=about)
    return made


ADDRESS = "address"
CONNECTION = "connection"
SEAT = "seat"
TABLE = "table"
SERVER = "server"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one connection, one seat, one address and the whole server may ask for."""

    connections: int = _limit(
        20_000,
        of="connections of all kinds; at most the number of files that may be open, less 256",
        by=SERVER,
        otherwise="HTTP 503, closed",
        why="a process that runs out of open files can neither accept nor write",
    )
    connections_per_address: int = _limit(
        256,
        of="connections of all kinds, silent ones too",
        by=ADDRESS,
        otherwise="HTTP 429, closed",
        why="a school class with six connections for each browser fits, and one person cannot "
        "take the places of all others",
    )
    connects: Rate = _limit(
        Rate(20, 400),
        of="new connections",
        by=ADDRESS,
        otherwise="HTTP 429, closed",
        why="accepting a connection costs more than most requests",
    )
    header_seconds: float = _limit(
        10.0,
        of="seconds until the headers of a request are complete",
        by=CONNECTION,
        otherwise="HTTP 408, closed",
        why="silent connections and headers that trickle in would stay for ever",
    )
    header_bytes: int = _limit(
        16_384,
        of="bytes of a request's headers",
        by=CONNECTION,
        otherwise="HTTP 431, closed",
        why="headers are kept in memory until they are complete",
    )
    body_seconds: float = _limit(
        10.0,
        of="seconds until the body of a request is complete",
        by=CONNECTION,
        otherwise="HTTP 408, closed",
        why="a body that trickles in would stay for ever",
    )
    answer_seconds: float = _limit(
        60.0,
        of="seconds until an answer has been made and taken",
        by=CONNECTION,
        otherwise="closed",
        why="an answer that nobody reads would stay in memory",
    )
    requests: Rate = _limit(
        Rate(50, 1_000),
        of="HTTP requests of all kinds, unless they come through a proxy",
        by=ADDRESS,
        otherwise="HTTP 429, closed",
        why="a class of thirty can load the whole client at once, but nobody can keep the server "
        "busy with pages",
    )
    lobby_requests: Rate = _limit(
        Rate(10, 100),
        of="requests to create, list, find and join tables",
        by=ADDRESS,
        otherwise="429 `rate`",
        why="each may read from the store",
    )
    replays: Rate = _limit(
        Rate(0.5, 10),
        of="requests for finished games, and for the bots' results of a game of the day",
        by=ADDRESS,
        otherwise="429 `rate`",
        why="a whole game is played back for each, or played by bots",
    )
    reviews: Rate = _limit(
        Rate(0.1, 10),
        of="requests to begin, continue or stop a review",
        by=ADDRESS,
        otherwise="429 `rate`",
        why="a whole game is played back for each",
    )
    review_looks: Rate = _limit(
        Rate(4, 60),
        of="requests for a review, finished or in progress",
        by=ADDRESS,
        otherwise="429 `rate`",
        why="pages ask every second while it is worked out",
    )
    running_reviews: int = _limit(
        50,
        of="reviews being worked out",
        by=SERVER,
        otherwise="503 `busy`",
        why="each keeps all positions of its game in memory",
    )
    reviews_per_address: int = _limit(
        8,
        of="reviews being worked out",
        by=ADDRESS,
        otherwise="429 `limit`",
        why="nobody may take the places of all others; one person looks at one game",
    )
    wrong_codes: Rate = _limit(
        Rate(0.1, 20),
        of="wrong codes and ids of tables, over HTTP and sockets together",
        by=ADDRESS,
        otherwise="429 `rate`; on a socket `error` `rate`, closed with 4429",
        why="there are eight million codes: at this rate it takes years to try them",
    )
    sockets_per_address: int = _limit(
        64,
        of="open sockets",
        by=ADDRESS,
        otherwise="`error` `limit`, closed with 4429",
        why="enough for a school class; each costs memory and a share of every message",
    )
    handshakes: Rate = _limit(
        Rate(4, 100),
        of="new sockets, and with them snapshots of a table",
        by=ADDRESS,
        otherwise="HTTP 429 instead of the handshake",
        why="a snapshot costs as much as several moves; after a restart all return at once",
    )
    spectators: int = _limit(
        200,
        of="spectators",
        by=TABLE,
        otherwise="`error` `limit`, closed with 4429",
        why="everything that happens is sent to each of them; players always have a place",
    )
    hello_seconds: float = _limit(
        10.0,
        of="seconds until `hello`, which must be the first message",
        by=CONNECTION,
        otherwise="closed with 4401",
        why="before that, nobody knows who it is",
    )
    frames: Rate = _limit(
        Rate(40, 300),
        of="frames of all kinds: messages, their fragments, pings and pongs",
        by=CONNECTION,
        otherwise="closed with 4429",
        why="pings and empty fragments cost time, although no message ever arrives",
    )
    message_bytes: int = _limit(
        16_384,
        of="bytes of a message, or of a request's body",
        by=CONNECTION,
        otherwise="closed with 1009; HTTP 413",
        why="no honest message comes near",
    )
    messages: Rate = _limit(
        Rate(20, 60),
        of="messages",
        by=CONNECTION,
        otherwise="`error` `rate`",
        why="people send one or two a second",
    )
    message_strikes: int = _limit(
        100,
        of="messages that were refused because they came too fast",
        by=CONNECTION,
        otherwise="closed with 4429",
        why="even a refusal costs time",
    )
    messages_per_address: Rate = _limit(
        Rate(100, 400),
        of="messages",
        by=ADDRESS,
        otherwise="`error` `rate`; it counts as refused, as above",
        why="many connections together must not keep the server busy",
    )
    outbox_messages: int = _limit(
        512,
        of="messages waiting for a receiver that is too slow",
        by=CONNECTION,
        otherwise="closed with 4408; the client resumes when it reconnects",
        why="they would fill the memory",
    )
    outbox_bytes: int = _limit(
        4_000_000,
        of="bytes waiting for a receiver that is too slow",
        by=CONNECTION,
        otherwise="closed with 4408; the client resumes when it reconnects",
        why="they would fill the memory",
    )
    unread_bytes: int = _limit(
        131_072,
        of="bytes handed to the network that a client does not read while it sends pings",
        by=CONNECTION,
        otherwise="closed",
        why="the answers to the pings would fill the memory",
    )
    talk: Rate = _limit(
        Rate(1, 8),
        of="lines of chat and reactions",
        by=SEAT,
        otherwise="`error` `rate`",
        why="nobody reads faster; reconnecting does not help",
    )
    talk_per_address: Rate = _limit(
        Rate(10, 80),
        of="lines of chat and reactions",
        by=ADDRESS,
        otherwise="`error` `rate`",
        why="one person with many seats is still one person",
    )
    undos: Rate = _limit(
        Rate(1, 10),
        of="moves taken back",
        by=SEAT,
        otherwise="`error` `rate`",
        why="every one is kept for ever",
    )
    hints: Rate = _limit(
        Rate(0.5, 6),
        of="hints",
        by=SEAT,
        otherwise="`error` `rate`",
        why="each takes up to a second of the bots' time; nobody needs one more often",
    )
    news_seconds: float = _limit(
        0.25,
        of="seconds between two messages about who has come and gone",
        by=TABLE,
        otherwise="gathered into one message",
        why="spectators who come and go would cost everybody at the table a message each",
    )
    changes_per_table: int = _limit(
        20_000,
        of="changes",
        by=TABLE,
        otherwise="`error` `limit`",
        why="far more than a game needs; it stops tables that only serve to fill the disk",
    )
    tables_per_address: int = _limit(
        50,
        of="unfinished tables in memory",
        by=ADDRESS,
        otherwise="429 `limit`",
        why="each costs memory, and its bots time",
    )
    new_tables: Rate = _limit(
        Rate(50 / 3600, 50),
        of="new tables",
        by=ADDRESS,
        otherwise="429 `limit`",
        why="abandoned tables leave the memory, but not the disk",
    )
    tables: int = _limit(
        5_000,
        of="tables in memory",
        by=SERVER,
        otherwise="429 `limit`",
        why="they have to fit",
    )
    name_length: int = _limit(
        24,
        of="printable characters of a name",
        by=SEAT,
        otherwise="400 `bad_name`",
        why="longer ones fit no screen",
    )

    def for_crowds(self, number: int) -> Limits:
        """Return limits for so many people behind one address, in proportion."""
        factor = number / self.sockets_per_address
        changes: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.metadata["by"] != ADDRESS:
                continue
            if isinstance(value, Rate):
                changes[each.name] = value.times(max(1.0, factor))
            else:
                changes[each.name] = max(1, int(value * factor))
        return replace(self, **{**changes, "tables_per_address": number})

    def at_speed(self, per_second: float) -> Limits:
        """Return limits for connections that send so many messages a second."""
        messages = Rate(per_second, 3 * per_second + 1)
        factor = max(1.0, per_second / self.messages.per_second)
        return replace(
            self,
            messages=messages,
            frames=self.frames.times(factor),
            messages_per_address=self.messages_per_address.times(factor),
        )


Taken = Literal[
    "connects",
    "requests",
    "lobby_requests",
    "replays",
    "reviews",
    "review_looks",
    "wrong_codes",
    "handshakes",
    "messages_per_address",
    "talk",
    "talk_per_address",
    "undos",
    "hints",
    "new_tables",
]
"""The names of the rates in :class:`Limits` that addresses and seats have."""
Held = Literal["connections", "sockets", "tables", "reviews"]
"""What an address can have a number of; :class:`Limits` has the most, as ``…_per_address``."""

TOO_FAST: dict[Taken, str] = {
    "connects": "too many new connections from this address",
    "requests": "too many requests from this address",
    "lobby_requests": "too many requests in a short time",
    "replays": "too many finished games were asked for in a short time",
    "reviews": "too many reviews were asked for in a short time",
    "review_looks": "too many requests for reviews in a short time",
    "wrong_codes": "too many wrong codes in a short time; wait a little",
    "handshakes": "too many new connections in a short time",
    "messages_per_address": "too many messages from this address in a short time",
    "talk": "too many lines of chat and reactions in a short time",
    "talk_per_address": "too many lines of chat and reactions from this address",
    "undos": "too many moves were taken back in a short time",
    "hints": "too many hints were asked for in a short time",
    "new_tables": "too many tables were created from this address",
}
TOO_MANY: dict[Held, str] = {
    "connections": "there are too many connections from this address",
    "sockets": "there are too many connections from this address",
    "tables": "there are too many tables from this address",
    "reviews": "too many games from this address are being reviewed",
}


class Bucket:
    """A rate limit that allows bursts: it fills over time, and each use takes one out."""

    __slots__ = ("_filled", "_level", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = float(rate.at_once)
        self._filled = now

    def has(self, now: float, number: int = 1) -> bool:
        """Whether there are that many in it."""
        rate = self._rate
        self._level = min(rate.at_once, self._level + (now - self._filled) * rate.per_second)
        self._filled = now
        return self._level >= number

    def take(self, now: float, number: int = 1) -> bool:
        """Take that many out if there are as many; return whether there were."""
        if not self.has(now, number):
            return False
        self._level -= number
        return True

    def charge(self, number: int) -> None:
        """Take that many out that were used elsewhere, even if there are not as many."""
        self._level = max(-self._rate.at_once, self._level - number)


class Addresses:
    """What each address has open, and how often it has asked; some limits are for seats.

    Nothing here waits, so that counting costs next to nothing. Processes that serve together tell
    each other: ``elsewhere`` returns how many of something an address has open at the others, and
    what is taken at one of them is charged to the address at all.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.open: dict[Held, Counter[str]] = {what: Counter() for what in TOO_MANY}
        self.elsewhere: Callable[[Held, str], int] = lambda what, who: 0
        self.shared = False
        """Whether somebody asks from time to time what was taken."""
        self._limits = limits
        self._clock = clock
        self._taken: Counter[tuple[Taken, str]] = Counter()
        self._buckets: dict[Taken, OrderedDict[str, Bucket]] = {
            what: OrderedDict() for what in TOO_FAST
        }

    def enter(self, what: Held, who: str) -> None:
        """Count something that is now open, or refuse it."""
        most: int = getattr(self._limits, f"{what}_per_address")
        if self.open[what][who] + self.elsewhere(what, who) >= most:
            raise Refused("limit", TOO_MANY[what])
        self.open[what][who] += 1

    def leave(self, what: Held, who: str) -> None:
        """Stop counting something that was open."""
        counter = self.open[what]
        counter[who] -= 1
        if counter[who] <= 0:
            del counter[who]

    def take(self, what: Taken, who: str) -> None:
        """Count something that was asked for, or refuse it."""
        if not self._bucket(what, who).take(self._clock()):
            raise _too_fast(what)
        if self.shared:
            self._taken[what, who] += 1

    def drain(self) -> list[tuple[Taken, str, int]]:
        """Return what was taken since the last time this was asked."""
        taken, self._taken = self._taken, Counter()
        return [(what, who, number) for (what, who), number in taken.items()]

    def charge(self, taken: Iterable[tuple[Taken, str, int]]) -> None:
        """Count what was taken elsewhere."""
        for what, who, number in taken:
            self._bucket(what, who).charge(number)

    def require(self, what: Taken, who: str) -> None:
        """Refuse what would be too much, but do not count it yet."""
        if not self._bucket(what, who).has(self._clock()):
            raise _too_fast(what)

    def _bucket(self, what: Taken, who: str) -> Bucket:
        """Return the bucket of an address or seat; the least recently used ones are forgotten."""
        buckets = self._buckets[what]
        found = buckets.get(who)
        if found is None:
            found = buckets[who] = Bucket(getattr(self._limits, what), self._clock())
            if len(buckets) > MAX_KEYS:
                buckets.popitem(last=False)
        else:
            buckets.move_to_end(who)
        return found


def _too_fast(what: Taken) -> Refused:
    return Refused("limit" if what == "new_tables" else "rate", TOO_FAST[what])


def is_this_machine(host: str | None) -> bool:
    """Whether a request that no proxy has passed on comes from this machine."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def address_of(host: str | None) -> str:
    """Return what counts as one address; for IPv6 a whole /64, the size of one household."""
    # What a proxy passes on may be anything, and must not fill the memory.
    return "unknown" if host is None or len(host) > MAX_HOST else _address_of(host)


@lru_cache(maxsize=MAX_KEYS)
def _address_of(host: str) -> str:
    """Parse an address; whoever has many connections has the same object for each."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
