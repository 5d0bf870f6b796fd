"""What all tests share: how parameters are shown, and how hypothesis looks for examples."""

from __future__ import annotations

from hypothesis import settings

from fernzug import Board

# A busy machine is slow now and then, which proves nothing.
settings.register_profile("fernzug", deadline=None, derandomize=True)
settings.load_profile("fernzug")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Show a board by its id."""
    return val.id if isinstance(val, Board) else None
