"""The boards that come with the package, and the methods of a board."""

import dataclasses
import heapq
import pickle
import tomllib
from typing import Any

import pytest

from fernzug.board import files as board_files
from fernzug.board.model import Board, BoardError, Catalog, Fault, Ticket
from paths import DATA

FIGURES: dict[str, dict[str, Any]] = tomllib.loads(
    (DATA / "boards.toml").read_text(encoding="utf-8")
)
LANGUAGES = ("de", "en", "fr")


@pytest.fixture(params=board_files.boards())
def board(request: pytest.FixtureRequest) -> Board:
    return board_files.load(request.param)


@pytest.fixture
def figures(board: Board) -> dict[str, Any]:
    return FIGURES[board.id]


def test_every_shipped_board_has_its_figures() -> None:
    assert board_files.boards() == sorted(FIGURES)


def test_a_shipped_file_has_no_fault_and_the_name_of_its_id(board: Board) -> None:
    assert board_files.check(board.source) == []
    assert board_files.load(board.id) is board


def test_players_cards_and_tickets(board: Board, figures: dict[str, Any]) -> None:
    assert [board.min_players, board.max_players] == figures["players"]
    assert list(board.players) == list(range(figures["players"][0], figures["players"][1] + 1))
    assert dict(zip(board.colors, board.color_counts, strict=True)) == figures["colors"]
    assert list(board.colors) == list(figures["colors"])
    assert board.wild_count == figures["wild"]["count"]
    assert sum(board.color_counts) + board.wild_count == figures["cards"]
    assert [board.deal_cards, board.deal_tickets, board.deal_keep] == figures["deal"]
    assert [board.draw_tickets, board.draw_keep] == figures["draw"]
    assert len(board.tickets) == figures["tickets"]


def test_c6_c8_c9_e1_e7_numbers(board: Board, figures: dict[str, Any]) -> None:
    assert {kind.id: kind.count for kind in board.pieces} == figures["pieces"]
    assert [kind.id for kind in board.pieces if kind.one_per_route] == figures["one_per_route"]
    points = {kind.id: [list(row) for row in kind.points.items()] for kind in board.pieces}
    assert points == figures["points"]
    assert board.last_round_at == figures["last_round_at"]
    assert board.single_lane_up_to == figures["single_lane_up_to"]
    assert board.score_track == figures["score_track"]
    assert list(board.tie_breaks) == figures["tie_breaks"]


def test_bonuses(board: Board, figures: dict[str, Any]) -> None:
    found = [
        {
            "kind": bonus.kind,
            "points": bonus.points,
            "locations": len(bonus.locations),
            "colors": list(bonus.colors),
            "groups": [group.points for group in bonus.groups],
        }
        for bonus in board.bonuses
    ]
    assert found == figures["bonuses"]


def test_network(board: Board, figures: dict[str, Any]) -> None:
    assert board.network == figures["network"]
    assert len(board.locations) == figures["locations"]
    assert len(board.routes) == figures["lanes"]
    assert any(route.color == "gray" for route in board.routes) == figures["gray"]


def test_an_own_network_says_so_in_every_language(board: Board) -> None:
    notes = {language: board.note_in(language) for language in LANGUAGES}
    if board.network == "own":
        assert len(set(notes.values())) == len(LANGUAGES)
        assert all(notes.values())
        assert board.note_in("it") == notes["en"]
    else:
        assert set(notes.values()) == {""}


def test_routes(board: Board) -> None:
    kinds = {kind.id: kind for kind in board.pieces}
    for route in board.routes:
        kind = kinds[route.piece]
        assert route.cost == route.length
        # C9: one piece on a route of such a kind, whatever it costs.
        assert route.pieces == (1 if kind.one_per_route else route.length)
        assert route.points == kind.points[route.length]
        assert {route.a, route.b} <= {place.id for place in board.locations}


def test_lanes_know_their_twins(board: Board) -> None:
    for route in board.routes:
        assert route.id == f"{route.a}-{route.b}" + (".2" if route.lane == 2 else "")
        assert (route.lane == 0) == (route.twin is None)
        if route.twin is not None:
            twin = board.routes[route.twin]
            assert twin.twin == route.id
            assert (twin.length, twin.piece, twin.lane) == (
                route.length,
                route.piece,
                3 - route.lane,
            )


def shortest_way(board: Board, ticket: Ticket) -> int:
    """The fewest spaces between the places of a ticket, one-space routes counted by cards."""
    best = {ticket.a: 0}
    queue = [(0, ticket.a)]
    while queue:
        spaces, place = heapq.heappop(queue)
        for route in board.routes:
            if place in (route.a, route.b):
                other = route.b if place == route.a else route.a
                if spaces + route.length < best.get(other, 1000):
                    best[other] = spaces + route.length
                    heapq.heappush(queue, (best[other], other))
    return best[ticket.b]


def test_a_ticket_is_worth_its_shortest_way(board: Board, figures: dict[str, Any]) -> None:
    differing = {
        ticket.id: shortest_way(board, ticket)
        for ticket in board.tickets
        if ticket.points != shortest_way(board, ticket)
    }
    assert differing == figures["shortest_way_but"]


def test_names_in_every_language(board: Board, figures: dict[str, Any]) -> None:
    assert board.color_name("wild", "en") == figures["wild"]["en"]
    for language in LANGUAGES:
        assert board.name_in(language)
        for color in (*board.colors, "wild"):
            assert board.color_name(color, language)
        for kind in board.pieces:
            assert kind.singular[language]
            assert kind.names[language]
        for bonus in board.bonuses:
            assert bonus.names[language]
            assert len({group.name_in(language) for group in bonus.groups}) == len(bonus.groups)
        places = {place.name_in(language) for place in board.locations}
        assert len(places) == len(board.locations)


def test_names_fall_back() -> None:
    berlin = board_files.load("berlin")
    gate = berlin.locations["brandenburger_tor"]
    assert gate.name_in("fr") == "Porte de Brandebourg"
    assert gate.name_in("de") == gate.name_in("it") == "Brandenburger Tor"
    tram = berlin.pieces[0]
    assert (tram.name_in("de", 1), tram.name_in("de", 3)) == ("Straßenbahn", "Straßenbahnen")
    assert tram.name_in("it") == "trams"
    london = board_files.load("london")
    assert (london.name_in("fr"), london.name_in("de")) == ("Londres", "London")
    districts = london.bonuses[0]
    assert districts.name_in("it") == "Districts"
    assert districts.groups[0].name_in("de") == "Bezirk 1"
    assert london.color_name("blue", "it") == "blue"


def test_a_broken_name_has_all_its_words(board: Board) -> None:
    for place in board.locations:
        assert " ".join(place.lines) == place.name


def test_a_catalog_counts_and_finds(board: Board) -> None:
    catalogs: list[Catalog[Any]] = [board.locations, board.routes, board.tickets]
    for catalog in catalogs:
        for number, item in enumerate(catalog):
            assert catalog.index(item.id) == number
            assert catalog[number] is catalog[item.id] is item
            assert item.id in catalog
            assert item in catalog
        assert catalog[:2] == (catalog[0], catalog[1])
        assert catalog.values() == tuple(catalog)
        assert catalog.items() == tuple(zip(catalog.keys(), catalog, strict=True))
        assert list(catalog.keys()) == [item.id for item in catalog]
        assert "nowhere" not in catalog
        assert None not in catalog
    assert repr(board.tickets) == f"<{len(board.tickets)} tickets>"


def test_a_route_is_found_by_either_order_and_by_lane() -> None:
    routes = board_files.load("london").routes
    first, second = routes["covent_garden-st_pauls"], routes["covent_garden-st_pauls.2"]
    assert first.lane == 1
    assert second.lane == 2
    for text in ("covent_garden-st_pauls.1", "st_pauls-covent_garden", "st_pauls-covent_garden.1"):
        assert routes[text] is first
        assert text in routes
    assert routes["st_pauls-covent_garden.2"] is second
    single = routes["hyde_park-baker_street"]
    assert single.id == "baker_street-hyde_park"
    assert "baker_street-hyde_park.1" not in routes


def test_a_ticket_is_found_by_either_order() -> None:
    tickets = board_files.load("london").tickets
    assert tickets["waterloo-british_museum"] is tickets["british_museum-waterloo"]


def test_an_unknown_id_is_refused_in_words() -> None:
    board = board_files.load("london")
    with pytest.raises(
        ValueError, match=r"no place 'big_bem' on this board, did you mean 'big_ben'"
    ):
        board.locations["big_bem"]
    with pytest.raises(ValueError, match=r"there is no ticket 'x' on this board$"):
        board.tickets.index("x")


def test_catalogs_of_equal_things_are_equal() -> None:
    usa = board_files.load("usa")
    again = board_files.parse(usa.source)
    assert again.routes == usa.routes
    assert hash(again.routes) == hash(usa.routes)
    assert usa.routes != usa.tickets
    assert usa.routes != list(usa.routes)


def test_a_board_is_a_value(board: Board) -> None:
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert hash(again) == hash(board)
    assert again.routes == board.routes
    assert repr(again) == f"<Board {board.id} {board.hash}>"
    assert board != board.id
    # A copy with another rule is another board, although it still has the same text.
    assert dataclasses.replace(board, last_round_at=0) != board
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.last_round_at = 0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# ---- Routes", "# ---- All the routes"),
        ("x =  104", "x =  105"),
        ("bend = -10", "bend =  10"),
        ('name = "Reichstag"', 'name = "Bundestag"'),
        ('de = "Fahrrad"', 'de = "Rad"'),
        ("font_size = 19", "font_size = 20"),
        ('id      = "berlin"', 'id      = "my_berlin"'),
        ('network = "own"', 'network = "printed"'),
        ("\n", "\r\n"),
    ],
)
def test_the_hash_is_blind_to_what_does_not_matter_in_play(old: str, new: str) -> None:
    berlin = board_files.load("berlin")
    assert old in berlin.source
    changed = board_files.parse(berlin.source.replace(old, new))
    assert changed.hash == berlin.hash
    assert changed != berlin


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("last_round_at     = 1", "last_round_at     = 2"),
        ("single_lane_up_to = 2", "single_lane_up_to = 3"),
        ("score_track       = true", "score_track       = false"),
        ('tie_breaks        = ["tickets"]', "tie_breaks        = []"),
        ("max = 4", "max = 5"),
        ("deal    = { cards = 2", "deal    = { cards = 3"),
        ("draw    = { tickets = 2", "draw    = { tickets = 3"),
        ("wild = { count = 8", "wild = { count = 9"),
        ('id = "blue",   count = 6', 'id = "blue",   count = 7'),
        ("3 = 3, 4 = 5", "3 = 3, 4 = 6"),
        ("count = 5, one_per_route = true", "count = 5, one_per_route = false"),
        ("points = 12", "points = 13"),
        ('length = 2, color = "purple"', 'length = 2, color = "red"'),
        ("bonuses = []", 'bonuses = [{ kind = "longest_path", points = 10 }]'),
    ],
)
def test_the_hash_changes_with_the_rules(old: str, new: str) -> None:
    berlin = board_files.load("berlin")
    assert old in berlin.source
    assert board_files.parse(berlin.source.replace(old, new)).hash != berlin.hash


def test_an_error_tells_all_its_faults_and_survives_pickling() -> None:
    error = BoardError([Fault(12, "this is wrong"), Fault(None, "that is missing")])
    assert str(error) == "line 12: this is wrong\nthat is missing"
    again = pickle.loads(pickle.dumps(error))
    assert again.faults == error.faults
    assert str(again) == str(error)
