"""The authority over one table, without a transport: seats, tokens, versions, clock, undo."""

from fernzug.table.authority import OVER, PLAYING, WAITING, Table, restore
from fernzug.table.change import Change
from fernzug.table.clock import Moment
from fernzug.table.refused import Refused
from fernzug.table.setup import ClockSetup, SeatSetup, TableSetup

__all__ = [
    "OVER",
    "PLAYING",
    "WAITING",
    "Change",
    "ClockSetup",
    "Moment",
    "Refused",
    "SeatSetup",
    "Table",
    "TableSetup",
    "restore",
]
