"""The layout of observations: what stands where in a row, and what it means."""

from __future__ import annotations

import os
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.engine.observation import Observer, short_count
from fernzug.errors import plain
from fernzug.notation import notation_of
from fernzug.start import checked
from fernzug.tables import tables_of

ACTIONS = ("all", "canonical")
"""The action tables: every payment of every claim, or one claim for each route."""


class Meaning(NamedTuple):
    """What the numbers of a field say, and what its dimensions run over."""

    dimensions: tuple[str, ...]
    text: str


MEANINGS = MappingProxyType(
    {
        "seat": Meaning(("seat",), "1 at the number of the viewing seat"),
        "phase": Meaning(("phase",), "1 for the phase: set-up, turn, second card, keep or over"),
        "awaited": Meaning(("player",), "1 for the player to decide; none in the set-up"),
        "first_player": Meaning(("player",), "1 for the player who started"),
        "turn": Meaning(("number",), "turns begun"),
        "turns_left": Meaning(("number",), "turns left in the last round, this one included, or 0"),
        "passes": Meaning(("number",), "players who have passed in a row"),
        "deck_count": Meaning(("number",), "cards in the deck"),
        "ticket_deck_count": Meaning(("number",), "tickets in the ticket deck"),
        "faceup": Meaning(("place", "card"), "1 for the card that lies face up at a place"),
        "discard": Meaning(("card",), "discarded cards"),
        "unseen": Meaning(("card",), "cards in the deck, or unknown in the hands of others"),
        "hand": Meaning(("card",), "cards in the viewing seat's hand"),
        "known": Meaning(("player", "card"), "cards that everybody knows a player to hold"),
        "hand_count": Meaning(("player",), "cards in a player's hand"),
        "pieces": Meaning(("player", "kind"), "pieces left"),
        "points": Meaning(("player",), "points so far, on boards that count them in play"),
        "routes": Meaning(("player", "route"), "1 for the routes that a player owns"),
        "ticket_count": Meaning(("player",), "tickets that a player keeps"),
        "tickets": Meaning(
            ("player", "ticket"), "1 for tickets kept; those of others only at the end"
        ),
        "completed": Meaning(("ticket",), "1 for tickets of the viewing seat that are completed"),
        "returned": Meaning(("ticket",), "1 for tickets that the viewing seat has given back"),
        "choosing": Meaning(("player",), "1 for players who are choosing tickets"),
        "offer_count": Meaning(("player",), "tickets that a player is choosing from"),
        "offer": Meaning(
            ("choice", "ticket"), "1 for the ticket at each place of the viewing seat's offer"
        ),
        "bonuses": Meaning(("player", "trait"), "what the board's bonuses keep for a player"),
    }
)
"""Every field that an observation can have; boards leave out what they do not need."""


@dataclass(frozen=True, slots=True)
class Field:
    """One part of an observation."""

    name: str
    offset: int
    shape: tuple[int, ...]
    low: int
    high: int
    dimensions: tuple[str, ...]
    meaning: str

    @property
    def size(self) -> int:
        """The number of numbers."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def slice(self) -> slice:
        """Where the field stands in a row."""
        return slice(self.offset, self.offset + self.size)


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the observations of one board and number of players."""

    board: Board
    players: int
    action_table: str
    fields: tuple[Field, ...]
    size: int
    """The number of numbers in an observation."""
    actions: int
    """The number of actions, and so the size of a mask."""
    traits: tuple[str, ...]
    """What the board's bonuses say of each player."""

    def __getitem__(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    def __deepcopy__(self, memo: dict[int, Any]) -> Layout:
        return self  # It never changes.

    def action_text(self, number: int) -> str:
        """Return an action in words; claims of the short table have no cards."""
        notation = notation_of(self.board)
        claim = int(notation.tables.claim)
        if self.action_table == "canonical" and claim <= number < self.actions:
            return f"claim {self.board.routes[number - claim].id}"
        return notation.action(number).text

    def __str__(self) -> str:
        lines = [f"{self.board.name}, {self.players} players: {self.size} numbers (int16)"]
        for field in self.fields:
            shape = " x ".join(map(str, field.shape))
            what = " x ".join(field.dimensions)
            lines.append(
                f"{field.offset:5} {field.name:18} {shape:9} {what:16} "
                f"{field.low} to {field.high}: {field.meaning}"
            )
        return "\n".join(lines)


def checked_seed(shape: Layout, seed: int) -> int:
    """Return a seed; ``ValueError`` if it is none."""
    return checked(shape.board, shape.players, plain(seed), first_player=0).seed


def is_short(actions: str) -> bool:
    """Whether a name means the short action table; ``ValueError`` if it means none."""
    if actions not in ACTIONS:
        raise ValueError(f"actions are {' or '.join(map(repr, ACTIONS))}, not {actions!r}")
    return actions == "canonical"


def layout(
    board: str | os.PathLike[str] | Board, players: int = 2, *, actions: str = "all"
) -> Layout:
    """Return what an observation of a board says where, and how many actions there are."""
    found = board_files.at_hand(board)
    players = checked(found, plain(players), seed=0, first_player=0).players
    tables = tables_of(found)
    observer = Observer(tables, players)
    fields = tuple(
        Field(
            field.name, int(field.offset), field.shape, field.low, field.high, *MEANINGS[field.name]
        )
        for field in observer.fields
    )
    return Layout(
        board=found,
        players=players,
        action_table=actions,
        fields=fields,
        size=int(observer.size),
        actions=int(short_count(tables) if is_short(actions) else tables.actions),
        traits=tuple(trait for bonus in tables.bonuses for trait in bonus.traits()),
    )
