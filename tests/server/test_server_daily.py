"""The game of the day over the wire: the same for everybody, and marked as one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import fernzug
from fernzug.match import Match
from fernzug.table import daily
from server.live import LiveServer, settings_for

DAY = "2024-05-01"
ME = {"kind": "here", "name": "Anna"}


def begin(server: LiveServer, board: str = "london", name: str = "Anna") -> Any:
    body = {"board": board, "seats": [{"kind": "here", "name": name}], "daily": DAY}
    return server.post("/api/tables", body)


def test_two_servers_deal_the_same_cards_and_seat_the_same_bots(
    server: LiveServer, tmp_path: Path
) -> None:
    with LiveServer(settings_for(tmp_path)) as elsewhere:
        for board in fernzug.boards():
            found = []
            for site, name in ((server, "Anna"), (elsewhere, "Ben")):
                visitor = site.visit(begin(site, board, name), 0)
                info = visitor.snapshot["table"]
                assert info["daily"] == DAY
                assert info["seeded"]
                bots = [(seat["name"], seat["face"], seat["level"]) for seat in info["seats"][1:]]
                view = visitor.view(0)["view"]
                found.append((bots, view["players"][0], view["faceup"], info["first_player"]))
                visitor.close()
            assert found[0] == found[1]
            met = server.get(f"/api/daily/{DAY}")["opponents"][board]
            assert [(one["name"], one["face"], one["level"]) for one in met] == found[0][0]


def test_a_rematch_is_an_ordinary_game(own_server: LiveServer) -> None:
    visitor = own_server.visit(begin(own_server), 0)
    while visitor.view(0)["view"]["phase"] != "over":
        legal = visitor.legal(0)
        if legal:
            visitor.play(0, legal[-1])
        else:
            visitor.receive()
    assert visitor.command("rematch")["type"] == "ack"
    table = visitor.info["rematch"]["table"]
    info = own_server.get(f"/api/tables/{table}")["table"]
    assert (info["daily"], info["seeded"]) == (None, False)
    visitor.close()


def test_somebody_with_the_name_of_a_bot_keeps_it(server: LiveServer) -> None:
    bot = server.get(f"/api/daily/{DAY}")["opponents"]["london"][0]["name"]
    visitor = server.visit(begin(server, name=bot), 0)
    names = [seat["name"] for seat in visitor.snapshot["table"]["seats"]]
    assert names[:2] == [bot, f"{bot} 2"]
    visitor.close()


def test_the_bots_results_are_those_of_the_same_game_played_here(server: LiveServer) -> None:
    day = daily.day_of(DAY)
    for name in ("london", "berlin"):
        board = fernzug.board(name)
        opponents = daily.opponents_on(day, board)
        told = server.get(f"/api/daily/{DAY}/{name}")
        assert (told["date"], told["board"]) == (DAY, name)
        for one, result in zip(opponents, told["results"], strict=True):
            seats = [one.level, *(other.level for other in opponents)]
            seed = daily.seed_of(day, name)
            game = fernzug.Game(board, len(seats), seed)
            players = fernzug.bots.seated(dict(enumerate(seats)), board, seed)
            with Match(game, players) as match:
                match.play_out()
            sheet = game.scores()[0]
            assert (result["face"], result["points"]) == (one.face, sheet.total)
            assert result["rank"] == sheet.rank
        assert server.get(f"/api/daily/{DAY}/{name}") == told


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"seed": 5}, 400),
        ({"first_player": 0}, 400),
        ({"clock": {"kind": "turn", "seconds": 30}}, 400),
        ({"public": True}, 400),
        ({"seats": [ME, ME]}, 400),
        ({"seats": [{"kind": "bot"}]}, 400),
        ({"daily": "2026-11-31"}, 400),
        ({"daily": "tomorrow.."}, 400),
        ({"daily": "9999-01-01"}, 404),
    ],
)
def test_a_game_of_the_day_that_would_be_different_is_refused(
    server: LiveServer, change: dict[str, Any], status: int
) -> None:
    body = {"board": "london", "seats": [ME], "daily": DAY, **change}
    got, problem, _ = server.ask("POST", "/api/tables", body)
    assert got == status, problem


def test_the_days_to_come_are_kept_back(server: LiveServer) -> None:
    today = datetime.now(UTC).date()
    server.get(f"/api/daily/{today}")
    for path in (f"{today + timedelta(days=2)}", f"{today + timedelta(days=2)}/london"):
        assert server.ask("GET", f"/api/daily/{path}")[0] == 404
    assert server.ask("GET", f"/api/daily/{today}/atlantis")[0] == 404
    assert server.ask("GET", "/api/daily/soon")[0] == 400
