"""The game of the day on this server: who may begin one, and what the bots make of its cards."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import UTC, date, datetime

from fernzug.board.model import Board
from fernzug.game import Game
from fernzug.server.bot_pool import BotPool
from fernzug.server.lobby_protocol import CharacterData, DailyResult, NewTable
from fernzug.table import Refused, SeatSetup, daily
from fernzug.table.characters import Character
from fernzug.table.seats import distinct_name
from fernzug.table.setup import BOT, HERE

MAX_RESULTS = 256
"""How many games of the day are remembered with what the bots made of them."""
ALLOWED = {"id", "board", "seats", "daily", "chat"}
"""What a request for a game of the day may say; the rest is the same for everybody."""


def requested_day(text: str) -> date:
    """Return the day that a request names, unless there is no game for it yet."""
    try:
        day = daily.day_of(text)
    except ValueError:
        raise Refused("bad_message", "a day is a date such as 2026-11-18") from None
    if not daily.has_begun(day, datetime.now(UTC)):
        raise Refused("not_found", "this day has not begun yet, not even in the far east")
    return day


def require_plain(new: NewTable) -> None:
    """Refuse a game of the day that would differ from everybody else's."""
    others = sorted(new.keys() - ALLOWED)
    if others:
        raise Refused("bad_message", f"a game of the day cannot be given {', '.join(others)}")
    if [seat["kind"] for seat in new["seats"]] != [HERE]:
        raise Refused("bad_message", "a game of the day has one seat, here; the bots join it")


def bot_seats(day: date, board: Board, person: SeatSetup) -> list[SeatSetup]:
    """Return the seats of the bots that a person plays against."""
    return [
        SeatSetup(BOT, name=distinct_name(one.name, [person.name]), level=one.level, face=one.face)
        for one in daily.opponents_on(day, board)
    ]


def character_data(one: Character) -> CharacterData:
    """Return what a browser has to know about somebody."""
    return {"name": one.name, "face": one.face, "level": one.level}


class DailyResults:
    """What each opponent of a day would have made of the player's cards, in the player's seat."""

    def __init__(self, bot_pool: BotPool) -> None:
        self._bot_pool = bot_pool
        self._tasks: OrderedDict[tuple[date, str], asyncio.Task[list[DailyResult]]] = OrderedDict()

    async def of(self, day: date, board: Board, address: str) -> list[DailyResult]:
        """Return the results of a day; whoever asks first lets the bots play.

        They play in the workers of all bots, and share them with everybody's games.
        """
        key = (day, board.id)
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = asyncio.get_running_loop().create_task(self._play(day, board, address))
            self._tasks[key] = task
            if len(self._tasks) > MAX_RESULTS:
                self._tasks.popitem(last=False)
        # Somebody who no longer waits must not end it for the others.
        return await asyncio.shield(task)

    async def _play(self, day: date, board: Board, address: str) -> list[DailyResult]:
        opponents = daily.opponents_on(day, board)
        return [await self._result(day, board, one, opponents, address) for one in opponents]

    async def _result(
        self, day: date, board: Board, player: Character, others: list[Character], address: str
    ) -> DailyResult:
        levels = [player.level, *(one.level for one in others)]
        game = Game(board, len(levels), daily.seed_of(day, board.id))
        name = f"{day} {board.id} {player.face}"
        while (seat := game.seat) is not None:
            level = levels[seat]
            game.play(await self._bot_pool.decide(name, game, seat, level, address), seat)
        sheet = game.scores()[0]
        return {**character_data(player), "points": sheet.total, "rank": sheet.rank}

    def close(self) -> None:
        """Stop the games that are going on."""
        for task in self._tasks.values():
            task.cancel()
