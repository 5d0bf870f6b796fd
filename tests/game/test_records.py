"""Records: they replay without chance, and one that was changed or cut is refused at its line."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fernzug
from fernzug import Board, Game, Record, RecordError, record
from fernzug.board import files as board_files
from fernzug.engine.fold import fold
from fernzug.events import PHASES
from situations import (
    BOARDS,
    at_every_table,
    at_every_table_slowly,
    on_every_board,
    shortage,
    situation,
)
from watch import same


def played(board: Board, players: int, seed: int, decisions: int = 10_000) -> Game:
    game = Game(board, players, seed=seed)
    chance = random.Random(seed)
    while not game.over and decisions:
        game.play(chance.choice(game.legal()))
        decisions -= 1
    return game


WHOLE = {board.id: str(played(board, board.min_players, seed=3).record()) for board in BOARDS}
"""The text of a record of a whole game on each board."""


def with_checks(lines: list[dict[str, Any]]) -> str:
    """A text with valid checksums, as a forger could write it."""
    before, text = "", ""
    for line in lines:
        line = without_check(line)
        plain = json.dumps(line, ensure_ascii=False, sort_keys=True)
        before = hashlib.sha256((before + plain).encode()).hexdigest()[:12]
        text += json.dumps({**line, "check": before}, ensure_ascii=False) + "\n"
    return text


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def without_check(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key != "check"}


# ---- Writing and replaying -----------------------------------------------------------------------


@at_every_table
def test_the_header_tells_what_the_file_is(board: Board, players: int) -> None:
    game = Game(board, players, seed=5, first_player=1)
    header = objects(str(game.record()))[0]
    header.pop("check")
    assert header == {
        "format": "fernzug record",
        "version": 1,
        "board": board.id,
        "board_hash": board.hash,
        "players": players,
        "first_player": 1,
        "seed": 5,
    }


@on_every_board
def test_a_line_is_an_event_and_the_last_counts_them(board: Board) -> None:
    game = played(board, board.min_players, seed=3)
    lines = objects(WHOLE[board.id])
    events = [event.to_json() for event in game.events]
    assert [{k: v for k, v in line.items() if k != "check"} for line in lines[1:-1]] == events
    assert lines[-1]["end"] == len(events)
    assert with_checks(lines) == WHOLE[board.id]


@at_every_table_slowly
def test_a_game_goes_on_after_a_replay_as_if_nothing_had_been(board: Board, players: int) -> None:
    """Also the cards of reshuffles to come are the same."""
    for decisions in (0, 3, 40):
        game = played(board, players, seed=7, decisions=decisions)
        again = fernzug.replay(str(game.record()))
        chance = random.Random(8)
        while not game.over:
            action = chance.choice(game.legal())
            assert again.play(action) == game.play(action)
        assert same(game.state, again.state)
        assert str(game.record()) == str(again.record())


@at_every_table
def test_a_game_from_a_position_has_a_record_too(board: Board, players: int) -> None:
    start = played(board, players, seed=9, decisions=30).position()
    game = Game.from_position(start)
    chance = random.Random(9)
    for _ in range(12):
        if not game.over:
            game.play(chance.choice(game.legal()))
    text = str(game.record())
    assert objects(text)[0]["position"] == start
    again = fernzug.replay(text)
    assert same(again.state, game.state)
    assert str(again.record()) == text


def test_a_record_is_read_from_text_file_or_object(tmp_path: Path) -> None:
    game = played(BOARDS[0], 2, seed=4)
    file = tmp_path / "game.jsonl"
    game.record().save(file)
    assert file.read_text(encoding="utf-8") == str(game.record())
    assert list(tmp_path.iterdir()) == [file]
    for source in (game.record(), str(game.record()), file, str(file), record.load(file)):
        assert same(fernzug.replay(source).state, game.state)


def test_a_record_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "game.jsonl"
    folder.mkdir()
    with pytest.raises(OSError, match=r"game\.jsonl"):
        Game("london", 2, seed=1).record().save(folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_states_of_a_record_one_by_one() -> None:
    game = played(BOARDS[1], 3, seed=4)
    numbers = []
    for state, number in game.record().states():
        numbers.append(number)
        last = state
    assert numbers == list(range(len(game.facts)))
    assert same(last, game.state)


# ---- Boards of one's own -------------------------------------------------------------------------


def own_board(text: str = "Piccadilly Circus") -> Board:
    """A board that does not come with the package."""
    source = fernzug.board("london").source
    source = source.replace('id      = "london"', 'id      = "my_town"')
    return board_files.parse(source.replace("Piccadilly Circus", text))


def test_a_board_of_ones_own_is_part_of_the_record(tmp_path: Path) -> None:
    board = own_board()
    assert board.id == "my_town"
    file = tmp_path / "town.toml"
    file.write_text(board.source, encoding="utf-8")
    game = Game(str(file), 2, seed=2)
    assert game.position()["board"] == str(file)
    text = str(game.record())
    assert objects(text)[0]["board_file"] == board.source
    file.unlink()
    again = fernzug.replay(text)
    assert again.board == board
    assert same(again.state, game.state)


def test_a_board_file_of_many_lines_stays_one_line_of_the_record() -> None:
    """Characters that end a line elsewhere may stand in a board's texts."""
    for mark in ("\u2028", "\u2029", "\x85", "\x0b"):
        source = own_board().source.replace("our own", f"our{mark}own")
        escaped = source.replace("\x0b", "\\u000B")
        board = board_files.parse(escaped.replace("Piccadilly Circus", f"Piccadilly{mark}".strip()))
        game = Game(board, 2, seed=2)
        assert same(fernzug.replay(str(game.record())).state, game.state)


def test_a_changed_board_with_the_id_of_a_shipped_one_is_embedded() -> None:
    source = fernzug.board("london").source.replace(
        "last_round_at     = 2", "last_round_at     = 3"
    )
    board = board_files.parse(source)
    game = Game(board, 2, seed=2)
    assert "board_file" in game.record().header
    assert fernzug.replay(str(game.record())).board == board


# ---- What is refused -----------------------------------------------------------------------------


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        fernzug.replay(record.parse(text))
    assert str(error.value).startswith(f"line {error.value.line}: ")
    return error.value


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_a_changed_character_is_noticed_at_its_line(board: str, data: st.DataObject) -> None:
    text = WHOLE[board]
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from('019abcxyz{}",:-\n _'))
    changed = text[:place] + other + text[place + 1 :]
    line = text.count("\n", 0, place) + 1
    assume(_objects_differ(text, changed))
    assert refused(changed).line in (line, line + 1)


def _objects_differ(text: str, changed: str) -> bool:
    """Spaces between the words of a line mean nothing."""
    try:
        return objects(text) != objects(changed)
    except ValueError:
        return True


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_a_record_that_was_cut_is_refused(board: str, data: st.DataObject) -> None:
    text = WHOLE[board]
    place = data.draw(st.integers(0, len(text) - 1))
    cut = text[:place]
    error = refused(cut)
    assert error.line == max(len(cut.removesuffix("\n").split("\n")), 1)


@on_every_board
def test_a_record_that_was_cut_between_two_lines_is_refused(board: Board) -> None:
    lines = WHOLE[board.id].splitlines(keepends=True)
    for number in range(1, len(lines)):
        error = refused("".join(lines[:number]))
        assert error.line == number
        assert "the record is truncated: its last line is missing" in str(error)


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_a_line_that_is_missing_or_moved_or_doubled_is_noticed(
    board: str, data: st.DataObject
) -> None:
    lines = WHOLE[board].splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines) - 1))
    missing = lines[:place] + lines[place + 1 :]
    assert refused("".join(missing)).line in (place, place + 1)
    doubled = [*lines[: place + 1], *lines[place:]]
    assert refused("".join(doubled)).line == place + 2
    other = data.draw(st.integers(0, len(lines) - 1).filter(lambda number: number != place))
    swapped = lines.copy()
    swapped[place], swapped[other] = swapped[other], swapped[place]
    assert refused("".join(swapped)).line == min(place, other) + 1


def test_other_texts_are_no_records(tmp_path: Path) -> None:
    for text in ("", "\n", "hello\n", "[]\n", "{}\n", '{"format": "fernzug record"}\n', "5\n"):
        assert refused(text).line == 1
    for other in ({"format": "something else"}, {}):
        assert "this is not a record" in str(refused(with_checks([other])))
    for text in ("", "hello\n", "{}\n", "[1]\n", "[" * 100_000):
        assert "this is not a record" in str(refused(text))
    assert "has version 9" in str(refused('{"format": "fernzug record", "version": 9}\n'))
    file = tmp_path / "photo.jpg"
    file.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(RecordError, match="line 1: this is not a text file"):
        fernzug.replay(file)
    with pytest.raises(FileNotFoundError):
        fernzug.replay(tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "the record has version 2; this program reads version 1"),
        ({"version": None}, "the record has version None"),
        ({"board": "atlantis"}, "the board cannot be loaded: there is no board 'atlantis'"),
        ({"board": 5}, "the board cannot be loaded"),
        ({"board_file": "id ="}, "the board cannot be loaded"),
        ({"board_hash": "0" * 16}, "the record is for another version of the board london"),
        ({"players": 9}, "9 players cannot play london"),
        ({"players": "two"}, "'two' players cannot play london"),
        ({"players": 2.0}, "2.0 players cannot play london"),
        ({"seed": None}, "the start of the game is invalid"),
        ({"seed": 1.5}, "the start of the game is invalid"),
        ({"first_player": "me"}, "the start of the game is invalid"),
        ({"first_player": 2}, "the start of the game is invalid"),
        ({"position": {"seat": 9}}, "the start of the game is invalid"),
        ({"position": 5}, "the start of the game is invalid"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(change: dict[str, Any], reason: str) -> None:
    header, *rest = objects(WHOLE["london"])
    error = refused(with_checks([{**header, **change}, *rest]))
    assert error.line == 1
    assert reason in str(error)


# Forged checksums do not help to write a game that breaks the rules.

FORGED: list[tuple[str, dict[str, Any], str]] = [
    ("dealt", {"color": "gray"}, "there are no 'gray' cards"),
    ("dealt", {"seat": 7}, "there is no seat 7"),
    ("dealt", {"seat": -1}, "there is no seat -1"),
    ("dealt", {"seat": True}, "this is not an event of the board"),
    ("dealt", {"seat": "0"}, "this is not an event of the board"),
    ("turned_up", {"place": 6}, "there is no place 6"),
    ("turned_up", {"place": 0}, "there is no place 0"),
    ("took", {"place": 9}, "there is no place 9"),
    ("offered", {"tickets": []}, "this is not an event of the board"),
    ("kept", {"tickets": ["nowhere-else"]}, "there is no ticket"),
    ("claimed", {"route": "a-b"}, "there is no route"),
    ("claimed", {"cards": {}}, "these cards do not pay for the route"),
    ("claimed", {"points": 99}, "this is not an event of the board"),
    ("awaited", {"phase": "supper"}, "this is not an event of the board"),
    ("awaited", {"seat": 9}, "there is no seat 9"),
    ("drew", {"seat": 3}, "the rules do not allow this here"),
    ("shuffled", {"cards": ["wild"] * 44}, "the deck is not the cards of the box"),
    ("shuffled_tickets", {"tickets": []}, "this is not an event of the board"),
    ("ended", {"event": "never"}, "this is not an event of the board"),
]


@pytest.mark.parametrize(("kind", "change", "reason"), FORGED)
def test_forged_events_are_refused(kind: str, change: dict[str, Any], reason: str) -> None:
    lines = objects(WHOLE["london"])
    place = next(number for number, line in enumerate(lines) if line.get("event") == kind)
    error = refused(with_checks([*lines[:place], {**lines[place], **change}, *lines[place + 1 :]]))
    assert error.line == place + 1
    assert reason in str(error)


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_events_left_out_or_moved_are_refused(board: str, data: st.DataObject) -> None:
    header, *events, end = objects(WHOLE[board])
    place = data.draw(st.integers(0, len(events) - 1))
    other = data.draw(st.integers(0, len(events) - 1))
    event = events.pop(place)
    if data.draw(st.booleans()):
        events.insert(other, event)
    end["end"] = len(events)
    before = [without_check(line) for line in objects(WHOLE[board])[1:-1]]
    assume([without_check(line) for line in events] != before)
    assert refused(with_checks([header, *events, end])).line >= 2


@on_every_board
def test_whose_turn_it_is_cannot_be_forged(board: Board) -> None:
    """Every single `awaited` follows from the rules, for whichever seat, phase or turns left."""
    lines = objects(WHOLE[board.id])
    luck = random.Random(5)
    places = [number for number, line in enumerate(lines) if line.get("event") == "awaited"]
    for place in [*luck.sample(places, 25), places[-1]]:
        for change in (
            {"seat": 1 - lines[place]["seat"]},
            {"phase": luck.choice([p for p in PHASES if p != lines[place]["phase"]])},
            {"turns_left": lines[place].get("turns_left", 0) + 1},
        ):
            forged = [*lines[:place], {**lines[place], **change}, *lines[place + 1 :]]
            assert refused(with_checks(forged)).line == place + 1


@on_every_board
def test_events_that_do_not_follow_are_refused(board: Board) -> None:
    """A game does not end, nor go on, nor is the last round called, but by the rules."""
    header, *events, _ = objects(WHOLE[board.id])
    middle = next(n for n, e in enumerate(events) if n > 80 and e["event"] == "awaited")
    for extra in (
        {"event": "ended"},
        {"event": "last_round", "seat": 0},
        {"event": "swept"},
        {"event": "passed", "seat": events[middle]["seat"]},
        {"event": "awaited", "phase": "turn", "seat": 1 - events[middle]["seat"]},
    ):
        for place in (middle, middle + 1):
            forged = [*events[:place], extra, *events[place:]]
            error = refused(with_checks([header, *forged, {"end": len(forged)}]))
            assert error.line == place + 2
    cut = [*events[:middle], {"event": "ended"}]
    assert refused(with_checks([header, *cut, {"end": len(cut)}])).line == middle + 2


@on_every_board
def test_what_follows_from_an_action_is_told_to_the_end(board: Board) -> None:
    header, *events, _ = objects(WHOLE[board.id])
    for number in random.Random(8).sample(range(1, len(events)), 60):
        text = with_checks([header, *events[:number], {"end": number}])
        if events[number - 1]["event"] in ("awaited", "ended"):
            # A decision is awaited, unless there is no second card to be had (D7).
            continue
        error = refused(text)
        assert error.line == number + 2
        assert "by the rules, more follows" in str(error)


@on_every_board
def test_chance_is_what_the_record_tells(board: Board) -> None:
    """No random generator is asked: with another seed the game is the same, reshuffles included."""
    games = (played(board, board.max_players, seed) for seed in range(50))
    game = next(game for game in games if any(e.kind == "reshuffled" for e in game.events))
    header, *rest = objects(str(game.record()))
    other = fernzug.replay(with_checks([{**header, "seed": header["seed"] + 1}, *rest]))
    assert other.facts == game.facts
    assert other.scores() == game.scores()


def test_a_reshuffle_of_other_cards_is_refused() -> None:
    lines = objects(WHOLE["london"])
    place = next(number for number, line in enumerate(lines) if line.get("event") == "reshuffled")
    cards = lines[place]["cards"]
    lines[place] = {**lines[place], "cards": [*cards[1:], next(c for c in cards if c != cards[0])]}
    error = refused(with_checks(lines))
    assert error.line == place + 1
    assert "the new deck is not the discards" in str(error)


# ---- Every byte counts ---------------------------------------------------------------------------


SHORT = {board.id: str(played(board, 2, seed=4, decisions=12).record()) for board in BOARDS}
"""The text of a short record on each board."""


@on_every_board
def test_whatever_byte_is_changed_is_noticed_or_means_the_same(
    board: Board, tmp_path: Path
) -> None:
    data = SHORT[board.id].encode()
    luck = random.Random(6)
    file = tmp_path / "game.jsonl"
    for place in luck.sample(range(len(data)), 300):
        # Often such bytes as are part of a record, else any.
        byte = luck.choice([luck.randrange(256), luck.choice(data), ord(" ")])
        file.write_bytes(data[:place] + bytes([byte]) + data[place + 1 :])
        line = data.count(b"\n", 0, place) + 1
        try:
            read = record.load(file)
            fernzug.replay(read)
        except RecordError as error:
            assert byte != data[place]
            assert error.line in (line, line + 1)  # noqa: PT017
        else:
            assert str(read) == SHORT[board.id]


@on_every_board
def test_wherever_a_record_is_cut_it_is_refused(board: Board, tmp_path: Path) -> None:
    data = SHORT[board.id].encode()
    file = tmp_path / "game.jsonl"
    last = data.rindex(b"\n", 0, -1)
    for place in {*random.Random(7).sample(range(len(data)), 150), *range(last, len(data))}:
        file.write_bytes(data[:place])
        with pytest.raises(RecordError) as error:
            fernzug.replay(file)
        line = data.count(b"\n", 0, place) + 1
        assert error.value.line in (line, max(line - 1, 1))


def test_a_record_without_its_last_line_end_was_cut() -> None:
    error = refused(WHOLE["london"][:-1])
    assert error.line == len(WHOLE["london"].splitlines())
    assert "its last line is incomplete" in str(error)


def test_a_ticket_kept_twice_is_refused() -> None:
    lines = objects(WHOLE["london"])
    place = next(number for number, line in enumerate(lines) if line.get("event") == "kept")
    ticket = lines[place]["tickets"][0]
    lines[place] |= {"tickets": [ticket, ticket], "count": 2}
    assert "a ticket is kept twice" in str(refused(with_checks(lines)))


def test_there_is_no_other_fact() -> None:
    with pytest.raises(ValueError, match="there is no such fact"):
        fold(Game("london", 2, seed=1).state.copy(), (99, 0))


@at_every_table
def test_passes_are_recorded(board: Board, players: int) -> None:
    """T2 in a record: a pass is replayed where it was legal, and refused elsewhere."""
    game = shortage(board, players)
    while not game.over:
        game.play("pass")
    assert fernzug.replay(str(game.record())).over
    header, *events = objects(str(game.record()))
    header["position"] = situation(board, players).position()
    error = refused(with_checks([header, *events]))
    assert (error.line, str(error)) == (2, "line 2: the rules do not allow this here")


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 8),
    st.integers(),
    st.floats(),
    st.sampled_from(["blue", "wild", "turn", "over", "swept", "louvre-pompidou", ""]),
    st.lists(st.sampled_from(["blue", "wild", "concorde-opera", 1]), max_size=3),
    st.dictionaries(st.sampled_from(["blue", "wild", "red"]), st.integers(-1, 3)),
)


@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_events_with_other_fields_never_break_the_reader(board: str, data: st.DataObject) -> None:
    lines = objects(WHOLE[board])
    place = data.draw(st.integers(0, len(lines) - 2))
    key = data.draw(st.sampled_from(sorted(lines[place])))
    lines[place] = {**lines[place], key: data.draw(values)}
    try:
        game = fernzug.replay(record.parse(with_checks(lines)))
    except RecordError as error:
        assert error.line >= place + 1 or place == 0  # noqa: PT017
    else:
        assert game.position()


def test_a_record_can_be_made_by_hand() -> None:
    game = situation(fernzug.board("london"))
    game.play("draw deck")
    kept = game.record()
    assert isinstance(kept, Record)
    assert Record(kept.board, kept.header, kept.facts) == kept
