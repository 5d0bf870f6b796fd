"""The golden playthroughs are what the engine says today."""

import fernzug
from fernzug import Board
from golden.renew import HERE, file_of, playthrough
from situations import on_every_board


@on_every_board
def test_the_playthrough_of_a_board_has_not_changed(board: Board) -> None:
    golden = file_of(board).read_text(encoding="utf-8").splitlines()
    today = playthrough(board).splitlines()
    for number, (was, now) in enumerate(zip(golden, today, strict=False), start=1):
        assert now == was, f"{file_of(board).name}, line {number}"
    assert len(today) == len(golden)


@on_every_board
def test_a_playthrough_shows_something_of_everything(board: Board) -> None:
    text = file_of(board).read_text(encoding="utf-8")
    for word in ("kept", "drew", "took", "offered", "claimed", "last_round", "ended", "score 0"):
        assert f"  {word}" in text, word
    assert len(text.splitlines()) < 3000


def test_there_is_a_file_for_every_board_and_no_other() -> None:
    assert sorted(path.stem for path in HERE.glob("*.txt")) == fernzug.boards()
