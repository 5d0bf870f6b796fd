"""Open the store and the bus that the settings name."""

from __future__ import annotations

from fernzug.server.bus import Bus, LocalBus
from fernzug.server.metrics import Metrics
from fernzug.server.settings import Settings
from fernzug.server.sqlite_store import SqliteStore
from fernzug.server.store import Store, StoreError

HINT = "needs more packages: install the extra 'scale', as in pip install '.[web,scale]'"


def open_store(settings: Settings, metrics: Metrics) -> Store:
    """Return the store, or fail with a message."""
    if settings.store is None:
        return SqliteStore(settings.data, metrics)
    if not settings.store.startswith(("postgresql://", "postgres://")):
        raise StoreError("a store is an address like postgresql://user@host/database")
    try:
        from fernzug.server.postgres_store import PostgresStore
    except ImportError as error:
        raise StoreError(f"PostgreSQL {HINT} ({error})") from None
    return PostgresStore(settings.store, metrics)


def open_bus(settings: Settings, metrics: Metrics) -> Bus:
    """Return the bus, or fail with a message."""
    if settings.bus is None:
        return LocalBus()
    if settings.store is None:
        raise StoreError("processes that share a bus need a store that they can share, too")
    if not settings.bus.startswith(("redis://", "rediss://", "unix://")):
        raise StoreError("a bus is an address like redis://host:6379")
    try:
        from fernzug.server.redis_bus import RedisBus
    except ImportError as error:
        raise StoreError(f"Redis {HINT} ({error})") from None
    return RedisBus(settings.bus, metrics)
