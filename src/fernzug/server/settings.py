"""The settings of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from fernzug.bots import DEFAULT_LEVEL
from fernzug.server.limits import Limits


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    data: Path
    """The folder of the file with the tables, if they are not in another store."""
    store: str | None = None
    """The address of a database with the tables, which several processes can use."""
    bus: str | None = None
    """The address of what connects these processes."""
    read_seconds: float = 2.0
    """Seconds between two looks into the store for what other processes have written unheard."""
    read_seconds_alone: float = 0.3
    """The same while the others are not heard at all."""
    bot_pace: tuple[float, float] = (0.6, 1.2)
    """A bot takes at least a time between these two, in seconds, so that people can follow."""
    bot_seconds: float = 10.0
    """If a bot thinks longer, it is asked again in a new process; after a second time, a random
    choice replaces its decision."""
    bot_workers: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) - 1))
    """Processes in which bots think, two at least; with 0 they think in threads of the server."""
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
    host_names: tuple[str, ...] = ()
    """Names under which browsers reach this server, besides its addresses and its own name."""
    proxy: str | None = None
    """Proxies that are trusted about where requests come from, separated by commas."""
    network: str = "auto"
    """Where the switch lets others join: an address, ``auto`` to find it, ``off`` for no switch."""
    open_metrics: bool = False
    """Whether everybody may read the metrics, not only programs on this machine."""
    limits: Limits = field(default_factory=Limits)
