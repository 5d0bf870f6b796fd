"""Every byte sent to a seat over the wire is the same for games that differ only in secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fernzug import Board
from fernzug.server import bot_worker, lobby, room
from fernzug.table import Moment
from server.live import LiveServer, settings_for
from situations import BOARDS
from table.tabletop import beginning_at
from twins import Script, twins


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ids, codes and times the same in every run: they are not secrets of the game."""
    for module in (lobby, room):
        monkeypatch.setattr(module, "moment", lambda: Moment(0.0, 1_000))
    monkeypatch.setattr(lobby, "new_id", lambda: "abcdefghjkmn")
    monkeypatch.setattr(lobby, "new_code", lambda: "ABCDE")
    monkeypatch.setattr(bot_worker, "HINT_ITERATIONS", 10)
    monkeypatch.setattr(bot_worker, "HINT_SECONDS", 0.0)


def received(data: Path, board: Board, viewer: int | None, start: Any, script: Script) -> bytes:
    """Play a script over sockets; return everything that the viewer was sent."""
    # News that is gathered for a while comes alone or with other news, as the clock has it.
    settings = settings_for(data, limits={"news_seconds": 0.0})
    with LiveServer(settings, beginning_at(start)) as server:
        made = server.make("here", "here", board=board.id, public=True, hints=True)
        others = [seat for seat in (0, 1) if seat != viewer]
        table = server.visit(made, *others)
        watching = server.visit(made) if viewer is None else server.visit(made, viewer)
        for number, (seat, action) in enumerate(script):
            who = watching if seat == viewer else table
            if number % 8 == 0:
                who.command("hint", seat=seat, version=who.seq, id=f"hint {number}")
                who.until("hints")
            assert who.play(seat, action, id=f"command {number}")["type"] == "ack"
            for browser in (table, watching):
                while browser.seq < who.seq:
                    browser.receive()
        table.command("chat", seat=others[0], text="Well", id="talk")
        watching.until("chat")
        watching.send(
            {"type": "play", "id": "wrong", "seat": others[0], "version": 1, "action": "x"}
        )
        watching.until("error")
        back = server.visit(made, *([] if viewer is None else [viewer]), seen=3)
        pages = [
            server.ask("GET", path)[:2]
            for path in ("/api/tables", "/api/tables/ABCDE", "/api/record/abcdefghjkmn")
        ]
        sent = [*watching.bytes, *back.bytes, repr(pages).encode()]
        for browser in (watching, back, table):
            browser.close()
    return b"\n".join(sent)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_every_byte_over_the_wire_is_the_same(
    board: Board, viewer: int | None, tmp_path: Path
) -> None:
    first, second, script = twins(board, 2, viewer, seed=1, steps=25)
    one = received(tmp_path / "first", board, viewer, first, script)
    two = received(tmp_path / "second", board, viewer, second, script)
    assert one == two
    assert len(one) > 3_000
