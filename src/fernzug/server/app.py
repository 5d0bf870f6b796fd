"""The web application: pages, requests to the lobby, sockets."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from fernzug import Game, __version__, bots
from fernzug.board import files as board_files
from fernzug.server import assets, catalog, check, lobby_protocol, replay, sockets
from fernzug.server.assets import Content, content
from fernzug.server.connect import open_bus, open_store
from fernzug.server.daily import DailyResults, character_data, requested_day
from fernzug.server.gate import Gate
from fernzug.server.limits import Taken, address_of, is_this_machine
from fernzug.server.lobby import Lobby
from fernzug.server.log import note_error
from fernzug.server.metrics import CONTENT_TYPE, Metrics
from fernzug.server.network import Network, passed_on
from fernzug.server.room import Room
from fernzug.server.security import Security
from fernzug.server.settings import Settings
from fernzug.server.store import StoreError
from fernzug.table import OVER, Refused
from fernzug.table.authority import GameFactory, new_game
from fernzug.table.characters import CHARACTERS
from fernzug.table.daily import opponents_on
from fernzug.table.protocol import ErrorCode, TableInfo
from fernzug.table.revealed import revealed_tickets

STATUS: dict[ErrorCode, int] = {
    "not_found": 404,
    "origin": 403,
    "not_yours": 403,
    "too_large": 413,
    "rate": 429,
    "limit": 429,
    "storage": 503,
    "busy": 503,
    "stopping": 503,
    "bad_message": 400,
    "bad_name": 400,
}
"""The HTTP status for each refusal; the default is 409, conflict."""
STORE_SECONDS = 5.0
"""How long the store may take to answer before the server counts as not ready."""
MAX_READY = 32
"""How many finished games are kept ready for the replay, and how many reviews."""

K = TypeVar("K")
T = TypeVar("T")


class Site:
    """Everything that is served over HTTP."""

    def __init__(self, settings: Settings, game_factory: GameFactory, network: Network) -> None:
        self.settings = settings
        self.network = network
        self.metrics = Metrics()
        self.files = assets.load()
        self._boards = _json(catalog.boards())
        levels: lobby_protocol.Levels = {
            "levels": list(bots.LEVELS),
            "personalities": list(bots.PERSONALITIES),
            "default": bots.DEFAULT_LEVEL,
            "ratings": {board: dict(by_level) for board, by_level in bots.ratings().items()},
            "characters": [character_data(one) for one in CHARACTERS],
        }
        self._levels = _json(levels)
        self._lessons = _json(catalog.all_lessons())
        self._records: OrderedDict[str, Content] = OrderedDict()
        self._reviews: OrderedDict[tuple[str, str, int], Content] = OrderedDict()
        """By table, and how far they had got."""
        self._game_factory = game_factory
        self._bus = open_bus(settings, self.metrics)
        self._store = open_store(settings, self.metrics)
        self._lobby: Lobby | None = None
        self._daily: DailyResults | None = None

    @property
    def lobby(self) -> Lobby:
        """The tables, once the server is running."""
        assert self._lobby is not None
        return self._lobby

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Open the lobby before the first request, and close it after the last."""
        self._lobby = Lobby(
            self.settings,
            store=self._store,
            bus=self._bus,
            metrics=self.metrics,
            game_factory=self._game_factory,
        )
        self._daily = DailyResults(self._lobby.bot_pool)
        try:
            await self._lobby.open()
            yield
        except Exception:
            note_error("server_failed")
            raise
        finally:
            await self.network.close()
            self._daily.close()
            await self._lobby.close()

    def routes(self) -> list[Route | WebSocketRoute]:
        """Return the routes of the application."""
        return [
            Route("/healthz", self.ready),
            Route("/healthz/live", self.alive),
            Route("/healthz/ready", self.ready),
            Route("/metrics", self.metrics_page),
            Route("/api/boards", self.boards),
            Route("/api/levels", self.levels),
            Route("/api/lessons", self.take_lesson, methods=["POST"]),
            Route("/api/lessons", self.lessons),
            Route("/api/daily/{day}", self.daily),
            Route("/api/daily/{day}/{board}", self.daily_results),
            Route("/api/network", self.set_network, methods=["POST"]),
            Route("/api/network", self.network_state),
            Route("/api/tables", self.create, methods=["POST"]),
            Route("/api/tables", self.open_tables),
            Route("/api/tables/{key}", self.find),
            Route("/api/join", self.join, methods=["POST"]),
            Route("/api/record/{key}.jsonl", self.record_file),
            Route("/api/record/{key}", self.record),
            Route("/api/again", self.try_again, methods=["POST"]),
            Route("/api/review/{key}", self.run_review, methods=["POST"]),
            Route("/api/review/{key}", self.review),
            WebSocketRoute("/ws", self.socket),
            Route("/{path:path}", self.file),
        ]

    async def refused(self, connection: HTTPConnection, refusal: Exception) -> Response:
        """Answer a request that was refused."""
        assert isinstance(refusal, Refused)
        self.metrics.count("refusals", refusal.code)
        return _problem(refusal.code, refusal.message)

    async def failed(self, connection: HTTPConnection, error: Exception) -> Response:
        """Log a fault of our own, and answer the request."""
        self.metrics.count("faults")
        note_error("request_failed", path=connection.url.path)
        if connection.scope["type"] == "websocket":
            raise error
        return _problem("bad_message", "the server could not handle this", 500)

    # ------------------------------------------------------------------------ the server itself

    async def alive(self, request: Request) -> Response:
        """Say that the process answers at all."""
        return JSONResponse({"ok": True, "version": __version__})

    async def ready(self, request: Request) -> Response:
        """Say whether the server can take visitors: its store answers, and it does not stop."""
        began = time.perf_counter()
        reason = "the server is about to stop" if self.lobby.stopping else None
        try:
            await asyncio.wait_for(self.lobby.store.ping(), STORE_SECONDS)
        except (TimeoutError, StoreError):
            reason = "the store does not answer"
        waited = round(time.perf_counter() - began, 4)
        told = {"ok": reason is None, "version": __version__, "store_seconds": waited}
        if reason is None:
            return JSONResponse(told)
        return JSONResponse({**told, "reason": reason}, 503)

    async def metrics_page(self, request: Request) -> Response:
        """Return the server's metrics, by default only to programs on this machine."""
        # A proxy on this machine passes on requests from elsewhere, and says so.
        host = request.client.host if request.client else None
        elsewhere = passed_on(request) or not is_this_machine(host)
        if not self.settings.open_metrics and elsewhere:
            raise Refused("not_yours", "the metrics can only be read on the server's own machine")
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    async def file(self, request: Request) -> Response:
        """Return a file of the client; every path without a dot is the page itself."""
        path = request.path_params["path"]
        found = self.files.get(path)
        if found is None and "." not in path.rpartition("/")[2] and not path.startswith("api/"):
            found = self.files.get(assets.PAGE)
        if found is None:
            raise Refused("not_found", "there is no such page")
        return found.respond(request)

    async def network_state(self, request: Request) -> Response:
        """Say who can reach this server."""
        return JSONResponse(self.network.state(request))

    async def set_network(self, request: Request) -> Response:
        """Let other machines in, or shut them out."""
        self._count_request(request)
        wanted = await self._body(request, lobby_protocol.SetNetwork)
        return JSONResponse(await self.network.set_open(request, wanted["open"]))

    # ------------------------------------------------------------------------ the lobby

    async def boards(self, request: Request) -> Response:
        """Return all boards."""
        return self._boards.respond(request)

    async def levels(self, request: Request) -> Response:
        """Return the levels of the bots."""
        return self._levels.respond(request)

    async def lessons(self, request: Request) -> Response:
        """Return all lessons."""
        return self._lessons.respond(request)

    async def take_lesson(self, request: Request) -> Response:
        """Open a table at which a lesson is taken."""
        address = self._count_request(request)
        new = await self._body(request, lobby_protocol.NewLesson)
        return JSONResponse(await self.lobby.take_lesson(new, address), 201)

    async def daily(self, request: Request) -> Response:
        """Return whom everybody plays against on a day."""
        self._count_request(request)
        day = requested_day(request.path_params["day"])
        boards = [board_files.load(name) for name in board_files.boards()]
        found: lobby_protocol.Daily = {
            "date": day.isoformat(),
            "opponents": {
                board.id: [character_data(one) for one in opponents_on(day, board)]
                for board in boards
            },
        }
        return JSONResponse(found)

    async def daily_results(self, request: Request) -> Response:
        """Return what the opponents of a day make of the player's cards."""
        address = self._count_request(request, "replays")
        day = requested_day(request.path_params["day"])
        name = request.path_params["board"]
        if name not in board_files.boards():
            raise Refused("not_found", "there is no such board")
        assert self._daily is not None
        results = await self._daily.of(day, board_files.load(name), address)
        found: lobby_protocol.DailyResults = {
            "date": day.isoformat(),
            "board": name,
            "results": results,
        }
        return JSONResponse(found)

    async def create(self, request: Request) -> Response:
        """Create a table."""
        address = self._count_request(request)
        new = await self._body(request, lobby_protocol.NewTable)
        return JSONResponse(await self.lobby.create(new, address), 201)

    async def open_tables(self, request: Request) -> Response:
        """Return the public tables."""
        self._count_request(request)
        return JSONResponse(self.lobby.open_tables())

    async def find(self, request: Request) -> Response:
        """Return the table with an id or a code."""
        room = await self._room(request, self._count_request(request))
        found: lobby_protocol.Found = {"table": self.lobby.info(room, request.path_params["key"])}
        return JSONResponse(found)

    async def join(self, request: Request) -> Response:
        """Take a free seat."""
        address = self._count_request(request)
        wanted = await self._body(request, lobby_protocol.Join)
        return JSONResponse(await self.lobby.join(wanted, address), 201)

    async def record(self, request: Request) -> Response:
        """Return a finished game for the replay."""
        room = await self._finished(request)
        found = self._records.get(room.id)
        if found is None:
            assert room.table.game is not None
            found = await asyncio.to_thread(_record, self.lobby.info(room), room.table.game)
            _keep(self._records, room.id, found)
        return found.respond(request)

    async def record_file(self, request: Request) -> Response:
        """Return a finished game as a record file."""
        room = await self._finished(request)
        assert room.table.game is not None
        text = await asyncio.to_thread(
            _record_file, room.table.game, seeded=room.table.setup.seeded
        )
        name = f"{room.table.setup.board}-{room.id}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, headers=headers, media_type="application/jsonl; charset=utf-8")

    async def review(self, request: Request) -> Response:
        """Return the review of a finished game, as far as it is worked out."""
        room = await self._finished(request, "review_looks")
        review = self.lobby.reviews.look(room)
        # Many pages ask for the same, and a whole game takes a while to compress.
        stage = (room.id, review["state"], review["done"])
        found = self._reviews.get(stage)
        if found is None:
            found = await asyncio.to_thread(_json, review)
            _keep(self._reviews, stage, found)
        return found.respond(request)

    async def run_review(self, request: Request) -> Response:
        """Begin to review a finished game, or stop."""
        wanted = await self._body(request, lobby_protocol.AskReview)
        room = await self._finished(request, "reviews")
        if wanted["run"]:
            address = address_of(request.client.host if request.client else None)
            await self.lobby.reviews.begin(room, address)
        else:
            self.lobby.reviews.stop(room)
        return JSONResponse(self.lobby.reviews.look(room))

    async def try_again(self, request: Request) -> Response:
        """Open a table that begins in the middle of a finished game."""
        address = self._count_request(request, "replays")
        wanted = await self._body(request, lobby_protocol.TryAgain)
        room = await self.lobby.find(wanted["table"], address)
        return JSONResponse(await self.lobby.try_again(room, wanted, address), 201)

    async def socket(self, socket: WebSocket) -> None:
        """Serve a browser's connection to a table."""
        await sockets.serve(self.lobby, socket)

    # ------------------------------------------------------------------------ helpers

    def _count_request(self, request: Request, what: Taken = "lobby_requests") -> str:
        """Count a request for its address, and return the address."""
        address = address_of(request.client.host if request.client else None)
        self.lobby.addresses.take(what, address)
        return address

    async def _room(self, request: Request, address: str) -> Room:
        return await self.lobby.find(request.path_params["key"][:64], address)

    async def _finished(self, request: Request, what: Taken = "replays") -> Room:
        room = await self._room(request, self._count_request(request, what))
        if room.table.state != OVER:
            raise Refused("not_over", "the game is not over yet")
        return room

    async def _body(self, request: Request, kind: type[T]) -> T:
        """Return the body of a request, checked against its type."""
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise Refused("bad_message", "the body must be JSON")
        received = b""
        try:
            async for part in request.stream():
                received += part
                if len(received) > self.settings.limits.message_bytes:
                    raise Refused("too_large", "the body is too large")
        except ClientDisconnect:
            raise Refused("bad_message", "the body is incomplete") from None
        try:
            body: T = json.loads(received)
            check.check(kind, body)
        except check.Mismatch as mismatch:
            raise Refused("bad_message", str(mismatch)) from None
        except (ValueError, RecursionError):
            raise Refused("bad_message", "the body is not JSON") from None
        return body


def _keep(ready: OrderedDict[K, Content], key: K, found: Content) -> None:
    """Keep something ready for whoever asks next; the oldest is forgotten."""
    ready[key] = found
    if len(ready) > MAX_READY:
        ready.popitem(last=False)


def _json(data: object) -> Content:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return content(text.encode(), "application/json")


def _record(table: TableInfo, game: Game) -> Content:
    data: lobby_protocol.RecordData = {
        "table": table,
        "frames": replay.frames(game),
        "revealed": revealed_tickets(game.view(None)),
    }
    return _json(data)


def _record_file(game: Game, *, seeded: bool) -> str:
    record = game.record()
    if seeded:
        record.header["seeded"] = True
    return str(record)


def _problem(code: ErrorCode, message: str, status: int | None = None) -> Response:
    body: lobby_protocol.Problem = {"code": code, "message": message}
    return JSONResponse(body, STATUS.get(code, 409) if status is None else status)


def create_app(
    settings: Settings, network: Network, game_factory: GameFactory = new_game
) -> Starlette:
    """Return the application; tests pass a ``game_factory`` to choose the games."""
    site = Site(settings, game_factory, network)
    app = Starlette(
        routes=site.routes(),
        middleware=[
            Middleware(Security, origins=settings.origins, host_names=settings.host_names),
            # Starlette itself would answer outside all middleware, without the security headers.
            Middleware(ExceptionMiddleware, handlers={Exception: site.failed}),
        ],
        exception_handlers={Refused: site.refused},
        lifespan=site.lifespan,
    )
    app.state.site = site
    app.state.gate = Gate(settings.limits, site.metrics, settings.proxy)
    network.serve(app)
    return app
