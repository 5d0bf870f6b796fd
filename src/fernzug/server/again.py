"""Trying again: a new table that begins in the middle of a finished game."""

from __future__ import annotations

import random
from dataclasses import replace

from fernzug import bots
from fernzug.position import position_of
from fernzug.table import OVER, ClockSetup, Refused, SeatSetup, Table, TableSetup
from fernzug.table.characters import somebody
from fernzug.table.setup import BOT, HERE


def again_setup(
    table: Table, event: int, seat: int, *, id: str, code: str, host: str, token: str, created: int
) -> TableSetup:
    """Return the setup of a table that goes on before a decision of a finished game.

    Whoever tries again has one of the seats; the bots are the same, and bots replace other people.
    All cards lie as they did, so the table is marked as one whose decks may be known.
    """
    game = table.game
    if game is None or table.state != OVER:
        raise Refused("not_over", "the game is not over yet")
    if not 0 <= seat < table.seats.count:
        raise Refused("not_found", f"there is no seat {seat} at this table")
    steps = (step for step in game.record().steps() if step.event == event)
    step = next((step for step in steps if step.action is not None), None)
    if step is None:
        raise Refused("not_found", "nobody decided anything at this event")
    seats: list[SeatSetup] = []
    for number, one in enumerate(table.seats.all):
        if number == seat:
            seats.append(SeatSetup(HERE, name=None if one.kind == BOT else one.name, token=token))
        elif one.kind == BOT:
            seats.append(one)
        else:
            level = bots.DEFAULT_LEVEL
            who = somebody(level, [*table.seats.all, *seats], random.SystemRandom())
            seats.append(SeatSetup(BOT, name=who.name, level=level, face=who.face))
    return replace(
        table.setup,
        id=id,
        code=code,
        host=host,
        created=created,
        seats=tuple(seats),
        clock=ClockSetup(),
        seed=None,
        first_player=None,
        public=False,
        hints=False,
        lesson=None,
        position=position_of(step.before, table.setup.board),
    )
