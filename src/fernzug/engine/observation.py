"""Observations: what a seat may know as one row of small numbers, for learning.

A row says everything that a view says, and nothing else: two views that differ have different rows,
two equal ones the same. Seats are counted from the one that looks, which is number 0, so that a
policy is the same on every seat. Numbers above ``MOST`` are written as that.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from fernzug.engine import bits
from fernzug.engine.bits import WORD
from fernzug.engine.bonus import MOST
from fernzug.engine.knowledge import Knowledge
from fernzug.engine.network import root
from fernzug.engine.rules import legal
from fernzug.engine.state import KEEP, NONE, OVER, SETUP, State, filled
from fernzug.engine.tables import FACE_UP, Tables

PHASES: Final = 5


@final
class Field:
    """One part of a row: where it begins, its shape, and the least and the most it can hold."""

    def __init__(self, name: str, offset: int, shape: tuple[int, ...], low: int, high: int) -> None:
        self.name = name
        self.offset = offset
        self.shape = shape
        self.low = low
        self.high = high
        self.size = 1
        for length in shape:
            self.size *= length


@final
class Observer:
    """Writes the rows of one board and number of players."""

    def __init__(self, tables: Tables, players: i64) -> None:
        self.tables = tables
        self.players = players
        self.fields: list[Field] = []
        self.size: i64 = 0
        n = int(players)
        cards = int(tables.colors) + 1
        pieces = max(int(count) for count in tables.kind_count)
        tickets = int(tables.tickets)
        total = int(tables.card_total)
        self.seat: i64 = self._field("seat", (n,), 1)
        self.phase: i64 = self._field("phase", (PHASES,), 1)
        self.awaited: i64 = self._field("awaited", (n,), 1)
        self.first_player: i64 = self._field("first_player", (n,), 1)
        self.turn: i64 = self._field("turn", (1,), MOST)
        self.turns_left: i64 = self._field("turns_left", (1,), n)
        self.passes: i64 = self._field("passes", (1,), n)
        self.deck_count: i64 = self._field("deck_count", (1,), total)
        self.ticket_deck_count: i64 = self._field("ticket_deck_count", (1,), tickets)
        self.faceup: i64 = self._field("faceup", (int(FACE_UP), cards), 1)
        self.discard: i64 = self._field("discard", (cards,), total)
        self.unseen: i64 = self._field("unseen", (cards,), total)
        self.hand: i64 = self._field("hand", (cards,), total)
        self.known: i64 = self._field("known", (n, cards), total)
        self.hand_count: i64 = self._field("hand_count", (n,), total)
        self.pieces: i64 = self._field("pieces", (n, int(tables.kinds)), pieces)
        # Where points are counted only at the end, no view says them (C8).
        self.points: i64 = self._field("points", (n,), MOST) if tables.score_track else NONE
        self.routes: i64 = self._field("routes", (n, int(tables.routes)), 1)
        self.ticket_count: i64 = self._field("ticket_count", (n,), tickets)
        self.tickets: i64 = self._field("tickets", (n, tickets), 1)
        self.completed: i64 = self._field("completed", (tickets,), 1)
        self.returned: i64 = self._field("returned", (tickets,), 1)
        self.choosing: i64 = self._field("choosing", (n,), 1)
        self.offer_count: i64 = self._field("offer_count", (n,), int(tables.offer_size))
        self.offer: i64 = self._field("offer", (int(tables.offer_size), tickets), 1)
        self.bonuses: i64 = self.size
        self.traits: i64 = 0
        for bonus in tables.bonuses:
            self.traits += len(bonus.traits())
        if self.traits:
            self._field("bonuses", (n, int(self.traits)), MOST)
        # Counts that are not public by themselves, and the labels of joined places.
        self._cards = filled(players, 0)
        self._kept = filled(players, 0)
        self._offered = filled(players, 0)
        self._hidden = filled(tables.colors + 1, 0)
        self._label = filled(tables.network.places, 0)
        self._own = filled(tables.routes, 0)
        self._every = filled(tables.words, 0)
        for route in range(tables.routes):
            self._every[route // WORD] |= bits.bit(route)

    def _field(self, name: str, shape: tuple[int, ...], high: int) -> i64:
        field = Field(name, int(self.size), shape, 0, high)
        self.fields.append(field)
        self.size += field.size
        return field.offset

    # ------------------------------------------------------------------------ writing

    def write_known(self, known: Knowledge, row: vec[i16], at: i64) -> None:
        """Write what a seat knows from ``at`` on, where the row must hold zeros."""
        for other in range(self.players):
            self._cards[other] = known.hand_count[other]
            self._kept[other] = known.ticket_count[other]
            self._offered[other] = known.offer_count[other]
        for color in range(self.tables.colors + 1):
            self._hidden[color] = known.hidden[color]
        self._write(known.state, known.seat, row, at)

    def write(self, s: State, seat: i64, row: vec[i16], at: i64) -> None:
        """Write what a seat may know of a state, as if from its knowledge, which is not made."""
        t = self.tables
        size = t.colors + 1
        hands = s.hands
        known = s.known
        hidden = self._hidden
        cards = self._cards
        kept = self._kept
        offered = self._offered
        for color in range(size):
            hidden[color] = 0
        deck = s.deck
        for i in range(s.deck_size):
            hidden[deck[i]] += 1
        for other in range(s.players):
            held: i64 = 0
            first = other * size
            for color in range(size):
                number = hands[first + color]
                held += number
                if other != seat:
                    hidden[color] += number - known[first + color]
            cards[other] = held
            kept[other] = 0
            offered[other] = s.offer[s.offer_start(other)]
        owner = s.ticket_owner
        for ticket in range(t.tickets):
            holder = owner[ticket]
            if holder != NONE:
                kept[holder] += 1
        self._write(s, seat, row, at)

    def _write(self, s: State, seat: i64, row: vec[i16], at: i64) -> None:
        """Write a row from what is public, what is the seat's own, and the four counts."""
        self._write_turn(s, seat, row, at)
        self._write_cards(s, seat, row, at)
        self._write_players(s, seat, row, at)
        routes = self._write_routes(s, seat, row, at)
        self._write_tickets(s, seat, row, at, routes)

    def _write_turn(self, s: State, seat: i64, row: vec[i16], at: i64) -> None:
        players = s.players
        row[at + self.seat + seat] = 1
        row[at + self.phase + s.phase] = 1
        if s.phase != SETUP and s.phase != OVER:
            row[at + self.awaited + (s.seat - seat + players) % players] = 1
        row[at + self.first_player + (s.first_player - seat + players) % players] = 1
        row[at + self.turn] = small(s.turn)
        if s.turns_left != NONE:
            row[at + self.turns_left] = i16(s.turns_left)
        row[at + self.passes] = i16(s.passes)
        row[at + self.deck_count] = i16(s.deck_size)
        row[at + self.ticket_deck_count] = i16(s.ticket_count)

    def _write_cards(self, s: State, seat: i64, row: vec[i16], at: i64) -> None:
        size = self.tables.colors + 1
        faceup = s.faceup
        first = at + self.faceup
        for place in range(i64(FACE_UP)):
            if faceup[place] != NONE:
                row[first + place * size + faceup[place]] = 1
        hands = s.hands
        discard = s.discard
        hidden = self._hidden
        own = seat * size
        to_discard = at + self.discard
        to_unseen = at + self.unseen
        to_hand = at + self.hand
        for color in range(size):
            row[to_discard + color] = i16(discard[color])
            row[to_unseen + color] = i16(hidden[color])
            row[to_hand + color] = i16(hands[own + color])

    def _write_players(self, s: State, seat: i64, row: vec[i16], at: i64) -> None:
        t = self.tables
        players = s.players
        size = t.colors + 1
        kinds = t.kinds
        known = s.known
        pieces = s.pieces
        can_choose = s.phase == SETUP or s.phase == KEEP
        for number in range(players):
            other = seat + number
            if other >= players:
                other -= players
            to = at + self.known + number * size
            for color in range(size):
                row[to + color] = i16(known[other * size + color])
            row[at + self.hand_count + number] = i16(self._cards[other])
            to = at + self.pieces + number * kinds
            for kind in range(kinds):
                row[to + kind] = i16(pieces[other * kinds + kind])
            if self.points != NONE:
                row[at + self.points + number] = small(s.points[other])
            row[at + self.ticket_count + number] = i16(self._kept[other])
            if can_choose and (s.choosing >> other) & 1:
                row[at + self.choosing + number] = 1
                row[at + self.offer_count + number] = i16(self._offered[other])
            if self.traits:
                to = at + self.bonuses + number * self.traits
                for bonus in t.bonuses:
                    to = bonus.observe(s, other, row, to)

    def _write_routes(self, s: State, seat: i64, row: vec[i16], at: i64) -> bool:
        """Write who owns what, and label the places that the seat has joined, if it has any."""
        t = self.tables
        players = s.players
        routes = t.routes
        owner = s.owner
        own = self._own
        number: i64 = 0
        first = at + self.routes
        # A route that somebody owns is open to nobody, so only those that are shut are looked at.
        for w in range(t.words):
            shut = self._every[w] & ~s.open_routes[seat * t.words + w]
            while shut:
                route = w * WORD + bits.lowest(shut)
                shut &= shut - 1
                holder = owner[route]
                if holder == seat:
                    own[number] = route
                    number += 1
                    row[first + route] = 1
                elif holder != NONE:
                    row[first + (holder - seat + players) % players * routes + route] = 1
        if number == 0:
            return False
        label = self._label
        a = t.network.a
        b = t.network.b
        for place in range(t.network.places):
            label[place] = place
        for i in range(number):
            x = root(label, a[own[i]])
            label[x] = root(label, b[own[i]])
        return True

    def _write_tickets(self, s: State, seat: i64, row: vec[i16], at: i64, joined: bool) -> None:
        t = self.tables
        players = s.players
        tickets = t.tickets
        label = self._label
        owner = s.ticket_owner
        returned = s.returned
        own = at + self.tickets
        for ticket in range(tickets):
            holder = owner[ticket]
            if holder == seat:
                row[own + ticket] = 1
                if joined and root(label, t.ticket_a[ticket]) == root(label, t.ticket_b[ticket]):
                    row[at + self.completed + ticket] = 1
            elif holder != NONE and s.phase == OVER:
                # K2: the tickets of the others are secret until the end.
                number = (holder - seat + players) % players
                row[own + number * tickets + ticket] = 1
            if (returned[ticket] >> seat) & 1:
                row[at + self.returned + ticket] = 1
        if (s.choosing >> seat) & 1:
            first = s.offer_start(seat)
            for i in range(s.offer[first]):
                row[at + self.offer + i * tickets + s.offer[first + 1 + i]] = 1


def small(number: i64) -> i16:
    """Return a number as a row holds it."""
    return i16(number) if number < MOST else i16(MOST)


# ---------------------------------------------------------------------------- actions


def short_count(t: Tables) -> i64:
    """Return the size of the short action table, which has one claim for each route."""
    return t.claim + t.routes


def shortened(t: Tables, action: i64) -> i64:
    """Return the number of an action in the short table: a claim is known by its route only."""
    return action if action < t.claim else t.claim + t.claim_route[action - t.claim]


def short_legal(s: State, seat: i64) -> vec[i64]:
    """Return the numbers of all actions of the short table that the seat may take now, sorted."""
    t = s.tables
    actions = legal(s, seat)
    number: i64 = 0
    last: i64 = NONE
    for i in range(i64(len(actions))):
        action = shortened(t, actions[i])
        if action != last:
            actions[number] = action
            number += 1
            last = action
    return actions[:number]
