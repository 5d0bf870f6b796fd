"""What the player can type besides actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fernzug.notation import WORDS
from fernzug.terminal import rulebook
from fernzug.terminal.layout import definitions, paragraph, wrap
from fernzug.terminal.naming import plain
from fernzug.terminal.routes import route_lines

if TYPE_CHECKING:
    from fernzug.terminal.session import Session

Command = Callable[["Session", str], None]


class Quit(Exception):
    """The player wants to leave the game."""


def show_help(session: Session, _: str) -> None:
    """Explain what can be typed."""
    texts = session.texts
    board = session.game.board
    route = next(route for route in board.routes if route.color in board.colors)
    example = f"{route.id} {route.color}*{route.cost}"
    rows = [("1, 2 …", texts("help.numbers")), (texts("help.enter"), texts("help.redraw"))]
    rows += [(texts(f"command.{name}.word"), texts(f"command.{name}.line")) for name in COMMANDS]
    place = session.words.place(board.locations[0].id)
    examples = texts("help.examples", color=board.colors[0], route=example, place=place)
    lines = [session.words.style.bold(texts("help.title"))]
    lines += definitions(rows, session.console.width)
    lines += [texts("help.notation"), *paragraph(examples, session.console.width, "  ")]
    session.console.show([*lines, texts("help.tab")])


def show_map(session: Session, place: str) -> None:
    """Show the routes with their owners."""
    console = session.console
    lines = route_lines(session.words, session.view, place, console.width)
    if not place:
        word = session.texts("command.map.word")
        lines.append(session.words.style.dim(session.texts("map.filter", word=word)))
    console.show(lines)


def show_claims(session: Session, _: str) -> None:
    """Show every route that can be claimed now."""
    lines = session.screen().claim_lines(session.menu.claims)
    session.console.show(lines or session.texts("turn.none"))


def show_ways(session: Session, _: str) -> None:
    """Show the shortest way for each ticket."""
    session.console.show(session.screen().way_lines())


def show_log(session: Session, count: str) -> None:
    """Show what has happened so far."""
    lines = session.story.lines(numbered=True, width=session.console.width)
    if count.isascii() and count.isdigit():
        lines = lines[-int(count) :] if int(count) else []
    session.console.show(lines)


def show_rules(session: Session, id: str) -> None:
    """Show one rule or all of them."""
    known = rulebook.ids(session.words)
    if id and id.upper() not in known:
        session.refuse(session.texts("rulebook.missing", id=id.upper(), ids=", ".join(known)))
        return
    for each in [id.upper()] if id else known:
        text = rulebook.rule(session.words, each)
        session.console.show(wrap(f"{each} {text}", session.console.width, indent=3))


def save(session: Session, file: str) -> None:
    """Write the game to a file."""
    file = file or session.default_file()
    if may_write(session, file) and session.save(file):
        session.tell_saved(file)


def may_write(session: Session, file: str) -> bool:
    """Ask before a file is overwritten."""
    if not Path(file).expanduser().exists():
        return True
    answer = session.console.ask(session.texts("save.exists", file=file))
    return answer.casefold().startswith(session.texts("save.yes"))


def leave(session: Session, _: str) -> None:
    """Leave the game; ask first whether to save it."""
    texts = session.texts
    while not (session.saved or session.game.over):
        file = session.default_file()
        no, back = texts("quit.no"), texts("quit.back")
        question = texts("quit.ask", no=no, back=back)
        session.console.show(question)
        answer = session.console.ask(f"[{file}] ")
        if answer.casefold() == back:
            return
        if answer.casefold() == no:
            break
        named = answer or file
        if (named == session.record_file or may_write(session, named)) and session.save(named):
            session.tell_saved(named)
    raise Quit


COMMANDS: Mapping[str, Command] = {
    "help": show_help,
    "map": show_map,
    "routes": show_map,
    "claims": show_claims,
    "way": show_ways,
    "log": show_log,
    "rules": show_rules,
    "save": save,
    "quit": leave,
}
"""The commands by their English names; each language has its own words for them."""


def completions(session: Session, line: str) -> Sequence[str]:
    """Return the words that the last word of a line can be completed to."""
    *before, start = line.lstrip().split(" ")
    found = _candidates(session, before)
    key = str.lower if before else plain  # Commands may be typed without accents.
    return sorted(word + " " for word in found if key(word).startswith(key(start)))


def _candidates(session: Session, before: list[str]) -> set[str]:
    board = session.game.board
    texts = session.texts
    if not before:
        return {*WORDS, *(texts(f"command.{name}.word") for name in COMMANDS)}
    first = before[0].lower()
    if first == "draw":
        return {*board.colors, "wild", "deck"}
    legal = session.view.legal
    if first == "claim" and len(before) == 1:
        return {action.route for action in legal if action.route is not None}
    if first == "claim":
        typed = " ".join(before) + " "
        texts_left = [a.text[len(typed) :] for a in legal if a.text.startswith(typed)]
        return {text.split(" ")[0] for text in texts_left}
    command = session.command_named(first)
    if command in ("map", "routes"):
        return {place.id for place in board.locations}
    return set(rulebook.ids(session.words)) if command == "rules" else set()
