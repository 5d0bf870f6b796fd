"""``fernzug store``: look after the file in which the server keeps its tables."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fernzug.cli import FAULT, USAGE, CommandError
from fernzug.cli.files import whole_file
from fernzug.cli.progress import Progress

if TYPE_CHECKING:
    from fernzug.server.sqlite_repair import Told

PAGES_AT_ONCE = 256
"""Pages that a backup copies before others may write again."""
OLD = ", which a server upgrades when it opens the file"
ADVICE = (
    "A server that opens the file goes on with what is readable. To use a backup instead: "
    "fernzug store restore"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions")
    check = actions.add_parser(
        "check",
        help="read every table, and report what is damaged",
        description="Read every page and every table of a store, and report what is damaged. "
        "Nothing is changed, and a server may be running. Exit code 1 if anything is damaged.",
    )
    check.add_argument("file", nargs="?", metavar="FILE", help="a backup, instead of the store")
    backup = actions.add_parser(
        "backup",
        help="copy the store into a file, also while the server is running",
        description="Copy the store into a file, also while the server is running. The copy is "
        "checked before it appears under its name.",
    )
    backup.add_argument("file", metavar="FILE", help="the new file")
    backup.add_argument("--force", action="store_true", help="replace FILE if it exists")
    restore = actions.add_parser(
        "restore",
        help="put a backup in the place of the store",
        description="Put a backup in the place of the store, which no server may be using. Of a "
        "damaged file, everything that can be read is restored. The store that was there is kept "
        "beside the new one.",
    )
    restore.add_argument("file", metavar="FILE", help="a backup, or a damaged store")
    restore.add_argument("--replace", action="store_true", help="even if the store has tables")
    export = actions.add_parser(
        "export",
        help="write all finished games as records",
        description="Write all finished games into one file of records, which 'fernzug replay' "
        "and 'fernzug analyse' read. A server may be running.",
    )
    export.add_argument("file", metavar="FILE", help="the new file, or '-' for standard output")
    export.add_argument(
        "--unfinished", action="store_true", help="also games in progress, with all hidden cards"
    )
    export.add_argument("--force", action="store_true", help="replace FILE if it exists")
    for action in (check, backup, restore, export):
        action.add_argument(
            "--data", type=Path, default=None, metavar="DIR", help="the server's folder"
        )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    try:
        from fernzug.server.sqlite_file import FILE
    except ImportError:
        from fernzug.server.command import HINT

        raise CommandError(HINT) from None
    from fernzug.server.command import default_data
    from fernzug.server.store import StoreError

    if args.action is None:
        raise CommandError("name an action: check, backup, restore or export", USAGE)
    path = (args.data or default_data()) / FILE
    try:
        if args.action == "check":
            return check(Path(args.file) if args.file else path)
        if args.action == "backup":
            return backup(path, Path(args.file), force=args.force)
        if args.action == "restore":
            return restore(Path(args.file), path, replace=args.replace)
        return export(path, args.file, unfinished=args.unfinished, force=args.force)
    except (StoreError, sqlite3.Error) as error:
        raise CommandError(str(error)) from None


@contextmanager
def shown(noun: str) -> Iterator[Told]:
    """Show a progress bar for work whose size is told with each step."""
    bar = Progress(1, noun=noun)

    def told(done: int, total: int) -> None:
        bar.total = max(1, total)
        bar.show(done)

    try:
        yield told
    finally:
        bar.clear()


def _require(path: Path) -> None:
    if not path.exists():
        raise CommandError(f"there is no store at '{path}'; --data says where the server has it")


# ---------------------------------------------------------------------------- check


def check(path: Path) -> int:
    """Report what is damaged; return 1 if anything is."""
    from fernzug.server import sqlite_repair
    from fernzug.server.sqlite_file import SCHEMA, open_to_read

    _require(path)
    print(f"{path}: {path.stat().st_size / 1e6:,.1f} MB", end="")
    faults = None
    try:
        with closing(open_to_read(path)) as connection:
            schema = connection.execute("PRAGMA user_version").fetchone()[0]
            print(f", schema {schema}" + OLD * (schema != SCHEMA), flush=True)
            if sqlite_repair.is_sound(connection):
                faults = _check_tables(connection)
    except sqlite3.DatabaseError as error:
        print()
        if not sqlite_repair.is_damage(error):
            raise
    if faults is None:
        with shown("pages") as told:
            found = sqlite_repair.survey(path, told)
        if not found.tables and not found.lost:
            raise CommandError(f"'{path}' is not a store, or nothing of it can be read")
        faults = [*found.lines(), ADVICE]
    for fault in faults:
        print(fault)
    print("damaged" if faults else "everything can be read")
    return FAULT if faults else 0


def _check_tables(connection: sqlite3.Connection) -> list[str]:
    """Restore each table; print how many there are, and return what is wrong."""
    from fernzug.server.sqlite_file import stored_tables
    from fernzug.table import restore

    states: Counter[str] = Counter()
    faults = []
    changes = 0
    with shown("tables") as told:
        number = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
        for done, (id, state, stored) in enumerate(stored_tables(connection), start=1):
            states[state] += 1
            told(done, number)
            try:
                table, found = stored()
                changes += len(found)
                restored = restore(table, found)
                if restored.state != state:
                    faults.append(f"{id}: is noted as {state}, but is {restored.state}")
            except Exception as error:
                faults.append(f"{id}: cannot be restored: {error}")
    kinds = ", ".join(f"{states[state]} {state}" for state in sorted(states)) or "none"
    print(f"tables: {kinds}; {changes:,} changes")
    return faults


# ---------------------------------------------------------------------------- backup and restore


def backup(path: Path, target: Path, *, force: bool = False) -> int:
    """Copy the store into a file."""
    from fernzug.server.sqlite_file import open_to_read
    from fernzug.server.sqlite_repair import is_sound

    _require(path)
    _require_new(target, force)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with closing(open_to_read(path)) as source, closing(sqlite3.connect(draft)) as copy:
            with shown("pages") as told:
                source.backup(
                    copy,
                    pages=PAGES_AT_ONCE,
                    progress=lambda _, left, total: told(total - left, total),
                )
            # A copy is one file: it is read back in the place of another store.
            copy.execute("PRAGMA journal_mode = DELETE")
            if not is_sound(copy):
                raise CommandError(
                    f"'{path}' is damaged, so there is no backup; see 'fernzug store check'"
                )
            tables = copy.execute("SELECT count(*) FROM tables").fetchone()[0]
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    print(f"{target}: {tables:,} tables, {target.stat().st_size / 1e6:,.1f} MB")
    return 0


def restore(source: Path, path: Path, *, replace: bool = False) -> int:
    """Put what can be read of a file in the place of the store."""
    from fernzug.server import sqlite_repair
    from fernzug.server.sqlite_file import lock, open_file

    if not source.exists():
        raise CommandError(f"there is no file '{source}'")
    path.parent.mkdir(parents=True, exist_ok=True)
    with lock(path.parent):
        _require_replaceable(source, path, replace)
        fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with shown("pages") as told:
                found = sqlite_repair.survey(source, told)
            if not found.tables and not found.lost and sqlite_repair.reads(source) != 0:
                raise CommandError(f"'{source}' is not a store, or nothing of it can be read")
            with shown("tables") as told:
                sqlite_repair.write(found, fresh, told)
            if path.exists():
                kept = sqlite_repair.set_aside(path, "replaced")
                print(f"the store that was there is now {kept}")
            fresh.rename(path)
        finally:
            fresh.unlink(missing_ok=True)
        open_file(path).close()
    if found.damaged_pages:
        print("\n".join(found.lines()), file=sys.stderr)
    print(f"{path}: {len(found.tables):,} tables")
    return FAULT if found.lost or found.set_back else 0


def _require_replaceable(source: Path, path: Path, replace: bool) -> None:
    """Refuse to replace a store that somebody may still need."""
    from fernzug.server.sqlite_repair import reads

    if not path.exists():
        return
    tables = reads(path)
    if path.samefile(source):
        if tables is not None:
            raise CommandError(f"'{source}' is the store itself, and nothing of it is damaged")
    elif tables != 0 and not replace:
        has = "is damaged" if tables is None else f"has {tables:,} tables"
        raise CommandError(f"'{path}' {has}; with --replace, it is kept beside the new one")


def _require_new(target: Path, force: bool) -> None:
    if target.exists() and not force:
        raise CommandError(f"'{target}' exists already; --force replaces it")


# ---------------------------------------------------------------------------- export


def export(path: Path, target: str, *, unfinished: bool = False, force: bool = False) -> int:
    """Write games as records."""
    from fernzug.server.sqlite_file import open_to_read, stored_tables
    from fernzug.table import restore

    _require(path)
    if target != "-":
        _require_new(Path(target), force)
    written, faults = 0, []
    with (
        closing(open_to_read(path)) as connection,
        whole_file(target) as file,
        shown("tables") as told,
    ):
        number = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
        for done, (id, state, stored) in enumerate(stored_tables(connection), start=1):
            told(done, number)
            if state != "over" and not (unfinished and state == "playing"):
                continue
            try:
                table = restore(*stored())
            except Exception as error:
                faults.append(f"{id}: cannot be restored: {error}")
                continue
            if table.game is None:
                continue
            record = table.game.record()
            record.header["table"] = id
            record.header["names"] = [seat.name for seat in table.seats.all]
            if table.setup.seed is not None:
                record.header["seeded"] = True
            file.write(str(record))
            written += 1
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{target}: {written:,} games", file=sys.stderr if target == "-" else sys.stdout)
    return FAULT if faults else 0
