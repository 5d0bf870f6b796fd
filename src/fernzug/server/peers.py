"""The other processes of the server, as far as they have told about themselves.

Every process tells the others who is connected to it at which table, how much each address has and
has asked for, and which public tables it has; once a second it says that it is still there. One
that has been silent for too long is taken for dead, and so are the connections of its people. A
change goes only to the processes with somebody at the table.

Nothing of this has to be right for the games to be: what happens at a table is in the store.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from fernzug.server.bus import Bus
from fernzug.server.limits import Addresses, Held
from fernzug.server.log import note
from fernzug.table import Change
from fernzug.table.clock import TableTime
from fernzug.table.protocol import OpenTable, Reaction
from fernzug.table.telling import Audience

BEAT_SECONDS = 1.0
DEAD_SECONDS = 5.0
Present = Counter[Audience]
"""How many connections there are for each set of seats; none for spectators."""
Told = dict[Audience, bytes]
"""What those with these seats are told of a change."""


class Here(Protocol):
    """A table in the memory of this process."""

    @property
    def id(self) -> str:
        """The table's id."""

    @property
    def present(self) -> Present:
        """Who is connected to this process."""

    def others_changed(self, present: Present) -> None:
        """Take note of who is connected to other processes."""

    def newcomer(self, process: str) -> None:
        """Tell another process about the table, to which it has somebody connected now."""

    def heard_change(self, change: Change, told: Told) -> None:
        """Take a change that another process has written, with what it told its people."""

    def heard_state(self, seq: int, time_there: TableTime | None) -> None:
        """Take note of the last change, and the time, that another process knows."""

    def heard_reaction(self, seat: int, reaction: Reaction) -> None:
        """Show a reaction of somebody at another process."""


@dataclass(slots=True)
class Peer:
    """What another process has told."""

    last_heard: float
    present: dict[str, Present] = field(default_factory=dict)
    held: dict[Held, dict[str, int]] = field(default_factory=dict)
    open_tables: list[OpenTable] = field(default_factory=list)


class Peers:
    """All other processes.

    ``rooms`` are the tables in memory, ``open_tables`` returns those that are to be listed.
    """

    def __init__(
        self,
        bus: Bus,
        rooms: Mapping[str, Here],
        addresses: Addresses,
        open_tables: Callable[[], list[OpenTable]],
    ) -> None:
        self._bus = bus
        self._rooms = rooms
        self._addresses = addresses
        self._own_open_tables = open_tables
        self._peers: dict[str, Peer] = {}
        self._at_table: dict[str, set[str]] = {}
        """For each table, the other processes with somebody there."""
        self._told_held: dict[Held, dict[str, int]] = {}
        self._told_open: list[OpenTable] = []
        self._dirty: set[str] = set()
        """Tables about which the others have to be told who is there."""
        self._all_dirty = False
        self._flushing: asyncio.Handle | None = None
        self.missed = asyncio.Event()
        """Set when something may have been missed that others have written."""
        self._beating: asyncio.Task[None] | None = None
        addresses.elsewhere = self._held_elsewhere
        addresses.shared = True

    async def open(self) -> None:
        """Begin to listen, and to tell."""
        await self._bus.open(self)
        self._beating = asyncio.get_running_loop().create_task(self._beat_on())

    async def close(self) -> None:
        """Say farewell."""
        if self._beating is not None:
            self._beating.cancel()
        self._bus.send(None, ["bye"])
        await self._bus.close()

    def __len__(self) -> int:
        """Return the number of other processes."""
        return len(self._peers)

    @property
    def connected(self) -> bool:
        """Whether the others are heard at the moment."""
        return self._bus.connected

    # ------------------------------------------------------------------------ tables

    def at_table(self, table: str) -> Iterable[str]:
        """Return the other processes with somebody at a table."""
        return self._at_table.get(table, ())

    def present_at(self, table: str) -> Present:
        """Return who is connected to other processes at a table."""
        found: Present = Counter()
        for name in self.at_table(table):
            found += self._peers[name].present[table]
        return found

    def tell_change(self, table: str, change: Change, told: Told) -> None:
        """Tell the others at a table what this process has written, and what to tell of it."""
        for name in self.at_table(table):
            present = self._peers[name].present[table]
            texts = [[seats, text.decode()] for seats, text in told.items() if seats in present]
            self._bus.send(name, ["change", table, change.seq, change.at, change.to_text(), texts])

    def tell_reaction(self, table: str, seat: int, reaction: Reaction) -> None:
        """Tell the others at a table of a reaction."""
        for name in self.at_table(table):
            self._bus.send(name, ["reaction", table, seat, reaction])

    def tell_state(self, table: str, seq: int, time: TableTime | None, name: str) -> None:
        """Tell another process at a table how far it has got."""
        self._bus.send(name, ["state", table, seq, time])

    def tell_presence(self, table: str) -> None:
        """Tell all others who is connected to a table, together with what else changes now."""
        self._dirty.add(table)
        self._tell_soon()

    def _tell_soon(self) -> None:
        if self._flushing is None:
            self._flushing = asyncio.get_running_loop().call_soon(self._tell_presence)

    def _tell_presence(self) -> None:
        self._flushing = None
        all_of_them = self._all_dirty
        tables = set(self._rooms) if all_of_them else self._dirty
        self._dirty, self._all_dirty = set(), False
        present = {}
        for table in tables:
            room = self._rooms.get(table)
            counted = Counter[Audience]() if room is None else room.present
            if counted or not all_of_them:
                present[table] = [[list(seats), number] for seats, number in counted.items()]
        self._bus.send(None, ["present", present, all_of_them])

    async def lease(self, table: str) -> bool:
        """Whether this process is the one that lets bots think at a table."""
        return not self.at_table(table) or await self._bus.lease(table)

    def release(self, table: str) -> None:
        """Let another process let bots think at a table."""
        self._bus.release(table)

    # ------------------------------------------------------------------------ addresses, lists

    def _held_elsewhere(self, what: Held, who: str) -> int:
        return sum(peer.held.get(what, {}).get(who, 0) for peer in self._peers.values())

    @property
    def open_tables(self) -> dict[str, OpenTable]:
        """The public tables of all other processes."""
        return {table["id"]: table for peer in self._peers.values() for table in peer.open_tables}

    # ------------------------------------------------------------------------ beating

    async def _beat_on(self) -> None:
        while True:
            self._beat()
            self._bury()
            await asyncio.sleep(BEAT_SECONDS)

    def _beat(self) -> None:
        """Tell that we are here, with what has changed since the last time."""
        held: dict[Held, dict[str, int]] = {}
        for what, counter in self._addresses.open.items():
            told = self._told_held.get(what, {})
            changed = {who: number for who, number in counter.items() if told.get(who) != number}
            changed |= dict.fromkeys(told.keys() - counter.keys(), 0)
            self._told_held[what] = dict(counter)
            if changed:
                held[what] = changed
        now_open = self._own_open_tables()
        open_tables = None if now_open == self._told_open else now_open
        self._told_open = now_open
        self._bus.send(None, ["beat", held, self._addresses.drain(), open_tables])

    def _bury(self) -> None:
        """Forget those who have been silent for too long."""
        if not self._bus.connected:
            return
        silent = time.monotonic() - DEAD_SECONDS
        for name in [name for name, peer in self._peers.items() if peer.last_heard < silent]:
            note("peer_silent", peer=name)
            self._forget(name)

    def _forget(self, name: str) -> None:
        peer = self._peers.pop(name, None)
        if peer is None:
            return
        for table in peer.present:
            self._left_table(name, table)
        # It may have died between writing a change and telling it.
        self.missed.set()

    def _left_table(self, name: str, table: str) -> None:
        processes = self._at_table[table]
        processes.discard(name)
        if not processes:
            del self._at_table[table]
        self._tell_room(table)

    def _tell_room(self, table: str) -> None:
        room = self._rooms.get(table)
        if room is not None:
            room.others_changed(self.present_at(table))

    # ------------------------------------------------------------------------ hearing

    def reconnected(self) -> None:
        """Tell the others everything anew, and ask them to do the same."""
        now = time.monotonic()
        for peer in self._peers.values():
            peer.last_heard = now
        self._bus.send(None, ["hello"])
        self._tell_everything()
        self.missed.set()

    def _tell_everything(self) -> None:
        if not self._all_dirty:
            self._told_held.clear()
            self._told_open = []
            self._beat()
            self._all_dirty = True
            self._tell_soon()

    def heard(self, sender: str, message: list[Any]) -> None:
        """Take a message from another process."""
        kind, *rest = message
        now = time.monotonic()
        peer = self._peers.get(sender)
        if kind == "bye":
            self._forget(sender)
            return
        if peer is None:
            peer = self._peers[sender] = Peer(now)
            note("peer_heard", peer=sender)
            self._tell_everything()
        peer.last_heard = now
        if kind == "hello":
            self._tell_everything()
        elif kind == "beat":
            self._heard_beat(peer, *rest)
        elif kind == "present":
            self._heard_presence(sender, peer, *rest)
        else:
            self._heard_of_table(kind, *rest)

    def _heard_beat(
        self,
        peer: Peer,
        held: dict[Held, dict[str, int]],
        taken: list[Any],
        open_tables: list[OpenTable] | None,
    ) -> None:
        for what, numbers in held.items():
            known = peer.held.setdefault(what, {})
            known |= numbers
            for who in [who for who, number in numbers.items() if not number]:
                del known[who]
        self._addresses.charge(taken)
        if open_tables is not None:
            peer.open_tables = open_tables

    def _heard_presence(
        self,
        sender: str,
        peer: Peer,
        present: dict[str, list[tuple[list[int], int]]],
        all_of_them: bool,
    ) -> None:
        if all_of_them:
            gone = peer.present.keys() - present.keys()
            present |= {table: [] for table in gone}
        for table, counted in present.items():
            new = table not in peer.present
            if counted:
                peer.present[table] = Counter({tuple(seats): number for seats, number in counted})
                self._at_table.setdefault(table, set()).add(sender)
                self._tell_room(table)
            elif not new:
                del peer.present[table]
                self._left_table(sender, table)
            room = self._rooms.get(table)
            if counted and new and room is not None and room.present:
                room.newcomer(sender)

    def _heard_of_table(self, kind: str, table: str, *rest: Any) -> None:
        room = self._rooms.get(table)
        if room is None:
            return
        if kind == "change":
            *written, texts = rest
            told = {tuple(seats): text.encode() for seats, text in texts}
            room.heard_change(Change.from_text(*written), told)
        elif kind == "state":
            room.heard_state(*rest)
        elif kind == "reaction":
            room.heard_reaction(*rest)
