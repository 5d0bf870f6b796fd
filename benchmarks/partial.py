"""Long measurements in parts: results that are kept in a file, seed by seed.

A run that ends early, because its time is up or it was interrupted, loses nothing: the next one
with the same file goes on where it stopped, and the figures are those of everything in the file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fernzug.cli.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a measurement in parts."""
    parser.add_argument("--first-seed", type=int, default=1, metavar="N", help="default: 1")
    parser.add_argument(
        "--results",
        metavar="FILE",
        help="keep the result of each game in a file, and go on with what it has",
    )
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="stop after so long; needs --results to go on"
    )


def collect(
    play: Callable[[int], Any], number: int, args: argparse.Namespace, settings: Mapping[str, Any]
) -> list[Any]:
    """Return a result for each seed from the first on, as far as time allows.

    What ``play`` returns for a seed has to fit into JSON. ``settings`` is what else the results
    depend on; a file with others is refused.
    """
    path = None if args.results is None else Path(args.results)
    found = {} if path is None else _load(path, settings)
    seeds = range(args.first_seed, args.first_seed + number)
    progress = Progress(len(seeds))
    started = time.monotonic()
    try:
        for seed in seeds:
            if args.minutes and time.monotonic() - started > 60.0 * args.minutes:
                break
            if seed not in found:
                found[seed] = play(seed)
                if path is not None:
                    _append(path, {"seed": seed, "result": found[seed]})
            progress.show(sum(each in found for each in seeds))
    except KeyboardInterrupt:
        pass
    finally:
        progress.clear()
    results = [found[seed] for seed in seeds if seed in found]
    if len(results) < number:
        print(f"{len(results)} of {number} games so far", file=sys.stderr)
    return results


def _load(path: Path, settings: Mapping[str, Any]) -> dict[int, Any]:
    """Return the results in a file, which is begun if there is none."""
    if not path.exists():
        _append(path, {"settings": settings})
        return {}
    try:
        head, *rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        known, found = head["settings"], {row["seed"]: row["result"] for row in rows}
    except (KeyError, TypeError, ValueError) as error:
        sys.exit(f"{path} is not a file of results: {error}")
    if known != settings:
        sys.exit(f"{path} has results of other settings: {json.dumps(known)}")
    return found


def _append(path: Path, row: Mapping[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
