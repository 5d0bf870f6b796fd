"""The rules again, as naively as possible, to compare the engine with.

It shares nothing with the engine except the board: cards are words, every action is its text, and
brute force is used wherever it can be. Chance is passed in: :meth:`Oracle.play` is given the decks
that the referee shuffled, and insists that they contain the right cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from fernzug import Board
from fernzug.board.model import GRAY, WILD, Bonus, Route

PLACES = range(5)


class Oracle:
    """A game that starts at a position and is played by texts."""

    def __init__(self, board: Board, position: dict[str, Any]) -> None:
        self.board = board
        self.players: int = position["players"]
        self.seats = range(self.players)
        self.hands = [Counter[str](hand) for hand in position["hands"]]
        self.deck: list[str] = list(position["deck"])
        self.discard = Counter[str](position["discard"])
        self.faceup: list[str | None] = list(position["faceup"])
        self.routes: dict[str, int] = dict(position["routes"])
        self.tickets = [set(tickets) for tickets in position["tickets"]]
        self.ticket_deck: list[str] = list(position["ticket_deck"])
        self.offers = [list(offer) for offer in position["offer"]]
        self.given_back: list[list[str]] = [[] for _ in self.seats]
        self.pieces = [Counter(pieces) for pieces in position["pieces"]]
        self.flags = [set(flags) for flags in position["flags"]]
        self.flag_sets: list[int] = list(position["flag_sets"])
        self.scores: list[int] = list(position["scores"])
        self.turns_left: int | None = position["turns_left"]
        self.phase: str = position["phase"]
        self.seat: int | None = position["seat"]
        self.first_player: int = position["first_player"]
        self.passes = 0
        self.new_decks: list[Sequence[str]] = []

    def bonus(self, kind: str) -> Bonus | None:
        return next((bonus for bonus in self.board.bonuses if bonus.kind == kind), None)

    def routes_of(self, seat: int) -> list[Route]:
        return [self.board.routes[name] for name, owner in self.routes.items() if owner == seat]

    # -- the cards

    def reshuffle(self) -> None:
        """D6: at once."""
        if not self.deck and self.discard.total():
            self.deck = list(self.new_decks.pop(0))
            assert Counter(self.deck) == self.discard
            self.discard.clear()

    def next_card(self) -> str:
        card = self.deck.pop(0)
        self.reshuffle()
        return card

    def lay_out(self) -> None:
        """Fill the display (D6); while it is too wild, replace it, at most three times (D5)."""
        for replacements in range(4):
            for place in PLACES:
                if self.faceup[place] is None and self.deck:
                    self.faceup[place] = self.next_card()
            if self.faceup.count(WILD) < 3 or replacements == 3 or not self.enough_ordinary():
                return
            self.discard.update(card for card in self.faceup if card)
            self.faceup = [None for _ in PLACES]
            self.reshuffle()

    def enough_ordinary(self) -> bool:
        """Whether the cards outside the hands allow a display with at most two wild ones (D5)."""
        cards = [card for card in self.faceup if card] + self.deck + [*self.discard.elements()]
        ordinary = sum(card != WILD for card in cards)
        return min(len(cards), len(PLACES)) - ordinary <= 2

    def put_away(self, cards: Counter[str]) -> None:
        """C7, D6; check the display again if it changes, or if replacing it can only help now."""
        could_help_before = self.enough_ordinary()
        self.discard += cards
        self.reshuffle()
        if None in self.faceup or not could_help_before:
            self.lay_out()

    # -- legal actions

    def legal(self) -> set[str]:
        if self.seat is None:
            return set()
        if self.phase == "setup":
            return keeps(len(self.offers[self.seat]), self.board.deal_keep)
        if self.phase == "keep":
            return keeps(len(self.offers[self.seat]), self.board.draw_keep)
        if self.phase == "second_card":
            return self.draws()
        tickets = {"tickets"} if self.ticket_deck else set()
        return self.draws() | tickets | set(self.claims(self.seat)) or {"pass"}

    def draws(self) -> set[str]:
        """D1, and D3 for the second card."""
        found = {f"draw {card}" for card in self.faceup if card}
        if self.phase == "second_card":
            found.discard(f"draw {WILD}")
        return found | ({"draw deck"} if self.deck else set())

    def claims(self, seat: int) -> Iterator[str]:
        """C1 to C6, E6."""
        hand = self.hands[seat]
        flag = self.bonus("flag")
        for route in self.board.routes:
            if not self.is_open(route, seat):
                continue
            for color in self.board.colors if route.color == GRAY else (route.color,):
                for wilds in range(route.cost):
                    cards = {color: route.cost - wilds, WILD: wilds}
                    if all(hand[card] >= number for card, number in cards.items()):
                        yield claim(route, cards)
                        if flag and color in flag.colors and color not in self.flags[seat]:
                            yield f"{claim(route, cards)} flag"
            if hand[WILD] >= route.cost:
                yield claim(route, {WILD: route.cost})

    def is_open(self, route: Route, seat: int) -> bool:
        if route.id in self.routes or self.pieces[seat][route.piece] < route.pieces:
            return False
        if route.twin not in self.routes:
            return True
        few = self.players <= self.board.single_lane_up_to
        return not few and self.routes[route.twin] != seat

    # -- playing

    def play(self, text: str, new_decks: Iterable[Sequence[str]]) -> None:
        assert self.seat is not None
        self.new_decks = list(new_decks)
        word, *rest = text.split()
        do: dict[str, Callable[..., None]] = {
            "draw": self.draw,
            "claim": self.claim,
            "keep": self.keep,
            "tickets": self.draw_tickets,
            "pass": self.pass_on,
        }
        do[word](self.seat, *rest)
        assert not self.new_decks, "the referee shuffled more often"

    def draw(self, seat: int, card: str) -> None:
        only = card == WILD  # D2
        if card == "deck":
            card = self.next_card()
        else:
            self.faceup[self.faceup.index(card)] = None
            self.lay_out()
        self.hands[seat][card] += 1
        second = self.phase == "second_card"
        self.phase = "second_card"
        if only or second or not self.draws():  # D7
            self.end_turn(seat)

    def claim(self, seat: int, name: str, *words: str) -> None:
        route = self.board.routes[name]
        cards: Counter[str] = Counter()
        for word in words:
            if word != "flag":
                color, number = word.split("*")
                cards[color] = int(number)
        self.hands[seat] -= cards
        self.routes[name] = seat
        self.pieces[seat][route.piece] -= route.pieces
        if self.board.score_track:
            self.scores[seat] += route.points
        if "flag" in words:
            self.flags[seat].add(route.color)
            cards[route.color] -= 1
        self.put_away(cards)
        flag = self.bonus("flag")
        if flag and self.flags[seat] == set(flag.colors):
            self.flags[seat] = set()
            self.flag_sets[seat] += 1
            self.scores[seat] += flag.points
            self.put_away(Counter(flag.colors))
        self.end_turn(seat)

    def draw_tickets(self, seat: int) -> None:
        number = self.board.draw_tickets
        self.offers = [[] for _ in self.seats]
        self.offers[seat], self.ticket_deck = self.ticket_deck[:number], self.ticket_deck[number:]
        self.phase = "keep"

    def keep(self, seat: int, *places: str) -> None:
        offer, self.offers[seat] = self.offers[seat], []
        kept = {offer[int(place) - 1] for place in places}
        self.tickets[seat] |= kept
        back = [ticket for ticket in offer if ticket not in kept]
        if self.phase == "keep":
            self.ticket_deck += back
            self.end_turn(seat)
            return
        self.given_back[seat] = back
        self.seat = next((other for other in self.seats if self.offers[other]), None)
        if self.seat is None:  # S2: in seat order, when the last has chosen
            self.ticket_deck += [ticket for back in self.given_back for ticket in back]
            self.phase, self.seat = "turn", self.first_player

    def pass_on(self, seat: int) -> None:
        self.end_turn(seat, self.passes + 1)

    def end_turn(self, seat: int, passes: int = 0) -> None:
        """T1, T2, E1."""
        self.passes = passes
        if self.turns_left is not None:
            self.turns_left -= 1
        elif self.pieces[seat].total() <= self.board.last_round_at:
            self.turns_left = self.players
        self.phase, self.seat = "turn", (seat + 1) % self.players
        if self.turns_left == 0 or passes == self.players:
            self.phase, self.seat, self.turns_left = "over", None, None

    # -- the end

    def ranking(self) -> list[tuple[int, int]]:
        """Return each seat's points and place (E2 to E7)."""
        routes = [self.routes_of(seat) for seat in self.seats]
        flag = self.bonus("flag")
        flags = [flag.points * sets for sets in self.flag_sets] if flag else []
        sheets = score(self.board, routes, self.tickets, flags)
        return [(sheet["total"], sheet["rank"]) for sheet in sheets]


def score(
    board: Board, routes: list[list[Route]], tickets: Sequence[Iterable[str]], flags: list[int]
) -> list[dict[str, int]]:
    """Return the score sheets of all seats, worked out from the rules word by word (E2 to E7).

    ``flags`` are the points that were given in play (E6).
    """
    sheets = []
    for seat, own in enumerate(routes):
        sheet = {"routes": sum(route.points for route in own), "won": 0, "lost": 0, "completed": 0}
        for ticket in (board.tickets[name] for name in tickets[seat]):
            done = ticket.b in reached(own, ticket.a)
            sheet["completed"] += done
            sheet["won" if done else "lost"] += ticket.points
        for bonus in board.bonuses:
            if bonus.kind in AT_THE_END:
                sheet[bonus.kind] = AT_THE_END[bonus.kind](bonus, routes, seat)
            else:
                sheet[bonus.kind] = flags[seat] if flags else 0
        bonuses = sum(sheet[bonus.kind] for bonus in board.bonuses)
        sheet["total"] = sheet["routes"] + sheet["won"] - sheet["lost"] + bonuses
        sheets.append(sheet)
    keys = [(s["total"], s["completed"], s.get("longest_path", 0)) for s in sheets]
    for sheet, key in zip(sheets, keys, strict=True):
        sheet["rank"] = 1 + sum(other > key for other in keys)
    return sheets


def longest_path(bonus: Bonus, routes: list[list[Route]], seat: int) -> int:
    """E3: everybody who ties has the points, but nobody for a length of 0."""
    lengths = [longest(tuple(own)) for own in routes]
    return bonus.points if lengths[seat] == max(lengths) > 0 else 0


def sights(bonus: Bonus, routes: list[list[Route]], seat: int) -> int:
    """E4: every sight that is touched counts once."""
    touched = {end for route in routes[seat] for end in (route.a, route.b)}
    return bonus.points * len(touched & set(bonus.locations))


def districts(bonus: Bonus, routes: list[list[Route]], seat: int) -> int:
    """E5: a district is complete when all its places are joined."""
    return sum(
        group.points
        for group in bonus.groups
        if set(group.locations) <= reached(routes[seat], group.locations[0])
    )


AT_THE_END = {"longest_path": longest_path, "sights": sights, "districts": districts}


def knows(board: Board) -> bool:
    """Whether the oracle knows all kinds of bonus of a board: a new kind has to be taught first."""
    return all(bonus.kind in (*AT_THE_END, "flag") for bonus in board.bonuses)


def keeps(offered: int, least: int) -> set[str]:
    """S2, K1: every choice of enough tickets."""
    numbers = range(min(least, offered), offered + 1)
    places = [str(place + 1) for place in range(offered)]
    return {" ".join(["keep", *some]) for n in numbers for some in combinations(places, n)}


def claim(route: Route, cards: dict[str, int]) -> str:
    """Return the text of a claim."""
    return " ".join(["claim", route.id, *(f"{card}*{n}" for card, n in cards.items() if n)])


def reached(routes: list[Route], place: str) -> set[str]:
    """Return all places that routes connect with a place (K3, E5)."""
    found = {place}
    for _ in routes:
        for route in routes:
            if {route.a, route.b} & found:
                found |= {route.a, route.b}
    return found


@lru_cache(maxsize=1000)
def longest(routes: tuple[Route, ...]) -> int:
    """Return the length of the longest path by trying every path (E3)."""

    def on(place: str, unused: Sequence[Route]) -> int:
        lengths = [0]
        for route in unused:
            if place in (route.a, route.b):
                end = route.a if place == route.b else route.b
                rest = [other for other in unused if other is not route]
                lengths.append(route.pieces + on(end, rest))
        return max(lengths)

    return max((on(end, routes) for route in routes for end in (route.a, route.b)), default=0)
