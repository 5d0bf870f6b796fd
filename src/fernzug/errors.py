"""Errors that the public face raises."""

from __future__ import annotations

from typing import Any


class IllegalAction(ValueError):
    """An action that may not be taken now; nothing has changed.

    ``reason`` says why in words, ``position`` is the whole position in which it was refused.
    """

    def __init__(self, reason: str, position: dict[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position
