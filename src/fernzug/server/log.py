"""The structured log: one JSON object per line on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

logger = logging.getLogger("fernzug.server")


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "at": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def note(event: str, /, level: int = logging.INFO, **fields: object) -> None:
    """Log an event with its fields; never log a token or a hand."""
    logger.log(level, event, extra={"fields": fields})


def note_error(event: str, /, **fields: object) -> None:
    """Log an event with the exception being handled."""
    logger.error(event, extra={"fields": fields}, exc_info=True)


def set_up(level: str = "info") -> None:
    """Send the log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    # The web server's own log would mention every broken message from a stranger.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
