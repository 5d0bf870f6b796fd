"""The settings of a server, with the limits that keep it alive."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from fernzug.bots import DEFAULT_LEVEL


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one connection, one address and the whole server may ask for."""

    message_bytes: int = 16_384
    """Larger messages close the connection (code 1009)."""
    messages_per_second: float = 20.0
    message_burst: int = 60
    message_strikes: int = 100
    """How often a connection may be refused for sending too fast before it is closed (4429)."""
    hello_seconds: float = 10.0
    """A connection that has not said hello by then is closed (code 4401)."""
    says_per_second: float = 1.0
    say_burst: int = 8
    """Chat and reactions, per connection."""
    outbox_messages: int = 512
    outbox_bytes: int = 4_000_000
    """A slower receiver is closed (code 4408); it resumes when it reconnects."""
    sockets_per_address: int = 64
    sockets: int = 20_000
    tables_per_address: int = 50
    tables: int = 5_000
    """Tables in memory at once."""
    changes_per_table: int = 20_000
    """Far more than a game needs; it stops tables that only serve to fill the disk."""
    requests_per_second: float = 10.0
    request_burst: int = 100
    """Creating, finding and joining tables, for each address."""
    name_length: int = 24


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    data: Path
    bot_pace: tuple[float, float] = (0.6, 1.2)
    """A bot takes at least a time between these two, in seconds, so that people can follow."""
    bot_seconds: float = 20.0
    """If a bot thinks longer, a random choice replaces its decision."""
    bot_workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """Processes in which bots think; with 0 they think in a thread of the server."""
    stand_in_level: str = DEFAULT_LEVEL
    """The level of the bots that play for people who are gone."""
    grace: int = 90
    """Seconds before a bot plays for somebody who is absent, unless the table says otherwise."""
    linger: float = 60.0
    """Seconds that a table stays in memory after everybody has left."""
    collect_seconds: float = 600.0
    """Seconds between two full garbage collections."""
    delete_seconds: float = 86_400.0
    """Seconds between two deletions of tables that nobody has returned to."""
    origins: tuple[str, ...] = ()
    """Origins whose pages may connect, besides those of this server."""
    network: str = "auto"
    """Where the switch lets others join: an address, ``auto`` to find it, ``off`` for no switch."""
    open_metrics: bool = False
    """Whether everybody may read the metrics, not only programs on this machine."""
    limits: Limits = Limits()
