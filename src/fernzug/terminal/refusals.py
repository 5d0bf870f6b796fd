"""Why an action was refused, in the language of the player.

The referee gives its reasons in English (:attr:`fernzug.IllegalAction.reason`). Each is recognised
by its pattern and said anew with the names that the player sees; nothing is decided here.
"""

from __future__ import annotations

import re

from fernzug.terminal.words import Words

_PATTERNS = {
    "over": r"the game is over",
    "chosen": r"seat \d+ has chosen its tickets already",
    "not_turn": r"it is seat \d+'s turn, not seat \d+'s",
    "no_offer": r"there are no tickets to choose from",
    "choose": r"tickets must be chosen first: .*",
    "deck_empty": r"the deck is empty, and so are the discards \(D6\)",
    "second": r"the second card must be drawn first \(D1\)",
    "no_pass": r"passing is possible only when nothing else is \(T2\)",
    "no_tickets": r"there are no tickets left \(K1\)",
    "offered": r"only (?P<n>\d+) tickets are offered",
    "keep_least": r"at least (?P<n>\d+) of the tickets must be kept",
    "wild_second": r"a face-up wild card cannot be the second card \(D3\)",
    "face_up": r"no (?P<color>\w+) card lies face up",
    "yours": r"(?P<route>\S+) is taken by you",
    "taken": r"(?P<route>\S+) is taken by seat (?P<seat>\d+)",
    "twin": r"nobody may claim both lanes, and the twin lane of (?P<route>\S+) is yours \(C5\)",
    "shut": r"(?P<route>\S+) is shut: with (?P<n>\d+) players only one lane is used \(C6\)",
    "pieces": r"only (?P<left>\d+) .* left, (?P<route>\S+) takes (?P<takes>\d+) \(C4\)",
    "missing": r"(?P<cards>.+) missing for (?P<route>\S+)",
    "flag": r"a (?P<color>\w+) card lies in front of you already \(E6\)",
    "alone": r"'(?P<word>.*?)' stands alone, without .*",
    "meant": r"'(?P<word>.*)' is no action, did you mean '(?P<near>\w+)'\?; .*",
    "word": r"'(?P<word>.*)' is no action; an action starts with .*",
    "say_draw": r"say what to draw: .*",
    "say_keep": r"say which tickets to keep: .*",
    "say_claim": r"say what to claim and with which cards: .*",
    "place": r"'(?P<word>.*)' is no place in an offer; .*",
    "place_twice": r"place (?P<n>\d+) is named twice",
    "route_near": r"there is no route '(?P<word>.*)' on this board, did you mean '(?P<near>\S+)'\?",
    "route": r"there is no route '(?P<word>.*)' on this board",
    "count": r"'(?P<word>.*)' is no number of cards; .*",
    "color_twice": r"(?P<color>\w+) is named twice",
    "mixed": r"cards of two colours are never mixed \(C1\)",
    "cost": r"(?P<route>\S+) costs (?P<n>\d+) cards, not (?P<m>\d+)",
    "takes": r"(?P<route>\S+) takes (?P<color>\w+) cards, not (?P<other>\w+)",
    "no_flag": r"no card can be kept for a flag from this claim of (?P<route>\S+) \(E6\)",
    "color": r"there are no '(?P<word>.*)' cards on this board.*; there are (?P<colors>.+)",
}
PATTERNS = {key: re.compile(pattern, re.DOTALL) for key, pattern in _PATTERNS.items()}


def recognised(reason: str) -> tuple[str, dict[str, str]] | None:
    """Return which refusal a reason is, and what it speaks of."""
    for key, pattern in PATTERNS.items():
        match = pattern.fullmatch(reason)
        if match:
            return key, match.groupdict()
    return None


def refusal(words: Words, reason: str) -> str:
    """Return a reason in the language of the player."""
    found = recognised(reason)
    if found is None:
        return words.texts("reason.strange")
    key, spoken_of = found
    values: dict[str, object] = dict(spoken_of)
    if "route" in values:
        values["route"] = words.route(str(spoken_of["route"]))
    for name in ("color", "other"):
        if name in values:
            values[name] = words.card(spoken_of[name])
    if "seat" in values:
        values["player"] = words.player(int(spoken_of["seat"]))
    if key == "missing":
        pairs = (pair.split() for pair in spoken_of["cards"].split(" and "))
        values["cards"] = words.cards({color: int(count) for count, color in pairs})
    if key == "pieces":
        kind = words.board.routes[spoken_of["route"]].piece
        values["pieces"] = words.piece(kind, int(spoken_of["left"]))
        values["need"] = words.piece(kind, int(spoken_of["takes"]))
    return words.texts(f"reason.{key}", **values)
