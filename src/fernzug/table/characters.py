"""Who the bots are: their names, their faces, and how they behave at the table."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from fernzug import bots
from fernzug.table.protocol import Face
from fernzug.table.setup import SeatSetup


class Manner(Enum):
    """How somebody takes what happens at the table."""

    CHEERFUL = "cheerful"
    POLITE = "polite"
    FIERY = "fiery"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Character:
    """Somebody whom a bot may be."""

    name: str
    face: Face
    level: str
    """The level at which they are usually met, or their personality."""
    manner: Manner


CHARACTERS = (
    Character("Lotte", "lotte", "novice", Manner.CHEERFUL),
    Character("Emil", "emil", "novice", Manner.POLITE),
    Character("Ida", "ida", "novice", Manner.FIERY),
    Character("Mila", "mila", "casual", Manner.CHEERFUL),
    Character("Anton", "anton", "casual", Manner.POLITE),
    Character("Bruno", "bruno", "regular", Manner.CHEERFUL),
    Character("Clara", "clara", "regular", Manner.POLITE),
    Character("Rosa", "rosa", "regular", Manner.FIERY),
    Character("Jules", "jules", "expert", Manner.FIERY),
    Character("Frida", "frida", "expert", Manner.CHEERFUL),
    Character("Oskar", "oskar", "expert", Manner.QUIET),
    Character("Ada", "ada", "master", Manner.QUIET),
    Character("Hugo", "hugo", "master", Manner.POLITE),
    Character("Theo", "theo", "master", Manner.QUIET),
    Character("Nico", "nico", "sprinter", Manner.FIERY),
    Character("Paula", "paula", "collector", Manner.CHEERFUL),
    Character("Viktor", "viktor", "blocker", Manner.QUIET),
    Character("Greta", "greta", "builder", Manner.POLITE),
)
"""More than sit at any table, so that no two bots there are the same."""

MANNERS = {character.face: character.manner for character in CHARACTERS}


def somebody(level: str, table: Iterable[SeatSetup], dice: random.Random) -> Character:
    """Return a character who is not at the table yet, preferably one of the level.

    Those with a personality stand in for nobody else. At a table with more bots than characters,
    they repeat.
    """
    seats = list(table)
    names = {seat.name.casefold() for seat in seats if seat.name}
    faces = {seat.face for seat in seats}
    free = [one for one in CHARACTERS if one.face not in faces and one.name.casefold() not in names]
    own = [one for one in free if one.level == level]
    others = [one for one in free if one.level not in bots.PERSONALITIES]
    return dice.choice(own or others or free or CHARACTERS)


def some(
    number: int, level: str, table: Iterable[SeatSetup], dice: random.Random
) -> list[Character]:
    """Return several characters who are not at the table yet."""
    seats = list(table)
    found = []
    for _ in range(number):
        found.append(somebody(level, seats, dice))
        seats.append(SeatSetup("bot", name=found[-1].name, face=found[-1].face))
    return found
