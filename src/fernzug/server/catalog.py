"""The boards as the client draws and names them."""

from __future__ import annotations

from fernzug.board import bonus_words
from fernzug.board import files as board_files
from fernzug.board.model import WILD, Board, Bonus, Location, PieceKind
from fernzug.server import assets, lobby_protocol


def boards() -> lobby_protocol.Boards:
    """Return all boards that can be played here."""
    return {"boards": [board_data(board_files.load(name)) for name in board_files.boards()]}


def board_data(board: Board) -> lobby_protocol.BoardData:
    """Return one board."""
    sizes = board.drawing
    return {
        "id": board.id,
        "map": (assets.FOLDER / "maps" / f"{board.id}.svg").is_file(),
        "hash": board.hash,
        "name": board.name,
        "names": dict(board.names),
        "network": board.network,
        "notes": dict(board.notes),
        "min_players": board.min_players,
        "max_players": board.max_players,
        "colors": _colors(board),
        "pieces": [_piece(kind) for kind in board.pieces],
        "deal_cards": board.deal_cards,
        "deal_tickets": board.deal_tickets,
        "deal_keep": board.deal_keep,
        "draw_tickets": board.draw_tickets,
        "draw_keep": board.draw_keep,
        "last_round_at": board.last_round_at,
        "single_lane_up_to": board.single_lane_up_to,
        "score_track": board.score_track,
        "bonuses": [_bonus(board, bonus) for bonus in board.bonuses],
        "tie_breaks": list(board.tie_breaks),
        "locations": [_location(location) for location in board.locations],
        "routes": [
            {
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
            for route in board.routes
        ],
        "tickets": [
            {"id": ticket.id, "a": ticket.a, "b": ticket.b, "points": ticket.points}
            for ticket in board.tickets
        ],
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


def _colors(board: Board) -> list[lobby_protocol.BoardColor]:
    colors: list[lobby_protocol.BoardColor] = [
        {"id": color, "count": count, "names": dict(board.color_names[color])}
        for color, count in zip(board.colors, board.color_counts, strict=True)
    ]
    return [*colors, {"id": WILD, "count": board.wild_count, "names": dict(board.wild_names)}]


def _piece(kind: PieceKind) -> lobby_protocol.BoardPiece:
    return {
        "id": kind.id,
        "count": kind.count,
        "one_per_route": kind.one_per_route,
        "points": {str(length): points for length, points in kind.points.items()},
        "names": dict(kind.names),
        "singular": dict(kind.singular),
    }


def _bonus(board: Board, bonus: Bonus) -> lobby_protocol.BoardBonus:
    return {
        "kind": bonus.kind,
        "points": bonus.points,
        "locations": list(bonus.locations),
        "colors": list(bonus.colors),
        "groups": [
            {
                "id": group.id,
                "name": group.name,
                "names": dict(group.names),
                "color": group.color,
                "points": group.points,
                "locations": list(group.locations),
            }
            for group in bonus.groups
        ],
        "names": dict(bonus.names),
        "rules": list(bonus_words.rules_in_all_languages(board, bonus).values()),
        "options": bonus_words.buttons(bonus),
        "events": bonus_words.log_lines(bonus),
    }


def _location(location: Location) -> lobby_protocol.BoardLocation:
    return {
        "id": location.id,
        "name": location.name,
        "names": dict(location.names),
        "x": location.x,
        "y": location.y,
        "label": location.label,
        "lines": list(location.lines),
    }
