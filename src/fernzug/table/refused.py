"""The one way in which a table says no."""

from __future__ import annotations

from fernzug.table.protocol import ErrorCode


class Refused(Exception):
    """A request that the table does not grant; nothing has changed.

    ``code`` is a word for programs, the message is for people.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
