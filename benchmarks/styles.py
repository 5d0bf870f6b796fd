"""Measure the styles of planners: do they show, and what do they cost?

    python benchmarks/styles.py [--boards london,usa] [--games 1000]

Each style plays a plain planner on the same cards from both seats, and the table says of both what
the style is about: tickets drawn and kept, the longest path, routes taken that the other had
planned, the mean size of a route and how often each of them ended the game. A plain planner that
plays against itself is the yardstick. With two players; a game takes some milliseconds.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter

import fernzug
from fernzug.bonuses.longest_path import longest_path
from fernzug.engine import bits, chance, rules
from fernzug.engine.batch import game_seed
from fernzug.engine.chance import Stream
from fernzug.engine.scoring import ticket_points, winners
from fernzug.engine.state import NONE, OVER, State, blank
from fernzug.engine.tables import Tables
from fernzug.players.outlook import Outlook
from fernzug.players.plan import Plan
from fernzug.players.planner import decide
from fernzug.players.styles import STYLES, styled
from fernzug.tables import tables_of

SEED = 2_000_003
"""No weight was tuned on these games."""

COLUMNS = ("drew tickets", "kept", "completed", "path", "taken away", "route size", "ended")


def play(s: State, plans: list[Plan]) -> list[Counter[str]]:
    """Play a game to its end; return what each seat did."""
    t = s.tables
    did = [Counter[str]() for _ in plans]
    while s.phase != OVER:
        seat = int(s.seat)
        before, going_on = list(s.owner), s.turns_left == NONE
        action = decide(s, plans[seat])
        rules.apply(s, seat, action)
        did[seat]["drew tickets"] += action == t.draw_tickets_action
        for route in range(t.routes):
            if s.owner[route] != before[route]:
                did[seat]["routes"] += 1
                did[seat]["pieces"] += t.route_pieces[route]
                did[seat]["taken away"] += bits.has(plans[1 - seat].wanted, route)
        did[seat]["ended"] += going_on and s.turns_left != NONE
    for seat, counts in enumerate(did):
        counts["completed"] = ticket_points(s, seat)[2]
        counts["kept"] = sum(s.ticket_owner[ticket] == seat for ticket in range(t.tickets))
        counts["path"] = longest_path(t.network, s.owner, seat)
    return did


def measure(t: Tables, outlook: Outlook, plain: Outlook, pairs: int) -> list[str]:
    """Return the cells of a row: what was won, and what both sides did on average."""
    sums = [Counter[str](), Counter[str]()]
    won = []
    for pair in range(pairs):
        share = 0.0
        for seat in range(2):
            s = blank(t, 2, game_seed(SEED, pair))
            s.first_player = Stream(s.seed, chance.FIRST_PLAYER).below(2)
            rules.set_up(s)
            did = play(s, [Plan(outlook if i == seat else plain, i) for i in range(2)])
            for side in range(2):
                sums[side].update(did[seat ^ side])
            found = winners(s)
            share += (found >> seat & 1) / int(found).bit_count() / 2
        won.append(share)
    mean = sum(won) / pairs
    error = 1.96 * math.sqrt(sum((x - mean) ** 2 for x in won)) / pairs
    rows = []
    for total in sums:
        figures = {name: total[name] / pairs / 2 for name in COLUMNS}
        figures["route size"] = total["pieces"] / total["routes"]
        rows.append(figures)
    cells = [" / ".join(f"{figures[name]:.2f}" for figures in rows) for name in COLUMNS]
    return [f"{100 * mean:.1f} % ± {100 * error:.1f}", *cells]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", default=",".join(fernzug.boards()))
    parser.add_argument("--games", type=int, default=1000)
    args = parser.parse_args()
    print(f"| board | style | won | {' | '.join(COLUMNS)} |")
    print(f"|---|---|---|{'---|' * len(COLUMNS)}")
    started = time.process_time()
    for name in args.boards.split(","):
        t = tables_of(fernzug.board(name))
        plain = Outlook(t)
        for style in ("", *STYLES):
            outlook = Outlook(t, styled(t, style)) if style else plain
            cells = measure(t, outlook, plain, args.games // 2)
            print(f"| {name} | {style or 'plain'} | {' | '.join(cells)} |", flush=True)
    print(f"\n{time.process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
