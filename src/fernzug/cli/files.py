"""Write files completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from fernzug.cli import CommandError


@contextmanager
def whole_file(name: str) -> Iterator[TextIO]:
    """Open a file for writing; it appears under its name only if everything went well.

    ``-`` is standard output. The draft is created beside the target, so a folder that cannot be
    written to is noticed before any work is done.
    """
    if name == "-":
        yield sys.stdout
        return
    # Replace the target of a link, not the link; devices and pipes cannot be replaced at all.
    target = Path(name).resolve()
    direct = target.exists() and not target.is_file()
    draft = target if direct else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            if not direct:
                os.fsync(file.fileno())
        if not direct:
            draft.replace(target)
    except OSError as error:
        raise CommandError(f"cannot write '{name}': {error.strerror}") from error
    finally:
        if not direct:
            draft.unlink(missing_ok=True)
