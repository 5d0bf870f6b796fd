"""The end of a game: points, tickets and who has won."""

from __future__ import annotations

from collections.abc import Sequence

from fernzug.score import ScoreSheet
from fernzug.terminal.layout import table, width
from fernzug.terminal.words import Words


def score_table(words: Words, sheets: Sequence[ScoreSheet], total: int = 80) -> list[str]:
    """Return the score sheets as a table, winner first; narrow screens get narrow gaps."""
    texts = words.texts
    kinds = [bonus.kind for bonus in words.board.bonuses]
    head = [
        texts("score.place"),
        texts("score.player"),
        texts("score.routes"),
        texts("score.won"),
        texts("score.lost"),
        *(words.bonus(kind) for kind in kinds),
        texts("score.total"),
    ]
    rows = [head]
    for sheet in sorted(sheets, key=lambda sheet: (sheet.rank, sheet.seat)):
        rows.append(
            [
                str(sheet.rank),
                words.player(sheet.seat, kind=True),
                str(sheet.routes),
                str(sheet.tickets_won),
                str(-sheet.tickets_lost),
                *(str(sheet.bonuses[kind]) for kind in kinds),
                words.style.bold(str(sheet.total)),
            ]
        )
    align = "><" + ">" * (len(head) - 2)
    wide = table(rows, align)
    return wide if max(width(line) for line in wide) <= total else table(rows, align, gap=1)


def winners_line(words: Words, sheets: Sequence[ScoreSheet]) -> str:
    """Say who has won (E7)."""
    winners = [sheet.seat for sheet in sheets if sheet.rank == 1]
    names = words.players(winners)
    if len(winners) > 1:
        return words.texts("score.shared", players=names)
    key = "score.you_won" if winners[0] == words.you else "score.won_by"
    return words.texts(key, player=names)


def ticket_lines(words: Words, seat: int, tickets: Sequence[tuple[str, bool]]) -> list[str]:
    """Return a player's tickets, failed ones first; each comes with whether it is completed."""
    style = words.style
    lines = [words.player(seat)]
    for ticket, completed in sorted(tickets, key=lambda pair: pair[1]):
        mark = style.good("✓") if completed else style.bad("✗")
        lines.append(f"  {mark} {words.ticket(ticket)}")
    return lines
