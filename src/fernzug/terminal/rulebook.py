"""The rules of the board being played, in short and by id."""

from __future__ import annotations

from collections.abc import Iterable

from fernzug.board import bonus_words
from fernzug.board.model import WILD, Bonus, PieceKind
from fernzug.terminal.words import Words

CHAPTERS = "STDCKE"
"""The first letters of the rules' ids, in the order of the rules."""

SINGLE_PIECE = "C9"
ONE_LANE = "C6"


def ids(words: Words) -> list[str]:
    """Return the ids of the rules that apply on the board, in order."""
    board = words.board
    left_out = set()
    if not any(kind.one_per_route for kind in board.pieces):
        left_out.add(SINGLE_PIECE)
    if board.single_lane_up_to < board.min_players:
        left_out.add(ONE_LANE)
    own = [id for bonus in board.bonuses for id in _rules_of(words, bonus)]
    every = [*(id for id in words.texts.find("rules") if id not in left_out), *own]
    return sorted(every, key=_order)


def _order(id: str) -> tuple[int, str]:
    """Return a key that sorts rules; those with an unknown letter come last."""
    chapter = CHAPTERS.find(id[0])
    return (len(CHAPTERS) if chapter < 0 else chapter), id


def _rules_of(words: Words, bonus: Bonus) -> Iterable[str]:
    """Return the ids of a bonus's rules; if they have no words, its kind instead."""
    key = f"bonus.{bonus.kind}.rules"
    ids: Iterable[str] = words.texts.find(key) if words.texts.has(key) else [bonus.kind.upper()]
    return ids


def rule(words: Words, id: str) -> str:
    """Return a rule with the numbers of the board."""
    board = words.board
    values = {
        name: getattr(board, name)
        for name in (
            "deal_cards",
            "deal_tickets",
            "deal_keep",
            "draw_tickets",
            "draw_keep",
            "single_lane_up_to",
        )
    }
    values["last_round_at"] = words.texts.number("pieces", board.last_round_at)
    values["wild"] = board.color_name(WILD, words.language)
    values["points"] = "; ".join(_points(kind) for kind in board.pieces if not kind.one_per_route)
    single = [kind for kind in board.pieces if kind.one_per_route]
    values["single"] = ", ".join(kind.name_in(words.language, 1) for kind in single)
    values["single_points"] = "; ".join(_points(kind) for kind in single)
    breaks = ", ".join(_tie_break(words, word) for word in board.tie_breaks)
    values["then"] = words.texts("rules_tie.then", tie_breaks=breaks) if breaks else ""
    for bonus in board.bonuses:
        if id in _rules_of(words, bonus):
            return _bonus_rule(words, bonus, id)
    return words.texts(f"rules.{id}", **values)


def _points(kind: PieceKind) -> str:
    return ", ".join(f"{length} → {points}" for length, points in sorted(kind.points.items()))


def _tie_break(words: Words, word: str) -> str:
    return words.texts("rules_tie.tickets") if word == "tickets" else words.bonus(word)


def _bonus_rule(words: Words, bonus: Bonus, id: str) -> str:
    """Return a rule of a bonus with the numbers and names of the board."""
    text = bonus_words.rules(words.board, bonus, words.texts).get(id)
    if text is not None:
        return text
    points = words.texts.number("points", bonus.points)
    return words.texts("rulebook.bonus", name=bonus.name_in(words.language), points=points)
