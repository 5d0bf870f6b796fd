"""``fernzug lessons``: list the lessons, check lesson files."""

from __future__ import annotations

import argparse
import json

from fernzug.cli.checking import check_files
from fernzug.lessons import Lesson, checked, lessons
from fernzug.lessons.rehearsal import Rehearsal
from fernzug.terminal.layout import table

LANGUAGE = "en"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    check = actions.add_parser(
        "check",
        help="report every fault in lesson files, with its line",
        description="Try every way through lessons, and report every fault as FILE:LINE: TEXT. "
        "Exit code 1 if there is any.",
    )
    check.add_argument("files", nargs="+", metavar="FILE", help="a lesson file, or a lesson's id")


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action == "check":
        return check_files(args.files, _describe)
    return list_lessons(args.json)


def list_lessons(as_json: bool) -> int:
    """Print and check all lessons that come with the package."""
    found = [checked(name) for name in lessons()]
    if as_json:
        print(json.dumps([_figures(*one) for one in found], ensure_ascii=False, indent=2))
        return 0
    head = ("lesson", "board", "minutes", "steps", "situations", "title")
    rows = [
        (
            lesson.id,
            lesson.board.id,
            str(lesson.minutes),
            str(len(lesson.steps)),
            str(rehearsal.situations),
            lesson.title[LANGUAGE],
        )
        for lesson, rehearsal in found
    ]
    print("\n".join(table([head, *rows], "<<>>><")))
    return 0


def _figures(lesson: Lesson, rehearsal: Rehearsal) -> dict[str, object]:
    return {
        "id": lesson.id,
        "board": lesson.board.id,
        "minutes": lesson.minutes,
        "title": dict(lesson.title),
        "steps": [dict(step.title) for step in lesson.steps],
        "situations": rehearsal.situations,
        "actions": rehearsal.actions,
    }


def _describe(name: str) -> str:
    lesson, rehearsal = checked(name)
    return (
        f"{lesson.title[LANGUAGE]}: {len(lesson.steps)} steps, "
        f"{rehearsal.situations} situations, {rehearsal.actions} actions tried"
    )
