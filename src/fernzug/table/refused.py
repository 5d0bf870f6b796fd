"""How a table refuses a request."""

from __future__ import annotations

from fernzug.table.protocol import ErrorCode


class Refused(Exception):
    """A request was refused; nothing has changed.

    ``code`` is for programs, the message for people.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
