"""Write files completely or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TextIO

from fernzug.cli import CommandError
from fernzug.drafts import draft_of


@contextmanager
def whole_file(name: str) -> Iterator[TextIO]:
    """Open a file for writing; it appears under its name only if everything went well.

    ``-`` is standard output. What cannot be written is noticed before any work is done.
    """
    if name == "-":
        yield sys.stdout
        return
    # Devices and pipes cannot be replaced.
    target = Path(name)
    direct = target.exists() and not target.is_file()
    with (
        _complaints(name),
        nullcontext(target) if direct else draft_of(name) as draft,
        draft.open("w", encoding="utf-8", newline="") as file,
    ):
        yield file
        file.flush()
        if not direct:
            os.fsync(file.fileno())


@contextmanager
def whole_path(name: str) -> Iterator[Path]:
    """Yield the path of a file for a library to write, which appears only if all goes well."""
    with _complaints(name), draft_of(name) as draft:
        yield draft


@contextmanager
def _complaints(name: str) -> Iterator[None]:
    """Turn errors in writing into a message that names the file."""
    try:
        yield
    except BrokenPipeError:
        raise  # This is standard output, to which others write meanwhile.
    except OSError as error:
        where = error.filename or name
        raise CommandError(f"cannot write '{where}': {error.strerror}") from error
