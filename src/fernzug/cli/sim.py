"""``fernzug sim``: play many games and summarise them."""

from __future__ import annotations

import argparse
import csv
import json
import secrets
import sys
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any, TextIO

from fernzug import __version__
from fernzug.board.model import Board
from fernzug.cli import INTERRUPTED, USAGE, CommandError, Parser
from fernzug.cli.arguments import (
    add_crew,
    check_players,
    cluster,
    cores,
    describe_bots,
    load_board,
    whole_number,
)
from fernzug.cli.arguments import seed as seed_argument
from fernzug.cli.files import whole_file
from fernzug.cli.progress import Progress
from fernzug.engine import COMPILED
from fernzug.engine.batch import GAME_COLUMNS, SEAT_COLUMNS, WHOLE
from fernzug.sim import RANDOM, Part, Simulation, Totals, WorkerLost, simulate
from fernzug.sim.columns import GameFile, MissingPackage, game_file
from fernzug.terminal.layout import table


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Play many games and summarise them. The same seed gives the same table for any number "
        "of workers. Seats are counted from 0."
    )
    describe_bots(parser)
    number = whole_number(1)
    parser.add_argument(
        "--board", required=True, metavar="B", help="id of a board, or path of a board file"
    )
    parser.add_argument(
        "--players",
        type=number,
        metavar="N",
        help="number of players (default: one per bot, or as few as possible)",
    )
    parser.add_argument(
        "--bots",
        nargs="+",
        default=[],
        metavar="BOT",
        help="levels or bots for the seats, in turn; a single one plays them all "
        f"(default: {RANDOM}, at the full speed of the engine)",
    )
    parser.add_argument(
        "--games", type=number, default=1000, metavar="G", help="number of games (default: 1000)"
    )
    parser.add_argument(
        "--first",
        type=whole_number(0),
        default=0,
        metavar="N",
        help="number of the first game, to share out games between machines (default: 0)",
    )
    add_crew(parser, fewer=True)
    parser.add_argument(
        "--seed", type=seed_argument, metavar="S", help="default: a new one every time"
    )
    parser.add_argument("--json", metavar="FILE", help="write the summary; '-' for standard output")
    parser.add_argument(
        "--per-game", action="store_true", help="with --json: write every game as well"
    )
    parser.add_argument(
        "--csv", metavar="FILE", help="write one row per game; '-' for standard output"
    )
    parser.add_argument("--parquet", metavar="FILE", help="write one row per game (needs pyarrow)")
    parser.add_argument(
        "--decisions",
        metavar="DIR",
        help="write one row per decision, a Parquet file per worker (needs pyarrow)",
    )
    parser.add_argument(
        "--observations",
        action="store_true",
        help="with --decisions: write what the seat knew as well, for learning",
    )
    parser.add_argument(
        "--records",
        metavar="PATH",
        help="write the record of every game: to a folder, or all to one file if PATH ends in "
        ".jsonl or .jsonl.gz",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.json == "-" and args.csv == "-":
        raise CommandError("only one of --json and --csv can go to standard output", USAGE)
    if args.per_game and args.json is None:
        raise CommandError("--per-game is for --json; --csv has one row per game anyway", USAGE)
    simulation = _simulation(args)
    totals = Totals(simulation.columns)
    progress = Progress(simulation.games)
    files = Files(simulation, args.json, args.csv, args.per_game, args.parquet)
    workers = args.workers or cores()
    try:
        with (
            cluster(args) as crew,
            files,
            closing(simulate(simulation, workers, files.wants_rows, crew)) as parts,
        ):
            workers = parts.crew.workers
            for part in parts:
                totals.add(part)
                files.write_rows(part)
                progress.show(totals.games)
            seconds = progress.seconds
            progress.clear()
            files.write_summary(totals)
    except KeyboardInterrupt:
        progress.clear()
        return _interrupted(simulation, totals, args)
    except MissingPackage as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        progress.clear()
        if error.filename is None:  # standard output
            raise
        raise CommandError(f"cannot write '{error.filename}': {error.strerror}") from None
    except WorkerLost as error:
        progress.clear()
        raise CommandError(f"{error}; nothing was written") from None
    if "-" not in (args.json, args.csv):
        print("\n".join(report(simulation, totals)))
    print(speed_line(totals, seconds, workers), file=sys.stderr)
    return 0


def _simulation(args: argparse.Namespace) -> Simulation:
    board = load_board(args.board)
    players = args.players or max(len(args.bots), board.min_players)
    check_players(board, players)
    seed = secrets.randbelow(1 << 31) if args.seed is None else args.seed
    try:
        simulation = Simulation(
            board,
            players,
            args.games,
            seed,
            _bots(args.bots, players),
            args.records,
            args.first,
            args.decisions,
            args.observations,
        )
        if not simulation.at_random:
            _try_bots(simulation)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    return simulation


def _bots(names: list[str], players: int) -> tuple[str, ...]:
    if len(names) == 1:
        return (names[0],) * players
    if names and len(names) != players:
        raise CommandError(f"{len(names)} bots cannot play {players} seats", USAGE)
    return tuple(names)


def _try_bots(simulation: Simulation) -> None:
    """Make each bot once, so that a wrong name is noticed before any game is played."""
    from fernzug import bots

    for spec in set(simulation.names):
        bots.check(spec, simulation.board, simulation.players)


def _interrupted(simulation: Simulation, totals: Totals, args: argparse.Namespace) -> int:
    """Summarise the games so far."""
    wanted = (args.json, args.csv, args.parquet, args.decisions)
    files = " No file was written." if simulation.one_file or any(wanted) else ""
    done = f"{totals.games:,} of {simulation.games:,} games"
    print(f"fernzug sim: stopped after {done}.{files}", file=sys.stderr)
    if totals.games and "-" not in (args.json, args.csv):
        print("\n".join(report(simulation, totals)))
    return INTERRUPTED


# ---------------------------------------------------------------------------- files


class Files:
    """The files to write: they appear together at the end, or not at all."""

    def __init__(
        self,
        simulation: Simulation,
        summary: str | None,
        rows: str | None,
        per_game: bool,
        parquet: str | None,
    ) -> None:
        self.simulation = simulation
        self.wants_rows = rows is not None or per_game or parquet is not None
        self._parquet: GameFile | None = None
        self._per_game: list[dict[str, Any]] | None = [] if per_game else None
        self._names = (summary, rows, parquet)
        self._summary: TextIO | None = None
        self._rows: TextIO | None = None
        self._stack = ExitStack()

    def __enter__(self) -> None:
        summary, rows, parquet = self._names
        if parquet is not None:
            self._parquet = self._stack.enter_context(game_file(parquet, self.simulation))
        if summary is not None:
            self._summary = self._stack.enter_context(whole_file(summary))
        if rows is not None:
            try:
                self._rows = self._stack.enter_context(whole_file(rows))
            except CommandError as error:
                self._stack.__exit__(type(error), error, error.__traceback__)
                raise
            header = [name for name in self.simulation.columns if name != "first_player_won"]
            csv.writer(self._rows, lineterminator="\n").writerow(["game", "seed", *header])

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def write_rows(self, part: Part) -> None:
        """Write the rows of some games."""
        if part.rows is None:
            return
        if self._parquet is not None:
            self._parquet.add(part)
        if self._rows is None and self._per_game is None:
            return
        games = list(game_rows(self.simulation, part))
        if self._rows is not None:
            writer = csv.writer(self._rows, lineterminator="\n")
            writer.writerows([*game.values()] for game in games)
        if self._per_game is not None:
            self._per_game += games

    def write_summary(self, totals: Totals) -> None:
        """Write the summary, with the games if they are wanted."""
        if self._summary is None:
            return
        data = summary(self.simulation, totals)
        if self._per_game is not None:
            data["per_game"] = self._per_game
        json.dump(data, self._summary, indent=2)
        self._summary.write("\n")


def game_rows(simulation: Simulation, part: Part) -> Iterator[dict[str, Any]]:
    """Yield the columns of each game by name."""
    columns = simulation.columns
    rows = part.rows or array("q")
    for number in range(part.games):
        values = rows[number * len(columns) : (number + 1) * len(columns)]
        row: dict[str, Any] = {"game": part.first + number}
        row["seed"] = simulation.game_seed(part.first + number)
        for name, value in zip(columns, values, strict=True):
            if name.endswith("_won"):
                if name != "first_player_won":
                    row[name] = share(value)
            else:
                row[name] = value
        yield row


def share(amount: float) -> float:
    """Return a share of the wins as a number from 0 to 1."""
    value = amount / WHOLE
    return int(value) if value == int(value) else round(value, 6)


# ---------------------------------------------------------------------------- summaries


def summary(simulation: Simulation, totals: Totals) -> dict[str, Any]:
    """Return the summary as a JSON object; it is the same on every machine."""
    board = simulation.board
    names = [*SEAT_COLUMNS, *(bonus.kind for bonus in board.bonuses)]
    seats = []
    for seat in range(simulation.players):
        figures: dict[str, Any] = {"seat": seat, "bot": (simulation.names or (RANDOM,) * 8)[seat]}
        for name in names:
            column = f"seat{seat}_{name}"
            if name == "won":
                figures[name] = share(totals.mean(column))
            else:
                figures[name] = spread(totals, column)
        seats.append(figures)
    return {
        "fernzug": __version__,
        "board": board.id,
        "board_hash": board.hash,
        "players": simulation.players,
        "seed": simulation.seed,
        "first": simulation.first,
        "games": totals.games,
        "turns": spread(totals, GAME_COLUMNS[1]),
        "decisions": spread(totals, GAME_COLUMNS[2]),
        "passed_out": totals.mean("passed_out"),
        "first_player_won": share(totals.mean("first_player_won")),
        "seats": seats,
    }


def spread(totals: Totals, column: str) -> dict[str, float]:
    """Return mean, standard deviation, minimum and maximum of a column."""
    lowest, highest = totals.range(column)
    return {
        "mean": round(totals.mean(column), 6),
        "sd": round(totals.deviation(column), 6),
        "min": lowest,
        "max": highest,
    }


def report(simulation: Simulation, totals: Totals) -> list[str]:
    """Return the summary as a table; it is the same on every machine."""
    board = simulation.board
    bots = simulation.names
    who = "random players" if simulation.at_random else "bots"
    head = ["seat", "points", "sd", "min", "max", "won", "tickets", "failed", "routes"]
    head += [bonus.name_in("en").lower() for bonus in board.bonuses]
    rows = [head]
    for seat in range(simulation.players):
        rows.append([f"{seat} {bots[seat]}" if bots else str(seat), *_figures(totals, seat, board)])
    share_passed = 100 * totals.mean("passed_out")
    start = f" · from game {simulation.first:,}" if simulation.first else ""
    return [
        f"{board.name} · {simulation.players} {who} · {totals.games:,} games "
        f"· seed {simulation.seed}{start}",
        "",
        *table(rows, "<" + ">" * (len(head) - 1)),
        "",
        f"{totals.mean('turns'):.1f} turns and {totals.mean('decisions'):.1f} decisions per game; "
        f"{share_passed:.2f} % of games ended by passing;",
        f"the first player wins {100 * share(totals.mean('first_player_won')):.1f} %",
    ]


def _figures(totals: Totals, seat: int, board: Board) -> list[str]:
    def mean(name: str) -> float:
        return totals.mean(f"seat{seat}_{name}")

    lowest, highest = totals.range(f"seat{seat}_points")
    return [
        f"{mean('points'):.2f}",
        f"{totals.deviation(f'seat{seat}_points'):.2f}",
        str(lowest),
        str(highest),
        f"{100 * mean('won') / WHOLE:.1f} %",
        f"{mean('tickets_completed'):.2f}",
        f"{mean('tickets_failed'):.2f}",
        f"{mean('routes'):.2f}",
        *(f"{mean(bonus.kind):.2f}" for bonus in board.bonuses),
    ]


def speed_line(totals: Totals, seconds: float, workers: int) -> str:
    """Return how fast it went, which is not part of the results: those are the same everywhere."""
    seconds = max(seconds, 1e-6)
    decisions = totals.mean("decisions") * totals.games / seconds
    engine = "compiled" if COMPILED else "plain"
    crew = "1 worker" if workers == 1 else f"{workers} workers"
    return (
        f"{totals.games:,} games in {seconds:.1f} s: {totals.games / seconds:,.0f} games and "
        f"{decisions:,.0f} decisions per second ({crew}, {engine} engine)"
    )
