"""Counting what one address asks for, and refusing what is too much."""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict

from fernzug.server.settings import Limits
from fernzug.table import Refused

REMEMBERED_ADDRESSES = 10_000


class Bucket:
    """A rate with a burst: it fills with time, and each use takes one out."""

    __slots__ = ("_burst", "_filled", "_level", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = float(burst)
        self._filled = now

    def take(self, now: float) -> bool:
        """Take one out if there is one."""
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
        self._made: OrderedDict[str, Bucket] = OrderedDict()

    @property
    def sockets(self) -> int:
        """How many connections are open."""
        return self._sockets.total()

    def open_socket(self, address: str) -> None:
        """Count a connection, or refuse it."""
        if self.sockets >= self._limits.sockets:
            raise Refused("limit", "the server has too many connections")
        if self._sockets[address] >= self._limits.sockets_per_address:
            raise Refused("limit", "there are too many connections from this address")
        self._sockets[address] += 1

    def close_socket(self, address: str) -> None:
        """A connection is gone."""
        _less(self._sockets, address)

    def open_table(self, address: str, now: float) -> None:
        """Count a table, or refuse it.

        An address may have so many at once, and make as many anew in an hour: tables that are
        abandoned leave the memory, but not the disk.
        """
        most = self._limits.tables_per_address
        if self._tables[address] >= most:
            raise Refused("limit", "there are too many tables from this address")
        if not _bucket(self._made, address, most / 3600, most, now).take(now):
            raise Refused("limit", "too many tables were made from this address")
        self._tables[address] += 1

    def close_table(self, address: str) -> None:
        """A table is over, or was put away."""
        _less(self._tables, address)

    def request(self, address: str, now: float) -> None:
        """Count a request, or refuse it."""
        rate, burst = self._limits.requests_per_second, self._limits.request_burst
        if not _bucket(self._requests, address, rate, burst, now).take(now):
            raise Refused("rate", "too many requests in a short time")


def _bucket(
    buckets: OrderedDict[str, Bucket], address: str, rate: float, burst: float, now: float
) -> Bucket:
    """Return the bucket of an address; those of the longest unseen addresses are forgotten."""
    if address not in buckets:
        buckets[address] = Bucket(rate, burst, now)
        if len(buckets) > REMEMBERED_ADDRESSES:
            buckets.popitem(last=False)
    buckets.move_to_end(address)
    return buckets[address]


def _less(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if counter[address] <= 0:
        del counter[address]


def is_this_machine(host: str | None) -> bool:
    """Whether a request that nobody has passed on comes from the machine itself."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def address_of(host: str | None) -> str:
    """Return what counts as one address: a whole /64 of IPv6, which one household has."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
