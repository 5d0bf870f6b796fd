"""Chance made explicit: what a decision leads to, with every card and ticket settled from outside.

The rules take cards from a deck that lies in some order. Here the order is nobody's: an action is
applied to a copy whose deck begins with the cards settled so far. If the action uses up more, the
next card is a question to nature, and the deck's composition gives the chances of the answers; if
not, what the action led to is known. The answers are the colours, wild last, and then the tickets.
"""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import facts
from fernzug.engine.rules import apply, set_up
from fernzug.engine.state import NONE, State, filled


@final
class Settling:
    """A decision, or the set-up, with the answers that nature has given so far.

    ``before`` is the state that the decision was taken in, and is not changed; a blank table stands
    for the set-up. Of its ticket deck the first ``fresh`` tickets are in no order; those that
    players gave back lie below them as they came. Either :attr:`after` is the state that follows,
    or :attr:`chances` counts the cards, or the tickets, that can be the next answer, and
    :attr:`asker` is the seat that alone gets to know it, or NONE if all do.
    """

    def __init__(
        self, before: State, fresh: i64, action: i64, answers: list[int], decks: list[list[int]]
    ) -> None:
        self.before = before
        self.action = action  # NONE for the set-up
        self.answers = answers
        self.fresh = fresh
        self.fresh_after = fresh
        self.after: State | None = None
        self.chances: vec[i64] = vec[i64]()
        self.asker: i64 = NONE
        self._decks = decks  # the compositions of the decks that the decision is known to use
        self._try()

    def answered(self, answer: int) -> Settling:
        """Return the same decision with one more answer."""
        return Settling(
            self.before, self.fresh, self.action, [*self.answers, answer], list(self._decks)
        )

    def _try(self) -> None:
        s = self.before.copy()
        s.journal = []
        wild = s.tables.wild
        cards = [answer for answer in self.answers if answer <= wild]
        tickets = [answer - int(wild) - 1 for answer in self.answers if answer > wild]
        if not self._decks:
            self._decks.append(self._first_deck(s))
        orders = _laid(self._decks, cards)
        if self.action == NONE:
            # The set-up shuffles the cards and then the tickets.
            rest = [t for t in range(int(s.tables.tickets)) if t not in tickets]
            s.scripted_decks = [orders[0], tickets + rest, *orders[1:]]
            set_up(s)
        else:
            for i in range(s.deck_size):
                s.deck[i] = orders[0][i]
            s.scripted_decks = orders[1:]
            _lay_tickets(s, self.fresh, tickets)
            apply(s, s.seat, self.action)
        s.scripted_decks = None
        if not self._asks(s, len(cards), len(tickets)):
            self.after = s

    def _first_deck(self, s: State) -> list[int]:
        if self.action != NONE:
            return [int(s.deck[i]) for i in range(s.deck_size)]
        deck: list[int] = []
        for color in range(s.tables.colors + 1):
            deck += [int(color)] * int(s.tables.cards[color])
        return deck

    def _asks(self, s: State, cards: i64, tickets: i64) -> bool:
        """Go through what happened up to the first thing that no answer has settled."""
        t = s.tables
        left = filled(t.colors + 1 + t.tickets, 0)
        for card in self._decks[0]:
            left[card] += 1
        fresh = self.fresh
        deck = 0
        for fact in s.journal or []:
            kind = fact[0]
            if kind in (facts.DEALT, facts.TURNED_UP, facts.DREW):
                if cards == 0:
                    self.chances = left
                    if kind != facts.TURNED_UP:
                        self.asker = fact[1]
                    return True
                cards -= 1
                left[fact[len(fact) - 1]] -= 1
            elif kind == facts.RESHUFFLED:
                deck += 1
                if deck == len(self._decks):
                    self._decks.append([int(card) for card in fact[1:]])
                for card in fact[1:]:
                    left[card] += 1
            elif kind == facts.OFFERED:
                for _ in fact[2:]:
                    if fresh == 0:
                        break  # those given back have an order
                    if tickets == 0:
                        self._ask_ticket(s)
                        self.asker = fact[1]
                        return True
                    tickets -= 1
                    fresh -= 1
        self.fresh_after = fresh
        return False

    def _ask_ticket(self, s: State) -> None:
        """Every ticket is equally likely that is neither settled nor in anybody's hands."""
        t = s.tables
        first = t.colors + 1
        chances = filled(first + t.tickets, 0)
        if self.action == NONE:
            for ticket in range(t.tickets):
                chances[first + ticket] = 1
        else:
            before = self.before
            for i in range(self.fresh):
                chances[first + before.ticket_deck[(before.ticket_top + i) % t.tickets]] = 1
        for answer in self.answers:
            if answer >= first:
                chances[answer] = 0
        self.chances = chances


def _laid(decks: list[list[int]], cards: list[int]) -> list[list[int]]:
    """Return decks as they lie in their vectors, the settled cards on top: at the end."""
    orders: list[list[int]] = []
    for deck in decks:
        top = cards[: len(deck)]
        cards = cards[len(deck) :]
        rest = list(deck)
        for card in top:
            rest.remove(card)
        top.reverse()
        orders.append(rest + top)
    return orders


def _lay_tickets(s: State, fresh: i64, tickets: list[int]) -> None:
    """Bring settled tickets to the top of the ticket deck, one after the other."""
    size = s.tables.tickets
    ring = s.ticket_deck
    for number in range(i64(len(tickets))):
        to = (s.ticket_top + number) % size
        for i in range(number, fresh):
            at = (s.ticket_top + i) % size
            if ring[at] == tickets[number]:
                ring[at] = ring[to]
                ring[to] = tickets[number]
                break
