"""From a position back to a state.

What a position leaves out is filled in: cards and tickets that it does not name go where ``rest``
and ``ticket_rest`` say, pieces and points follow from the routes. An impossible position is refused
with a ``ValueError`` that says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.board.model import Board
from fernzug.bonus_values import bonus_keys
from fernzug.engine import chance, facts, rules
from fernzug.engine.chance import Stream
from fernzug.engine.state import KEEP, NONE, OVER, SECOND_CARD, SETUP, State, blank, filled
from fernzug.engine.tables import FACE_UP, Tables
from fernzug.events import PHASES
from fernzug.notation import card_name, card_number
from fernzug.spelling import did_you_mean
from fernzug.tables import tables_of

KEYS = frozenset(
    {
        *("board", "players", "phase", "seat", "turn", "turns_left", "scores", "passes"),
        *("hands", "known", "faceup", "deck", "discard", "rest"),
        *("routes", "pieces", "tickets", "returned", "ticket_deck", "ticket_rest"),
        *("offer", "set_aside", "first_player", "seed", "reshuffles"),
    }
)
"""The keys of a position on any board; bonuses add keys of their own."""

MAX_POINTS = 10**6
"""More points than any game gives; larger numbers are mistakes, and could overflow."""


def state_from(position: Mapping[str, Any], board: Board) -> State:
    """Build the state that a position describes; ``ValueError`` says why if it is impossible."""
    return _Builder(position, board).build()


class _Builder:
    """Reads one position, key by key."""

    def __init__(self, position: Mapping[str, Any], board: Board) -> None:
        # As in positions that we write, null means that nothing is said.
        self.position: Mapping[str, Any] = {k: v for k, v in position.items() if v is not None}
        self.board = board
        self.tables: Tables = tables_of(board)
        self.bonus_keys = bonus_keys(self.tables)
        known = KEYS | self.bonus_keys.keys()
        for key in position:
            if key not in known:
                raise ValueError(f"a position has no '{key}'{did_you_mean(str(key), known)}")
        self.players = self._int("players", None, *_ends(board.players))
        self.seed = self._int("seed", 0, 0, chance.SEEDS - 1)
        self.stream = Stream(self.seed, chance.POSITION)
        self.state = blank(self.tables, self.players, self.seed)

    def build(self) -> State:
        s = self.state
        self._routes()
        self._pieces()
        self._cards()
        self._tickets()
        self._scores()
        phase = self.position.get("phase", "turn")
        if phase not in PHASES:
            raise ValueError(f"there is no phase '{phase}'; use one of {', '.join(PHASES)}")
        s.phase = PHASES.index(phase)
        self._offers()
        if s.phase == OVER:
            s.seat = NONE
        elif s.phase != SETUP:
            s.seat = self._int("seat", 0, 0, self.players - 1)
        s.first_player = self._int("first_player", max(s.seat, 0), 0, self.players - 1)
        s.turn = self._int("turn", 0 if s.phase == SETUP else 1, 0, 10**9)
        # T2: when every player has passed in a row, the game is over.
        s.passes = self._int("passes", 0, 0, self.players - (0 if s.phase == OVER else 1))
        s.reshuffles = self._int("reshuffles", 0, 0, 10**9)
        if "turns_left" in self.position:
            if s.phase == SETUP:
                raise ValueError("the last round cannot begin in the set-up (E1)")
            s.turns_left = self._int("turns_left", 1, 1, self.players)
        # D6: if there are discards, the deck is never empty.
        rules.reshuffle(s)
        if s.phase == SECOND_CARD and s.deck_size == 0 and rules.shown(s) == 0:
            raise ValueError("there is no second card to draw, so the turn is over (D7)")
        return s

    # -- reading values

    def _int(self, key: str, default: int | None, low: int, high: int) -> int:
        value = self.position.get(key, default)
        if not _is_int(value) or not low <= value <= high:
            raise ValueError(f"'{key}' must be a whole number from {low} to {high}, not {value!r}")
        return int(value)

    def _seats(self, key: str, empty: object) -> list[Any]:
        """Return the entry of each seat in a list with one entry per seat."""
        entries = self.position.get(key)
        if entries is None:
            return [empty] * self.players
        if not isinstance(entries, list | tuple) or len(entries) != self.players:
            raise ValueError(
                f"'{key}' must be a list with an entry for each of the "
                f"{self.players} seats, not {entries!r}"
            )
        return [empty if entry is None else entry for entry in entries]

    def _counts(self, key: str, entry: object) -> list[int]:
        """Return cards by colour, wild last, from an object such as ``{"blue": 2}``."""
        if not isinstance(entry, Mapping):
            raise ValueError(f"'{key}' must hold objects such as {{'blue': 2}}, not {entry!r}")
        counts = [0] * (len(self.board.colors) + 1)
        for name, number in entry.items():
            color = self._card(key, name)
            if not _is_int(number) or number < 0:
                raise ValueError(f"'{key}' must count the {name} cards, not say {number!r}")
            if number > self.tables.cards[color]:
                raise ValueError(
                    f"'{key}' has {number} {name} cards, the box has {self.tables.cards[color]}"
                )
            counts[color] = number
        return counts

    def _card(self, key: str, name: object) -> int:
        if not isinstance(name, str):
            raise ValueError(f"'{key}' has {name!r}, which is not a card")
        return card_number(self.board, name)

    def _list(self, key: str, entry: object) -> list[Any]:
        if not isinstance(entry, list | tuple):
            raise ValueError(f"'{key}' must hold a list, not {entry!r}")
        return list(entry)

    # -- the board

    def _routes(self) -> None:
        s, t = self.state, self.tables
        routes = self.position.get("routes", {})
        if not isinstance(routes, Mapping):
            raise ValueError(f"'routes' must be an object of owners by route, not {routes!r}")
        for name, owner in routes.items():
            route = self.board.routes.index(str(name))
            if not _is_int(owner) or not 0 <= owner < self.players:
                raise ValueError(f"{name} is owned by {owner!r}, which is not a seat")
            if s.owner[route] != NONE:
                raise ValueError(f"{name} is named twice")
            s.owner[route] = owner
        for route in range(t.routes):
            if s.owner[route] == NONE:
                continue
            twin = int(t.route_twin[route])
            if twin != NONE and s.owner[twin] != NONE:
                name = self.board.routes[route].id
                if s.owner[twin] == s.owner[route]:
                    raise ValueError(f"seat {s.owner[route]} owns both lanes of {name} (C5)")
                if self.players <= t.single_lane_up_to:
                    raise ValueError(
                        f"both lanes of {name} are claimed with {self.players} players (C6)"
                    )
            facts.shut(s, s.owner[route], route)

    def _pieces(self) -> None:
        s, t = self.state, self.tables
        for route in range(t.routes):
            if s.owner[route] != NONE:
                s.pieces[s.owner[route] * t.kinds + t.route_kind[route]] -= t.route_pieces[route]
        kinds = [kind.id for kind in self.board.pieces]
        for seat, named in enumerate(self._seats("pieces", None)):
            for k, kind in enumerate(self.board.pieces):
                left = int(s.pieces_of(seat, k))
                if left < 0:
                    raise ValueError(
                        f"the routes of seat {seat} take {kind.count - left} "
                        f"{kind.name_in('en')}, but there are only {kind.count}"
                    )
                if named is None:
                    continue
                if not isinstance(named, Mapping) or set(named) - set(kinds):
                    raise ValueError(
                        f"'pieces' must hold numbers of {', '.join(kinds)}, not {named!r}"
                    )
                number = named.get(kind.id, left)
                if not _is_int(number) or not 0 <= number <= left:
                    raise ValueError(
                        f"seat {seat} can have 0 to {left} {kind.name_in('en')} left, "
                        f"not {number!r}"
                    )
                s.pieces[seat * t.kinds + k] = number

    def _scores(self) -> None:
        s, t = self.state, self.tables
        for seat, points in enumerate(self._seats("scores", None)):
            if points is not None and not (_is_int(points) and abs(points) <= MAX_POINTS):
                raise ValueError(f"'scores' must hold whole numbers of points, not {points!r}")
            if points is not None:
                s.points[seat] = points
                continue
            s.points[seat] = sum(bonus.given(s, seat) for bonus in t.bonuses)
            for route in range(t.routes):
                if t.score_track and s.owner[route] == seat:
                    s.points[seat] += t.route_points[route]

    # -- the cards

    def _cards(self) -> None:
        s = self.state
        size = len(self.board.colors) + 1
        for seat, hand in enumerate(self._seats("hands", {})):
            for color, number in enumerate(self._counts("hands", hand)):
                s.hands[seat * size + color] = number
        for seat, known in enumerate(self._seats("known", {})):
            for color, number in enumerate(self._counts("known", known)):
                if number > s.hands[seat * size + color]:
                    raise ValueError(
                        f"seat {seat} is known to hold {number} "
                        f"{card_name(self.board, color)} cards, but does not hold them"
                    )
                s.known[seat * size + color] = number
        self._bonuses()
        for color, number in enumerate(self._counts("discard", self.position.get("discard", {}))):
            s.discard[color] = number
        deck = [
            self._card("deck", name) for name in self._list("deck", self.position.get("deck", []))
        ]
        faceup = self._faceup()
        unnamed = self._unnamed(deck, faceup or [])
        place = self.position.get("rest", "deck")
        if place not in ("deck", "discard", "out"):
            raise ValueError(f"'rest' must be 'deck', 'discard' or 'out', not {place!r}")
        if faceup is None:
            faceup = [] if place == "out" else self._display(unnamed)
        for i, card in enumerate(faceup):
            s.faceup[i] = card
        if place == "deck":
            deck += unnamed
        elif place == "discard":
            for color in unnamed:
                s.discard[color] += 1
        s.deck_size = len(deck)
        for i, color in enumerate(reversed(deck)):
            s.deck[i] = color
        s.discard_size = sum(s.discard)

    def _bonuses(self) -> None:
        for key, (nothing, bonus) in self.bonus_keys.items():
            for seat, value in enumerate(self._seats(key, nothing)):
                if value == nothing:
                    continue
                if bonus is None:
                    raise ValueError(f"seat {seat} cannot have {key!r} on this board: {value!r}")
                bonus.read(self.state, seat, key, value)

    def _faceup(self) -> list[int] | None:
        if "faceup" not in self.position:
            return None
        named = self._list("faceup", self.position["faceup"])
        if len(named) != FACE_UP:
            raise ValueError(
                f"'faceup' must have {FACE_UP} places (null for an empty one), not {len(named)}"
            )
        return [NONE if name is None else self._card("faceup", name) for name in named]

    def _unnamed(self, deck: list[int], faceup: list[int]) -> list[int]:
        """Return the remaining cards of the box, shuffled."""
        s, t = self.state, self.tables
        size = len(self.board.colors) + 1
        cards: list[int] = []
        lying = filled(size, 0)
        for bonus in t.bonuses:
            bonus.count_cards(s, lying)
        for color in range(size):
            held = sum(s.hands[seat * size + color] for seat in range(self.players))
            named = held + lying[color] + s.discard[color] + deck.count(color) + faceup.count(color)
            if named > t.cards[color]:
                raise ValueError(
                    f"the position names {named} {card_name(self.board, color)} "
                    f"cards, the box has {t.cards[color]}"
                )
            cards += [color] * int(t.cards[color] - named)
        return self._shuffled(cards)

    def _shuffled(self, items: list[int]) -> list[int]:
        mixed = vec[i64](items)
        self.stream.shuffle(mixed, len(items))
        return list(mixed)

    def _display(self, cards: list[int]) -> list[int]:
        """Take five cards for the display, at most two of them wild if possible (D5)."""
        wild = len(self.board.colors)
        ordinary = [i for i, color in enumerate(cards) if color != wild]
        wilds = [i for i, color in enumerate(cards) if color == wild]
        most = max(2, FACE_UP - len(ordinary))
        chosen = sorted(sorted(ordinary + wilds[:most])[:FACE_UP], reverse=True)
        return [cards.pop(i) for i in chosen]

    # -- the tickets

    def _ids(self, key: str, entry: object, seen: set[int]) -> list[int]:
        """Return tickets by number; no ticket may be in two places."""
        numbers = []
        for name in self._list(key, entry):
            if not isinstance(name, str):
                raise ValueError(f"'{key}' has {name!r}, which is not a ticket")
            ticket = self.board.tickets.index(name)
            if ticket in seen:
                raise ValueError(f"the ticket {name} is named twice")
            seen.add(ticket)
            numbers.append(ticket)
        return numbers

    def _tickets(self) -> None:
        s, t = self.state, self.tables
        seen: set[int] = set()
        for seat, names in enumerate(self._seats("tickets", ())):
            for ticket in self._ids("tickets", names, seen):
                s.ticket_owner[ticket] = seat
        for seat, names in enumerate(self._seats("returned", ())):
            for ticket in self._ids("returned", names, set()):
                s.returned[ticket] |= 1 << seat
        self.offers = self._named_offers("offer", seen)
        self.set_aside = self._named_offers("set_aside", seen)
        deck = self._ids("ticket_deck", self.position.get("ticket_deck", []), seen)
        rest = self.position.get("ticket_rest", "deck")
        if rest not in ("deck", "out"):
            raise ValueError(f"'ticket_rest' must be 'deck' or 'out', not {rest!r}")
        if rest == "deck":
            deck += self._shuffled([i for i in range(t.tickets) if i not in seen])
        for i, ticket in enumerate(deck):
            s.ticket_deck[i] = ticket
        s.ticket_count = len(deck)

    def _named_offers(self, key: str, seen: set[int]) -> list[list[int]] | None:
        """Return the tickets offered to each seat; outside the set-up there is only one list."""
        if key not in self.position:
            return None
        if self.position.get("phase") == "setup":
            offers = [self._ids(key, names, seen) for names in self._seats(key, ())]
        else:
            offers = [self._ids(key, self.position[key], seen)]
        if any(len(offer) > self.tables.offer_size for offer in offers):
            raise ValueError(f"'{key}' may hold {self.tables.offer_size} tickets at most")
        return offers

    def _offers(self) -> None:
        s, t = self.state, self.tables
        if s.phase == SETUP:
            if self.offers is None:
                if s.ticket_count < t.deal_tickets * self.players:
                    raise ValueError("there are too few tickets to deal (S2)")
                for seat in range(self.players):
                    facts.offered(s, seat, t.deal_tickets)
            else:
                self._lay(enumerate(self.offers), choosing=True)
            self._lay(enumerate(self.set_aside or []), choosing=False)
            if not s.choosing:
                raise ValueError("in the set-up at least one seat must have tickets to choose from")
            s.seat = next(seat for seat in range(self.players) if (s.choosing >> seat) & 1)
        elif s.phase == KEEP:
            seat = self._int("seat", 0, 0, self.players - 1)
            if self.offers is None:
                facts.offered(s, seat, min(t.draw_tickets, s.ticket_count))
            else:
                self._lay([(seat, self.offers[0])], choosing=True)
            if not s.choosing or not rules.offer_count(s, seat):
                raise ValueError("there are no tickets to choose from")
        elif self.offers and any(self.offers):
            raise ValueError("tickets are offered only in the phases 'setup' and 'keep'")
        if s.phase != SETUP and self.set_aside and any(self.set_aside):
            raise ValueError("tickets are set aside only in the phase 'setup'")

    def _lay(self, offers: Iterable[tuple[int, list[int]]], choosing: bool) -> None:
        s = self.state
        for seat, tickets in offers:
            if not tickets:
                continue
            first = seat * (self.tables.offer_size + 1)
            if s.offer[first]:
                raise ValueError(f"seat {seat} has both an offer and tickets set aside")
            s.offer[first] = len(tickets)
            for i, ticket in enumerate(tickets):
                s.offer[first + 1 + i] = ticket
            if choosing:
                s.choosing |= 1 << seat


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _ends(numbers: range) -> tuple[int, int]:
    return numbers[0], numbers[-1]
