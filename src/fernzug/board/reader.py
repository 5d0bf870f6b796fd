"""Read the text of a board file into its faults or, if there are none, into a board."""

from __future__ import annotations

from typing import Any

from fernzug.board import entries
from fernzug.board.check import findings
from fernzug.board.entries import Entry
from fernzug.board.model import (
    Board,
    Bonus,
    Catalog,
    Drawing,
    Fault,
    Group,
    Location,
    PieceKind,
    Route,
    Ticket,
)
from fernzug.board.shape import read_board
from fernzug.bonuses import KINDS


def inspect(text: str) -> tuple[Entry | None, list[Fault]]:
    """What could be read of the text of a board file, and all its faults."""
    return entries.inspect(text, "board", read_board, findings)


def build(entry: Entry, text: str) -> Board:
    """Turn an entry without faults into a board."""
    kinds = [_piece_kind(each) for each in entry["pieces"]]
    return Board(
        id=entry["id"],
        name=entry["name"],
        names=entry["names"],
        network=entry["network"],
        notes=entry["notes"],
        min_players=entry["players"]["min"],
        max_players=entry["players"]["max"],
        colors=tuple(color["id"] for color in entry["colors"]),
        color_counts=tuple(color["count"] for color in entry["colors"]),
        wild_count=entry["wild"]["count"],
        color_names={color["id"]: color["names"] for color in entry["colors"]},
        wild_names=entry["wild"]["names"],
        pieces=tuple(kinds),
        deal_cards=entry["deal"]["cards"],
        deal_tickets=entry["deal"]["tickets"],
        deal_keep=entry["deal"]["keep"],
        draw_tickets=entry["draw"]["tickets"],
        draw_keep=entry["draw"]["keep"],
        last_round_at=entry["last_round_at"],
        single_lane_up_to=entry["single_lane_up_to"],
        score_track=entry["score_track"],
        bonuses=tuple(_bonus(each) for each in entry["bonuses"]),
        tie_breaks=tuple(entry["tie_breaks"]),
        locations=Catalog("place", [_location(each) for each in entry["locations"]]),
        routes=_routes(entry, {kind.id: kind for kind in kinds}),
        tickets=_tickets(entry),
        drawing=Drawing(**{key: float(size) for key, size in entry["drawing"].items()}),
        source=text,
    )


def _piece_kind(entry: Entry) -> PieceKind:
    points = {int(length): worth for length, worth in entry["points"].items()}
    return PieceKind(**{**entry, "points": points})


def _bonus(entry: Entry) -> Bonus:
    return Bonus(
        kind=entry["kind"],
        points=entry["points"] or 0,
        locations=tuple(entry["locations"] or ()),
        colors=tuple(entry["colors"] or ()),
        groups=tuple(
            Group(**{**group, "locations": tuple(group["locations"])})
            for group in entry["groups"] or ()
        ),
        numbers={name: entry[name] for name in KINDS[entry["kind"]].NUMBERS},
        names=entry["names"],
    )


def _location(entry: Entry) -> Location:
    place = {key: entry[key] for key in ("id", "name", "names", "label")}
    return Location(
        **place,
        x=float(entry["x"]),
        y=float(entry["y"]),
        lines=tuple(entry["lines"] or (entry["name"],)),
        lat=_degrees(entry["lat"]),
        lon=_degrees(entry["lon"]),
    )


def _degrees(value: Any) -> float | None:
    return None if value is None else float(value)


def _route_id(entry: Entry) -> str:
    second = ".2" if entry["lane"] == 2 else ""
    return f"{entry['a']}-{entry['b']}{second}"


def _routes(board: Entry, kinds: dict[str, PieceKind]) -> Catalog[Route]:
    lanes = {
        (frozenset((each["a"], each["b"])), each["lane"]): _route_id(each)
        for each in board["routes"]
    }
    routes = []
    for entry in board["routes"]:
        # A board with one kind of piece need not name it on every route.
        kind = kinds[entry["piece"] or board["pieces"][0]["id"]]
        length = entry["length"]
        routes.append(
            Route(
                id=_route_id(entry),
                a=entry["a"],
                b=entry["b"],
                color=entry["color"],
                length=length,
                cost=length,
                # C9: a subway route costs as many cards as its length, but takes one piece.
                pieces=1 if kind.one_per_route else length,
                piece=kind.id,
                lane=entry["lane"],
                twin=lanes.get((frozenset((entry["a"], entry["b"])), 3 - entry["lane"])),
                points=kind.points[length],
                bend=float(entry["bend"]),
            )
        )
    return Catalog("route", routes, _route_aliases(routes))


def _route_aliases(routes: list[Route]) -> dict[str, str]:
    """Other ways to write a route: its places the other way round, and `.1` for lane 1."""
    aliases = {}
    for route in routes:
        for way in (f"{route.a}-{route.b}", f"{route.b}-{route.a}"):
            if route.lane == 1:
                aliases[f"{way}.1"] = route.id
            aliases[way + (".2" if route.lane == 2 else "")] = route.id
    return aliases


def _tickets(board: Entry) -> Catalog[Ticket]:
    tickets = [Ticket(id=f"{each['a']}-{each['b']}", **each) for each in board["tickets"]]
    return Catalog("ticket", tickets, {f"{each.b}-{each.a}": each.id for each in tickets})
