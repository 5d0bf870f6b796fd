"""Files that are written completely or not at all, and folders that can be written to."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def draft_of(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a draft, which takes the place of a file if everything goes well.

    It is made at once and beside the file, so what cannot be written is noticed before any work is
    done. Errors name the file, because nobody has heard of its draft.
    """
    # Replace the target of a link, not the link.
    target = Path(path).resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with errors_naming(path):
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, "")
            draft.touch()
        yield draft
        with errors_naming(path):
            draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink()


@contextmanager
def errors_naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Have errors in writing name a file or folder that people know; libraries often name none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), os.fspath(path)) from error


def writable_folder(path: str | os.PathLike[str]) -> Path:
    """Return the whole path of a folder, which is made if need be; ``OSError`` if it is read-only.

    Whoever writes to it may do so only after hours of work.
    """
    import tempfile  # takes a while to load, and most programs write to no folder

    folder = Path(path).resolve()
    with errors_naming(path):
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
