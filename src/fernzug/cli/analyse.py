"""``fernzug analyse``: what decided a recorded game."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any

from fernzug.analysis import Decision, Review, Reviewer
from fernzug.analysis.advice import reasons_for
from fernzug.analysis.reviewer import ITERATIONS, Judged, judge
from fernzug.board.model import WILD
from fernzug.cli import INTERRUPTED, USAGE, CommandError, Parser
from fernzug.cli.arguments import cores, load_record, seed, whole_number
from fernzug.cli.files import whole_file
from fernzug.cli.progress import Progress
from fernzug.engine.seats import offer_of
from fernzug.engine.state import State
from fernzug.i18n import LANGUAGES, Texts, language_of
from fernzug.i18n.sentences import sentence
from fernzug.notation import Action
from fernzug.record import Record
from fernzug.sim.crew import WorkerLost
from fernzug.terminal.layout import pad, table, width, wrap
from fernzug.terminal.style import Style, wants_color
from fernzug.terminal.words import Words
from fernzug.view import View, view_of

LISTED = 10
"""How many decisions the terminal shows."""

WRONG = ("slip", "mistake", "blunder")
BARS = "▁▂▃▄▅▆▇█"
MAX_GRAPH = 60
MINUS = "\N{MINUS SIGN}"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Review a recorded game: each seat's chance of winning, the decisions that cost most, and "
        "what was luck. The same iterations and seed give the same review."
    )
    parser.add_argument("file", metavar="FILE", help="a record, or '-' for standard input")
    parser.add_argument(
        "--game",
        type=whole_number(0),
        metavar="N",
        help="which game of a file that has several; the first is 0",
    )
    parser.add_argument(
        "--seat",
        type=whole_number(0),
        metavar="N",
        help="only the decisions of this seat; seats count from 0, so player 1 has seat 0",
    )
    parser.add_argument(
        "--iterations",
        type=whole_number(1),
        default=ITERATIONS,
        metavar="N",
        help=f"worlds in which each decision is tried (default: {ITERATIONS})",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="default: 0")
    parser.add_argument(
        "--workers",
        type=whole_number(1),
        metavar="W",
        help="processes (default: one per core)",
    )
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; '-' prints it")
    parser.add_argument(
        "--html", metavar="FILE", help="write a page with the graph and the board at each mistake"
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="the language (default: that of $LANG)")
    parser.add_argument("--no-color", action="store_true", help="no colours")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    record = load_record(args.file, args.game)
    players = record.header["players"]
    if args.seat is not None and args.seat >= players:
        raise CommandError(f"there is no seat {args.seat} among {players} players", USAGE)
    if args.json is not None and args.json == args.html:
        raise CommandError("--json and --html cannot be written to the same file", USAGE)
    texts = Texts(args.lang or language_of(os.environ))
    plain = "-" in (args.json, args.html)
    style = Style(wants_color() and not args.no_color and not plain)
    with ExitStack() as stack:
        # Files are opened first, so that one that cannot be written costs no time.
        files = {
            name: stack.enter_context(whole_file(name)) for name in (args.json, args.html) if name
        }
        found = _review(record, args)
        report = Report(record, found, Words(record.board, texts, style), args.seat)
        if args.json:
            json.dump(report.to_json(), files[args.json], ensure_ascii=False, indent=1)
            files[args.json].write("\n")
        if args.html:
            from fernzug.cli.analysis_page import page

            plain_words = Words(record.board, texts, Style(False))
            bare = Report(record, found, plain_words, args.seat)
            files[args.html].write(page(bare))
    if not plain:
        for line in report.lines(shutil.get_terminal_size().columns):
            print(line)
    return 0 if found.complete else INTERRUPTED


def _review(record: Record, args: argparse.Namespace) -> Review:
    """Review a record; Ctrl-C ends that early and leaves what was done."""
    reviewer = Reviewer(record, args.iterations, args.seed)
    progress = Progress(reviewer.number, noun="steps")
    judged: dict[int, Judged] = {}
    try:
        with closing(judge(reviewer, min(args.workers or cores(), reviewer.number))) as results:
            for job, result in results:
                judged[job] = result
                progress.show(len(judged))
    except KeyboardInterrupt:
        pass
    except WorkerLost as error:
        raise CommandError(str(error)) from None
    finally:
        progress.clear()
    found = reviewer.put_together(judged)
    if not found.complete:
        told = f"stopped after {len(found.win)} of {found.events} events"
        if not found.win:
            raise CommandError(told, INTERRUPTED)
        print(f"fernzug analyse: {told}", file=sys.stderr)
    return found


@dataclass(frozen=True)
class Mistake:
    """A decision that cost something, in words."""

    decision: Decision
    before: State
    played: str
    better: str
    why: tuple[str, ...]


class Report:
    """A review in the words of one language."""

    def __init__(self, record: Record, review: Review, words: Words, seat: int | None) -> None:
        self.record = record
        self.review = review
        self.words = words
        self.texts = words.texts
        self.seat = seat
        self._states = {step.event: step.before for step in record.steps()}

    def mistakes(self) -> list[Mistake]:
        """Return the decisions that cost something, the worst first."""
        wrong = [
            each
            for each in self.review.decisions
            if each.verdict in WRONG and self.seat in (None, each.seat)
        ]
        wrong.sort(key=lambda each: (-each.loss, each.event))
        return [self._mistake(each) for each in wrong]

    def _mistake(self, decision: Decision) -> Mistake:
        before = self._states[decision.event]
        reasons = reasons_for(self._view(decision), decision.best)
        return Mistake(
            decision,
            before,
            self.deed(before, decision.seat, decision.action),
            self.deed(before, decision.seat, decision.best),
            tuple(sentence(self.texts, reason, self.words) for reason in reasons),
        )

    def _view(self, decision: Decision) -> View:
        before = self._states[decision.event]
        return view_of(before, decision.seat, self.record.board.id)

    def deed(self, before: State, seat: int, action: Action) -> str:
        """Return an action in words."""
        words, texts = self.words, self.texts
        if action.kind == "claim" and action.route is not None:
            text = texts(
                "analyse.claim", route=words.route(action.route), cards=words.cards(action.cards)
            )
            return f"{text} {words.option(action.option)}" if action.option else text
        if action.kind == "draw" and action.color is not None:
            if action.color in ("deck", WILD):
                return texts(f"analyse.{action.color}")
            return texts("analyse.draw", card=words.card(action.color))
        if action.kind == "keep":
            offer = offer_of(before, seat)
            kept = [self.record.board.tickets[offer[place - 1]].id for place in action.places]
            return texts("analyse.keep", tickets=words.join([words.ticket(each) for each in kept]))
        return texts("analyse.tickets" if action.kind == "tickets" else "analyse.pass")

    def sums(self) -> list[list[str]]:
        """Return a row for each seat whose numbers add up from the start to the end."""
        found = self.review
        end = found.win[-1] if found.win else found.start
        head = ["player", "start", "own", "others", "luck", "end" if found.complete else "so_far"]
        rows = [[self.texts(f"analyse.{word}") if word != "player" else "" for word in head]]
        for seat in range(found.players):
            rows.append(
                [
                    self.words.player(seat),
                    percent(found.start[seat]),
                    signed(-found.losses(seat)),
                    signed(found.gifts(seat)),
                    signed(found.luck[seat]),
                    percent(end[seat]),
                ]
            )
        return rows

    def stopped(self) -> str:
        """Return how far a review came that was stopped."""
        done, total = len(self.review.win), self.review.events
        return self.texts("analyse.stopped", done=done, total=total)

    def head(self, decision: Decision) -> str:
        """Return when somebody decided, who, and the verdict."""
        texts = self.texts
        when = texts("analyse.turn", n=decision.turn) if decision.turn else texts("analyse.setup")
        verdict = texts(f"analyse.{decision.verdict}")
        return f"{when} · {self.words.player(decision.seat)} · {verdict}"

    def rows(self) -> Sequence[tuple[float, ...]]:
        """Return each seat's chance at the start and after each event."""
        return [self.review.start, *self.review.win]

    # ------------------------------------------------------------------------ in the terminal

    def lines(self, total: int) -> Iterator[str]:
        """Yield what the terminal shows."""
        words, texts = self.words, self.texts
        name = words.board.name_in(words.language)
        yield words.style.bold(f"{name} · {texts.number('players', self.review.players)}")
        if not self.review.complete:
            yield from wrap(self.stopped(), total)
        yield ""
        yield words.style.bold(texts("analyse.chance"))
        yield from self._graph(total)
        yield ""
        yield from table(self.sums(), "<>>>>>")
        yield from wrap(texts("analyse.error", error=percent(max(self.review.error))), total)
        yield ""
        mistakes = self.mistakes()
        if not mistakes:
            yield texts("analyse.none")
            return
        yield words.style.bold(texts("analyse.worst"))
        for each in mistakes[:LISTED]:
            yield from self._told(each, total)
        if len(mistakes) > LISTED:
            yield texts.number("analyse.more", len(mistakes) - LISTED)

    def _told(self, mistake: Mistake, total: int) -> Iterator[str]:
        decision = mistake.decision
        loss = self.words.style.bad(signed(-decision.loss))
        yield f"{self.head(decision)} {loss}"
        yield from wrap("  " + self.texts("analyse.played", deed=mistake.played), total, 4)
        better = " ".join([self.texts("analyse.better", deed=mistake.better), *mistake.why])
        yield from wrap("  " + better, total, 4)

    def _graph(self, total: int) -> Iterator[str]:
        """Yield a row of bars for each seat, from the start to the end."""
        rows = self.rows()
        names = [self.words.player(seat) for seat in range(self.review.players)]
        margin = max(width(name) for name in names) + 2
        size = max(min(MAX_GRAPH, total - margin - 7, len(rows)), 1)
        for seat, name in enumerate(names):
            bars = ""
            for i in range(size):
                chance = rows[i * (len(rows) - 1) // max(size - 1, 1)][seat]
                bars += BARS[min(int(chance * len(BARS)), len(BARS) - 1)]
            yield f"{pad(name, margin)}{bars} {percent(rows[-1][seat]):>6}"

    # ------------------------------------------------------------------------ for programs

    def to_json(self) -> dict[str, Any]:
        """Return the review with the board, and a reason for each better action."""
        found = self.review.to_json()
        if self.seat is not None:
            found["decisions"] = [d for d in found["decisions"] if d["seat"] == self.seat]
        shown = [d for d in self.review.decisions if self.seat in (None, d.seat)]
        for told, decision in zip(found["decisions"], shown, strict=True):
            reasons = reasons_for(self._view(decision), decision.best)
            told["reasons"] = [reason.to_json() for reason in reasons]
        return {"board": self.record.board.id, **found}


def percent(chance: float) -> str:
    """Return a chance in hundredths."""
    return f"{chance * 100:.0f} %"


def signed(change: float) -> str:
    """Return a change of a chance in hundredths, with its sign."""
    number = round(change * 100)
    return f"{'+' if number > 0 else MINUS if number < 0 else ''}{abs(number)}"
