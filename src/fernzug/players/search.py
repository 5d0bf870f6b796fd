"""Search: trying out actions in many worlds that agree with what a seat knows.

What is hidden is dealt out at random, world after world, and every action that is still in the
running is played in each of them: planners finish the game, or a network plays and judges the next
turns where there is one. Actions that fall behind are dropped, so the time goes to those that are
hard to tell apart. The choice of the planner or the network is kept unless another has proved
better: the comparison is made world by world, where luck is the same for both.
"""

from __future__ import annotations

import math
import time
from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64

from fernzug.engine import bits, rules
from fernzug.engine.batch import game_seed
from fernzug.engine.bonus import UNIT
from fernzug.engine.chance import BOTS, Stream
from fernzug.engine.knowledge import Knowledge, determinise
from fernzug.engine.scoring import totals
from fernzug.engine.state import KEEP, OVER, SECOND_CARD, SETUP, State, filled
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK
from fernzug.players.beliefs import beliefs_of
from fernzug.players.crew import Crew
from fernzug.players.guide import Guide
from fernzug.players.outlook import FAR, Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import completed_by, decide, payment
from fernzug.players.weights import (
    FIRST_TURNS,
    MIN_WORLDS,
    RIVAL_BONUS,
    SEARCH_TOO_LATE,
    STEP,
    STEP_PLAYOUTS,
    WANTED_BONUS,
    WORLDS_PER_TURN,
)


@final
class Search:
    """Searches for the best action of a seat; one object serves many decisions."""

    def __init__(self, outlook: Outlook, stream: Stream, guide: Guide | None = None) -> None:
        self.outlook = outlook
        self.stream = stream
        self.guide = guide
        self.turns: i64 = FIRST_TURNS  # how far a guide looks ahead in the first worlds
        self.claims: i64 = 8  # how many claims are tried, best first
        self.doubt: float = 1.0  # standard errors by which an action must beat the planner's
        self.win: float = 100.0  # what winning is worth beside a point of margin
        self.crew: Crew | None = None  # who shares the work
        self.believes = True  # whether what others have built tells which tickets they hold

    def choose(self, known: Knowledge, plan: Plan, iterations: i64, seconds: float) -> i64:
        """Return the best action found within so many playouts or seconds, whichever ends first.

        ``plan`` is what the seat is up to: playouts go on with it, and it is brought up to date.
        """
        actions = self.options(known, plan)
        number = i64(len(actions))
        if number == 1 or iterations < 2 * MIN_WORLDS:
            return actions[0]
        started = time.perf_counter()
        worlds = Worlds(self, known, plan, self.stream.next())
        worlds.deadline = started + seconds if seconds > 0.0 else 0.0
        crew = self.crew
        if crew is not None:
            crew.begin(worlds.values)
        # The planner's choice is the first; of the others the sums of what they are better by.
        better = [0.0] * int(number)
        squares = [0.0] * int(number)
        running = number
        rounds: i64 = 0
        done: i64 = 0
        while True:
            size = max(STEP, STEP_PLAYOUTS // running)
            size = min(size, (iterations - done + running - 1) // running)
            trying = [int(actions[i]) for i in range(running)]
            if crew is None:
                values = worlds.values(trying, int(rounds), int(size))
            else:
                values = crew.share(trying, rounds, size)
            size = i64(len(values)) // running
            for world in range(size):
                first = values[world * running]
                for i in range(i64(1), running):
                    lead = values[world * running + i] - first
                    better[i] += lead
                    squares[i] += lead * lead
            rounds += size
            done += size * running
            spent = float(done) / float(iterations)
            if seconds > 0.0:
                spent = max(spent, (time.perf_counter() - started) / seconds)
            if spent >= 1.0:
                break
            running = self.drop(actions, better, squares, running, number, spent)
        if crew is not None:
            crew.end()
        return self.best(actions, better, squares, running, rounds)

    def options(self, known: Knowledge, plan: Plan) -> vec[i64]:
        """Return the actions worth trying, first the one that is kept unless another is better."""
        base = decide(known.state, plan)
        if self.guide is None:
            return candidates(known.state, plan, base, self.claims)
        actions = self.guide.options(known, self.claims)
        for i in range(i64(len(actions))):
            if actions[i] == base:
                return actions
        return append(actions, base)

    def drop(
        self,
        actions: vec[i64],
        better: list[float],
        squares: list[float],
        running: i64,
        number: i64,
        spent: float,
    ) -> i64:
        """Drop the actions that fall behind: the more of the budget is spent, the fewer remain."""
        left = max(i64(int(float(number) * (1.0 - spent) * (1.0 - spent))) + 1, 2)
        while running > left:
            worst: i64 = 1
            for i in range(i64(2), running):
                if better[i] < better[worst]:
                    worst = i
            running -= 1
            actions[worst] = actions[running]
            better[worst] = better[running]
            squares[worst] = squares[running]
        return running

    def best(
        self,
        actions: vec[i64],
        better: list[float],
        squares: list[float],
        running: i64,
        rounds: i64,
    ) -> i64:
        """Return the action with the largest proven lead over the planner's, if there is one."""
        if rounds < MIN_WORLDS:
            return actions[0]
        worlds = float(rounds)
        best: i64 = 0
        most = 0.0
        for i in range(i64(1), running):
            mean = better[i] / worlds
            variance = max(squares[i] / worlds - mean * mean, 1.0)
            lead = mean - self.doubt * math.sqrt(variance / worlds)
            if lead > most:
                most = lead
                best = i
        return actions[best]


@final
class Worlds:
    """The worlds in which the actions of one decision are tried, each with luck of its own.

    A world is the same whichever process deals it, and after whichever others.
    """

    def __init__(self, search: Search, known: Knowledge, plan: Plan, seed: i64) -> None:
        self.search = search
        self.known = known
        self.plan = plan
        self.seed = seed
        self.deadline: float = 0.0
        self.plans = [Plan(search.outlook, other) for other in range(int(known.state.players))]
        for each in self.plans:
            each.is_quick = True
        self.beliefs = beliefs_of(known) if search.believes else None

    def values(self, actions: list[int], first: int, number: int) -> list[float]:
        """Return what each action is worth in each of some worlds, world by world.

        Fewer worlds are tried, but at least one, if time runs out.
        """
        guide = self.search.guide
        seat = self.known.seat
        found: list[float] = []
        for index in range(i64(first), i64(first) + number):
            stream = Stream(game_seed(self.seed, index), BOTS)
            world = determinise(self.known, stream, self.beliefs)
            seed = stream.next()
            turns = self.search.turns + index // WORLDS_PER_TURN
            for action in actions:
                trial = world.copy()
                rules.apply(trial, seat, action)
                trial.seed = seed
                if guide is None:
                    found.append(self.value(trial))
                else:
                    found.append(guide.value(trial, seat, turns) * self.search.win)
            if self.deadline > 0.0 and time.perf_counter() >= self.deadline:
                break
        return found

    def value(self, s: State) -> float:
        """Let planners finish a game; return what the end is worth to the seat that decides."""
        seat = self.known.seat
        finish(s, self.plan, self.plans)
        points = totals(s)
        best: i64 = -FAR
        for other in range(s.players):
            if other != seat:
                best = max(best, points[other])
        margin = points[seat] - best
        value = float(margin)
        if margin > 0:
            value += self.search.win
        elif margin == 0:
            value += self.search.win * 0.5
        return value


def finish(s: State, own: Plan | None, plans: list[Plan]) -> None:
    """Let planners finish a game; one of them goes on with a plan, if one is given."""
    for plan in plans:
        plan.stale = True
    if own is not None:
        plans[own.seat].take_over(own)
    while s.phase != OVER:
        rules.apply(s, s.seat, decide(s, plans[s.seat]))


def candidates(s: State, plan: Plan, base: i64, most_claims: i64) -> vec[i64]:
    """Return the actions worth trying, the planner's choice first."""
    t = s.tables
    seat = plan.seat
    actions = append(vec[i64](), base)
    if s.phase == SETUP or s.phase == KEEP:
        least = rules.keep_least(s, seat)
        for places in range(i64(1) << rules.offer_count(s, seat)):
            if bits.count(places) >= least and t.keep + places != base:
                actions = append(actions, t.keep + places)
        return actions
    if s.deck_size > 0 and base != DRAW_DECK:
        actions = append(actions, DRAW_DECK)
    colors = rules.shown(s)
    for color in range(t.colors + 1):
        if (colors >> color) & 1 and base != DRAW_CARD + color:
            actions = append(actions, DRAW_CARD + color)
    if s.phase == SECOND_CARD:
        return actions
    if s.ticket_count > 0 and base != t.draw_tickets_action and plan.horizon(s) > SEARCH_TOO_LATE:
        actions = append(actions, t.draw_tickets_action)
    return _claims(s, plan, base, most_claims, actions)


def _claims(s: State, plan: Plan, base: i64, most_claims: i64, actions: vec[i64]) -> vec[i64]:
    """Append the best claims: those that matter to a ticket, to a rival, or bring most points."""
    sorted_routes = vec[i64]()
    values = vec[i64]()
    routes = filled(s.tables.words, 0)
    rules.claimable(s, plan.seat, routes)
    label = s.tables.network.join(s.owner, plan.seat)
    plan.find_rivals(s)
    for route in bits.members(routes):
        value = plan.route_value(s, route)
        value += 2 * completed_by(s, plan.seat, label, route) * UNIT
        if bits.has(plan.wanted, route):
            value += WANTED_BONUS
        if plan.touched[s.tables.network.a[route]] and plan.touched[s.tables.network.b[route]]:
            value += RIVAL_BONUS
        sorted_routes = append(sorted_routes, route)
        values = append(values, value)
        i = i64(len(values)) - 1
        while i > 0 and values[i - 1] < value:
            values[i] = values[i - 1]
            sorted_routes[i] = sorted_routes[i - 1]
            i -= 1
        values[i] = value
        sorted_routes[i] = route
    for i in range(min(most_claims, i64(len(values)))):
        claim, _harm = payment(s, plan, sorted_routes[i])
        if claim != base:
            actions = append(actions, claim)
    return actions
