"""``fernzug boards``: list the boards, show one, check board files."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import fernzug
from fernzug.board.model import GRAY, WILD, Board, PieceKind, Route
from fernzug.board.room import crowded
from fernzug.cli.arguments import load_board
from fernzug.cli.checking import check_files
from fernzug.terminal.layout import DASH, columns, paragraph, table

OWN = "our own, not the printed one"
PRINTED = "as printed"
LANGUAGE = "en"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--json", action="store_true", help="print the key figures as JSON")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    check = actions.add_parser(
        "check",
        help="report every fault in board files, with its line",
        description="Report every fault in board files as FILE:LINE: TEXT. Exit code 1 if any."
        " What could be read more easily is reported as a warning.",
    )
    check.add_argument("files", nargs="+", metavar="FILE", help="a board file")
    show = actions.add_parser(
        "show",
        help="show one board: rules, routes, tickets",
        description="Show one board: its rules, routes and tickets.",
    )
    show.add_argument("board", metavar="BOARD", help="id of a board, or path of a board file")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action == "check":
        return check_files(args.files, _describe, lambda file: crowded(fernzug.board(Path(file))))
    if args.action == "show":
        return show_board(load_board(args.board), args.json)
    return list_boards(args.json)


def list_boards(as_json: bool) -> int:
    """Print the key figures of all boards."""
    found = [fernzug.board(name) for name in fernzug.boards()]
    if as_json:
        print(json.dumps([figures(board) for board in found], ensure_ascii=False, indent=2))
        return 0
    head = ("board", "for", "pieces", "cards", "places", "routes", "tickets", "bonus")
    rows = [head, *(_row(board) for board in found)]
    print("\n".join(table(rows, "<<<>>>><")))
    if any(board.network == "own" for board in found):
        print(f"\n* The network is {OWN}; see 'fernzug boards show ID'.")
    return 0


def _row(board: Board) -> tuple[str, ...]:
    return (
        board.id + (" *" if board.network == "own" else ""),
        f"{board.min_players}{DASH}{board.max_players}",
        ", ".join(pieces(kind) for kind in board.pieces),
        str(card_count(board)),
        str(len(board.locations)),
        str(len(board.routes)),
        str(len(board.tickets)),
        ", ".join(bonus.name_in(LANGUAGE) for bonus in board.bonuses) or DASH,
    )


def pieces(kind: PieceKind) -> str:
    """Return how many pieces of a kind a player has, in words."""
    return f"{kind.count} {kind.name_in(LANGUAGE, kind.count)}"


def card_count(board: Board) -> int:
    """Return the number of all transport cards."""
    return sum(board.color_counts) + board.wild_count


def figures(board: Board) -> dict[str, Any]:
    """Return a board's key figures as a JSON object."""
    return {
        "id": board.id,
        "name": board.name,
        "names": dict(board.names),
        "network": board.network,
        "note": board.note_in(LANGUAGE),
        "hash": board.hash,
        "players": {"min": board.min_players, "max": board.max_players},
        "pieces": {kind.id: kind.count for kind in board.pieces},
        "cards": {
            **dict(zip(board.colors, board.color_counts, strict=True)),
            WILD: board.wild_count,
        },
        "places": len(board.locations),
        "routes": len(board.routes),
        "double_routes": double_routes(board),
        "tickets": len(board.tickets),
        "bonuses": [bonus.kind for bonus in board.bonuses],
    }


def double_routes(board: Board) -> int:
    """Return the number of double routes."""
    return sum(route.lane == 2 for route in board.routes)


# ---------------------------------------------------------------------------- one board


def show_board(board: Board, as_json: bool) -> int:
    """Print one board in full."""
    if as_json:
        print(json.dumps(_everything(board), ensure_ascii=False, indent=2))
        return 0
    total = shutil.get_terminal_size().columns
    print(f"{board.name}, for {board.min_players} to {board.max_players} players")
    print("\n".join(f"  {line}" for line in _facts(board)))
    note = board.note_in(LANGUAGE)
    if note:
        print("\n".join(["", *paragraph(note, total)]))
    doubles = double_routes(board)
    print(f"\nRoutes ({len(board.routes)}, of which {2 * doubles} in {doubles} double routes)")
    routes = [_route_line(board, route) for route in board.routes if route.lane != 2]
    print("\n".join(columns(routes, total)))
    print(f"\nTickets ({len(board.tickets)})")
    tickets = [f"{t.points:>2}  {_ends(board, t.a, t.b)}" for t in board.tickets]
    print("\n".join(columns(tickets, total)))
    return 0


def _facts(board: Board) -> list[str]:
    colors = ", ".join(
        f"{count} {board.color_name(color, LANGUAGE)}"
        for color, count in zip(board.colors, board.color_counts, strict=True)
    )
    name = board.color_name(WILD, LANGUAGE)
    wild = f"{board.wild_count} wild" + (f" ({name})" if name != WILD else "")
    most = board.single_lane_up_to
    rows = [("network", OWN if board.network == "own" else PRINTED)]
    for kind in board.pieces:
        points = ", ".join(f"{length}: {points}" for length, points in sorted(kind.points.items()))
        unit = "cards" if kind.one_per_route else "length"
        rows.append((kind.name_in(LANGUAGE), f"{kind.count} per player; points by {unit} {points}"))
    rows += [
        ("cards", f"{card_count(board)}: {colors}, {wild}"),
        (
            "at the start",
            f"{board.deal_cards} cards; {board.deal_tickets} tickets, "
            f"keep {board.deal_keep} or more",
        ),
        ("tickets drawn", f"{board.draw_tickets}, keep {board.draw_keep} or more"),
        ("last round", f"when a player has at most {board.last_round_at} pieces left"),
        (
            "second lanes",
            f"shut with up to {most} players" if most >= board.min_players else "never shut",
        ),
        ("route points", "when claimed" if board.score_track else "at the end"),
        ("bonuses", ", ".join(b.name_in(LANGUAGE) for b in board.bonuses) or "none"),
    ]
    return table(rows, "<<")


def _ends(board: Board, a: str, b: str) -> str:
    return f"{board.locations[a].name} {DASH} {board.locations[b].name}"


def _route_line(board: Board, route: Route) -> str:
    """Return a line for a route, or for the two lanes of a double route."""
    lanes = [route] if route.twin is None else [route, board.routes[route.twin]]
    colors = " / ".join(
        GRAY if lane.color == GRAY else board.color_name(lane.color, LANGUAGE) for lane in lanes
    )
    kind = ""
    if len(board.pieces) > 1:
        word = next(kind for kind in board.pieces if kind.id == route.piece)
        kind = ", " + word.name_in(LANGUAGE, 1)
    return f"{route.length}  {_ends(board, route.a, route.b)}, {colors}{kind}"


def _everything(board: Board) -> dict[str, Any]:
    return {
        **figures(board),
        "locations": [{"id": place.id, "name": place.name} for place in board.locations],
        "route_list": [
            {name: getattr(route, name) for name in ("id", "color", "length", "piece", "points")}
            for route in board.routes
        ],
        "ticket_list": [{"id": ticket.id, "points": ticket.points} for ticket in board.tickets],
    }


# ---------------------------------------------------------------------------- checking


def _describe(file: str) -> str:
    board = fernzug.board(Path(file))
    return (
        f"{board.name}: {len(board.locations)} places, "
        f"{len(board.routes)} routes, {len(board.tickets)} tickets"
    )
