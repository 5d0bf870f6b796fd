"""A board as a JSON object: for clients that draw it, and for programs that play on it."""

from __future__ import annotations

from typing import Any

from fernzug import json_types
from fernzug.board import bonus_words
from fernzug.board.model import WILD, Board, Bonus, Group, Location, PieceKind, Route, Ticket
from fernzug.i18n import LANGUAGES, Texts

ROUTE_KEYS = (
    *("id", "a", "b", "color", "length", "cost"),
    *("pieces", "piece", "lane", "twin", "points"),
)
"""What a program is told of a route: all but how it is drawn."""


def for_programs(board: Board) -> dict[str, Any]:
    """Return everything about a board that matters in play, as the bot protocol has it."""
    return {
        "id": board.id,
        "name": board.name,
        "hash": board.hash,
        "players": {"min": board.min_players, "max": board.max_players},
        "cards": {color["id"]: color["count"] for color in _colors(board)},
        "pieces": {kind.id: kind.count for kind in board.pieces},
        "deal": {
            "cards": board.deal_cards,
            "tickets": board.deal_tickets,
            "keep": board.deal_keep,
        },
        "draw": {"tickets": board.draw_tickets, "keep": board.draw_keep},
        "last_round_at": board.last_round_at,
        "single_lane_up_to": board.single_lane_up_to,
        "score_track": board.score_track,
        "tie_breaks": list(board.tie_breaks),
        "bonuses": [_bonus_in_play(bonus) for bonus in board.bonuses],
        "locations": [{"id": place.id, "name": place.name} for place in board.locations],
        "routes": [_some(_route(route), ROUTE_KEYS) for route in board.routes],
        "tickets": [_ticket(ticket) for ticket in board.tickets],
    }


def for_clients(board: Board) -> json_types.Board:
    """Return everything about a board that is drawn or named, with names in all languages."""
    sizes = board.drawing
    return {
        "id": board.id,
        "hash": board.hash,
        "name": board.name,
        "names": dict(board.names),
        "network": board.network,
        "notes": dict(board.notes),
        "min_players": board.min_players,
        "max_players": board.max_players,
        "colors": _colors(board),
        "wild_names": dict(board.wild_names),
        "pieces": [_piece(kind) for kind in board.pieces],
        "deal_cards": board.deal_cards,
        "deal_tickets": board.deal_tickets,
        "deal_keep": board.deal_keep,
        "draw_tickets": board.draw_tickets,
        "draw_keep": board.draw_keep,
        "last_round_at": board.last_round_at,
        "single_lane_up_to": board.single_lane_up_to,
        "score_track": board.score_track,
        "bonuses": [_bonus_in_words(board, bonus) for bonus in board.bonuses],
        "tie_breaks": list(board.tie_breaks),
        "locations": [_location(location) for location in board.locations],
        "routes": [_route(route) for route in board.routes],
        "tickets": [_ticket(ticket) for ticket in board.tickets],
        "drawing": {
            "width": sizes.width,
            "height": sizes.height,
            "pitch": sizes.pitch,
            "space_width": sizes.space_width,
            "lane_gap": sizes.lane_gap,
            "location_radius": sizes.location_radius,
            "font_size": sizes.font_size,
        },
    }


def _some(whole: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: whole[key] for key in keys}


def _colors(board: Board) -> list[json_types.BoardColor]:
    colors: list[json_types.BoardColor] = [
        {"id": color, "count": count, "names": dict(board.color_names[color])}
        for color, count in zip(board.colors, board.color_counts, strict=True)
    ]
    # One word for wild cards on all boards; what they show differs.
    names = {language: Texts(language)("wild") for language in LANGUAGES}
    return [*colors, {"id": WILD, "count": board.wild_count, "names": names}]


def _piece(kind: PieceKind) -> json_types.BoardPiece:
    return {
        "id": kind.id,
        "count": kind.count,
        "one_per_route": kind.one_per_route,
        "points": {str(length): points for length, points in kind.points.items()},
        "names": dict(kind.names),
        "singular": dict(kind.singular),
    }


def _bonus_in_play(bonus: Bonus) -> dict[str, Any]:
    return {
        "kind": bonus.kind,
        "points": bonus.points,
        "locations": list(bonus.locations),
        "colors": list(bonus.colors),
        "groups": [_some(_group(group), ("id", "points", "locations")) for group in bonus.groups],
    }


def _bonus_in_words(board: Board, bonus: Bonus) -> json_types.BoardBonus:
    return {
        "kind": bonus.kind,
        "points": bonus.points,
        "locations": list(bonus.locations),
        "colors": list(bonus.colors),
        "groups": [_group(group) for group in bonus.groups],
        "names": dict(bonus.names),
        "special": bonus_words.special(board, bonus),
        "rules": list(bonus_words.rules_in_all_languages(board, bonus).values()),
        "options": bonus_words.buttons(bonus),
        "events": bonus_words.log_lines(bonus),
    }


def _group(group: Group) -> json_types.BoardGroup:
    return {
        "id": group.id,
        "name": group.name,
        "names": dict(group.names),
        "color": group.color,
        "points": group.points,
        "locations": list(group.locations),
    }


def _location(location: Location) -> json_types.BoardLocation:
    return {
        "id": location.id,
        "name": location.name,
        "names": dict(location.names),
        "x": location.x,
        "y": location.y,
        "label": location.label,
        "lines": list(location.lines),
    }


def _route(route: Route) -> json_types.BoardRoute:
    return {
        "id": route.id,
        "a": route.a,
        "b": route.b,
        "color": route.color,
        "length": route.length,
        "cost": route.cost,
        "pieces": route.pieces,
        "piece": route.piece,
        "lane": route.lane,
        "twin": route.twin,
        "points": route.points,
        "bend": route.bend,
    }


def _ticket(ticket: Ticket) -> json_types.BoardTicket:
    return {"id": ticket.id, "a": ticket.a, "b": ticket.b, "points": ticket.points}
