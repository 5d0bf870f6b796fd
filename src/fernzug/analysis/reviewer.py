"""Review a record: judge each decision, and tell luck from skill.

A record is a row of steps: the deal, and then each decision with the chance that follows it. Three
things are estimated at each step, all with the same players in the playouts:

- the win chances before it and after its action, with all cards open but the decks in no order;
- what its action and the better ones are worth in worlds that agree with what the seat knew then.

The second says what the decision cost. All the rest by which the chances change from step to step
is luck: what chance brought, compared with the mean over what could have come, and what hidden
cards made of the decision. So the start, the effects of all decisions and luck add up to the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fernzug.analysis.evaluation import check, final_chances, options, outlook_of
from fernzug.analysis.review import Chance, Decision, Review, verdict_on
from fernzug.analysis.statistics import DOUBT, SPREAD, best_of, chances, difference, mean
from fernzug.engine import facts, rules
from fernzug.engine.knowledge import knowledge_of
from fernzug.engine.state import NONE, OVER
from fernzug.notation import notation_of
from fernzug.players.plan import Plan
from fernzug.players.trials import Tally, Trials
from fernzug.record import Record, Step
from fernzug.sim.crew import Alone, Crew, Work
from fernzug.view import View, view_of

Vector = tuple[float, ...]
Progress = Callable[[int, int], object]

ITERATIONS = 300
"""In how many worlds each decision is tried, unless somebody asks for another number."""

_CHANCE: Mapping[int, Literal["deal", "drawn", "turned_up", "offered"]] = {
    facts.SHUFFLED: "deal",
    facts.DREW: "drawn",
    facts.TURNED_UP: "turned_up",
    facts.OFFERED: "offered",
    facts.RESHUFFLED: "turned_up",
}
"""The facts by which chance is settled, and what they are called in a review."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found about one step."""

    before: Vector
    error: float
    """The standard error of ``before``."""
    after: Vector
    """The chances after the action, before chance; if chance plays no part, those before it."""
    decision: Decision | None


class Reviewer(Work[int, Judged]):
    """Judges the steps of a record one by one, in any order, in this process or in others."""

    def __init__(self, record: Record, iterations: int = ITERATIONS, seed: int = 0) -> None:
        check(iterations, seed)
        self.record = record
        self.iterations = iterations
        self.seed = seed
        # Those who send this to other processes should hear of a broken record here.
        self._steps: list[Step] = list(record.steps())
        self.number = len(self._steps)
        """How many steps there are; the last one is where the record stops."""

    def __getstate__(self) -> dict[str, object]:
        # States are not sent; each process replays the record itself.
        return {"record": self.record, "iterations": self.iterations, "seed": self.seed}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def name(self, job: int) -> str:
        """Describe a step."""
        return f"the step {job} of the record"

    def view(self, job: int, seat: int) -> View:
        """Return what a seat could know before a step."""
        return view_of(self._steps[job].before, seat, self.record.board.id)

    # ------------------------------------------------------------------------ one step

    def do(self, job: int) -> Judged:
        """Judge a step."""
        step = self._steps[job]
        state = step.before
        if state.phase == OVER:
            end = final_chances(state)
            return Judged(end, 0.0, end, None)
        trials = Trials(outlook_of(self.record.board), int(state.players), SPREAD)
        if step.is_deal:
            tally = trials.deal(state, self.seed, self.iterations)
            start = chances(tally)
            return Judged(start, mean(tally.values).error, start, None)
        seat = int(state.seat) if step.seat is None else step.seat
        before = trials.look(state, seat, NONE, self.seed, self.iterations)
        after = before
        if step.action is not None and self._settled(job) is not None:
            after = trials.look(state, seat, step.action, self.seed, self.iterations)
        error = mean(before.values).error
        return Judged(chances(before), error, chances(after), self.decision(job))

    def decision(self, job: int) -> Decision | None:
        """Judge the decision of a step; None if there was no choice."""
        step = self._steps[job]
        state = step.before
        if step.action is None:
            return None
        seat = int(state.seat) if step.seat is None else step.seat
        if len(rules.legal(state, seat)) == 1:
            return None
        trials = Trials(outlook_of(self.record.board), int(state.players), SPREAD)
        return self._judge(step, seat, self._compare(trials, job, seat))

    def _compare(self, trials: Trials, job: int, seat: int) -> list[Tally]:
        """Try what was played, first, and the other actions worth trying."""
        step = self._steps[job]
        known = knowledge_of(step.before, seat)
        plan = Plan(trials.outlook, seat)
        others = [action for action in options(known, plan) if action != step.action]
        assert step.action is not None
        seed = self.seed ^ (job << 32)
        actions = [step.action, *others]
        return trials.compare(known, plan, actions, 1, seed, self.iterations, 0.0)

    def _judge(self, step: Step, seat: int, tallies: list[Tally]) -> Decision:
        """Compare what was played, the first of the tallies, with the best."""
        played = tallies[0]
        best = best_of(tallies)
        lead = difference(best, played)
        share = 0.0
        if best is not played and lead.value > 0.0:
            # Of many noisy leads the largest is too large: it is shrunk by what may be noise.
            share = max(1.0 - (DOUBT * lead.error / lead.value) ** 2, 0.0)
        if share == 0.0:
            best = played
        gains = zip(chances(played), chances(best), strict=True)
        effect = tuple(share * (mine - others) for mine, others in gains)
        loss = max(0.0, -effect[seat])
        notation = notation_of(self.record.board)
        return Decision(
            event=step.event,
            turn=int(step.before.turn),
            seat=seat,
            action=notation.action(int(played.action)),
            best=notation.action(int(best.action)),
            loss=loss,
            error=share * lead.error,
            win=chances(best)[seat],
            verdict=verdict_on(loss),
            effect=effect,
        )

    # ------------------------------------------------------------------------ the whole

    def put_together(self, judged: Mapping[int, Judged]) -> Review:
        """Return the review, as far as steps from the first on have been judged."""
        players = int(self.record.header["players"])
        done: list[Judged] = []
        while len(done) in judged:
            done.append(judged[len(done)])
        zero = (0.0,) * players
        unseen, luck = zero, zero
        rows: list[Vector] = []
        found: list[Chance] = []
        decisions: list[Decision] = []
        variance = done[0].error ** 2 if done else 0.0
        for number in range(len(done) - 1):
            step, here = self._steps[number], done[number]
            there = done[number + 1].before
            settled = self._settled(number)
            brought = zero
            if settled is not None:
                brought = _minus(there, here.after)
                found.append(Chance(settled, self._kind(step), brought))
            last = step.event if settled is None else settled
            rows += [here.after] * (last - step.event)
            rows += [there] * (self._steps[number + 1].event - last)
            effect = zero
            if here.decision is not None:
                decisions.append(here.decision)
                effect = here.decision.effect
                variance += here.decision.error**2
            change = _minus(_minus(there, here.before), effect)
            luck = _plus(luck, change)
            unseen = _plus(unseen, _minus(change, brought))
        if done:
            variance += done[-1].error ** 2 if len(done) > 1 else 0.0
        return Review(
            players=players,
            start=done[0].before if done else zero,
            win=tuple(rows),
            decisions=tuple(decisions),
            chances=tuple(found),
            unseen=unseen,
            luck=luck,
            error=(math.sqrt(variance),) * players,
            events=len(self.record.facts),
            iterations=self.iterations,
            seed=self.seed,
        )

    def _settled(self, job: int) -> int | None:
        """Return the last event of a step by which chance was settled, if there is one."""
        step = self._steps[job]
        following = self._steps[job + 1].event if job + 1 < self.number else None
        told = self.record.facts[step.event : following]
        found = [i for i, fact in enumerate(told) if fact[0] in _CHANCE]
        return step.event + found[-1] if found else None

    def _kind(self, step: Step) -> Literal["deal", "drawn", "turned_up", "offered"]:
        told: Sequence[tuple[int, ...]] = self.record.facts[step.event :]
        return next(_CHANCE[fact[0]] for fact in told if fact[0] in _CHANCE)


def _plus(one: Vector, other: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _minus(one: Vector, other: Vector) -> Vector:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def review(
    record: Record,
    iterations: int = ITERATIONS,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int = 1,
) -> Review:
    """Return what decided a game.

    ``progress`` is called with the number of steps done and of all steps; if it returns False, the
    review stops and has what was done. Each decision is tried in ``iterations`` worlds. Two or
    more ``workers`` are processes (started by ``spawn``), so a script that asks for them must be
    safe to import; the result is the same. :class:`~fernzug.record.RecordError` says where a broken
    record goes wrong.
    """
    reviewer = Reviewer(record, iterations, seed)
    judged: dict[int, Judged] = {}
    results = judge(reviewer, workers)
    try:
        for job, result in results:
            judged[job] = result
            if progress is not None and progress(len(judged), reviewer.number) is False:
                break
    finally:
        results.close()
    return reviewer.put_together(judged)


def judge(reviewer: Reviewer, workers: int = 1) -> Generator[tuple[int, Judged], None, None]:
    """Yield the number of each step and what was found about it, as results come in."""
    return _crew(workers).do_all(reviewer, iter(range(reviewer.number)))


def _crew(workers: int) -> Crew:
    if workers == 1:
        return Alone()
    from fernzug.sim.processes import Processes  # takes a while to load

    return Processes(workers)
