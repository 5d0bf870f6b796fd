"""How a table refuses a request."""

from __future__ import annotations

from fernzug.table.protocol import ErrorCode


class Refused(Exception):
    """A request was refused; nothing has changed.

    ``code`` is for programs, the message for people. ``reply`` is the number of a lesson's reply.
    """

    def __init__(self, code: ErrorCode, message: str, *, reply: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reply = reply
