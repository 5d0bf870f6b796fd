"""The rules of the board being played, in short and by id."""

from __future__ import annotations

from collections.abc import Mapping

from fernzug.board.model import WILD, Board, PieceKind
from fernzug.terminal.words import Words

# Rules that hold only where the board names the part that they speak of.
PART_RULES: Mapping[str, tuple[str, ...]] = {
    "longest_path": ("S3", "E3"),
    "sights": ("E4",),
    "districts": ("E5",),
    "flag": ("E6",),
}
SINGLE_PIECE = "C9"
ONE_LANE = "C6"


def ids(words: Words) -> list[str]:
    """Return the ids of the rules that hold on the board, in the order of the rules."""
    board = words.board
    kinds = {bonus.kind for bonus in board.bonuses}
    left_out = {id for kind, rules in PART_RULES.items() if kind not in kinds for id in rules}
    if not any(kind.one_per_route for kind in board.pieces):
        left_out.add(SINGLE_PIECE)
    if board.single_lane_up_to < board.min_players:
        left_out.add(ONE_LANE)
    return [id for id in words.texts.find("rules") if id not in left_out]


def rule(words: Words, id: str) -> str:
    """Return a rule, with the numbers of the board."""
    board = words.board
    values = {
        name: getattr(board, name)
        for name in (
            "deal_cards",
            "deal_tickets",
            "deal_keep",
            "draw_tickets",
            "draw_keep",
            "last_round_at",
            "single_lane_up_to",
        )
    }
    values["wild"] = words.color(WILD)
    values["points"] = "; ".join(_points(kind) for kind in board.pieces if not kind.one_per_route)
    single = [kind for kind in board.pieces if kind.one_per_route]
    values["single"] = ", ".join(kind.name_in(words.language, 1) for kind in single)
    values["single_points"] = "; ".join(_points(kind) for kind in single)
    breaks = ", ".join(_tie_break(words, word) for word in board.tie_breaks)
    values["then"] = words.texts("rules_tie.then", tie_breaks=breaks) if breaks else ""
    return words.texts(f"rules.{id}", **values, **_bonus(words, board, id))


def _points(kind: PieceKind) -> str:
    return ", ".join(f"{length} → {points}" for length, points in sorted(kind.points.items()))


def _tie_break(words: Words, word: str) -> str:
    return words.texts("rules_tie.tickets") if word == "tickets" else words.bonus(word)


def _bonus(words: Words, board: Board, id: str) -> dict[str, object]:
    """Return what the board says of the bonus that a rule speaks of."""
    for bonus in board.bonuses:
        if id in PART_RULES[bonus.kind]:
            return {
                "bonus_points": bonus.points,
                "bonus_places": ", ".join(words.place(place) for place in bonus.locations),
                "bonus_colors": ", ".join(words.color(color) for color in bonus.colors),
            }
    return {}
