"""The messages of the lobby: what is asked and answered over HTTP.

Like :mod:`fernzug.table.protocol`, of which this is the second part, it holds types only.
"""

from typing import Annotated, NotRequired, TypedDict

from fernzug.json_types import GameEvent, View
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

Names = dict[str, str]
"""By language; a missing one means the plain name."""


class BoardLocation(TypedDict):
    """A place."""

    id: str
    name: str
    names: Names
    x: float
    y: float
    label: str
    lines: list[str]


class BoardRoute(TypedDict):
    """A route, or one lane of a double route."""

    id: str
    a: str
    b: str
    color: str
    length: int
    cost: int
    pieces: int
    piece: str
    lane: int
    twin: str | None
    points: int
    bend: float


class BoardTicket(TypedDict):
    """A ticket."""

    id: str
    a: str
    b: str
    points: int


class BoardPiece(TypedDict):
    """A kind of piece."""

    id: str
    count: int
    one_per_route: bool
    points: dict[str, int]
    names: Names
    singular: Names


class BoardGroup(TypedDict):
    """Places that belong together, such as a district."""

    id: str
    name: str
    names: Names
    color: str | None
    points: int
    locations: list[str]


class BoardBonus(TypedDict):
    """A bonus."""

    kind: str
    points: int
    locations: list[str]
    colors: list[str]
    groups: list[BoardGroup]
    names: Names
    rules: list[Names]
    """Its rules in words."""
    options: dict[str, Names]
    """The buttons for its options of a claim, by their words in the notation."""
    events: dict[str, Names]
    """The line of the log for each event of its own; ``{points}`` is to be filled in."""


class BoardDrawing(TypedDict):
    """Sizes for drawing."""

    width: float
    height: float
    pitch: float
    space_width: float
    lane_gap: float
    location_radius: float
    font_size: float


class BoardColor(TypedDict):
    """A colour of cards; the wild card is the one with the id ``wild``."""

    id: str
    count: int
    names: Names


class BoardData(TypedDict):
    """Everything that the client draws and names."""

    id: str
    map: bool
    """Whether there is a drawing to lay behind the network."""
    hash: str
    name: str
    names: Names
    network: str
    notes: Names
    min_players: int
    max_players: int
    colors: list[BoardColor]
    pieces: list[BoardPiece]
    deal_cards: int
    deal_tickets: int
    deal_keep: int
    draw_tickets: int
    draw_keep: int
    last_round_at: int
    single_lane_up_to: int
    score_track: bool
    bonuses: list[BoardBonus]
    tie_breaks: list[str]
    locations: list[BoardLocation]
    routes: list[BoardRoute]
    tickets: list[BoardTicket]
    drawing: BoardDrawing


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
