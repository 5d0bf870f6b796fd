"""Checks that a board whose file has the right shape can also be played.

Each check looks at whatever could be read and yields what is wrong: a message for the person who
draws the board, and the path of the value to change.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain

from fernzug.board.entries import Entry, Unread
from fernzug.board.lines import Path
from fernzug.board.model import GRAY, WILD
from fernzug.board.shape import BONUS_KEYS, MAX_COLORS, MAX_LOCATIONS, MAX_ROUTES
from fernzug.bonuses import KINDS
from fernzug.spelling import did_you_mean

FACE_UP = 5  # S1; this module cannot import the engine, so a test compares the two
TICKETS = "tickets"

Findings = Iterator[tuple[Path, str]]
Check = Callable[[Entry], Findings]


def findings(board: Entry) -> Findings:
    """Everything that is wrong with the part of a board that could be read."""
    for check in _CHECKS:
        # A missing value was reported when the shape of the file was checked.
        with suppress(Unread):
            yield from check(board)


def _each(key: str, check: Callable[[Entry, Entry], Findings]) -> Check:
    """Run a check on every entry of a list, so that one bad entry does not hide another."""

    def check_all(board: Entry) -> Findings:
        for entry in board[key]:
            with suppress(Unread):
                yield from check(board, entry)

    return check_all


# ---- Numbers -------------------------------------------------------------------------------------


def _players(board: Entry) -> Findings:
    low, high = board["players"]["min"], board["players"]["max"]
    if low > high:
        yield ("players",), f"'min' is {low}, but 'max' is only {high}"


def _deal(board: Entry) -> Findings:
    deal = board["deal"]
    if deal["keep"] > deal["tickets"]:
        yield (
            ("deal", "keep"),
            f"players must keep {deal['keep']} tickets, but are dealt only {deal['tickets']}",
        )


def _draw(board: Entry) -> Findings:
    draw = board["draw"]
    if draw["keep"] > draw["tickets"]:
        yield (
            ("draw", "keep"),
            f"players must keep {draw['keep']} tickets, but draw only {draw['tickets']}",
        )


def _enough_cards(board: Entry) -> Findings:
    cards = sum(color["count"] for color in board["colors"]) + board["wild"]["count"]
    players, each = board["players"]["max"], board["deal"]["cards"]
    laid_out = players * each + FACE_UP
    if cards <= laid_out:
        yield (
            ("deal", "cards"),
            f"too few cards for a deck: there are {cards}, and {players} players with {each} each"
            f" and {FACE_UP} face up take {laid_out}",
        )


def _enough_tickets(board: Entry) -> Findings:
    tickets = len(board["tickets"])
    players, each = board["players"]["max"], board["deal"]["tickets"]
    if tickets < players * each:
        yield (
            ("tickets",),
            f"too few tickets: {players} players with {each} each need {players * each}, but there"
            f" are only {tickets}",
        )


def _last_round(board: Entry) -> Findings:
    pieces = sum(kind["count"] for kind in board["pieces"])
    if board["last_round_at"] >= pieces:
        yield (
            ("last_round_at",),
            f"the last round would start at once: 'last_round_at' is {board['last_round_at']}, and"
            f" each player has only {pieces} pieces",
        )


def _single_lane(board: Entry) -> Findings:
    players = board["players"]["max"]
    if board["single_lane_up_to"] > players:
        yield (
            ("single_lane_up_to",),
            f"'single_lane_up_to' is {board['single_lane_up_to']}, but the board is for at most"
            f" {players} players",
        )


def _sizes(board: Entry) -> Findings:
    for key, size in board["drawing"].items():
        if size < 0 or (size == 0 and key != "lane_gap"):
            yield ("drawing", key), f"'{key}' must be greater than 0, not {size}"


def _limits(board: Entry) -> Findings:
    limits = {"colors": MAX_COLORS, "routes": MAX_ROUTES, "locations": MAX_LOCATIONS}
    for key, limit in limits.items():
        count = len(board.get(key, ()))
        if count > limit:
            yield (key,), f"too many {_PLURALS[key]}: {count}, but at most {limit} are allowed"


# ---- Lists with ids ------------------------------------------------------------------------------

_NOUNS = {"colors": "colour", "pieces": "kind of piece", "locations": "place"}
_PLURALS = {"colors": "colours", "routes": "routes", "locations": "places"}


def _repeated(entries: Iterable[Entry], noun: str, key: str = "id") -> Findings:
    seen: set[str] = set()
    for entry in entries:
        word = entry.get(key)
        if word is not None and word in seen:
            yield (*entry.path, key), f"duplicate {noun} '{word}'"
        seen.add(word or "")


def _ids(board: Entry) -> Findings:
    for key, noun in _NOUNS.items():
        yield from _repeated(board.get(key, ()), noun)


def _never_empty(board: Entry) -> Findings:
    for key, noun in _NOUNS.items():
        if key in board and not board[key]:
            yield (key,), f"a board needs at least one {noun}"


def _reserved_color(board: Entry, color: Entry) -> Findings:
    if color["id"] in (GRAY, WILD):
        yield (*color.path, "id"), f"'{color['id']}' is reserved and cannot be used for a colour"


def _known(board: Entry, key: str) -> list[str]:
    return [entry["id"] for entry in board[key] if "id" in entry]


def _unknown(word: str, known: Iterable[str], noun: str, path: Path) -> Findings:
    known = list(known)
    if word not in known:
        yield path, f"unknown {noun} '{word}'{did_you_mean(word, known)}"


def _places(board: Entry, entry: Entry) -> Findings:
    """The two places of a route or ticket."""
    known = _known(board, "locations")
    for key in ("a", "b"):
        with suppress(Unread):
            yield from _unknown(entry[key], known, "place", (*entry.path, key))


def _two_places(board: Entry, entry: Entry) -> Findings:
    if entry["a"] == entry["b"]:
        noun = "route" if entry.path[0] == "routes" else "ticket"
        yield entry.path, f"a {noun} from '{entry['a']}' to itself"


# ---- The network ---------------------------------------------------------------------------------


def _ends(board: Entry) -> list[tuple[str, str]]:
    """The ends of all routes; Unread if one is wrong, because that is a fault by itself."""
    known = set(_known(board, "locations"))
    ends = [(route["a"], route["b"]) for route in board["routes"]]
    if not known.issuperset(chain.from_iterable(ends)):
        raise Unread
    return ends


def _isolated_place(board: Entry) -> Findings:
    joined = set(chain.from_iterable(_ends(board)))
    for place in board["locations"]:
        if "id" in place and place["id"] not in joined:
            yield place.path, f"no route leads to '{place['id']}'"


def _off_canvas(board: Entry, place: Entry) -> Findings:
    for key, size in (("x", "width"), ("y", "height")):
        if not 0 <= place[key] <= board["drawing"][size]:
            yield (
                (*place.path, key),
                f"'{place['id']}' is outside the drawing: {key} is {place[key]}, but the {size} is"
                f" {board['drawing'][size]}",
            )


def _incomplete_coordinates(board: Entry, place: Entry) -> Findings:
    if (place["lat"] is None) != (place["lon"] is None):
        yield place.path, f"'{place['id']}' has only one of 'lat' and 'lon'"


def _route_color(board: Entry, route: Entry) -> Findings:
    known = [*_known(board, "colors"), GRAY]
    yield from _unknown(route["color"], known, "colour", (*route.path, "color"))


def _kind(board: Entry, route: Entry) -> Entry:
    """The kind of piece that a route takes: the board's first unless the route names one."""
    kinds: list[Entry] = board["pieces"]
    for kind in kinds:
        if route["piece"] in (None, kind["id"]):
            return kind
    raise Unread


def _route_piece(board: Entry, route: Entry) -> Findings:
    if route["piece"] is not None:
        known = _known(board, "pieces")
        yield from _unknown(route["piece"], known, "kind of piece", (*route.path, "piece"))


def _route_points(board: Entry, route: Entry) -> Findings:
    kind, length = _kind(board, route), route["length"]
    if str(length) not in kind["points"]:
        yield (
            (*route.path, "length"),
            f"the points of '{kind['id']}' have no entry for length {length}",
        )


def _route_pieces(board: Entry, route: Entry) -> Findings:
    kind = _kind(board, route)
    if not kind["one_per_route"] and route["length"] > kind["count"]:
        yield (
            (*route.path, "length"),
            f"a route of length {route['length']} needs {route['length']} pieces, but a player has"
            f" only {kind['count']} of '{kind['id']}'",
        )


def _route_cost(board: Entry, route: Entry) -> Findings:
    counts = [color["count"] for color in board["colors"] if route["color"] in (GRAY, color["id"])]
    cards = max(counts, default=0) + board["wild"]["count"]
    # An unknown colour is a fault of its own.
    if counts and route["length"] > cards:
        yield (
            (*route.path, "length"),
            f"nobody can pay for this route: it costs {route['length']} cards, but one colour and"
            f" the wild cards together are only {cards}",
        )


def _pairs(entries: Iterable[Entry]) -> dict[frozenset[str], list[Entry]]:
    """Routes or tickets by the places they join, in either order."""
    pairs: dict[frozenset[str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if "a" in entry and "b" in entry and entry["a"] != entry["b"]:
            pairs[frozenset((entry["a"], entry["b"]))].append(entry)
    return pairs


def _way(entry: Entry) -> str:
    return f"{entry['a']}-{entry['b']}"


def _lanes(board: Entry) -> Findings:
    for routes in _pairs(board["routes"]).values():
        with suppress(Unread):
            yield from _lanes_of(board, routes)


def _lanes_of(board: Entry, routes: list[Entry]) -> Findings:
    first, last, way = routes[0], routes[-1], _way(routes[0])
    lanes = Counter(route["lane"] for route in routes)
    if len(routes) > 2:
        yield last.path, f"{len(routes)} routes '{way}': a double route has only two lanes"
    elif len(routes) == 1 and lanes[0] == 0:
        # A misspelt place in one lane hides its twin; that fault has already been reported.
        _ends(board)
        other = 3 - first["lane"]
        yield (*first.path, "lane"), f"'{way}' has lane {first['lane']} but no lane {other}"
    elif len(routes) == 2 and (lanes[1], lanes[2]) != (1, 1):
        yield (
            last.path,
            f"second route '{way}': the lanes of a double route need lane = 1 and lane = 2",
        )
    elif len(routes) == 2:
        yield from _twins(board, first, last)


def _twins(board: Entry, first: Entry, last: Entry) -> Findings:
    way = _way(first)
    if first["length"] != last["length"]:
        yield (
            (*last.path, "length"),
            f"the lanes of '{way}' differ in length: {first['length']} and {last['length']}",
        )
    kinds = _kind(board, first)["id"], _kind(board, last)["id"]
    if kinds[0] != kinds[1]:
        one, other = kinds
        yield last.path, f"the lanes of '{way}' take different pieces: '{one}' and '{other}'"


# ---- Tickets -------------------------------------------------------------------------------------


def _repeated_tickets(board: Entry) -> Findings:
    for tickets in _pairs(board["tickets"]).values():
        for ticket in tickets[1:]:
            yield ticket.path, f"duplicate ticket '{_way(ticket)}'"


def _unjoined_tickets(board: Entry) -> Findings:
    part = {place: place for place in _known(board, "locations")}

    def root(place: str) -> str:
        while part[place] != place:
            place = part[place]
        return place

    for a, b in _ends(board):
        part[root(a)] = root(b)
    for ticket in board["tickets"]:
        a, b = ticket.get("a"), ticket.get("b")
        if a in part and b in part and root(a) != root(b):
            yield ticket.path, f"no routes join the places of ticket '{_way(ticket)}'"


# ---- Bonuses and ties ----------------------------------------------------------------------------


def _bonus_kind(board: Entry, bonus: Entry) -> Findings:
    kind = bonus["kind"]
    if kind not in KINDS:
        known = ", ".join(KINDS)
        yield (
            (*bonus.path, "kind"),
            f"unknown kind of bonus '{kind}'{did_you_mean(kind, KINDS)} (kinds: {known})",
        )
        return
    needs = {*KINDS[kind].NEEDS, *KINDS[kind].NUMBERS}
    for key in (*BONUS_KEYS, *KINDS[kind].NUMBERS):
        # A list may not be empty, but no points are points too.
        given = bonus[key] is not None and bonus[key] != []
        if key in needs and not given:
            yield bonus.path, f"a bonus of kind '{kind}' needs '{key}'"
        elif key not in needs and bonus[key] is not None:
            yield (*bonus.path, key), f"a bonus of kind '{kind}' has no use for '{key}'"
    yield from KINDS[kind].check(bonus)


def _bonus_words(board: Entry, bonus: Entry) -> Findings:
    places, colors = _known(board, "locations"), _known(board, "colors")
    yield from _words(bonus, "locations", places, "place")
    yield from _words(bonus, "colors", colors, "colour")


def _words(entry: Entry, key: str, known: list[str], noun: str) -> Findings:
    """Every word of a list must be known, and none may appear twice."""
    words = entry.get(key) or []
    for number, word in enumerate(words):
        path = (*entry.path, key, number)
        yield from _unknown(word, known, noun, path)
        if word in words[:number]:
            yield path, f"duplicate {noun} '{word}'"


def _groups(board: Entry, bonus: Entry) -> Findings:
    places = _known(board, "locations")
    groups = bonus["groups"] or []
    yield from _repeated(groups, "group")
    for group in groups:
        yield from _words(group, "locations", places, "place")


def _bonus_twice(board: Entry) -> Findings:
    yield from _repeated(board["bonuses"], "bonus", "kind")


def _tie_breaks(board: Entry) -> Findings:
    known = [TICKETS, *(bonus["kind"] for bonus in board["bonuses"])]
    for number, word in enumerate(board["tie_breaks"]):
        path: Path = ("tie_breaks", number)
        if word not in known:
            yield path, f"unknown tie break '{word}' (possible here: {', '.join(known)})"
        elif word in board["tie_breaks"][:number]:
            yield path, f"duplicate tie break '{word}'"


_CHECKS: tuple[Check, ...] = (
    _players,
    _deal,
    _draw,
    _enough_cards,
    _enough_tickets,
    _last_round,
    _single_lane,
    _sizes,
    _limits,
    _ids,
    _never_empty,
    _each("colors", _reserved_color),
    _isolated_place,
    _each("locations", _off_canvas),
    _each("locations", _incomplete_coordinates),
    _each("routes", _places),
    _each("routes", _two_places),
    _each("routes", _route_color),
    _each("routes", _route_piece),
    _each("routes", _route_points),
    _each("routes", _route_pieces),
    _each("routes", _route_cost),
    _lanes,
    _each("tickets", _places),
    _each("tickets", _two_places),
    _repeated_tickets,
    _unjoined_tickets,
    _each("bonuses", _bonus_kind),
    _each("bonuses", _bonus_words),
    _each("bonuses", _groups),
    _bonus_twice,
    _tie_breaks,
)
