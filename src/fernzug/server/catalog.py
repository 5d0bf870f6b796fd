"""The boards and lessons that this server offers."""

from __future__ import annotations

from fernzug.board import as_json
from fernzug.board import files as board_files
from fernzug.board.model import Board
from fernzug.lessons import Lesson, lesson, lessons
from fernzug.server import assets, lobby_protocol
from fernzug.server.facts import facts_of


def boards() -> lobby_protocol.Boards:
    """Return all boards that can be played here."""
    return {"boards": [board_data(board_files.load(name)) for name in board_files.boards()]}


def board_data(board: Board) -> lobby_protocol.BoardData:
    """Return one board."""
    drawn = (assets.FOLDER / "maps" / f"{board.id}.svg").is_file()
    return {**as_json.for_clients(board), "map": drawn, "facts": facts_of(board)}


def all_lessons() -> lobby_protocol.Lessons:
    """Return all lessons that can be taken here."""
    return {"lessons": [lesson_data(lesson(name)) for name in lessons()]}


def lesson_data(found: Lesson) -> lobby_protocol.LessonData:
    """Return one lesson: its texts and what they point at, but not its script."""
    return {
        "id": found.id,
        "board": found.board.id,
        "minutes": found.minutes,
        "title": dict(found.title),
        "about": dict(found.about),
        "steps": [
            {
                "title": dict(step.title),
                "text": dict(step.text),
                "task": dict(step.task),
                "replies": [dict(reply.text) for reply in step.replies],
                "point": list(step.point),
            }
            for step in found.steps
        ],
    }
