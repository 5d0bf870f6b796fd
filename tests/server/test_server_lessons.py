"""Lessons over real sockets."""

from __future__ import annotations

from typing import Any

from fernzug.lessons import lesson, lessons
from fernzug.lessons.model import PUPIL
from fernzug.server import check, lobby_protocol
from server.live import Browser, LiveServer

BASE = lessons()[0]


def test_the_lessons_are_told_with_their_texts_and_without_their_scripts(
    server: LiveServer,
) -> None:
    told = server.get("/api/lessons")
    check.check(lobby_protocol.Lessons, told)
    assert [one["id"] for one in told["lessons"]] == list(lessons())
    assert "then" not in told["lessons"][0]["steps"][1]


def test_a_lesson_that_there_is_not_is_refused(server: LiveServer) -> None:
    status, problem, _ = server.ask("POST", "/api/lessons", {"lesson": "chess"})
    assert (status, problem["code"]) == (404, "not_found")


def test_the_same_request_opens_one_table(server: LiveServer) -> None:
    wanted = {"lesson": BASE, "id": "once", "name": "Mara"}
    assert server.post("/api/lessons", wanted) == server.post("/api/lessons", wanted)


def at(pupil: Browser) -> Any:
    return pupil.view(PUPIL)["lesson"]


def test_a_lesson_is_taken_left_and_resumed(server: LiveServer) -> None:
    made = server.post("/api/lessons", {"lesson": BASE})
    pupil = server.visit(made, PUPIL)
    assert pupil.info["lesson"] == BASE
    assert not pupil.info["seeded"]
    seats = pupil.info["seats"]
    assert [seat["name"] for seat in seats] == [None, *lesson(BASE).opponents]
    last = len(lesson(BASE).steps) - 1
    visits = 1
    while at(pupil)["step"] < last:
        state = at(pupil)
        if not state["ready"]:
            pupil.receive()
        elif state["asked"]:
            pupil.play(PUPIL, state["asked"][0])
        else:
            assert pupil.command("step", seat=PUPIL, step=state["step"] + 1)["type"] == "ack"
        if at(pupil)["step"] == visits * 3:
            # Going away and coming back changes nothing.
            visits += 1
            pupil.close()
            pupil = server.visit(made, PUPIL)
    assert visits > 3
    refused = pupil.command("step", seat=PUPIL, step=last + 1)
    assert refused["code"] == "stale"
    back = pupil.command("step", seat=PUPIL, step=1)
    assert back["type"] == "ack"
    assert at(pupil)["step"] == 1
    pupil.close()


def test_what_is_not_asked_is_answered(server: LiveServer) -> None:
    made = server.post("/api/lessons", {"lesson": BASE})
    pupil = server.visit(made, PUPIL)
    pupil.command("step", seat=PUPIL, step=1)
    refused = pupil.command("play", seat=PUPIL, version=pupil.seq, action="keep 2")
    assert (refused["code"], refused["reply"]) == ("not_asked", 0)
    stranger = server.visit(made)
    assert stranger.command("step", seat=PUPIL, step=2)["code"] == "not_yours"
    stranger.close()
    pupil.close()
