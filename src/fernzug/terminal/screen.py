"""What the player sees before a decision: players, cards, tickets and the menu."""

from __future__ import annotations

from collections.abc import Sequence

from fernzug import ways
from fernzug.terminal.layout import columns, flow, pad, table, width
from fernzug.terminal.menu import Menu, Option
from fernzug.terminal.words import Words
from fernzug.view import PlayerView, View


class Screen:
    """Shows one seat's view of a game on a screen of a given size."""

    def __init__(self, words: Words, view: View, columns: int, lines: int) -> None:
        assert view.viewer is not None
        self.words = words
        self.texts = words.texts
        self.style = words.style
        self.view = view
        self.seat: int = view.viewer
        self.me: PlayerView = view.players[view.viewer]
        self.columns = columns
        self.lines = lines
        names = [self.texts(f"turn.{name}") for name in ("display", "hand", "tickets")]
        names += [label for label, _ in self._in_front(self.me)]
        self.margin = max(width(name) for name in names) + 2

    def _label(self, text: str) -> str:
        return self.style.bold(text) + " " * (self.margin - width(text))

    def title(self, text: str) -> str:
        """Return a horizontal line across the screen with a text in it."""
        bar = "─" * max(self.columns - width(text) - 4, 2)
        return self.style.bold(f"── {text} {bar}")

    # ------------------------------------------------------------------------ the table

    def heading(self) -> str:
        """Say what the player has to decide."""
        text = self.words.board.name_in(self.words.language) + " · "
        if self.view.phase == "setup" or self.view.phase == "keep":
            text += self.texts("turn.setup")
        elif self.view.phase == "second_card":
            text += self.texts("turn.second")
        else:
            text += self.texts("turn.yours", n=self.view.turn)
        if self.view.turns_left is not None:
            text += " · " + self.texts("turn.last")
        return self.title(text)

    def players(self) -> list[str]:
        """Return a table of the players, with what is known of the others' cards."""
        texts = self.texts
        kinds = self.words.board.pieces
        scored = self.me.points is not None
        head = ["", *(kind.name_in(self.words.language) for kind in kinds)]
        head += [texts("turn.head_tickets"), texts("turn.head_cards")]
        rows = [[*head, texts("turn.head_points")] if scored else head]
        for player in self.view.players:
            row = [self.words.player(player.seat, kind=True)]
            row += [str(player.pieces[kind.id]) for kind in kinds]
            row += [str(player.ticket_count), str(player.hand_count)]
            rows.append([*row, str(player.points)] if scored else row)
        lines = table(rows, "<" + ">" * (len(rows[0]) - 1))
        told = [self.style.dim(lines[0])]
        margin = max(width(line) for line in lines) + 2
        for line, player in zip(lines[1:], self.view.players, strict=True):
            seen = self._seen(player)
            beside = pad(line, margin) + " ".join(seen)
            if width(beside) <= self.columns:
                told.append(beside.rstrip())
            else:
                told += [line, *flow("    ", seen, self.columns, gap=" ")]
        return told

    def _seen(self, player: PlayerView) -> list[str]:
        """Return what everybody has seen a player take, and what lies in front of the player."""
        if player.seat == self.seat:
            return []
        seen = [self.words.card(color, count) for color, count in player.known.items()]
        if seen:
            seen.insert(0, self.style.dim(self.texts("turn.seen")))
        for label, cards in self._in_front(player):
            seen += [self.style.dim(label), *cards]
        return seen

    def _in_front(self, player: PlayerView) -> list[tuple[str, list[str]]]:
        """Return the cards that lie in front of a player because of a bonus, with its label."""
        lying = []
        for kind, steps in self.view.progress(player.seat).items():
            cards = [
                self.words.card(item)
                for step in steps
                for item in step.items
                if item in self.words.board.colors
            ]
            if cards:
                lying.append((self.words.bonus_label(kind), cards))
        return lying

    def display(self) -> list[str]:
        """Return the face-up cards and the sizes of the decks."""
        empty = self.style.dim(self.texts("turn.empty"))
        cards = [empty if c is None else self.words.card(c) for c in self.view.faceup]
        decks = self.texts(
            "turn.deck",
            deck=self.view.deck_count,
            discard=sum(self.view.discard.values()),
            tickets=self.view.ticket_deck_count,
        )
        return flow(
            self._label(self.texts("turn.display")), [*cards, self.style.dim(decks)], self.columns
        )

    def hand(self) -> list[str]:
        """Return the player's own cards."""
        cards = [self.words.card(color, count) for color, count in (self.me.hand or {}).items()]
        cards = cards or [self.style.dim(self.texts("turn.none"))]
        lines = flow(self._label(self.texts("turn.hand")), cards, self.columns)
        for label, cards in self._in_front(self.me):
            lines.append(self._label(label) + " ".join(cards))
        return lines

    def tickets(self) -> list[str]:
        """Return the player's own tickets and how far each one is."""
        label = self._label(self.texts("turn.tickets"))
        lines = [self.ticket(ticket) for ticket in self.me.tickets or ()]
        if not lines:
            lines = ["  " + self.style.dim(self.texts("turn.none"))]
        laid = columns(lines, self.columns - self.margin, most=2)
        return [pad(label if i == 0 else "", self.margin) + line for i, line in enumerate(laid)]

    def ticket(self, ticket: str) -> str:
        """Return a ticket and whether it is completed, or how many spaces are missing."""
        texts = self.texts
        name = self.words.ticket(ticket)
        if ways.completed(self.view.knowledge.state, self.seat, ticket):
            return f"{self.style.good('✓')} {name}"
        way = self._way(ticket)
        if way is None:
            return f"{self.style.bad('✗')} {name} {self.style.bad(texts('turn.no_way'))}"
        spaces = texts.number("spaces", way.pieces)
        if way.pieces > sum(self.me.pieces.values()):
            too_far = texts("turn.too_far", spaces=spaces)
            return f"{self.style.bad('✗')} {name} {self.style.bad(too_far)}"
        return f"· {name} {self.style.dim(texts('turn.far', spaces=spaces))}"

    def _way(self, ticket: str) -> ways.Way | None:
        found = self.words.board.tickets[ticket]
        return ways.shortest_way(self.view.knowledge.state, self.seat, found.a, found.b)

    def wanted(self) -> set[str]:
        """Return the routes on the shortest way for an open ticket, both lanes of each."""
        routes: set[str] = set()
        for ticket in self.me.tickets or ():
            way = self._way(ticket)
            if way is not None and way.pieces <= sum(self.me.pieces.values()):
                for number in way.routes:
                    route = self.words.board.routes[number]
                    routes |= {route.id, route.twin or route.id}
        return routes

    def way_lines(self) -> list[str]:
        """Return the shortest way of each ticket, route by route."""
        lines = []
        for ticket in (*(self.me.tickets or ()), *self.view.offer):
            way = self._way(ticket)
            if way is None or not way.routes:
                lines.append(self.ticket(ticket))
                continue
            spaces = self.texts.number("spaces", way.pieces)
            lines.append(self.texts("way.line", ticket=self.words.ticket(ticket), spaces=spaces))
            found = [self.words.board.routes[number] for number in way.routes]
            lines += [f"    {self.words.route(r)} {self.words.price(r)}" for r in found]
        return lines or [self.texts("turn.none")]

    # ------------------------------------------------------------------------ the menu

    def offer(self, least: int) -> list[str]:
        """Return the tickets to choose from."""
        lines = [f" {i} {self.ticket(t)}" for i, t in enumerate(self.view.offer, start=1)]
        return [*lines, self.texts("menu.keep_one", n=least)]

    def menu(self, menu: Menu, used: int, more: str) -> list[str]:
        """Return the menu for a screen with so many lines in use.

        If there is no room for all routes, the menu refers to the command ``more``.
        """
        lines = self._group("menu.draw", menu.draws)
        lines += self._group("menu.tickets", menu.others)
        if menu.claims:
            # The heading and the prompt need a line each.
            lines += self._claims(menu.claims, self.lines - used - len(lines) - 2, more)
        return lines

    def _group(self, key: str, options: Sequence[Option]) -> list[str]:
        if not options:
            return []
        names = [self.texts(name) for name in ("menu.draw", "menu.tickets", "menu.claim")]
        margin = max(width(name) for name in names) + 1
        head = "" if options[0].actions[0].kind == "pass" else self.style.bold(self.texts(key))
        return flow(pad(head, margin), [option.line for option in options], self.columns)

    def _claims(self, claims: Sequence[Option], room: int, more: str) -> list[str]:
        """Return as many routes as there is room for, within reason."""
        head = self.style.bold(self.texts("menu.claim"))
        if any(option.text.startswith("*") for option in claims):
            head += "   " + self.style.dim(self.texts("menu.useful"))
        lines = self.claim_lines(claims)
        room = min(max(room, 4), 12)
        if len(lines) <= room:
            return [head, *lines]
        shown = claims
        while len(self.claim_lines(shown)) >= room:
            shown = shown[:-1]
        rest = self.texts.number("menu.more", len(claims) - len(shown), word=more)
        return [head, *self.claim_lines(shown), "   " + self.style.dim(rest)]

    def claim_lines(self, claims: Sequence[Option]) -> list[str]:
        """Return routes to claim in columns."""
        return columns([option.line for option in claims], self.columns)

    def everything(self) -> list[str]:
        """Return everything but the menu."""
        lines = [self.heading(), *self.players(), *self.display(), *self.hand()]
        if self.me.tickets or self.view.phase not in ("setup",):
            lines += self.tickets()
        return lines

    def brief(self) -> list[str]:
        """Return only what matters for the second card."""
        return [self.heading(), *self.display(), *self.hand()]
