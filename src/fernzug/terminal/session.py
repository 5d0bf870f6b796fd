"""One game in the terminal: a person against bots."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import gettempdir

from fernzug.board.model import Route
from fernzug.bots import seated
from fernzug.errors import IllegalAction, Reason
from fernzug.events import Event, as_seen
from fernzug.game import Game
from fernzug.i18n.sentences import sentence
from fernzug.match import Match
from fernzug.notation import CLAIM_WORD, WORDS, Action, NotationError, notation_of
from fernzug.reasons import claim_objection
from fernzug.record import Record
from fernzug.spelling import closest
from fernzug.terminal.commands import COMMANDS, Quit, completions
from fernzug.terminal.console import Console
from fernzug.terminal.layout import wrap
from fernzug.terminal.menu import Menu, Option, menu_of, payment_text
from fernzug.terminal.naming import in_notation, name_like, plain, routes_called, split_payment
from fernzug.terminal.scores import score_table, ticket_lines, winners_line
from fernzug.terminal.screen import Screen
from fernzug.terminal.story import Story
from fernzug.terminal.words import Words
from fernzug.view import View
from fernzug.ways import completed

HUMAN = "human"
"""Who plays a seat, in the header of a record, if no bot does."""

NEVER = ("own", "taken", "own_twin", "shut")
"""Codes of reasons why a route will never be the player's."""


class Session:
    """Guides a person through a game."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        words: Words,
        console: Console,
        record: str | None = None,
    ) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.seat = self.seats.index(HUMAN)
        self.words = words
        self.texts = words.texts
        self.console = console
        self.record_file = record
        self.saved = False
        self.played = False
        """Whether the player has decided something."""
        specs = {seat: spec for seat, spec in enumerate(self.seats) if spec != HUMAN}
        self.match = Match(game, seated(specs, game.board, game.start.seed))
        self.story = Story(words)
        self._menu = Menu()
        self._told = 0
        self._hear(game.events)
        # In a resumed game the player knows what happened before their last turn.
        for number, turn in enumerate(self.story.turns, start=1):
            if turn.seat == self.seat and turn.deeds:
                self._told = number
        console.complete_with(lambda line: completions(self, line))

    # ------------------------------------------------------------------------ the game

    def run(self) -> None:
        """Play to the end, or until the player leaves (:class:`Quit`)."""
        while not self.game.over:
            if self.view.legal:
                self._decide()
            else:
                with self.console.ignoring_input():
                    self._let_others_play()
        self._tell_others()
        self.console.show(self.end_lines())

    @property
    def view(self) -> View:
        """What the player may know."""
        return self.game.view(self.seat)

    def _hear(self, events: Sequence[Event]) -> None:
        self.story.follow(as_seen(list(events), self.seat))

    def _let_others_play(self) -> None:
        """Let the bots decide until the player has to, or the game is over."""
        while (seat := self.game.seat) is not None and not self.view.legal:
            self.console.note(self.texts("turn.thinking", player=self.words.player(seat)))
            self._hear(self.match.play(self.match.choose(seat), seat))
            self.console.note("")

    def _tell_others(self) -> int:
        """Tell what the others did since the player's last turn; return the number of lines."""
        lines = self.story.lines(self._told, width=self.console.width)
        self._told = len(self.story.turns)
        if lines:
            lines = ["", self.words.style.bold(self.texts("turn.since")), *lines]
            self.console.show(lines)
        return len(lines)

    # ------------------------------------------------------------------------ deciding

    def _decide(self) -> None:
        """Ask until the player has taken an action."""
        self.show_table(self._tell_others() if self.game.phase == "turn" else 0)
        while True:
            line = self.console.ask("> ")
            action = self._understand(line)
            if action is not None and self._play(action):
                return

    def screen(self) -> Screen:
        """Return the screen as of now."""
        console = self.console
        return Screen(self.words, self.view, console.width, console.height)

    def show_table(self, above: int = 0) -> None:
        """Show the table and the menu, and keep so many lines above them on the screen."""
        screen = self.screen()
        phase = self.game.phase
        lines = ["", *(screen.brief() if phase == "second_card" else screen.everything())]
        if phase in ("setup", "keep"):
            self._menu = Menu()
            lines += screen.offer(min(len(action.places) for action in self.view.legal))
        else:
            wanted = set() if phase == "second_card" else screen.wanted()
            tickets = min(self.game.board.draw_tickets, self.view.ticket_deck_count)
            self._menu = menu_of(self.words, self.view.legal, wanted, tickets)
            lines += screen.menu(self._menu, above + len(lines), self.texts("command.claims.word"))
        self.console.show(lines)

    @property
    def menu(self) -> Menu:
        """The menu shown last."""
        return self._menu

    def _understand(self, line: str) -> Action | str | None:
        """Return the action that a line asks for; carry out anything else and return None."""
        words = line.split()
        if not words:
            self.show_table()
            return None
        if all(word.isascii() and word.isdigit() for word in words):
            return self._by_number([int(word) for word in words])
        command = COMMANDS.get(self.command_named(words[0]))
        if command is not None:
            command(self, line[len(words[0]) :].strip())
            return None
        if words[0].lower() not in WORDS:
            self._refuse_word(words[0])
            return None
        if words[0].lower() == CLAIM_WORD and len(words) > 1 and self.view.phase == "turn":
            return self._claim(line[len(words[0]) :].strip())
        return " ".join(in_notation(self.words, word) for word in words)

    def _refuse_word(self, word: str) -> None:
        """Say that a line begins with neither an action nor a command."""
        commands = [self.texts(f"command.{name}.word") for name in COMMANDS]
        meant = closest(word.casefold(), [*WORDS, *commands])
        if meant is None:
            self.refuse(self.texts("command.unknown", word=word))
        else:
            self.refuse(self.texts("command.meant", word=word, meant=meant))

    def _claim(self, text: str) -> Action | str | None:
        """Find out which route is meant and how to pay for it, or say why it cannot be claimed."""
        named, payment = split_payment(self.words, text)
        routes = routes_called(self.words, named)
        if not routes:
            meant = name_like(self.words, named)
            self._explain(Reason("route", word=named, **({"meant": meant} if meant else {})))
            return None
        if payment:
            routes = self._payable(routes, payment)
            if len(routes) == 1:
                return f"{CLAIM_WORD} {routes[0].id} {payment}"
        ids = {route.id for route in routes}
        actions = [action for action in self.view.legal if action.route in ids]
        options = menu_of(self.words, actions, set(), 0).claims
        if not options:
            self._explain_routes(routes)
            return None
        option = options[0] if len(options) == 1 else self._choose_route(options)
        return None if option is None else self._pay(option)

    def _payable(self, routes: list[Route], payment: str) -> list[Route]:
        """Return the routes that can be claimed with this payment; all of them if none can."""
        legal = {action.text for action in self.view.legal}
        notation = notation_of(self.words.board)
        found = []
        for route in routes:
            try:
                action = notation.parse(f"{CLAIM_WORD} {route.id} {payment}")
            except NotationError:
                continue
            if action.text in legal:
                found.append(route)
        lanes = {(route.a, route.b) for route in found or routes}
        # If both lanes can be paid for in this way, take the first.
        return (found or routes)[:1] if len(lanes) == 1 else found or routes

    def _choose_route(self, options: Sequence[Option]) -> Option | None:
        """Ask which of several routes is meant."""
        self.console.show(self.texts("menu.which"))
        self.console.show(self.screen().claim_lines(options))
        number = self._ask_number(len(options))
        return None if number is None else options[number - 1]

    def _explain_routes(self, routes: Sequence[Route]) -> None:
        """Say for each route why it cannot be claimed; of two lanes, for the more hopeful one."""
        known = self.view.knowledge.state
        reasons: dict[tuple[str, str], Reason] = {}
        for route in routes:
            number = self.words.board.routes.index(route.id)
            reason = claim_objection(known, self.seat, number)
            assert reason is not None
            lanes = (route.a, route.b)
            if lanes not in reasons or reasons[lanes].code in NEVER:
                reasons[lanes] = reason
        for reason in reasons.values():
            self._explain(reason)

    def command_named(self, word: str) -> str:
        """Return the command that a word names, in the player's language or in English."""
        if word == "?":
            return "help"
        sought = plain(word)
        for name in COMMANDS:
            if sought in (name, plain(self.texts(f"command.{name}.word"))):
                return name
        return ""

    def _by_number(self, numbers: list[int]) -> Action | str | None:
        if self.game.phase in ("setup", "keep"):
            return " ".join(["keep", *map(str, numbers)])
        option = self._menu.option(numbers[0]) if len(numbers) == 1 else None
        if option is None:
            self.refuse(self.texts("menu.wrong", n=" ".join(map(str, numbers))))
            return None
        return option.actions[0] if len(option.actions) == 1 else self._pay(option)

    def _pay(self, option: Option) -> Action | None:
        """Ask how to pay for a route."""
        if len(option.actions) == 1:
            return option.actions[0]
        route = self.words.route(option.actions[0].route or "")
        self.console.show(self.texts("menu.payments", route=route))
        for number, action in enumerate(option.actions, start=1):
            self.console.show(f"{number:>3} {payment_text(self.words, action)}")
        chosen = self._ask_number(len(option.actions))
        return None if chosen is None else option.actions[chosen - 1]

    def _ask_number(self, most: int) -> int | None:
        """Ask for a number from a list; return None to go back."""
        while True:
            answer = self.console.ask(self.texts("menu.number"))
            if not answer:
                return None
            if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= most:
                return int(answer)
            self.refuse(self.texts("menu.wrong", n=answer))

    def refuse(self, text: str) -> None:
        """Say that something is not possible."""
        self.console.show(self.words.style.bad(part) for part in wrap(text, self.console.width))

    def _explain(self, reason: Reason) -> None:
        self.refuse(sentence(self.texts, reason, self.words))

    def _play(self, action: Action | str) -> bool:
        """Take an action, or say why it is refused."""
        try:
            events = self.match.play(action, self.seat)
        except IllegalAction as error:
            self._explain(error.why)
            return False
        self.saved = False
        self.played = True
        self._hear(events)
        self._answer(as_seen(events, self.seat))
        return True

    def _answer(self, events: Sequence[Event]) -> None:
        """Say what came of the player's own action."""
        deeds = [deed for event in events if (deed := self.story.deed(event))]
        if deeds:
            text = f"→ {self.words.subject(self.seat)} {', '.join(deeds)}."
            self.console.show(wrap(text, self.console.width, indent=2))
        for event in events:
            if event.kind in ("swept", "reshuffled", "last_round"):
                self.console.show(self.words.style.dim(self.story.besides(event)))
        # The player need not be told again.
        mine = self.story.turns[-1].seat == self.seat
        self._told = len(self.story.turns) - (0 if mine else 1)

    # ------------------------------------------------------------------------ the end

    def end_lines(self) -> list[str]:
        """Return the end of the game: everybody's tickets, the points and who has won."""
        words = self.words
        view = self.view
        known = view.knowledge.state
        lines = ["", self.screen().title(self.texts("score.title"))]
        for player in view.players:
            pairs = [(t, completed(known, player.seat, t)) for t in player.tickets or ()]
            lines += ticket_lines(words, player.seat, pairs)
        sheets = view.scores or ()
        winners = words.style.bold(winners_line(words, sheets))
        return [*lines, "", *score_table(words, sheets, self.console.width), "", winners]

    # ------------------------------------------------------------------------ saving

    def record(self) -> Record:
        """Return the game so far; the header says who plays which seat."""
        record = self.game.record()
        return replace(record, header=record.header | {"seats": list(self.seats)})

    def save(self, file: str) -> bool:
        """Write the game to a file; if that fails, say why."""
        try:
            self._write(file)
        except OSError as error:
            reason = error.strerror or os.strerror(error.errno or 0)
            self.refuse(self.texts("save.failed", file=file, reason=reason))
            return False
        return True

    def _write(self, file: str) -> None:
        self.record().save(Path(file).expanduser())
        self.saved = True

    def tell_saved(self, file: str) -> None:
        """Say where the game is saved and how to resume it."""
        self.console.show(self.texts("save.done", file=file))
        self.console.show_command(f"fernzug play --resume {shlex.quote(file)}")

    def default_file(self) -> str:
        """Return the name of a file to save the game in."""
        if self.record_file is not None:
            return self.record_file
        return f"fernzug-{self.game.board.id}-{datetime.now():%Y%m%d-%H%M%S}.jsonl"

    def rescue(self) -> str | None:
        """Save an interrupted game wherever possible, and return the file.

        A game in which the player has not decided anything is not worth saving, and neither is
        one played by a script that did not ask for it.
        """
        if self.record_file is None and not (self.console.interactive and self.played):
            return None
        name = self.default_file()
        for file in (Path(name), Path.home() / name, Path(gettempdir()) / name):
            try:
                self._write(str(file))
            except OSError:
                continue
            return str(file)
        return self.record_file

    def close(self) -> None:
        """Close the bots."""
        self.match.close()


__all__ = ["HUMAN", "Quit", "Session"]
