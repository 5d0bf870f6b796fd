"""A watch over the laws of a game that is fast enough to look at every step of every game."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, le, lt

from fernzug.engine import rules
from fernzug.engine.bits import WORD, bit
from fernzug.engine.chance import PLAYERS, Stream
from fernzug.engine.facts import SWEPT
from fernzug.engine.fold import fold
from fernzug.engine.state import KEEP, NONE, OVER, SECOND_CARD, SETUP, TURN, State, blank, filled
from fernzug.engine.tables import Tables

VECTORS = (
    *("hands", "known", "discard", "faceup", "owner", "open_routes", "pieces", "points"),
    *("ticket_owner", "returned", "bonus"),
)
NUMBERS = (
    *("deck_size", "discard_size", "reshuffles", "ticket_count", "phase", "seat"),
    *("first_player", "choosing", "turn", "turns_left", "passes", "seed", "players"),
)
_compared = attrgetter(*VECTORS, *NUMBERS)


def deck_of(s: State) -> list[int]:
    """Return the deck, the next card last."""
    return list(s.deck[: s.deck_size])


def ticket_deck_of(s: State) -> list[int]:
    """Return the ticket deck, the next ticket first."""
    ring = list(s.ticket_deck)
    top, count = int(s.ticket_top), int(s.ticket_count)
    return (ring[top:] + ring)[:count]


def offers_of(s: State) -> list[list[int]]:
    """Return the tickets offered to each seat, or set aside by it."""
    size = int(s.tables.offer_size) + 1
    offers = list(s.offer)
    rows = [offers[seat * size : (seat + 1) * size] for seat in range(s.players)]
    return [row[1 : 1 + row[0]] for row in rows]


def same(a: State, b: State) -> bool:
    """Whether two states are the same in all that counts."""
    # Equal vectors need not be taken apart, which would cost more than all the rest.
    return bool(
        _compared(a) == _compared(b)
        and a.deck[: a.deck_size] == b.deck[: b.deck_size]
        and (
            (a.ticket_top == b.ticket_top and a.ticket_deck == b.ticket_deck)
            or ticket_deck_of(a) == ticket_deck_of(b)
        )
        and (a.offer == b.offer or offers_of(a) == offers_of(b))
    )


class Watch:
    """Looks at one game after every step; any law that is broken is an AssertionError."""

    def __init__(self, tables: Tables, players: int, seed: int, first_player: int) -> None:
        t = self.tables = tables
        self.state = blank(t, players, seed)
        self.state.first_player = first_player
        self.state.journal = []
        self.told = blank(t, players, seed)  # the fold of the facts
        self.told.first_player = first_player
        self.seen_cards: object = None
        self.seen_routes: object = None
        self.seen_tickets: object = None
        self.box = list(t.cards)
        self.every_ticket = list(range(t.tickets))
        self.twin = list(t.route_twin)
        # A set of routes is one long number here, so that all routes are compared at once.
        self.bit = [int(bit(route)) << (route // WORD * WORD) for route in range(len(self.twin))]
        self.every_route = sum(self.bit)
        self.wilds_allowed = False
        rules.set_up(self.state)
        self.check()

    def play(self, choose: Callable[[State, list[int]], int]) -> None:
        """Let the awaited seat choose among the legal actions, and check what follows."""
        s = self.state
        seat = int(s.seat)
        rules.apply(s, seat, choose(s, self.legal))
        self.check()

    def check(self) -> None:
        """Check every law."""
        s = self.state
        self._facts()
        # What is as it was when it was last looked at is still right.
        cards = (
            *(s.hands[:], s.known[:], s.bonus[:], s.faceup[:], s.deck[: s.deck_size]),
            *(s.discard[:], s.discard_size),
        )
        if self.seen_cards != cards:
            self.seen_cards = cards
            self._cards()
        self._display()
        routes = (s.owner[:], s.open_routes[:], s.pieces[:], s.points[:], s.bonus[:])
        if self.seen_routes != routes:
            self.seen_routes = routes
            self._routes()
        tickets = (
            *(s.ticket_owner[:], s.ticket_deck[:], s.offer[:]),
            *(s.ticket_top, s.ticket_count, s.choosing, s.phase == SETUP),
        )
        if self.seen_tickets != tickets:
            self.seen_tickets = tickets
            self._tickets()
        self._phase()

    def _facts(self) -> None:
        """The state is the fold of the facts."""
        s = self.state
        swept = 0
        for fact in s.journal or []:
            fold(self.told, fact)
            swept += fact[0] == SWEPT
        s.journal = []
        assert same(s, self.told)
        # D5: only after three replacements in a row may three wild cards stay.
        self.wilds_allowed = swept >= 3 or (self.wilds_allowed and not swept)

    def _cards(self) -> None:
        """Cards are conserved, colour by colour, and no number is negative."""
        s, t = self.state, self.tables
        size = int(t.colors) + 1
        hands = list(s.hands)
        known = list(s.known)
        discard = list(s.discard)
        faceup = list(s.faceup)
        deck = bytes(deck_of(s))
        assert min(hands) >= 0
        assert min(known) >= 0
        assert min(discard) >= 0
        assert all(map(le, known, hands))
        assert sum(discard) == s.discard_size
        count = [
            sum(hands[color::size]) + discard[color] + deck.count(color) + faceup.count(color)
            for color in range(size)
        ]
        if t.slots:
            lying = filled(size, 0)
            for bonus in t.bonuses:
                bonus.count_cards(s, lying)
            count = [n + m for n, m in zip(count, lying, strict=True)]
        assert count == self.box

    def _display(self) -> None:
        """Where cards must lie (D5, D6)."""
        s, t = self.state, self.tables
        faceup = list(s.faceup)
        if s.deck_size == 0:
            assert s.discard_size == 0
        else:
            assert NONE not in faceup
        if faceup.count(t.wild) >= 3:
            everywhere = faceup + deck_of(s)
            wilds = everywhere.count(t.wild) + s.discard[t.wild]
            empty = everywhere.count(NONE)
            ordinary = len(everywhere) - empty + int(s.discard_size) - wilds
            assert ordinary < 3 or self.wilds_allowed
        else:
            self.wilds_allowed = False

    def _routes(self) -> None:
        """Pieces and points follow from the routes; lanes are shut as C5 and C6 say."""
        s, t = self.state, self.tables
        players = int(s.players)
        kinds = int(t.kinds)
        one_lane = players <= t.single_lane_up_to
        pieces = list(t.kind_count) * players
        points = [sum(int(b.given(s, seat)) for b in t.bonuses) for seat in range(players)]
        in_play = t.bonuses if t.slots else []
        shut_to_all = 0
        shut = [0] * players
        owners = list(s.owner)
        for route, owner in enumerate(owners):
            if owner == NONE:
                continue
            assert not any(bonus.is_due(s, owner, route) for bonus in in_play)
            pieces[owner * kinds + int(t.route_kind[route])] -= int(t.route_pieces[route])
            if t.score_track:
                points[owner] += int(t.route_points[route])
            shut_to_all |= self.bit[route]
            twin = self.twin[route]
            if twin == NONE:
                continue
            assert owners[twin] != owner
            if one_lane:
                assert owners[twin] == NONE
                shut_to_all |= self.bit[twin]
            else:
                shut[owner] |= self.bit[twin]
        assert min(pieces) >= 0
        assert pieces == list(s.pieces)
        assert points == list(s.points)
        words = list(s.open_routes)
        size = int(t.words)
        for seat in range(players):
            found = sum(words[seat * size + i] << (WORD * i) for i in range(size))
            assert found == self.every_route & ~(shut_to_all | shut[seat])

    def _tickets(self) -> None:
        """Every ticket is in one place."""
        s = self.state
        owner = list(s.ticket_owner)
        found = ticket_deck_of(s) + [i for i in self.every_ticket if owner[i] != NONE]
        for seat, offer in enumerate(offers_of(s)):
            found += offer
            if (s.choosing >> seat) & 1:
                assert offer
            elif s.phase != SETUP:
                assert not offer
        found.sort()
        assert found == self.every_ticket

    def _phase(self) -> None:
        """The phase fits, and legal actions are sorted, unique and never none before the end."""
        s = self.state
        phase, seat = s.phase, s.seat
        self.legal: list[int] = list(rules.legal(s, seat))
        if phase == OVER:
            assert seat == NONE
            assert not self.legal
            return
        legal = self.legal
        assert legal
        assert all(map(lt, legal, legal[1:]))
        assert legal[-1] < self.tables.actions
        assert 0 <= seat < s.players
        assert s.turns_left == NONE or 1 <= s.turns_left <= s.players
        assert s.passes < s.players
        if phase in (TURN, SECOND_CARD):
            assert not s.choosing
        elif phase == KEEP:
            assert s.choosing == 1 << seat
        # A pass is alone (T2), and another seat has nothing to do.
        assert legal[0] != 0 or len(legal) == 1
        if phase != SETUP:
            assert not len(rules.legal(s, (seat + 1) % s.players))


def random_choice(seed: int) -> Callable[[State, list[int]], int]:
    """Return a player that takes any legal action, each equally likely."""
    stream = Stream(seed, PLAYERS)
    return lambda s, legal: legal[int(stream.below(len(legal)))]
