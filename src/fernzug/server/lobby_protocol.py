"""The messages of the lobby: requests and answers over HTTP.

This is the second part of :mod:`fernzug.table.protocol`, and like it contains only types.
"""

from typing import Annotated, NotRequired, TypedDict

from fernzug.json_types import Board, GameEvent, View
from fernzug.table.bounds import Int, Items, Text
from fernzug.table.protocol import (
    ClockSetting,
    ErrorCode,
    Face,
    Id,
    OpenTable,
    RevealedTicket,
    SeatKind,
    SeatNumber,
    Seconds,
    StartRule,
    TableId,
    TableInfo,
)


class BoardFacts(TypedDict):
    """What was measured about a board; see ``fernzug.server.facts``."""

    minutes: list[int]
    """From one person against two bots to a full table of people."""
    picture: dict[str, int]
    """The owners of the routes in the middle of a game, for pictures."""


class BoardData(Board):
    """A board as this server offers it."""

    map: bool
    """Whether there is a map to draw behind the network."""
    facts: BoardFacts | None


class Boards(TypedDict):
    """``GET /api/boards``."""

    boards: list[BoardData]


class CharacterData(TypedDict):
    """Somebody whom a bot may be; see ``fernzug.table.characters``."""

    name: str
    face: Face
    level: str
    """The level at which they are usually met."""


class Levels(TypedDict):
    """``GET /api/levels``: the levels of the bots, weakest first."""

    levels: list[str]
    default: str
    """The default level."""
    ratings: dict[str, dict[str, int]]
    """Measured strength by board and level; random play is 0."""
    characters: list[CharacterData]
    """Whom one may meet, weakest first."""


class NewSeat(TypedDict):
    """A seat of a new table."""

    kind: SeatKind
    name: NotRequired[Annotated[str, Text(1, 64)]]
    level: NotRequired[Annotated[str, Text(1, 32)]]


class NewTable(TypedDict):
    """``POST /api/tables``."""

    id: NotRequired[Id]
    """Repeating a request with the same id does not create a second table."""
    board: Annotated[str, Text(1, 64)]
    seats: Annotated[list[NewSeat], Items(1, 16)]
    first_player: NotRequired[SeatNumber | None]
    start: NotRequired[StartRule]
    """``host`` unless it says otherwise. A table without free seats starts at once."""
    clock: NotRequired[ClockSetting]
    grace: NotRequired[Seconds | None]
    seed: NotRequired[Annotated[int, Int(0, 2**62 - 1)] | None]
    public: NotRequired[bool]
    chat: NotRequired[bool]


class SeatToken(TypedDict):
    """The token that opens one seat; keep it secret."""

    seat: int
    token: str


class TableCreated(TypedDict):
    """The answer to ``POST /api/tables``."""

    table: str
    code: str
    host: str
    """The host's token, which opens no seat."""
    tokens: list[SeatToken]


class Join(TypedDict):
    """``POST /api/join``: take a free seat at a table, given its code, or its id if it is public.

    If somebody at the table has the same name, a number is added to it.
    """

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
    """``GET /api/tables/{id or code}``: the table of an invitation."""

    table: TableInfo


class OpenTables(TypedDict):
    """``GET /api/tables``."""

    tables: list[OpenTable]


class NetworkState(TypedDict):
    """``GET /api/network``: who can reach this server."""

    open: bool
    """Whether other machines can. If not, a link works only on this one."""
    url: str | None
    """The address that others use; None if it is the one that the page came from."""
    switch: bool
    """Whether this page can let others join, and shut them out again."""


class SetNetwork(TypedDict):
    """``POST /api/network``: let other machines in or shut them out."""

    open: bool


class Frame(TypedDict):
    """One action of a finished game and the position after it; nothing is secret any more."""

    events: list[GameEvent]
    view: View
    """The spectator's view, with the hands and tickets of all players."""


class RecordData(TypedDict):
    """``GET /api/record/{table}``: a finished game for the replay."""

    table: TableInfo
    frames: list[Frame]
    """The first one is the set-up."""
    revealed: list[list[RevealedTicket]]
    """The tickets of each player at the end."""


class Problem(TypedDict):
    """The body of every error."""

    code: ErrorCode
    message: str
