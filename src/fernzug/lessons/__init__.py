"""Lessons: how to play, step by step, on the real engine.

A lesson is a TOML file: positions with scripted cards, what the pupil is asked to do in each step,
how the opponents answer, and all texts in three languages. ``docs/lessons.md`` says how to write
one. Nothing here knows about screens or servers.
"""

from __future__ import annotations

from fernzug.lessons.course import Course
from fernzug.lessons.files import checked, lesson, lessons
from fernzug.lessons.model import Lesson, LessonError, Reply, Step

__all__ = ["Course", "Lesson", "LessonError", "Reply", "Step", "checked", "lesson", "lessons"]
