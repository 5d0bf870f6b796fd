"""Every message between a browser and its table, defined once.

The classes here are only types. Incoming messages are checked against them at run time
(:mod:`fernzug.server.check`), and ``tools/protocol_ts.py`` generates the client's TypeScript types
from them. Times are milliseconds since 1970, and durations are milliseconds unless the name says
otherwise. (This module does not postpone annotations, which would hide at run time which fields are
optional.)

The changes of a table are numbered: ``seq`` is the number of the last change that a message
includes, and ``version`` in a command is the last ``seq`` that its sender had seen.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from fernzug.json_types import BonusStep, GameEvent, Phase, PlayerView, ScoreSheet, View
from fernzug.table.bounds import Int, Items, Text

# ---------------------------------------------------------------------------- words

SeatKind = Literal["here", "link", "bot"]
"""Who has the seat: somebody at the host's screen, somebody who joins by link, or a bot."""

ClockKind = Literal["none", "turn", "bank"]
"""How time is limited: not at all, per turn, or by a bank for the whole game."""

TableState = Literal["waiting", "playing", "over"]
"""Waiting for people, playing, or over."""

StartRule = Literal["host", "full"]
"""When the game starts: when the host says so, or as soon as every seat is taken."""

StandIn = Literal["left", "away", "clock"]
"""Why a bot decides for a person: they left, did not return in time, or ran out of time."""

Reaction = Literal["hello", "bravo", "thanks", "ouch", "oops", "hurry", "thinking", "laugh"]
"""The quick reactions."""

Face = Literal[
    "ada",
    "anton",
    "bruno",
    "clara",
    "emil",
    "frida",
    "greta",
    "hugo",
    "ida",
    "jules",
    "lotte",
    "mila",
    "nico",
    "oskar",
    "paula",
    "rosa",
    "theo",
    "viktor",
]
"""The faces of bots."""

ErrorCode = Literal[
    "bad_message",  # not JSON, or not a message of this protocol
    "too_large",  # the message or body is larger than the limit
    "rate",  # too many messages in a short time
    "limit",  # too many tables or connections, for one address or for the server
    "origin",  # the page does not come from this server
    "not_found",  # no such table, code, record or page
    "not_yours",  # none of the tokens opens that seat
    "not_host",  # only the host may do this
    "not_playing",  # the game has not begun, or is over
    "not_over",  # the game is not over yet
    "stale",  # the decision has changed since the version in the command
    "illegal",  # the rules do not allow the action now
    "not_asked",  # the rules allow the action, but the lesson asks for something else
    "no_undo",  # something hidden was revealed, or somebody else has moved
    "seat_taken",  # somebody sits there
    "table_full",  # no seat is free
    "bot_seat",  # a bot sits there
    "bad_name",  # the name is empty or unprintable
    "no_network",  # this machine has no address at which others could reach it
    "chat_off",  # the table has no chat
    "hints_off",  # the host has not allowed hints at this table
    "busy",  # there was no time to work it out
    "storage",  # the change could not be written to disk, so it did not happen
    "stopping",  # the server is about to stop
]
"""Why a request was refused; ``message`` says it in English."""

AdviceCode = Literal[
    "advice.completes",
    "advice.nearer",
    "advice.points",
    "advice.last_lane",
    "advice.rival",
    "advice.last_turn",
    "advice.ending",
    "advice.wild",
    "advice.deck",
    "advice.unknown",
    "advice.card",
    "advice.last_card",
    "advice.stock",
    "advice.tickets",
    "advice.tickets_done",
    "advice.together",
]
"""What can speak for an action; see ``fernzug.analysis.advice``."""

Verdict = Literal["best", "good", "slip", "mistake", "blunder"]
"""How good a decision was."""

ReviewState = Literal["none", "running", "stopped", "done"]
"""How far a review is."""

Id = Annotated[str, Text(1, 64)]
Token = Annotated[str, Text(16, 64)]
TableId = Annotated[str, Text(1, 32)]
SeatNumber = Annotated[int, Int(0, 15)]
Seconds = Annotated[int, Int(5, 86_400)]

# ---------------------------------------------------------------------------- the table


class ClockSetting(TypedDict):
    """How time is limited: not at all, per turn, or by a bank for the whole game."""

    kind: ClockKind
    seconds: NotRequired[Seconds]
    increment: NotRequired[Annotated[int, Int(0, 600)]]
    """Seconds that each turn adds to the bank."""


class ClockState(TypedDict):
    """The time that each seat had left when the message was sent, and whose clock is running."""

    left: list[int]
    running: list[int]


class SeatInfo(TypedDict):
    """A seat and who has it."""

    seat: int
    kind: SeatKind
    name: str | None
    """None while a seat of the kind ``link`` is free, and for people who play alone, or at one
    screen, and gave no name: what they are called then depends on the reader's language."""
    level: str | None
    face: Face | None
    """Of a bot; None for people."""
    connected: bool
    bot: StandIn | None
    """Why a bot is deciding for this person now."""
    hints: int
    """How many hints this person has asked for."""


class Rematch(TypedDict):
    """The table of the next game; each token opens the same seat there."""

    table: str
    code: str


class TableInfo(TypedDict):
    """What everybody knows about the table."""

    id: str
    code: str | None
    """Whoever has it can take a free seat. None for spectators, unless the table is public."""
    board: str
    state: TableState
    start: StartRule
    seats: list[SeatInfo]
    first_player: int | None
    """None if chance decides."""
    clock: ClockSetting
    grace: int | None
    """Seconds before a bot plays for somebody who is gone; None for never."""
    public: bool
    chat: bool
    hints: bool
    """Whether hints may be asked for: by somebody alone against bots, or if the host allows it."""
    spectators: int
    created: int
    seeded: NotRequired[bool]
    """The host chose the seed, and so may know the decks."""
    lesson: NotRequired[str | None]
    """The id of the lesson that is taken here."""
    daily: NotRequired[str | None]
    """The date, if this is the game of a day, whose seed anybody can know."""
    rematch: Rematch | None


class OpenTable(TypedDict):
    """A table in the list of the server's public tables."""

    id: str
    code: str
    board: str
    state: TableState
    names: list[str | None]
    """By seat; None if it is free."""
    bots: int
    free: int
    clock: ClockSetting
    seeded: bool
    """The host chose the seed, and so may know the decks."""
    created: int


# ---------------------------------------------------------------------------- the game


class Blocked(TypedDict):
    """Why a free route cannot be claimed at the moment."""

    code: Literal["own_twin", "shut", "pieces", "cards"]
    """The twin lane is yours (C5), only one lane is used (C6), or pieces or cards are missing."""
    missing: NotRequired[int]
    """The number of cards or pieces missing."""
    color: NotRequired[str]
    """The colour of the missing cards; ``gray`` for any one colour."""
    piece: NotRequired[str]
    left: NotRequired[int]
    """The number of pieces of that kind left."""


class Progress(TypedDict):
    """The progress of a ticket."""

    done: bool
    missing: int | None
    """Pieces still needed on the shortest way over free routes; None if it cannot be completed."""
    way: list[str]
    """The routes of that way from end to end, the seat's own among them; empty if there is none."""


class RevealedTicket(TypedDict):
    """A ticket of a finished game."""

    ticket: str
    done: bool
    way: list[str]
    """The routes of its owner that connect its places, in order; empty if it has failed."""


class LessonState(TypedDict):
    """Where somebody is in a lesson."""

    step: int
    """The number of the step, counted from 0."""
    ready: bool
    """Whether the step has begun; before, the opponents finish what they do."""
    asked: list[str]
    """The legal actions that are what the step asks for; empty if there is only something to read.
    """


class SeatView(TypedDict):
    """The game for one seat of the receiver, or for a spectator (``seat`` is None)."""

    seat: int | None
    view: View
    shut: list[str]
    """Free routes that this seat can no longer claim (C5, C6)."""
    blocked: dict[str, Blocked]
    """On your own turn: why the other free routes cannot be claimed."""
    progress: dict[str, Progress]
    """For the seat's own tickets and those offered to it."""
    bonuses: list[dict[str, list[BonusStep]]]
    """For each player and kind of bonus: the steps that the player has begun."""
    revealed: list[list[RevealedTicket]]
    """For each player: the tickets, once the game is over; empty before."""
    keep_least: int
    """How many of the offered tickets must be kept; 0 if none are offered."""
    undo: bool
    """Whether this seat may take back its last action."""
    lesson: NotRequired[LessonState]
    """At a table where a lesson is taken."""


class ViewChange(TypedDict):
    """What may have changed of a view since the change before.

    What is there replaces what was there; what is missing is as it was.
    """

    phase: Phase
    seat: int | None
    turn: int
    turns_left: int | None
    passes: int
    players: list[PlayerView]
    """Only those of whom anything may have changed."""
    faceup: list[str | None]
    deck_count: int
    discard: dict[str, int]
    unseen: dict[str, int]
    ticket_deck_count: int
    legal: list[str]
    scores: list[ScoreSheet] | None
    board: NotRequired[str]
    viewer: NotRequired[int | None]
    first_player: NotRequired[int]
    routes: NotRequired[dict[str, int]]
    """All that are claimed."""
    offer: NotRequired[list[str]]
    returned: NotRequired[list[str]]


class SeatChange(TypedDict):
    """What may have changed of the game for one seat since the change before.

    What is there replaces what was there, but for ``view``. Whole, it is a :class:`SeatView`.
    """

    seat: int | None
    view: ViewChange
    blocked: dict[str, Blocked]
    keep_least: int
    undo: bool
    shut: NotRequired[list[str]]
    progress: NotRequired[dict[str, Progress]]
    bonuses: NotRequired[list[dict[str, list[BonusStep]]]]
    revealed: NotRequired[list[list[RevealedTicket]]]
    lesson: NotRequired[LessonState]


class ChatLine(TypedDict):
    """Something said at the table."""

    seq: int
    seat: int
    text: str
    at: int


# ---------------------------------------------------------------------------- server -> client


class Snapshot(TypedDict):
    """Everything; the first message after ``hello``."""

    type: Literal["snapshot"]
    seq: int
    since: int
    """The events are those after this change; 0 if they are all events of the game."""
    own: list[int]
    """The seats that the tokens open."""
    host: bool
    table: TableInfo
    events: list[GameEvent]
    views: list[SeatView]
    """One for each of the receiver's seats, or the spectator's; empty before the game begins."""
    clock: ClockState | None
    chat: list[ChatLine]
    now: int


class Events(TypedDict):
    """Something happened in the game."""

    type: Literal["events"]
    seq: int
    undone: int
    """This many of the last events are taken back."""
    events: list[GameEvent]
    bot: bool
    """Whether a bot decided, for itself or for a person."""
    views: list[SeatChange]
    """One for each of the receiver's seats, or the spectator's; whole where a game begins."""
    clock: ClockState | None


class TableChanged(TypedDict):
    """Something about the table has changed: seats, presence, state, rematch."""

    type: Literal["table"]
    seq: int
    table: TableInfo
    clock: ClockState | None


class Chat(TypedDict):
    """Somebody said something."""

    type: Literal["chat"]
    seq: int
    line: ChatLine


class Reacted(TypedDict):
    """Somebody reacted; reactions are not kept."""

    type: Literal["reaction"]
    seat: int
    reaction: Reaction


class Advice(TypedDict):
    """What speaks for an action: ``code`` says what it is, and which of the others there are."""

    code: AdviceCode
    ticket: NotRequired[str]
    route: NotRequired[str]
    player: NotRequired[int]
    """A seat."""
    color: NotRequired[str]
    count: NotRequired[int]


class Hint(TypedDict):
    """A good action, and what speaks for it."""

    action: str
    reasons: list[Advice]


class Hints(TypedDict):
    """The answer to ``hint``: a few good actions, the best first; only for who has asked."""

    type: Literal["hints"]
    seat: int
    version: int
    """The change since which the seat has had the decision that they are about."""
    hints: list[Hint]


class Ack(TypedDict):
    """A command was accepted, now or the first time it came, and is on disk."""

    type: Literal["ack"]
    id: str
    seq: int


class Refusal(TypedDict):
    """A command or message was refused; nothing has changed."""

    type: Literal["error"]
    id: str | None
    code: ErrorCode
    message: str
    reply: NotRequired[int]
    """In a lesson: which of the step's replies says why this is not what is asked for."""


class Pong(TypedDict):
    """The answer to ``ping``."""

    type: Literal["pong"]
    now: int


ServerMessage = Snapshot | Events | TableChanged | Chat | Reacted | Hints | Ack | Refusal | Pong

# ---------------------------------------------------------------------------- client -> server


class Hello(TypedDict):
    """The first message of a connection; without tokens you are a spectator."""

    type: Literal["hello"]
    tokens: Annotated[list[Token], Items(0, 17)]
    seen: Annotated[int, Int(0, 2**53)] | None
    """The last ``seq`` received, to get only what has happened since."""


class Play(TypedDict):
    """Play an action; the same ``id`` is never played twice."""

    type: Literal["play"]
    id: Id
    seat: SeatNumber
    version: Annotated[int, Int(0, 2**53)]
    action: Annotated[str, Text(1, 200)]


class Undo(TypedDict):
    """Take back your last action."""

    type: Literal["undo"]
    id: Id
    seat: SeatNumber
    version: Annotated[int, Int(0, 2**53)]


class GoToStep(TypedDict):
    """Go to a step of the lesson: back to an earlier one, or on from one that is only read."""

    type: Literal["step"]
    id: Id
    seat: SeatNumber
    step: Annotated[int, Int(0, 1000)]


class AskHint(TypedDict):
    """Ask for good actions; it is counted once for each decision."""

    type: Literal["hint"]
    id: Id
    seat: SeatNumber
    version: Annotated[int, Int(0, 2**53)]


class Say(TypedDict):
    """Say something to everybody at the table."""

    type: Literal["chat"]
    id: Id
    seat: SeatNumber
    text: Annotated[str, Text(1, 280)]


class React(TypedDict):
    """Show a quick reaction."""

    type: Literal["react"]
    seat: SeatNumber
    reaction: Reaction


class Leave(TypedDict):
    """Let a bot play your seat from now on."""

    type: Literal["leave"]
    id: Id
    seat: SeatNumber


class Takeover(TypedDict):
    """Take your seat back from the bot."""

    type: Literal["takeover"]
    id: Id
    seat: SeatNumber


class Fill(TypedDict):
    """Put a bot on a free seat; only for the host, before the game."""

    type: Literal["fill"]
    id: Id
    seat: SeatNumber
    level: Annotated[str, Text(1, 32)]


class Remove(TypedDict):
    """Send somebody who joined by link away; only for the host.

    Before the game the seat is free again, after its start a bot takes over.
    """

    type: Literal["remove"]
    id: Id
    seat: SeatNumber


class StartGame(TypedDict):
    """Start the game; only for the host. Bots of the level take the seats that are still free."""

    type: Literal["start"]
    id: Id
    level: NotRequired[Annotated[str, Text(1, 32)]]


class RenewCode(TypedDict):
    """Give the table another code; only for the host. The old one stops working."""

    type: Literal["renew_code"]
    id: Id


class AskRematch(TypedDict):
    """Ask for a table for another game with the same people."""

    type: Literal["rematch"]
    id: Id


class Ping(TypedDict):
    """Check that the server is there."""

    type: Literal["ping"]


ClientMessage = (
    Hello
    | Play
    | Undo
    | GoToStep
    | AskHint
    | Say
    | React
    | Leave
    | Takeover
    | Fill
    | Remove
    | StartGame
    | RenewCode
    | AskRematch
    | Ping
)
