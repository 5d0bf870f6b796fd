"""What must be true of a board beyond the shape of its file, so that it can be played.

Each check goes over an entry as far as it was read and yields what is wrong, in words for the
person who draws the board, with the path of the value to change.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain

from fernzug.board.lines import Path
from fernzug.board.model import GRAY, WILD
from fernzug.board.shape import MAX_COLORS, MAX_LOCATIONS, MAX_ROUTES, Entry, Unread
from fernzug.bonuses import NEEDS
from fernzug.spelling import did_you_mean

FACE_UP = 5  # S1; the engine stands above this module, so a test compares the two
TICKETS = "tickets"

Findings = Iterator[tuple[Path, str]]
Check = Callable[[Entry], Findings]


def findings(board: Entry) -> Findings:
    """Everything that is wrong with a board, as far as it was read."""
    for check in _CHECKS:
        # What is missing has been reported with the shape of the file.
        with suppress(Unread):
            yield from check(board)


def _each(key: str, check: Callable[[Entry, Entry], Findings]) -> Check:
    """A check of one entry of a list as a check of the board: one bad entry hides no other."""

    def check_all(board: Entry) -> Findings:
        for entry in board[key]:
            with suppress(Unread):
                yield from check(board, entry)

    return check_all


# ---- Numbers -------------------------------------------------------------------------------------


def _players(board: Entry) -> Findings:
    least, most = board["players"]["min"], board["players"]["max"]
    if least > most:
        yield ("players",), f"'min' is {least} players, but 'max' is {most}"


def _deal(board: Entry) -> Findings:
    deal = board["deal"]
    if deal["keep"] > deal["tickets"]:
        yield (
            ("deal", "keep"),
            f"{deal['tickets']} tickets are dealt, but {deal['keep']} must be kept",
        )


def _draw(board: Entry) -> Findings:
    draw = board["draw"]
    if draw["keep"] > draw["tickets"]:
        yield (
            ("draw", "keep"),
            f"{draw['tickets']} tickets are drawn, but {draw['keep']} must be kept",
        )


def _enough_cards(board: Entry) -> Findings:
    cards = sum(color["count"] for color in board["colors"]) + board["wild"]["count"]
    most, each = board["players"]["max"], board["deal"]["cards"]
    if cards <= most * each + FACE_UP:
        yield (
            ("deal", "cards"),
            f"too few cards: {most} players with {each} each and {FACE_UP} face up leave no deck"
            f" of {cards} cards",
        )


def _enough_tickets(board: Entry) -> Findings:
    tickets, most, each = len(board["tickets"]), board["players"]["max"], board["deal"]["tickets"]
    if tickets < most * each:
        yield (
            ("tickets",),
            f"too few tickets: {most} players are dealt {each} each, but there are {tickets}",
        )


def _last_round(board: Entry) -> Findings:
    pieces = sum(kind["count"] for kind in board["pieces"])
    if board["last_round_at"] >= pieces:
        yield (
            ("last_round_at",),
            f"the last round would start at once: a player has {pieces} pieces, and"
            f" 'last_round_at' is {board['last_round_at']}",
        )


def _single_lane(board: Entry) -> Findings:
    most = board["players"]["max"]
    if board["single_lane_up_to"] > most:
        yield (
            ("single_lane_up_to",),
            f"'single_lane_up_to' is {board['single_lane_up_to']}, but at most {most} play",
        )


def _sizes(board: Entry) -> Findings:
    for key, size in board["drawing"].items():
        if size < 0 or (size == 0 and key != "lane_gap"):
            yield ("drawing", key), f"'{key}' must be more than 0, not {size}"


def _limits(board: Entry) -> Findings:
    most = {"colors": MAX_COLORS, "routes": MAX_ROUTES, "locations": MAX_LOCATIONS}
    for key, limit in most.items():
        count = len(board.get(key, ()))
        if count > limit:
            yield (key,), f"at most {limit} {_PLURALS[key]} are possible, here are {count}"


# ---- Lists with ids ------------------------------------------------------------------------------

_NOUNS = {"colors": "colour", "pieces": "kind of piece", "locations": "place"}
_PLURALS = {"colors": "colours", "routes": "routes", "locations": "places"}


def _repeated(entries: Iterable[Entry], noun: str, key: str = "id") -> Findings:
    seen: set[str] = set()
    for entry in entries:
        word = entry.get(key)
        if word is not None and word in seen:
            yield (*entry.path, key), f"the {noun} '{word}' stands here a second time"
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
        yield (*color.path, "id"), f"'{color['id']}' has a meaning of its own and is no colour"


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
    """The ends of all routes; Unread if one is in doubt, because that fault alone is enough."""
    known = set(_known(board, "locations"))
    ends = [(route["a"], route["b"]) for route in board["routes"]]
    if not known.issuperset(chain.from_iterable(ends)):
        raise Unread
    return ends


def _lonely_place(board: Entry) -> Findings:
    joined = set(chain.from_iterable(_ends(board)))
    for place in board["locations"]:
        if "id" in place and place["id"] not in joined:
            yield place.path, f"no route leads to '{place['id']}'"


def _off_canvas(board: Entry, place: Entry) -> Findings:
    for key, size in (("x", "width"), ("y", "height")):
        if not 0 <= place[key] <= board["drawing"][size]:
            yield (
                (*place.path, key),
                f"'{place['id']}' lies off the drawing: {key} is {place[key]}, the {size}"
                f" {board['drawing'][size]}",
            )


def _half_a_position(board: Entry, place: Entry) -> Findings:
    if (place["lat"] is None) != (place["lon"] is None):
        yield place.path, f"'{place['id']}' has only one of 'lat' and 'lon'"


def _route_color(board: Entry, route: Entry) -> Findings:
    known = [*_known(board, "colors"), GRAY]
    yield from _unknown(route["color"], known, "colour", (*route.path, "color"))


def _kind(board: Entry, route: Entry) -> Entry:
    """The kind of piece of a route: the first of the board if the route names none."""
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
            f"length {length} has no points in the table of '{kind['id']}'",
        )


def _route_pieces(board: Entry, route: Entry) -> Findings:
    kind = _kind(board, route)
    if not kind["one_per_route"] and route["length"] > kind["count"]:
        yield (
            (*route.path, "length"),
            f"a route of {route['length']} needs more pieces than the {kind['count']} of"
            f" '{kind['id']}' that a player has",
        )


def _route_cost(board: Entry, route: Entry) -> Findings:
    counts = [color["count"] for color in board["colors"] if route["color"] in (GRAY, color["id"])]
    cards = max(counts, default=0) + board["wild"]["count"]
    # An unknown colour is reported as such.
    if counts and route["length"] > cards:
        yield (
            (*route.path, "length"),
            f"nobody can pay for this route: it costs {route['length']} cards, and of one colour"
            f" and wild there are {cards}",
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
        yield last.path, f"{len(routes)} routes '{way}': two lanes are the most"
    elif len(routes) == 1 and lanes[0] == 0:
        # A place misspelt in one lane parts it from its twin; that fault is reported already.
        _ends(board)
        other = 3 - first["lane"]
        yield (*first.path, "lane"), f"'{way}' has a lane {first['lane']} but no lane {other}"
    elif len(routes) == 2 and (lanes[1], lanes[2]) != (1, 1):
        yield (
            last.path,
            f"a second route '{way}': a double route has one with lane = 1 and one with lane = 2",
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
        yield last.path, f"the lanes of '{way}' differ in piece: '{kinds[0]}' and '{kinds[1]}'"


# ---- Tickets -------------------------------------------------------------------------------------


def _repeated_tickets(board: Entry) -> Findings:
    for tickets in _pairs(board["tickets"]).values():
        for ticket in tickets[1:]:
            yield ticket.path, f"the ticket '{_way(ticket)}' stands here a second time"


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
            yield ticket.path, f"no routes join the places of the ticket '{_way(ticket)}'"


# ---- Bonuses and ties ----------------------------------------------------------------------------


def _bonus_kind(board: Entry, bonus: Entry) -> Findings:
    kind = bonus["kind"]
    if kind not in NEEDS:
        known = ", ".join(NEEDS)
        yield (
            (*bonus.path, "kind"),
            f"unknown kind of bonus '{kind}'{did_you_mean(kind, NEEDS)} (kinds: {known})",
        )
        return
    for key in ("points", "locations", "colors", "groups"):
        # A list may not be empty, but no points are points too.
        given = bonus[key] is not None and bonus[key] != []
        if key in NEEDS[kind] and not given:
            yield bonus.path, f"a bonus of kind '{kind}' needs '{key}'"
        elif key not in NEEDS[kind] and bonus[key] is not None:
            yield (*bonus.path, key), f"a bonus of kind '{kind}' has no use for '{key}'"


def _bonus_words(board: Entry, bonus: Entry) -> Findings:
    places, colors = _known(board, "locations"), _known(board, "colors")
    yield from _words(bonus, "locations", places, "place")
    yield from _words(bonus, "colors", colors, "colour")


def _words(entry: Entry, key: str, known: list[str], noun: str) -> Findings:
    """The words of a list: each known, none twice."""
    words = entry.get(key) or []
    for number, word in enumerate(words):
        path = (*entry.path, key, number)
        yield from _unknown(word, known, noun, path)
        if word in words[:number]:
            yield path, f"the {noun} '{word}' stands here a second time"


def _groups(board: Entry, bonus: Entry) -> Findings:
    places = _known(board, "locations")
    groups = bonus["groups"] or []
    yield from _repeated(groups, "group")
    for group in groups:
        yield from _words(group, "locations", places, "place")
        if len(group.get("locations", "ab")) < 2:
            yield group.path, "a group needs at least 2 places"


def _bonus_twice(board: Entry) -> Findings:
    yield from _repeated(board["bonuses"], "bonus", "kind")


def _tie_breaks(board: Entry) -> Findings:
    known = [TICKETS, *(bonus["kind"] for bonus in board["bonuses"])]
    for number, word in enumerate(board["tie_breaks"]):
        path: Path = ("tie_breaks", number)
        if word not in known:
            yield path, f"unknown tie break '{word}' (this board may have: {', '.join(known)})"
        elif word in board["tie_breaks"][:number]:
            yield path, f"the tie break '{word}' stands here a second time"


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
    _lonely_place,
    _each("locations", _off_canvas),
    _each("locations", _half_a_position),
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
