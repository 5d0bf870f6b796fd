"""A game told in words, turn by turn, from its events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fernzug.bonuses import KINDS
from fernzug.events import Event
from fernzug.terminal.layout import NO_LIMIT, wrap
from fernzug.terminal.words import Words

# What happens to everybody gets a line of its own.
_TABLE = ("swept", "reshuffled", "last_round", "ended")


@dataclass
class Turn:
    """What a seat did in one turn or in the set-up, and what else happened."""

    number: int
    seat: int | None
    deeds: list[str] = field(default_factory=list)
    besides: list[str] = field(default_factory=list)


class Story:
    """Tells the events of a game, which must be given as the reader may know them.

    ``turns`` has everything told so far; the last of them may still be going on.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.turns: list[Turn] = []
        self.number = 0
        self._offered = 0
        self._last: Event | None = None  # the last deed
        self._begin(None)

    def _begin(self, seat: int | None) -> Turn:
        turn = Turn(self.number, seat)
        self.turns.append(turn)
        return turn

    def follow(self, events: Iterable[Event]) -> None:
        """Add what happened next."""
        for event in events:
            self._take_in(event)

    def _take_in(self, event: Event) -> None:
        if event.kind == "awaited":
            if event.phase == "turn":
                self.number += 1
                self._begin(event.seat)
            return
        if event.kind in _TABLE:
            self.turns[-1].besides.append(self.besides(event))
            return
        if event.kind == "offered":
            self._offered = event.count or 0
        deed = self.deed(event)
        if deed:
            turn = self.turns[-1]
            if turn.seat != event.seat:
                # In the set-up everybody chooses, and a position may begin in mid-turn.
                turn = self._begin(event.seat)
            self._add(turn, event, deed)

    def _add(self, turn: Turn, event: Event, deed: str) -> None:
        """Add a deed; two cards from the same place make one deed."""
        first, self._last = self._last, event
        if first is None or len(turn.deeds) != 1 or not _from_one_place(first, event):
            turn.deeds.append(deed)
        elif event.color is None:
            turn.deeds[-1] = self.words.texts("deed.other.drew_two")
        else:
            cards = [self.words.card(str(first.color)), self.words.card(event.color)]
            key = f"deed.{self._person(event)}.{event.kind}"
            turn.deeds[-1] = self.words.texts(key, card=self.words.join(cards))

    def _person(self, event: Event) -> str:
        return "you" if event.seat == self.words.you else "other"

    def deed(self, event: Event) -> str:
        """Return what somebody did as the rest of a sentence; nothing for other events."""
        words = self.words
        texts = words.texts
        person = self._person(event)
        key = f"deed.{person}.{event.kind}"
        if event.kind == "took" and event.color:
            return texts(key, card=words.card(event.color))
        if event.kind == "drew":
            if event.color is None:
                return texts(f"{key}_blind")
            return texts(key, card=words.card(event.color))
        if event.kind == "claimed" and event.route and event.cards:
            return self._claimed(event, key)
        if event.kind == "kept":
            return self._kept(event, key)
        if event.kind == "passed":
            return texts(key)
        return self._of_bonus(event, person)

    def _of_bonus(self, event: Event, person: str) -> str:
        """Return an event of a bonus in words; if there are none, the name of the bonus."""
        words = self.words
        for bonus in words.board.bonuses:
            if event.kind in {fact.word for fact in KINDS[bonus.kind].FACTS}:
                key = f"bonus.{bonus.kind}.events.{event.kind}.{person}"
                parts = self._parts(event)
                if words.texts.has(key):
                    return words.texts(key, **parts)
                points = f" ({parts['points']})" if "points" in parts else ""
                return words.bonus(bonus.kind) + points
        return ""

    def _parts(self, event: Event) -> dict[str, object]:
        """Return the parts of an event in words."""
        words = self.words
        parts: dict[str, object] = {"count": event.count}
        if event.color is not None:
            parts["card"] = words.card(event.color)
        if event.route is not None:
            parts["route"] = words.route(event.route)
        if event.points is not None:
            parts["points"] = words.texts.number("points", event.points)
        return parts

    def _claimed(self, event: Event, key: str) -> str:
        words = self.words
        assert event.route is not None
        assert isinstance(event.cards, Mapping)
        cards = words.cards(event.cards)
        text = words.texts(key, route=words.style.bold(words.route(event.route)), cards=cards)
        if event.points is None:
            return text
        return f"{text} ({words.texts.number('points', event.points)})"

    def _kept(self, event: Event, key: str) -> str:
        words = self.words
        offered = self._offered or words.board.deal_tickets
        if self.number == 0:
            offered = words.board.deal_tickets
        if self.number > 0:
            key += "_drawn"
        many = words.texts.number("tickets", offered)
        text = words.texts(key, count=event.count, tickets=many)
        if event.tickets is None:
            return text
        tickets = words.join([words.ticket(ticket) for ticket in event.tickets])
        return words.texts("list", text=text, items=tickets)

    def besides(self, event: Event) -> str:
        """Return what happened to everybody as a sentence."""
        if event.kind == "last_round" and event.seat is not None:
            key = f"table.last_round_{self._person(event)}"
            return self.words.texts(key, player=self.words.player(event.seat))
        return self.words.texts(f"table.{event.kind}")

    def lines(self, first: int = 0, numbered: bool = False, width: int = NO_LIMIT) -> list[str]:
        """Return the turns from ``first`` on, one per line, with what else happened below each."""
        told = []
        for turn in self.turns[first:]:
            number = f"{turn.number:>3}  " if numbered else ""
            indent = len(number) or 2
            if turn.deeds and turn.seat is not None:
                text = f"{number}{self.words.subject(turn.seat)} {', '.join(turn.deeds)}."
                told += wrap(text, width, indent)
            for text in turn.besides:
                lines = wrap(" " * len(number) + text, width, indent)
                told += [self.words.style.dim(line) for line in lines]
        return told


def _from_one_place(first: Event, second: Event) -> bool:
    """Whether two cards were taken from the same place, and both or neither are known."""
    alike = (first.kind, first.color is None) == (second.kind, second.color is None)
    return alike and second.kind in ("took", "drew")
