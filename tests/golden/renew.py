"""Golden playthroughs: a short game on each board, with everything that is said at every step.

A difference in one of the files is a change of the rules, of chance or of what a seat is told. If
the change is meant, write the files again and read the difference before you commit it::

    make golden
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import fernzug
from fernzug import Action, Board, Event, Game, View
from fernzug.engine.chance import PLAYERS, Stream

HERE = Path(__file__).parent
SEED = 27
WIDTH = 100
WEIGHTS = {"claim": 4, "draw": 3, "tickets": 1}
"""How often the kinds of action are chosen: enough of each to show it, in a short game."""


def short_game(board: Board) -> Game:
    """Return a game at its set-up in which everybody has only a few pieces left."""
    players = min(board.min_players + 1, board.max_players)
    position = Game(board, players, seed=SEED).position()
    few = {
        kind.id: max(route.pieces for route in board.routes if route.piece == kind.id)
        for kind in board.pieces
    }
    return Game.from_position(position | {"pieces": [few] * players})


def chosen(legal: list[Action], stream: Stream) -> Action:
    """Return a random action: first which kind, so that none crowds out the others."""
    found = sorted({action.kind for action in legal})
    kinds = [kind for kind in found for _ in range(WEIGHTS.get(kind, 1))]
    kind = kinds[int(stream.below(len(kinds)))]
    actions = [action for action in legal if action.kind == kind]
    return actions[int(stream.below(len(actions)))]


# ---- Words ---------------------------------------------------------------------------------------


def wrapped(title: str, text: str) -> list[str]:
    """Return lines with a title in the margin; long texts go on below."""
    return textwrap.wrap(
        text or "-",
        WIDTH,
        initial_indent=f"  {title:<12}",
        subsequent_indent=" " * 14,
        break_long_words=False,
        break_on_hyphens=False,
    )


def cards(counts: Mapping[str, int]) -> str:
    return " ".join(f"{color}*{number}" for color, number in counts.items())


def some(words: Iterable[object]) -> str:
    return " ".join("-" if word is None else str(word) for word in words)


def state_lines(game: Game) -> list[str]:
    """Tell the whole state: what only the referee knows."""
    p = game.position()
    last = "" if p["turns_left"] is None else f", turns left {p['turns_left']}"
    lines = wrapped("awaited", f"{p['phase']}, seat {p['seat']}, turn {p['turn']}{last}")
    lines += wrapped("face up", some(p["faceup"]))
    lines += wrapped(f"deck {len(p['deck'])}", some(p["deck"]))
    lines += wrapped("discards", cards(p["discard"]))
    lines += wrapped("tickets", some(p["ticket_deck"]))
    lines += wrapped("routes", some(f"{route}={owner}" for route, owner in p["routes"].items()))
    for seat in range(game.players):
        told = [
            f"hand {cards(p['hands'][seat]) or '-'}",
            f"known {cards(p['known'][seat]) or '-'}",
            f"pieces {cards(p['pieces'][seat])}",
            f"points {p['scores'][seat]}",
            f"tickets {some(p['tickets'][seat]) or '-'}",
        ]
        if p["flags"][seat] or p["flag_sets"][seat]:
            told.append(f"flag {some(p['flags'][seat]) or '-'}, sets {p['flag_sets'][seat]}")
        if p["returned"][seat]:
            told.append(f"gave back {some(p['returned'][seat])}")
        if p["phase"] == "setup":
            told.append(f"offer {some(p['offer'][seat]) or '-'}")
            told.append(f"set aside {some(p['set_aside'][seat]) or '-'}")
        elif p["phase"] == "keep" and p["seat"] == seat:
            told.append(f"offer {some(p['offer'])}")
        lines += wrapped(f"seat {seat}", "; ".join(told))
    return lines


def view_lines(view: View) -> list[str]:
    """Tell what a seat may know beyond what lies open on the table."""
    told = [f"unseen {cards(view.unseen) or '-'}"]
    for player in view.players:
        if player.hand is None:
            words = f"[{player.seat}] {player.hand_count} cards"
            words += f" with {cards(player.known)}" if player.known else ""
        else:
            words = f"[{player.seat}] {cards(player.hand) or 'no cards'}"
        if player.tickets is None:
            words += f", {player.ticket_count} tickets"
        else:
            words += f", {some(player.tickets) or 'no tickets'}"
        words += f", points {player.points}" if player.points is not None else ""
        words += f", chooses from {player.offer_count}" if player.choosing else ""
        told.append(words)
    told += [f"offer {some(view.offer)}"] if view.offer else []
    told += [f"gave back {some(view.returned)}"] if view.returned else []
    told += [f"{len(view.legal)} actions"] if view.legal else []
    viewer = "spectator" if view.viewer is None else f"view {view.viewer}"
    return wrapped(viewer, "; ".join(told))


def legal_lines(game: Game) -> list[str]:
    """List every legal action of every seat that may act."""
    lines = []
    for seat in range(game.players):
        legal = game.legal(seat)
        if legal:
            lines += wrapped(f"may {seat}", " | ".join(action.text for action in legal))
    return lines


def event_lines(events: Iterable[Event]) -> list[str]:
    """Tell what happened, all secrets included."""
    lines = []
    for event in events:
        told: dict[str, Any] = dict(event.to_json())
        word = told.pop("event")
        for key, value in told.items():
            if isinstance(value, list):
                told[key] = some(value)
            elif isinstance(value, dict):
                told[key] = cards(value)
        lines += wrapped(word, "; ".join(f"{key} {value}" for key, value in told.items()))
    return lines


def score_lines(game: Game) -> list[str]:
    """Tell the score sheets."""
    lines = []
    for sheet in game.scores():
        told: dict[str, Any] = dict(sheet.to_json())
        seat = told.pop("seat")
        told["bonuses"] = cards(told["bonuses"]) or "-"
        lines += wrapped(f"score {seat}", "; ".join(f"{k} {v}" for k, v in told.items()))
    return lines


def playthrough(board: Board) -> str:
    """Return the text of a short game, from its set-up to its scores."""
    game = short_game(board)
    stream = Stream(SEED, PLAYERS)
    lines = [f"{board.name}, {game.players} players, seed {SEED}", ""]
    step = 0
    while True:
        lines += [f"---- {step} ".ljust(WIDTH, "-"), *state_lines(game)]
        for viewer in (*range(game.players), None):
            lines += view_lines(game.view(viewer))
        if game.over:
            break
        lines += legal_lines(game)
        action = chosen(game.legal(), stream)
        lines += ["", f"> seat {game.seat}: {action}"]
        lines += [*event_lines(game.play(action)), ""]
        step += 1
    lines += score_lines(game)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def file_of(board: Board) -> Path:
    """Return the file that holds the playthrough of a board."""
    return HERE / f"{board.id}.txt"


def main() -> None:
    """Write the playthroughs of all boards that come with the package."""
    for name in fernzug.boards():
        board = fernzug.board(name)
        text = playthrough(board)
        file_of(board).write_text(text, encoding="utf-8")
        print(f"{file_of(board).name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
