"""The parts of the terminal game: ways, refusals, rules, menu, screen and story."""

import ast
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import fernzug
from fernzug import Board, Event, Game, IllegalAction, ways
from fernzug.bonuses import KINDS
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import Stream
from fernzug.engine.knowledge import determinise, knowledge_of
from fernzug.errors import Reason
from fernzug.events import as_seen
from fernzug.i18n import LANGUAGES, Texts
from fernzug.i18n.sentences import sentence
from fernzug.reasons import objection
from fernzug.sim import play_bots
from fernzug.terminal import rulebook
from fernzug.terminal.layout import DASH, width
from fernzug.terminal.menu import menu_of, payment_text
from fernzug.terminal.routes import route_lines
from fernzug.terminal.scores import winners_line
from fernzug.terminal.screen import Screen
from fernzug.terminal.story import Story
from fernzug.terminal.style import Style
from fernzug.terminal.words import Words
from fernzug.view import view_of
from paths import DOCS
from situations import BOARDS
from terminal.player_words import words_for

ESCAPE = "\x1b"
TERMINAL = Path(fernzug.__file__).parent / "terminal"


def middle_of_a_game(board: Board, players: int, seed: int, share: float = 0.5) -> Game:
    """A game that random players have brought part of the way, at somebody's turn."""
    chance = random.Random(seed)
    whole = len(play_bots(board, ["random"] * players, seed)[0].facts)
    game = Game(board, players, seed)
    while not game.over and (len(game.facts) < share * whole or game.phase != "turn"):
        game.play(chance.choice(game.legal()))
    return game


# ---------------------------------------------------------------------------- ways


def test_a_completed_ticket_has_nothing_missing_and_a_shut_one_no_way() -> None:
    for board in BOARDS:
        ticket = board.tickets[0]
        empty = Game.from_position({"board": board.id, "players": 2})
        way = ways.shortest_way(empty.state, 0, ticket.a, ticket.b)
        assert way is not None
        found = [board.routes[number] for number in way.routes]
        assert way.pieces == sum(route.pieces for route in found) > 0
        assert not ways.completed(empty.state, 0, ticket.id)
        own = {route.id: 0 for route in found}
        done = Game.from_position({"board": board.id, "players": 2, "routes": own})
        assert ways.completed(done.state, 0, ticket.id)
        there = ways.shortest_way(done.state, 0, ticket.a, ticket.b)
        assert there == ways.Way(0, (), way.routes)
        # With two players a wall needs one lane only (C6); the cheapest one can be built.
        walls = [
            (ticket, [r for r in board.routes if ticket.a in (r.a, r.b) and r.lane != 2])
            for ticket in board.tickets
        ]
        ticket, wall = min(walls, key=lambda pair: sum(route.pieces for route in pair[1]))
        shut = Game.from_position(
            {"board": board.id, "players": 2, "routes": {route.id: 1 for route in wall}}
        )
        assert ways.shortest_way(shut.state, 0, ticket.a, ticket.b) is None


@pytest.mark.parametrize("board", BOARDS)
def test_open_routes_are_those_that_cards_and_pieces_could_claim(board: Board) -> None:
    game = middle_of_a_game(board, board.max_players, 3)
    seat = game.seat
    assert seat is not None
    position = game.position()
    position["hands"] = [{} for _ in range(game.players)]
    position["hands"][seat] = {
        "wild": board.wild_count,
        **dict(zip(board.colors, board.color_counts, strict=True)),
    }
    position |= {"deck": [], "faceup": [None] * 5, "discard": {}, "rest": "out", "known": None}
    position["flags"] = [[] for _ in range(game.players)]
    del position["known"]
    rich = Game.from_position(position)
    pieces = rich.view(seat).players[seat].pieces
    claimable = {action.route for action in rich.legal() if action.route}
    affordable = {
        route for route in ways.open_routes(rich.state, seat)
        if board.routes[route].pieces <= pieces[board.routes[route].piece]
    }  # fmt: skip
    assert claimable == affordable


# ---------------------------------------------------------------------------- refusals


def reasons_of(game: Game) -> list[Reason]:
    """Every reason for which any action of the board is refused here."""
    seat = game.seat or 0
    tables = game.state.tables
    others = set(range(tables.actions)) - {action.number for action in game.legal()}
    return [objection(game.state, seat, number) for number in others - {int(tables.keep)}]


@pytest.mark.parametrize("board", BOARDS)
def test_every_reason_is_told_in_every_language(board: Board) -> None:
    tongues = [words_for(board, language) for language in LANGUAGES]
    chance = random.Random(1)
    game = Game(board, board.min_players, seed=2)
    texts = ["fly", "dra deck", "draw", "draw a b", "draw pinkish", "keep", "keep 9", "keep 1 1"]
    route = board.routes[0].id
    texts += ["claim", f"claim {route}", "claim a-b red*1", f"claim {route}x red*2", "pass now"]
    colors = board.colors
    texts += [f"claim {route} {colors[0]}*0", f"claim {route} {colors[0]} {colors[0]}"]
    texts += [f"claim {route} {colors[0]} {colors[1]}", f"claim {route} wild*9"]
    for lane in board.routes:
        texts += [f"claim {lane.id} {color}*{lane.cost}" for color in (colors[0], colors[1])]
        texts += [f"claim {lane.id} wild*{lane.cost} flag"]
    seen: set[str] = set()
    visits: Counter[str] = Counter()
    while not game.over:
        visits[game.phase] += 1
        if visits[game.phase] % 10 == 1:
            reasons = reasons_of(game)
            for text in texts:
                try:
                    game.copy().play(text)
                except IllegalAction as error:
                    reasons.append(error.why)
            for reason in {str(reason.to_json()): reason for reason in reasons}.values():
                seen.add(reason.code)
                for words in tongues:
                    told = sentence(words.texts, reason, words)
                    assert told != words.texts("reason.other")
                    assert "{" not in told
        game.play(chance.choice(game.legal()))
    assert {reason.code for reason in reasons_of(game)} == {"over"}
    assert {"cards", "taken", "own", "shut", "not_pass", "word", "mixed", "cost"} <= seen


def test_a_reason_speaks_of_what_the_player_sees() -> None:
    board = fernzug.board("london")
    words = words_for(board, "de")
    reason = Reason("cards", route="regents_park-kings_cross", cards={"green": 1, "wild": 2})
    assert sentence(words.texts, reason, words) == (
        f"Für Regent’s Park {DASH} King’s Cross brauchst du noch 1 grün + 2 Joker."
    )
    reason = Reason("cards", route="regents_park-kings_cross", color="gray", missing=2)
    assert sentence(words.texts, reason, words) == (
        f"Für Regent’s Park {DASH} King’s Cross brauchst du noch 2 Karten derselben Farbe."
    )
    reason = Reason("color", word="bleu", colors=("blue", "wild"))
    assert sentence(words.texts, reason, words).endswith("; es gibt blau, Joker.")


# ---------------------------------------------------------------------------- rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_the_rules_of_a_board_can_be_told(board: Board, language: str) -> None:
    words = words_for(board, language)
    ids = rulebook.ids(words)
    for id in ids:
        text = rulebook.rule(words, id)
        assert text
        assert "{" not in text
    for bonus in board.bonuses:
        assert set(words.texts.find(f"bonus.{bonus.kind}.rules")) <= set(ids)
    assert ("C9" in ids) == any(kind.one_per_route for kind in board.pieces)


def test_every_rule_has_a_text() -> None:
    document = DOCS / "rules.md"
    told = set(re.findall(r"\*\*([STDCKE]\d)\*\*", document.read_text(encoding="utf-8")))
    assert told
    texts = Texts("en")
    of_bonuses = {id for words in texts.find("bonus").values() for id in words["rules"]}
    assert {*texts.find("rules"), *of_bonuses} == told


def test_rules_come_in_their_order() -> None:
    board = fernzug.board("usa")
    ids = rulebook.ids(words_for(board))
    assert ids[:4] == ["S1", "S2", "S3", "T1"]
    assert ids[-4:] == ["E1", "E2", "E3", "E7"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bonus_without_words_does_not_spoil_the_rules(language: str) -> None:
    board = fernzug.board("usa")
    names = {language: "Wetter"}
    weather = replace(board.bonuses[0], kind="good_weather", points=7, names=names)
    words = words_for(replace(board, bonuses=(*board.bonuses, weather)), language)
    ids = rulebook.ids(words)
    assert ids[-1] == "GOOD_WEATHER"
    assert "Wetter (7 point" in rulebook.rule(words, ids[-1]).replace("Punkte", "point")
    assert [rulebook.rule(words, id) for id in ids[:-1]] == [
        rulebook.rule(words_for(board, language), id) for id in ids[:-1]
    ]


# ---------------------------------------------------------------------------- menu and screen


@pytest.mark.parametrize("board", BOARDS)
def test_the_menu_offers_every_action_but_equal_lanes(board: Board) -> None:
    for seed in range(4):
        game = middle_of_a_game(board, board.max_players, seed)
        assert game.seat is not None
        legal = game.legal()
        words = words_for(board)
        menu = menu_of(words, legal, set(), board.draw_tickets)
        options = [*menu.draws, *menu.others, *menu.claims]
        assert [option.number for option in options] == list(range(1, len(options) + 1))
        assert [menu.option(option.number) for option in options] == options
        assert menu.option(0) is menu.option(len(options) + 1) is None
        offered = {action for option in options for action in option.actions}
        for action in set(legal) - offered:
            assert action.route is not None
            route = board.routes[action.route]
            assert route.lane == 2
            assert route.twin is not None
            assert board.routes[route.twin].color == route.color
        for option in menu.claims:
            texts = [payment_text(words, action) for action in option.actions]
            assert len(set(texts)) == len(texts)


def test_wanted_routes_come_first() -> None:
    board = BOARDS[0]
    hand = dict.fromkeys(board.colors, 3)
    game = Game.from_position({"board": board.id, "players": 2, "hands": [hand, {}]})
    last = [action.route for action in game.legal() if action.route][-1]
    assert last is not None
    menu = menu_of(words_for(board), game.legal(), {last}, 2)
    assert menu.claims[0].actions[0].route == last
    assert menu.claims[0].text.startswith("* ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("board", BOARDS)
def test_a_turn_fits_on_the_screen(board: Board, size: tuple[int, int], language: str) -> None:
    for seed in range(3):
        game = middle_of_a_game(board, board.max_players, seed)
        seat = game.seat
        assert seat is not None
        words = words_for(board, language, colored=True, you=seat)
        screen = Screen(words, game.view(seat), *size)
        lines = screen.everything()
        menu = menu_of(words, game.legal(), screen.wanted(), board.draw_tickets)
        lines += screen.menu(menu, len(lines), "more")
        assert all(width(line) <= size[0] for line in lines)
        tickets = len(game.view(seat).players[seat].tickets or ())
        # What people hold may be more than a small screen has room for.
        assert len(lines) < max(size[1], 14 + tickets + 2 * board.max_players)
        assert all(width(line) <= size[0] for line in screen.way_lines())


def test_a_screen_without_colours_has_no_escapes() -> None:
    for board in BOARDS:
        game = middle_of_a_game(board, 2, 1)
        assert game.seat is not None
        screen = Screen(words_for(board), game.view(game.seat), 80, 24)
        lines = [*screen.everything(), *screen.brief(), *screen.way_lines()]
        lines += route_lines(words_for(board), game.view(game.seat), "", 80)
        assert not any(ESCAPE in line for line in lines)


@pytest.mark.parametrize("board", BOARDS)
def test_a_screen_tells_nothing_that_the_seat_may_not_know(board: Board) -> None:
    """States that differ only in what a seat may not know look the same to it."""
    for seed in range(3):
        game = middle_of_a_game(board, 2, seed)
        seat = game.seat
        assert seat is not None
        other = determinise(knowledge_of(game.state, seat), Stream(seed, 99))
        assert list(other.deck) != list(game.state.deck)
        words = words_for(board, you=seat)
        shown = []
        for view in (game.view(seat), view_of(other, seat, board.id)):
            screen = Screen(words, view, 80, 24)
            menu = menu_of(words, view.legal, screen.wanted(), board.draw_tickets)
            lines = [*screen.everything(), *screen.brief(), *screen.way_lines()]
            lines += screen.menu(menu, len(lines), "more")
            shown.append(lines + route_lines(words, view, "", 80))
        assert shown[0] == shown[1]


@pytest.mark.parametrize("path", sorted(TERMINAL.glob("*.py")), ids=lambda path: path.name)
def test_the_terminal_reads_no_state_but_that_of_a_seats_knowledge(path: Path) -> None:
    """What is shown is right by construction: the referee's state is not within reach."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            of_knowledge = isinstance(node.value, ast.Attribute) and node.value.attr == "knowledge"
            assert node.attr != "state" or of_knowledge, f"{path.name}:{node.lineno}"
            assert node.attr not in ("position", "scores", "legal") or not (
                isinstance(node.value, ast.Attribute) and node.value.attr == "game"
            ), f"{path.name}:{node.lineno}"


# ---------------------------------------------------------------------------- story


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_a_story_tells_every_turn_and_no_secret(board: Board, language: str) -> None:
    players = board.max_players
    game, _ = play_bots(board, ["random"] * players, 8)
    texts = Texts(language)
    open_story = Story(Words(board, texts, Style(False)))
    open_story.follow(game.events)
    seen = Story(Words(board, texts, Style(False), you=0))
    seen.follow(as_seen(game.events, 0))
    turns = game.view(None).turn
    assert open_story.number == seen.number == turns
    for story in (open_story, seen):
        told = {turn.number: turn for turn in story.turns if turn.deeds}
        assert sorted(told) == list(range(turns + 1))
        assert not any("{" in line for line in story.lines(numbered=True))
    assert any(player in line for line in seen.lines() for player in [texts("player.subject")])
    tickets = [Words(board, texts, Style(False)).ticket(ticket.id) for ticket in board.tickets]
    own = [line for line in seen.lines() if line.startswith(texts("player.subject"))]
    others = [line for line in seen.lines() if not line.startswith(texts("player.subject"))]
    assert any(ticket in line for line in own for ticket in tickets)
    assert not any(ticket in line for line in others for ticket in tickets)
    assert texts("deed.other.drew_blind") in " ".join(others)


def test_two_cards_from_one_place_are_told_together() -> None:
    words = words_for(fernzug.board("usa"))
    red, blue = Event("took", seat=1, color="red", place=1), Event("drew", seat=0, color="blue")
    turn, hidden = Event("awaited", phase="turn"), Event("drew", seat=1)

    def told(*events: Event) -> str:
        story = Story(words)
        story.follow([replace(turn, seat=events[0].seat), *events])
        return story.lines()[-1]

    assert told(red, red) == "Player 2 takes red and red from the display."
    assert told(blue, blue) == "You draw blue and blue from the deck."
    assert told(hidden, hidden) == "Player 2 draws two cards from the deck."
    assert told(red, hidden) == "Player 2 takes red from the display, draws a card from the deck."
    kept = replace(hidden, color="blue")
    assert told(hidden, kept).count("from the deck") == 2


def test_an_event_without_words_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of bonus may come without words: then its name is all there is to tell."""
    board = next(b for b in BOARDS if any(KINDS[bonus.kind].FACTS for bonus in b.bonuses))
    kind = next(bonus.kind for bonus in board.bonuses if KINDS[bonus.kind].FACTS)
    words = words_for(board)
    fact = next(fact for fact in KINDS[kind].FACTS if fact.scores)
    event = Event(fact.word, seat=1, points=3)
    told = Story(words).deed(event)
    assert "(3 points)" in told
    has = Texts.has
    monkeypatch.setattr(Texts, "has", lambda self, key: ".events." not in key and has(self, key))
    assert Story(words).deed(event) == f"{words.bonus(kind)} (3 points)"
    assert Story(words).deed(Event("unheard_of", seat=1)) == ""


def test_winners_are_named() -> None:
    board = BOARDS[0]
    game = Game.from_position({"board": board.id, "players": 2})
    sheets = game.scores()
    assert [sheet.rank for sheet in sheets] == [1, 1]
    words = words_for(board)
    assert winners_line(words, sheets) == "You and Player 2 share the victory."
    ahead = Game.from_position(
        {"board": board.id, "players": 2, "routes": {board.routes[0].id: 0}}
    ).scores()
    assert winners_line(words, ahead) == "You have won!"
    assert winners_line(words_for(board, you=1), ahead) == "Player 1 has won."


def test_bots_on_different_seats_have_different_luck() -> None:
    assert len({int(game_seed(1, 16 + seat)) for seat in range(5)}) == 5
