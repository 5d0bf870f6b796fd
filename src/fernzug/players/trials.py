"""Trials: what actions lead to, tried out in common worlds and told as chances of winning.

A trial carries out an action in a world and lets the planners of a search finish the game. All
actions are tried in the same worlds, so luck is the same for all of them. Real players do other
things than planners, the more so the longer the game goes on: the points at the end of a playout
are taken to be uncertain by a spread that grows with the turns played out, and the chance of
winning is that of being ahead nevertheless. This is better calibrated than counting won playouts,
and tells actions apart with fewer of them.
"""

from __future__ import annotations

import math
import time
from typing import Final, final

from mypy_extensions import i64

from fernzug.engine import chance, rules
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import Stream
from fernzug.engine.knowledge import Knowledge, determinise
from fernzug.engine.scoring import totals, winners
from fernzug.engine.state import NONE, State, filled
from fernzug.players.beliefs import beliefs_of
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.search import finish

MIN_WORLDS: Final = 16
"""No action is dropped before it has been tried in so many worlds."""

MARGIN: Final = 0.0005
"""What a point of margin counts beside the chance of winning, where that is the same for all."""


@final
class Tally:
    """What came of an action, or of no action in particular, in the worlds where it was tried."""

    def __init__(self, action: i64, players: i64) -> None:
        self.action = action
        self.worlds: i64 = 0
        self.win: list[float] = [0.0] * int(players)  # by seat, the sum over all worlds
        self.points: list[float] = [0.0] * int(players)
        self.values: list[float] = []  # world by world: the chance of the seat that decides
        self.rank: float = 0.0  # the sum by which actions are dropped


@final
class Trials:
    """Tries out actions on one board; ``spread`` is in points, for a turn of every player."""

    def __init__(self, outlook: Outlook, players: i64, spread: float) -> None:
        self.outlook = outlook
        self.players = players
        self.spread = spread / math.sqrt(float(players))
        self.plans = [Plan(outlook, seat) for seat in range(int(players))]
        for plan in self.plans:
            plan.is_quick = True

    # ------------------------------------------------------------------------ what is compared

    def compare(
        self,
        known: Knowledge,
        plan: Plan,
        actions: list[int],
        kept: i64,
        seed: i64,
        worlds: i64,
        seconds: float,
    ) -> list[Tally]:
        """Try actions of a seat in worlds that agree with what it knows.

        Those that fall behind are dropped, so that the time goes to those that are hard to tell
        apart; the first ``kept`` actions stay. Without actions the game is played on as it stands.
        ``seconds`` ends the trials early, unless it is 0.
        """
        seat = known.seat
        stream = Stream(seed, chance.BOTS)
        tallies = [Tally(action, self.players) for action in actions]
        if not tallies:
            tallies.append(Tally(NONE, self.players))
        running = i64(len(tallies))
        number = running
        beliefs = beliefs_of(known)
        started = time.perf_counter()
        for done in range(worlds):
            world = determinise(known, stream, beliefs)
            world.seed = (stream.next() << 29) ^ stream.next()
            for i in range(running):
                self._try(tallies[i], world, seat, plan)
            if done + 1 >= MIN_WORLDS:
                if seconds > 0.0 and time.perf_counter() - started > seconds:
                    break
                rest = 1.0 - float(done + 1) / float(worlds)
                left = max(i64(int(float(number) * rest * rest)) + 1, max(kept + 1, 2))
                while running > left:
                    running -= 1
                    _drop(tallies, kept, running)
        return tallies

    def look(self, s: State, seat: i64, action: i64, seed: i64, worlds: i64) -> Tally:
        """Try an action of a seat, or NONE, with all hands and tickets open; the decks are laid.

        The worlds of a seed are the same, as far as possible, in all positions of a game. All seats
        make new plans afterwards, so what an action leads to is on average what is found after
        chance has settled: plans that were made before would make luck out of their age.
        """
        tally = Tally(action, self.players)
        for number in range(worlds):
            world = s.copy()
            lay(world, game_seed(seed, number))
            self._try(tally, world, seat, None)
        return tally

    def deal(self, table: State, seed: i64, worlds: i64) -> Tally:
        """Deal games on a blank table, and let planners play them."""
        tally = Tally(NONE, self.players)
        for number in range(worlds):
            world = table.copy()
            world.seed = game_seed(seed, number)
            rules.set_up(world)
            self._play_on(tally, world, None, world.first_player)
        return tally

    # ------------------------------------------------------------------------ one playout

    def _try(self, tally: Tally, world: State, seat: i64, plan: Plan | None) -> None:
        trial = world.copy()
        if tally.action == NONE:
            self._play_on(tally, trial, None, max(seat, 0))
        else:
            rules.apply(trial, seat, tally.action)
            self._play_on(tally, trial, plan, seat)

    def _play_on(self, tally: Tally, s: State, plan: Plan | None, seat: i64) -> None:
        """Let planners finish a game, and add its end to a tally."""
        begun = s.turn
        finish(s, plan, self.plans)
        points = totals(s)
        best = points[0]
        for other in range(i64(1), s.players):
            best = max(best, points[other])
        # The rest of this turn is settled; so is the game, if nothing comes after it.
        width = self.spread * math.sqrt(float(s.turn - begun))
        shares: list[float] = []
        total = 0.0
        won = winners(s) if width <= 0.0 else 0
        for other in range(s.players):
            share = float((won >> other) & 1)
            if width > 0.0:
                share = math.exp(float(points[other] - best) / width)
            shares.append(share)
            total += share
        rival: i64 = NONE
        for other in range(s.players):
            tally.win[other] += shares[other] / total
            tally.points[other] += float(points[other])
            if other != seat and (rival == NONE or points[other] > points[rival]):
                rival = other
        value = shares[seat] / total
        tally.values.append(value)
        tally.rank += value + MARGIN * float(points[seat] - points[rival])
        tally.worlds += 1


def _drop(tallies: list[Tally], kept: i64, last: i64) -> None:
    """Move the worst of the tallies up to ``last`` to that place; the first ones are kept."""
    worst = last
    for i in range(kept, last):
        if tallies[i].rank < tallies[worst].rank:
            worst = i
    dropped = tallies[worst]
    tallies[worst] = tallies[last]
    tallies[last] = dropped


# ---------------------------------------------------------------------------- open worlds


def lay(s: State, seed: i64) -> None:
    """Lay the decks of a state as a world has them, without changing what they consist of.

    A world is an order of all cards and all tickets. Those that are in a deck lie there in this
    order, so that two positions of one game with the same world have nearly the same future.
    """
    t = s.tables
    stream = Stream(seed, chance.POSITION)
    s.seed = (stream.next() << 29) ^ stream.next()
    left = filled(t.colors + 1, 0)
    for i in range(s.deck_size):
        left[s.deck[i]] += 1
    cards = filled(t.card_total, 0)
    last: i64 = 0
    for color in range(t.colors + 1):
        for copy in range(t.cards[color]):
            # The cards of a colour are told apart by their copy.
            cards[last] = color * t.card_total + copy
            last += 1
    stream.shuffle(cards, last)
    size: i64 = 0
    for i in range(last):
        color = cards[i] // t.card_total
        if cards[i] % t.card_total < left[color]:
            s.deck[size] = color
            size += 1
    _lay_tickets(s, stream)


def _lay_tickets(s: State, stream: Stream) -> None:
    """Those that players gave back lie below the others, and everybody has seen them there."""
    t = s.tables
    order = filled(t.tickets, 0)
    for ticket in range(t.tickets):
        order[ticket] = ticket
    stream.shuffle(order, t.tickets)
    is_fresh = filled(t.tickets, 0)
    fresh: i64 = 0
    while fresh < s.ticket_count:
        ticket = s.ticket_deck[(s.ticket_top + fresh) % t.tickets]
        if s.returned[ticket]:
            break
        is_fresh[ticket] = 1
        fresh += 1
    place: i64 = 0
    for i in range(t.tickets):
        if is_fresh[order[i]]:
            s.ticket_deck[(s.ticket_top + place) % t.tickets] = order[i]
            place += 1
