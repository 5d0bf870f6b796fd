"""The JSON objects of boards, events, views and score sheets, as types.

``Event.to_json``, ``View.to_json``, ``ScoreSheet.to_json`` and ``fernzug.board.as_json`` return
them. They are part of the protocol between browsers and tables, and the client's types are made
from them. (Annotations are not postponed in this module: if they were, optional fields could not be
told from required ones at run time.)
"""

from typing import Literal, NotRequired, TypedDict

Phase = Literal["setup", "turn", "second_card", "keep", "over"]


class GameEvent(TypedDict):
    """Something that happened, as far as the receiver may know it; see ``fernzug.events``."""

    event: str
    seat: NotRequired[int]
    color: NotRequired[str]
    place: NotRequired[int]
    route: NotRequired[str]
    cards: NotRequired[list[str] | dict[str, int]]
    tickets: NotRequired[list[str]]
    count: NotRequired[int]
    points: NotRequired[int]
    phase: NotRequired[str]
    turns_left: NotRequired[int]


class PlayerView(TypedDict):
    """What may be known of one player; see ``fernzug.view.PlayerView``.

    Bonuses that are given in play add keys of their own, ``Bonus.KEYS``.
    """

    seat: int
    hand_count: int
    known: dict[str, int]
    ticket_count: int
    pieces: dict[str, int]
    points: int | None
    choosing: bool
    offer_count: int
    hand: dict[str, int] | None
    tickets: list[str] | None


class BonusStep(TypedDict):
    """How far a seat has come with one thing that a bonus asks for."""

    group: str | None
    """The id of the board's group that it is about, if it is about one."""
    have: int
    need: int
    """0 where more is always better."""
    items: list[str]
    """The ids of the places, or the colours, that the seat has."""
    routes: list[str]
    """The ids of the routes that it runs along, in order, if it is about a way."""


class ScoreSheet(TypedDict):
    """The points of one seat; see ``fernzug.score.ScoreSheet``."""

    seat: int
    routes: int
    tickets_won: int
    tickets_lost: int
    tickets_completed: int
    bonuses: dict[str, int]
    total: int
    rank: int


class View(TypedDict):
    """What one seat, or a spectator, may know of the game; see ``fernzug.view.View``."""

    board: str
    viewer: int | None
    phase: Phase
    seat: int | None
    turn: int
    turns_left: int | None
    first_player: int
    passes: int
    players: list[PlayerView]
    routes: dict[str, int]
    faceup: list[str | None]
    deck_count: int
    discard: dict[str, int]
    unseen: dict[str, int]
    ticket_deck_count: int
    offer: list[str]
    returned: list[str]
    legal: list[str]
    """Every action that the seat may take now, as texts of the notation."""
    scores: list[ScoreSheet] | None


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
    special: Names
    """What is special about it, in a few words."""
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


class Board(TypedDict):
    """A board with everything that a client draws and names; see ``fernzug.board``."""

    id: str
    hash: str
    name: str
    names: Names
    network: str
    notes: Names
    min_players: int
    max_players: int
    colors: list[BoardColor]
    wild_names: Names
    """What the wild cards show, such as a locomotive."""
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
