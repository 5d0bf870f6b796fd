"""Measure the engine, compiled and plain, in one run.

    python benchmarks/engine.py [--seconds S] [--json]
    python benchmarks/engine.py --old ../fernzug-0.1

For every board, with two and four players: random games and decisions per second. For every board:
the time for ``copy()``, for ``legal()``, for a playout at random and for one by planners, as in a
search, and the memory of a state. The time is that of the processor, so that other programs disturb
less. Absolute figures depend on the machine, so compare ratios within one run.

``--old`` only compares playouts by planners with those of another version, from a compiled checkout
of it; the two take turns.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PLAYERS = (2, 4)

ROUNDS = 7
"""How often two versions take turns."""


def main() -> None:
    """Measure both engines, each in its own process, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (default 1)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--old", metavar="CHECKOUT", help="compare planners with another version")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--planners", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.planners:
        print(json.dumps(planners(options.seconds)))
        return
    if options.old:
        compare(Path(options.old), options.seconds)
        return
    if options.measure:
        print(json.dumps(measure(options.seconds)))
        return
    results = {name: _measured(name, options.seconds) for name in ("compiled", "plain")}
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        _print(results)


def _measured(name: str, seconds: float) -> dict[str, Any]:
    print(f"measuring the {name} engine ...", file=sys.stderr)
    environment = os.environ | {"FERNZUG_PLAIN": "1" if name == "plain" else ""}
    command = [sys.executable, __file__, "--measure", "--seconds", str(seconds)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    if figures["compiled"] != (name == "compiled"):
        sys.exit("The compiled engine is missing: there was no C compiler when it was installed.")
    return figures


def measure(seconds: float) -> dict[str, Any]:
    """Measure the engine that this process has loaded."""
    from fernzug import Game, board, boards
    from fernzug.engine import COMPILED, rules
    from fernzug.engine.chance import PLAYERS as STREAM
    from fernzug.engine.chance import Stream
    from fernzug.engine.playout import play_out
    from fernzug.engine.scoring import totals
    from fernzug.engine.state import blank
    from fernzug.tables import tables_of

    figures: dict[str, Any] = {"compiled": COMPILED, "import_ms": _import_time(), "boards": {}}
    for name in boards():
        entry: dict[str, Any] = {}
        tables = tables_of(board(name))
        for players in PLAYERS:
            template = blank(tables, players, 0)
            games = decisions = 0
            start = time.process_time()
            while time.process_time() - start < seconds:
                for _ in range(10):
                    state = template.copy()
                    state.seed = games
                    rules.set_up(state)
                    decisions += int(play_out(state, Stream(games, STREAM)))
                    totals(state)
                    games += 1
            took = time.process_time() - start
            entry[f"games_{players}"] = games / took
            entry[f"decisions_{players}"] = decisions / took
        middle = _middle(Game(name, players=2, seed=1))
        stream = Stream(1, STREAM)
        entry["copy_us"] = _each(middle.copy, seconds / 4) * 1e6
        legal = functools.partial(rules.legal, middle, middle.seat)
        entry["legal_us"] = _each(legal, seconds / 4) * 1e6
        entry["playout_us"] = _each(functools.partial(_play_out, middle, stream), seconds / 4) * 1e6
        entry["memory"] = _memory(middle)
        figures["boards"][name] = entry
    for name, took in planners(seconds / 4).items():
        figures["boards"][name]["planners_us"] = took * 1e6
    return figures


def planners(seconds: float) -> dict[str, float]:
    """Return for every board the processor time of a playout by planners, from the deal on."""
    from fernzug import board, boards
    from fernzug.engine import rules
    from fernzug.engine.chance import Stream
    from fernzug.engine.state import blank
    from fernzug.notation import notation_of

    # In version 0.1 the players were part of the engine.
    home = "fernzug.players" if find_spec("fernzug.players") else "fernzug.engine"
    search = import_module(f"{home}.search")
    found = {}
    for name in boards():
        tables = notation_of(board(name)).tables
        outlook = import_module(f"{home}.outlook").Outlook(tables)
        plans = [import_module(f"{home}.plan").Plan(outlook, seat) for seat in range(2)]
        for plan in plans:
            if hasattr(plan, "is_quick"):
                plan.is_quick = True
        finish = getattr(search, "finish", None)
        if finish is None:
            own = import_module(f"{home}.plan").Plan(outlook, 0)
            old = search.Search(outlook, Stream(1, 1))
            finish = functools.partial(_finish_as_before, old.finish, own)
        games = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            state = blank(tables, 2, games)
            rules.set_up(state)
            finish(state, None, plans)
            games += 1
        found[name] = (time.process_time() - start) / games
    return found


def _finish_as_before(
    finish: Callable[..., object], own: Any, state: Any, _: None, plans: Any
) -> None:
    finish(state, own, plans)


def compare(old: Path, seconds: float) -> None:
    """Print how much faster planners finish a game than those of another version."""
    ours: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {}
    for number in range(ROUNDS):
        took = {}
        for path in (str(old / "src"), ""):
            command = [sys.executable, __file__, "--planners", "--seconds", str(seconds / ROUNDS)]
            # A folder of the environment comes before what is installed.
            environment = os.environ | ({"PYTHONPATH": path} if path else {})
            done = subprocess.run(
                command, env=environment, check=True, capture_output=True, text=True
            )
            took[path] = json.loads(done.stdout)
        for name, before in took[str(old / "src")].items():
            ours.setdefault(name, []).append(took[""][name])
            ratios.setdefault(name, []).append(before / took[""][name])
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
    print("A game played out by planners, two players, processor time")
    print(f"{'board':10} {'µs':>7} {'times as fast':>14} {'least':>6} {'most':>6}")
    for name, values in ratios.items():
        took_us = statistics.median(ours[name]) * 1e6
        print(
            f"{name:10} {took_us:7,.0f} {statistics.median(values):14.2f} "
            f"{min(values):6.2f} {max(values):6.2f}"
        )


def _play_out(state: Any, stream: Any) -> None:
    from fernzug.engine.playout import play_out

    play_out(state.copy(), stream)


def _middle(game: Any) -> Any:
    """Return the state of a game after some twenty random decisions."""
    from fernzug.engine.chance import Stream
    from fernzug.engine.playout import pick
    from fernzug.engine.rules import apply
    from fernzug.engine.state import TURN, filled

    state = game.state.copy()
    stream = Stream(3, 3)
    routes = filled(state.tables.words, 0)
    steps = 0
    while steps < 20 or state.phase != TURN:
        apply(state, state.seat, pick(state, state.seat, stream, routes))
        steps += 1
    return state


def _each(call: Callable[[], object], seconds: float) -> float:
    """Return the time of one call, without the loop around it."""
    times = 100
    while True:
        start = time.process_time()
        for _ in range(times):
            call()
        took = time.process_time() - start
        if took > seconds:
            break
        times *= 2
    start = time.process_time()
    for _ in range(times):
        pass
    return (took - (time.process_time() - start)) / times


def _memory(state: Any) -> int:
    """Return the size of a state in bytes, without the tables of its board, which are shared."""
    values = [getattr(state, name) for name in dir(state) if not name.startswith("_")]
    vectors = [value for value in values if type(value).__name__ == "vec[i64]"]
    # A vector is a small object and a buffer with a two-word header.
    return sys.getsizeof(state) + sum(sys.getsizeof(v) + 16 + 8 * len(v) for v in vectors)


def _import_time() -> float:
    """Time ``import fernzug`` in a new process, in milliseconds: the best of five."""
    code = "import time; t = time.perf_counter(); import fernzug; print(time.perf_counter() - t)"
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        for _ in range(5)
    ]
    return min(float(run.stdout) for run in runs) * 1000


def _print(results: dict[str, dict[str, Any]]) -> None:
    fast, slow = results["compiled"]["boards"], results["plain"]["boards"]
    print("\nRandom games on one core")
    print(
        f"{'board':10} {'players':>7} {'games/s':>9} {'decisions/s':>12} "
        f"{'plain games/s':>14} {'plain dec./s':>13} {'ratio':>6}"
    )
    for name, entry in fast.items():
        for players in PLAYERS:
            plain = slow[name]
            ratio = entry[f"decisions_{players}"] / plain[f"decisions_{players}"]
            print(
                f"{name:10} {players:7} {entry[f'games_{players}']:9,.0f} "
                f"{entry[f'decisions_{players}']:12,.0f} {plain[f'games_{players}']:14,.0f} "
                f"{plain[f'decisions_{players}']:13,.0f} {ratio:6.0f}"
            )
    print("\nOne state in the middle of a two-player game (compiled / plain)")
    print(
        f"{'board':10} {'copy() µs':>16} {'legal() µs':>16} {'playout µs':>18} "
        f"{'by planners µs':>18} {'bytes':>7}"
    )
    for name, entry in fast.items():
        plain = slow[name]
        cells = [f"{entry[key]:.2f} / {plain[key]:.1f}" for key in ("copy_us", "legal_us")]
        playout = f"{entry['playout_us']:.0f} / {plain['playout_us']:,.0f}"
        planned = f"{entry['planners_us']:,.0f} / {plain['planners_us']:,.0f}"
        print(
            f"{name:10} {cells[0]:>16} {cells[1]:>16} {playout:>18} {planned:>18} "
            f"{entry['memory']:7,}"
        )
    imports = [f"{results[name]['import_ms']:.0f} ms {name}" for name in results]
    print(f"\nimport fernzug: {', '.join(imports)}")


if __name__ == "__main__":
    main()
