"""The messages of the lobby: what is asked and answered over HTTP.

Like :mod:`fernzug.table.protocol`, of which this is the second part, it holds types only.
"""

from typing import Annotated, NotRequired, TypedDict

from fernzug.json_types import Board, GameEvent, View
from fernzug.table.bounds import Int, Items, Text
from fernzug.table.protocol import (
    ClockSetting,
    ErrorCode,
    Id,
    OpenTable,
    SeatKind,
    SeatNumber,
    Seconds,
    TableId,
    TableInfo,
)


class BoardData(Board):
    """A board as this server offers it."""

    map: bool
    """Whether there is a drawing to lay behind the network."""


class Boards(TypedDict):
    """``GET /api/boards``."""

    boards: list[BoardData]


class Levels(TypedDict):
    """``GET /api/levels``: the levels of the bots, weakest first."""

    levels: list[str]
    usual: str
    """The level that is offered first."""
    ratings: dict[str, dict[str, int]]
    """Measured strength by board and level; 0 is playing at random."""


class NewSeat(TypedDict):
    """A seat of a table to be made."""

    kind: SeatKind
    name: NotRequired[Annotated[str, Text(1, 64)]]
    level: NotRequired[Annotated[str, Text(1, 32)]]


class NewTable(TypedDict):
    """``POST /api/tables``."""

    id: NotRequired[Id]
    """Sent again with the same id, the request makes no second table."""
    board: Annotated[str, Text(1, 64)]
    seats: Annotated[list[NewSeat], Items(1, 16)]
    first_player: NotRequired[SeatNumber | None]
    clock: NotRequired[ClockSetting]
    grace: NotRequired[Seconds | None]
    seed: NotRequired[Annotated[int, Int(0, 2**62 - 1)] | None]
    public: NotRequired[bool]
    chat: NotRequired[bool]


class SeatToken(TypedDict):
    """What opens one seat, and only that one; keep it secret."""

    seat: int
    token: str


class TableCreated(TypedDict):
    """The answer to ``POST /api/tables``."""

    table: str
    code: str
    host: str
    """The token of whoever made the table: it opens no seat."""
    tokens: list[SeatToken]


class Join(TypedDict):
    """``POST /api/join``: take a free seat of a table, named by its code or its id."""

    id: NotRequired[Id]
    code: NotRequired[Annotated[str, Text(1, 16)]]
    table: NotRequired[TableId]
    name: Annotated[str, Text(1, 64)]
    seat: NotRequired[SeatNumber]


class Joined(TypedDict):
    """The answer to ``POST /api/join``."""

    table: str
    code: str
    seat: int
    token: str


class Found(TypedDict):
    """``GET /api/tables/{id or code}``: what an invitation leads to."""

    table: TableInfo


class OpenTables(TypedDict):
    """``GET /api/tables``."""

    tables: list[OpenTable]


class Frame(TypedDict):
    """One action of a finished game, and how things stood after it; nothing is secret any more."""

    events: list[GameEvent]
    view: View
    """The spectator's view, with the hands and tickets of all players."""


class RecordData(TypedDict):
    """``GET /api/record/{table}``: a finished game for the replay."""

    table: TableInfo
    frames: list[Frame]
    """The first one is the set-up."""


class Problem(TypedDict):
    """The body of every answer that is an error."""

    code: ErrorCode
    message: str
