"""The messages of the lobby: requests and answers over HTTP.

This is the second part of :mod:`fernzug.table.protocol`, and like it contains only types.
"""

from typing import Annotated, NotRequired, TypedDict

from fernzug.json_types import Board, GameEvent, View
from fernzug.table.bounds import Int, Items, Text
from fernzug.table.protocol import (
    Advice,
    ClockSetting,
    ErrorCode,
    Face,
    Id,
    OpenTable,
    RevealedTicket,
    ReviewState,
    SeatKind,
    SeatNumber,
    Seconds,
    StartRule,
    TableId,
    TableInfo,
    Verdict,
)

Day = Annotated[str, Text(10, 10)]
"""A date such as 2026-11-18, of the player's own calendar."""


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
    """The level at which they are usually met, or their personality."""


class Levels(TypedDict):
    """``GET /api/levels``: the levels of the bots, weakest first, and their personalities."""

    levels: list[str]
    personalities: list[str]
    """Those who play in a way of their own; a seat names one where it would name a level."""
    default: str
    """The default level."""
    ratings: dict[str, dict[str, int]]
    """Measured strength by board and level or personality; random play is 0."""
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
    daily: NotRequired[Day]
    """This is the game of a day: a single seat ``here`` is given, and neither seed nor clock."""
    public: NotRequired[bool]
    chat: NotRequired[bool]
    hints: NotRequired[bool]
    """Whether people may ask for hints although they do not play alone; not unless it says so."""


class LessonStep(TypedDict):
    """A step of a lesson: its texts by language, and what it points at."""

    title: dict[str, str]
    text: dict[str, str]
    """``**`` stands before and after bold words."""
    task: dict[str, str]
    """Empty if there is only something to read."""
    replies: list[dict[str, str]]
    """What to say about actions that are not what is asked for."""
    point: list[str]
    """``board``, ``players``, … or ``route ID`` or ``place ID``; see ``fernzug.lessons.model``."""


class LessonData(TypedDict):
    """A lesson; see ``fernzug.lessons``."""

    id: str
    board: str
    minutes: int
    title: dict[str, str]
    about: dict[str, str]
    steps: list[LessonStep]


class Lessons(TypedDict):
    """``GET /api/lessons``: the lessons, the one to begin with first."""

    lessons: list[LessonData]


class NewLesson(TypedDict):
    """``POST /api/lessons``: open a table at which a lesson is taken."""

    id: NotRequired[Id]
    lesson: Annotated[str, Text(1, 64)]
    name: NotRequired[Annotated[str, Text(1, 64)]]


class Daily(TypedDict):
    """``GET /api/daily/{date}``: whom everybody plays against on a day; see ``table.daily``."""

    date: str
    opponents: dict[str, list[CharacterData]]
    """By board, in the order of the seats after the player's."""


class DailyResult(CharacterData):
    """What an opponent would have made of the player's cards, in the player's seat."""

    points: int
    rank: int


class DailyResults(TypedDict):
    """``GET /api/daily/{date}/{board}``."""

    date: str
    board: str
    results: list[DailyResult]


class SeatToken(TypedDict):
    """The token that opens one seat; keep it secret."""

    seat: int
    token: str


class TableCreated(TypedDict):
    """The answer to ``POST /api/tables`` and to ``POST /api/lessons``."""

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


class ReviewedDecision(TypedDict):
    """A decision of a finished game, beside the best one that was found."""

    event: int
    """The number of its first event in the game."""
    seat: int
    action: str
    best: str
    """The same as ``action`` unless another one has proved better."""
    loss: float
    """The chance of winning that it cost."""
    win: float
    """The chance that the best one gave, from what the seat could know."""
    verdict: Verdict
    reasons: list[Advice]
    """What would have spoken for a better one."""


class ReviewedChance(TypedDict):
    """What chance brought each seat at an event, in win chance."""

    event: int
    brought: list[float]


class SeatReview(TypedDict):
    """How one seat played; start, losses, gifts and luck add up to its end."""

    score: int
    """Up to 100."""
    start: float
    losses: float
    """What its own decisions cost, as a negative number."""
    gifts: float
    """What the decisions of the others brought."""
    luck: float
    end: float
    turning_point: int | None
    """The event by which its chance changed most."""


class ReviewData(TypedDict):
    """``GET /api/review/{table}``: what decided a finished game, as far as it is worked out."""

    state: ReviewState
    done: int
    """How many steps are worked out."""
    total: int
    """How many there are; 0 if nobody has asked for the review."""
    win: list[list[float]]
    """For each event so far, each seat's chance of winning after it."""
    decisions: list[ReviewedDecision]
    chances: list[ReviewedChance]
    seats: list[SeatReview]


class AskReview(TypedDict):
    """``POST /api/review/{table}``: begin to review a finished game, or go on; or stop."""

    run: bool


class TryAgain(TypedDict):
    """``POST /api/again``: a new table from before a decision of a finished game."""

    id: NotRequired[Id]
    table: TableId
    event: Annotated[int, Int(0, 1_000_000)]
    """The number of the first event of the decision."""
    seat: SeatNumber
    """The seat of whoever tries again; the others are bots."""


class Problem(TypedDict):
    """The body of every error."""

    code: ErrorCode
    message: str
