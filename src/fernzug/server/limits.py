"""Count what each address asks for, and refuse what is too much."""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict

from fernzug.server.settings import Limits
from fernzug.table import Refused

MAX_ADDRESSES = 10_000


class Bucket:
    """A rate limit that allows bursts: it fills over time, and each use takes one out."""

    __slots__ = ("_burst", "_filled", "_level", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = float(burst)
        self._filled = now

    def take(self, now: float) -> bool:
        """Take one out if there is one; return whether there was."""
        self._level = min(self._burst, self._level + (now - self._filled) * self._rate)
        self._filled = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Addresses:
    """What each address has open, and how often it has asked."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sockets: Counter[str] = Counter()
        self._tables: Counter[str] = Counter()
        self._requests: OrderedDict[str, Bucket] = OrderedDict()
        self._created: OrderedDict[str, Bucket] = OrderedDict()

    @property
    def sockets(self) -> int:
        """The number of open connections."""
        return self._sockets.total()

    def open_socket(self, address: str) -> None:
        """Count a connection, or refuse it."""
        if self.sockets >= self._limits.sockets:
            raise Refused("limit", "the server has too many connections")
        if self._sockets[address] >= self._limits.sockets_per_address:
            raise Refused("limit", "there are too many connections from this address")
        self._sockets[address] += 1

    def close_socket(self, address: str) -> None:
        """Stop counting a connection."""
        _decrease(self._sockets, address)

    def open_table(self, address: str, now: float) -> None:
        """Count a table, or refuse it.

        The limit applies to tables at once and again to new tables per hour, because abandoned
        tables leave the memory, but not the disk.
        """
        limit = self._limits.tables_per_address
        if self._tables[address] >= limit:
            raise Refused("limit", "there are too many tables from this address")
        if not _bucket(self._created, address, limit / 3600, limit, now).take(now):
            raise Refused("limit", "too many tables were created from this address")
        self._tables[address] += 1

    def close_table(self, address: str) -> None:
        """Stop counting a table that is over or was dropped from memory."""
        _decrease(self._tables, address)

    def request(self, address: str, now: float) -> None:
        """Count a request, or refuse it."""
        rate, burst = self._limits.requests_per_second, self._limits.request_burst
        if not _bucket(self._requests, address, rate, burst, now).take(now):
            raise Refused("rate", "too many requests in a short time")


def _bucket(
    buckets: OrderedDict[str, Bucket], address: str, rate: float, burst: float, now: float
) -> Bucket:
    """Return the bucket of an address; the least recently used ones are forgotten."""
    if address not in buckets:
        buckets[address] = Bucket(rate, burst, now)
        if len(buckets) > MAX_ADDRESSES:
            buckets.popitem(last=False)
    buckets.move_to_end(address)
    return buckets[address]


def _decrease(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if counter[address] <= 0:
        del counter[address]


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
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
