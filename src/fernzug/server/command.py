"""``fernzug serve``: play in the browser."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path

from fernzug.board import files as board_files
from fernzug.board.model import BoardError
from fernzug.server.settings import Settings

SWITCH_SECONDS = 0.0005
"""How long a thread that restores a table may keep the loop waiting each time."""
HINT = "the browser game needs more packages: install the extra 'web', as in pip install '.[web]'"


def default_data() -> Path:
    """Return the default folder for tables."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "fernzug"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (%(default)s, this machine only); 0.0.0.0 for every network",
    )
    parser.add_argument(
        "--port", type=int, default=8080, help="port (%(default)s); 0 for any free port"
    )
    parser.add_argument(
        "--network",
        default="auto",
        metavar="ADDRESS",
        help="this machine's address in its network, where 'Let others join' on the page listens "
        "(auto: found when needed); off: the page has no such switch",
    )
    parser.add_argument(
        "--data", type=Path, default=None, metavar="DIR", help="folder for the tables"
    )
    parser.add_argument(
        "--store",
        metavar="URL",
        default=None,
        help="keep the tables in a database instead, postgresql://…, which several processes can "
        "use at once (needs the extra 'scale')",
    )
    parser.add_argument(
        "--bus",
        metavar="URL",
        default=None,
        help="what connects the processes that use the same database, redis://…",
    )
    parser.add_argument(
        "--board",
        action="append",
        default=[],
        metavar="FILE",
        help="also offer the board of this file; repeatable",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--host-name",
        action="append",
        default=[],
        metavar="NAME",
        help="a name under which browsers reach this server, such as games.example; repeatable",
    )
    parser.add_argument(
        "--origin", action="append", default=[], help="also let pages from this origin connect"
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        default=None,
        help="trust this proxy (a comma-separated list, or *) about where requests come from",
    )
    parser.add_argument(
        "--bot-pace",
        type=float,
        default=None,
        metavar="SECONDS",
        help="least time that a bot takes",
    )
    parser.add_argument(
        "--bot-workers", type=int, default=None, metavar="N", help="processes in which bots think"
    )
    parser.add_argument(
        "--grace",
        type=int,
        default=None,
        metavar="SECONDS",
        help="before a bot plays for the absent",
    )
    parser.add_argument(
        "--per-address",
        type=int,
        default=None,
        metavar="N",
        help="people who may share an address: sockets, tables, and all else in proportion",
    )
    parser.add_argument(
        "--rate",
        type=float,
        default=None,
        metavar="N",
        help="messages per second per connection",
    )
    parser.add_argument(
        "--open-metrics",
        action="store_true",
        help="let everybody read /metrics, not only programs on this machine",
    )
    parser.add_argument(
        "--log",
        default="info",
        choices=["debug", "info", "warning", "error"],
        help="what to log (%(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        print(HINT, file=sys.stderr)
        return 1
    return _serve(args)


def _serve(args: argparse.Namespace) -> int:
    import uvicorn

    from fernzug.server import log, memory
    from fernzug.server.app import create_app
    from fernzug.server.gate import raise_open_files
    from fernzug.server.network import Network, listen, server_config, url_of
    from fernzug.server.store import StoreError

    log.set_up(args.log)
    settings = settings_from(args)
    raise_open_files()
    try:
        _offer(args.board)
        listener = listen(args.host, args.port)
        host, port = listener.getsockname()[:2]
        network = Network(host, port, settings)
        app = create_app(settings, network)
    except (OSError, StoreError, ValueError) as error:
        print(f"fernzug serve: {error}", file=sys.stderr)
        return 1
    url = url_of(shown_host(args.host), port)
    server = uvicorn.Server(server_config(app, settings))
    with listener:
        print(f"Fernzug is at {url} (Ctrl-C stops it)", flush=True)
        if args.open:
            opener = threading.Timer(0.8, webbrowser.open, [url])
            opener.daemon = True
            opener.start()
        # The server raises the signal that stopped it once more at the end; ignore that.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        memory.collect_young_only()
        sys.setswitchinterval(SWITCH_SECONDS)
        server.run([listener])
    return 0


def _offer(files: list[str]) -> None:
    """Offer boards from files, or say everything that is wrong with them."""
    for name in files:
        try:
            board_files.add(board_files.load(Path(name)))
        except BoardError as error:
            lines = ["the board file is faulty", *error.lines(name)]
            raise ValueError("\n".join(lines)) from None


def settings_from(args: argparse.Namespace) -> Settings:
    """Return the settings that the arguments ask for."""
    settings = Settings(
        data=args.data or default_data(),
        store=args.store,
        bus=args.bus,
        origins=tuple(args.origin),
        host_names=tuple(args.host_name),
        proxy=args.proxy,
        network=args.network,
        open_metrics=args.open_metrics,
    )
    if args.bot_pace is not None:
        pace = max(0.0, args.bot_pace)
        settings = replace(settings, bot_pace=(pace, 2 * pace))
    if args.bot_workers is not None:
        settings = replace(settings, bot_workers=max(0, args.bot_workers))
    if args.grace is not None:
        settings = replace(settings, grace=max(0, args.grace))
    if args.per_address is not None:
        limits = settings.limits.for_crowds(max(1, args.per_address))
        settings = replace(settings, limits=limits)
    if args.rate is not None:
        limits = settings.limits.at_speed(max(0.0, args.rate))
        settings = replace(settings, limits=limits)
    return settings


def shown_host(host: str) -> str:
    """Return the host to type into a browser on this machine."""
    return "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
