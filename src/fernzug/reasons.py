"""Why an action is refused, in words.

Nothing is decided here: :func:`fernzug.engine.rules.legal` says what may be done, these words only
explain it afterwards.
"""

from __future__ import annotations

from fernzug.engine import rules
from fernzug.engine.state import KEEP, NONE, OVER, SECOND_CARD, SETUP, State
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, PASS
from fernzug.notation import card_name, notation_of
from fernzug.ways import is_open


def objection(s: State, seat: int, number: int) -> str:
    """Return why a seat may not take an action that is not legal now."""
    t = s.tables
    if s.phase == OVER:
        return "the game is over"
    if not rules.awaits(s, seat):
        if s.phase == SETUP:
            return f"seat {seat} has chosen its tickets already"
        return f"it is seat {s.seat}'s turn, not seat {seat}'s"
    choosing = s.phase in (SETUP, KEEP)
    if t.keep <= number < t.claim:
        return _keep(s, seat, number) if choosing else "there are no tickets to choose from"
    if choosing:
        return "tickets must be chosen first: 'keep' and their places"
    if number >= t.claim and s.phase != SECOND_CARD:
        return _claim(s, seat, number)
    if number == DRAW_DECK:
        return "the deck is empty, and so are the discards (D6)"
    if DRAW_CARD <= number <= DRAW_CARD + t.wild:
        return _draw(s, number - DRAW_CARD)
    if s.phase == SECOND_CARD:
        return "the second card must be drawn first (D1)"
    if number == PASS:
        return "passing is possible only when nothing else is (T2)"
    return "there are no tickets left (K1)"


def _keep(s: State, seat: int, number: int) -> str:
    places = number - int(s.tables.keep)
    offered = int(rules.offer_count(s, seat))
    if places >> offered:
        return f"only {offered} tickets are offered"
    return f"at least {rules.keep_least(s, seat)} of the tickets must be kept"


def _draw(s: State, color: int) -> str:
    name = card_name(s.tables.board, color)
    if color == s.tables.wild and color in list(s.faceup):
        return "a face-up wild card cannot be the second card (D3)"
    return f"no {name} card lies face up"


def _claim(s: State, seat: int, number: int) -> str:
    t = s.tables
    action = notation_of(t.board).action(number)
    i = number - int(t.claim)
    route = int(t.claim_route[i])
    name = t.board.routes[route].id
    owner = int(s.owner[route])
    if owner != NONE:
        return f"{name} is taken by " + ("you" if owner == seat else f"seat {owner}")
    if not is_open(s, seat, route):
        if s.owner[t.route_twin[route]] == seat:
            return f"nobody may claim both lanes, and the twin lane of {name} is yours (C5)"
        return f"{name} is shut: with {s.players} players only one lane is used (C6)"
    kind = t.board.pieces[int(t.route_kind[route])]
    left = int(s.pieces[seat * t.kinds + t.route_kind[route]])
    if left < t.route_pieces[route]:
        word = kind.name_in("en", left)
        return f"only {left} {word} left, {name} takes {t.route_pieces[route]} (C4)"
    hand = seat * (t.colors + 1)
    missing = []
    for color, cards in action.cards.items():
        held = int(s.hands[hand + t.wild if color == "wild" else hand + t.claim_color[i]])
        if held < cards:
            missing.append(f"{cards - held} {color}")
    if missing:
        return f"{' and '.join(missing)} missing for {name}"
    return f"a {card_name(t.board, t.claim_color[i])} card lies in front of you already (E6)"
