"""The rules: what may be done, and which facts follow from it.

A state changes only through :mod:`fernzug.engine.facts`; only the order of a new deck is written
into its vector here, before the fact that makes it the deck. Functions that are given an action
assume that it is legal: the referee (:class:`fernzug.Game`) asks :func:`legal` first.
"""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from fernzug.engine import bits, chance, facts
from fernzug.engine.chance import Stream
from fernzug.engine.state import KEEP, NONE, OVER, SECOND_CARD, SETUP, TURN, State
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, FACE_UP, PASS

# ---------------------------------------------------------------------------- setting up


def set_up(s: State) -> None:
    """Set up a blank table by its seed (S1, S2); the first player is the state's."""
    t = s.tables
    size: i64 = 0
    for color in range(t.colors + 1):
        for _ in range(t.cards[color]):
            s.deck[size] = color
            size += 1
    shuffle(s, s.deck, size, chance.CARDS)
    facts.shuffled(s, size)
    for ticket in range(t.tickets):
        s.ticket_deck[ticket] = ticket
    shuffle(s, s.ticket_deck, t.tickets, chance.TICKETS)
    facts.shuffled_tickets(s, t.tickets)
    for _ in range(t.deal_cards):
        for seat in range(s.players):
            facts.dealt(s, seat)
    fill(s)
    sweep(s)
    for seat in range(s.players):
        facts.offered(s, seat, t.deal_tickets)
    facts.awaited(s, SETUP, 0, NONE)


def shuffle(s: State, items: vec[i64], size: i64, stream: i64) -> None:
    """Shuffle the first items of a vector: as scripted, or else by a stream of the seed."""
    if s.scripted_decks is not None and len(s.scripted_decks) > 0:
        order = s.scripted_decks.pop(0)
        if sorted(order) == sorted([int(items[i]) for i in range(size)]):
            for i in range(size):
                items[i] = order[i]
            return
    Stream(s.seed, stream).shuffle(items, size)


# ---------------------------------------------------------------------------- the cards


def reshuffle(s: State) -> None:
    """When the deck is empty, the discards become the new deck at once (D6)."""
    if s.deck_size > 0 or s.discard_size == 0:
        return
    size: i64 = 0
    for color in range(s.tables.colors + 1):
        for _ in range(s.discard[color]):
            s.deck[size] = color
            size += 1
    shuffle(s, s.deck, size, chance.RESHUFFLES + s.reshuffles)
    facts.reshuffled(s, size)


def fill(s: State) -> bool:
    """Lay cards on the empty face-up places; they stay empty when no card is left (D6).

    Return whether there were cards to lay.
    """
    laid = False
    for place in range(i64(FACE_UP)):
        if s.faceup[place] == NONE and s.deck_size > 0:
            facts.turned_up(s, place)
            reshuffle(s)
            laid = True
    return laid


def wilds_up(s: State) -> i64:
    """Return how many of the face-up cards are wild."""
    faceup = s.faceup
    wild = s.tables.wild
    number: i64 = 0
    for place in range(i64(FACE_UP)):
        if faceup[place] == wild:
            number += 1
    return number


def can_sweep(s: State) -> bool:
    """Whether there are cards enough for a display with at most two wild ones (D5)."""
    wild = s.tables.wild
    every = s.deck_size + s.discard_size
    wilds = s.discard[wild]
    for i in range(s.deck_size):
        if s.deck[i] == wild:
            wilds += 1
    for place in range(i64(FACE_UP)):
        if s.faceup[place] != NONE:
            every += 1
            if s.faceup[place] == wild:
                wilds += 1
    return every - wilds >= min(every, FACE_UP) - 2


def sweep(s: State) -> None:
    """Replace a display with three or more wild cards, three times in a row at most (D5)."""
    times: i64 = 0
    while times < 3 and wilds_up(s) >= 3 and can_sweep(s):
        facts.swept(s)
        reshuffle(s)
        fill(s)
        times += 1


# ---------------------------------------------------------------------------- what may be done


def shown(s: State) -> i64:
    """Return the colours that may be taken from the face-up cards, as bits, wild included.

    A face-up wild card cannot be the second card (D3).
    """
    faceup = s.faceup
    colors: i64 = 0
    for place in range(i64(FACE_UP)):
        if faceup[place] != NONE:
            colors |= 1 << faceup[place]
    if s.phase == SECOND_CARD:
        colors &= ~(1 << s.tables.wild)
    return colors


def claimable(s: State, seat: i64, routes: vec[i64]) -> i64:
    """Write the set of routes that the seat can claim into ``routes``; return their number."""
    t = s.tables
    words = t.words
    hands = s.hands
    hand = s.hand_start(seat)
    wild = hands[hand + t.wild]
    top = t.top_cost
    payable = t.payable
    most: i64 = 0
    for w in range(words):
        routes[w] = 0
    for color in range(t.colors):
        cards = hands[hand + color]
        most = max(most, cards)
        # C1, C2: cards of the route's colour, wild cards for any number of them.
        row = (color * (top + 1) + min(cards + wild, top)) * words
        for w in range(words):
            routes[w] |= payable[row + w]
    # A gray route takes any one colour (C1), so the best of them decides.
    row = (t.colors * (top + 1) + min(most + wild, top)) * words
    number: i64 = 0
    for w in range(words):
        built: i64 = 0
        for kind in range(t.kinds):
            # C4: enough pieces of the right kind.
            left = min(s.pieces[seat * t.kinds + kind], t.top_pieces)
            built |= t.fits[(kind * (t.top_pieces + 1) + left) * words + w]
        # C3: any free route; lanes that C5 and C6 have shut are not open.
        routes[w] = (routes[w] | payable[row + w]) & built & s.open_routes[seat * words + w]
        number += bits.count(routes[w])
    return number


def canonical(s: State, seat: i64, route: i64) -> i64:
    """Return the one claim of a route that playouts consider.

    Fewest wild cards; on a gray route the colour with most cards, on others the first option of a
    bonus that is allowed.
    """
    t = s.tables
    hand = s.hand_start(seat)
    color = t.route_color[route]
    cost = t.route_cost[route]
    choice: i64 = 0
    if color == t.colors:
        color = 0
        for other in range(i64(1), t.colors):
            if s.hands[hand + other] > s.hands[hand + color]:
                color = other
        choice = color
    elif t.claim_step[route] > 1 and s.hands[hand + color] > 0:
        choice = _allowed_option(s, seat, route, color)
    wilds = cost - min(s.hands[hand + color], cost)
    if wilds == cost:
        choice = 0
    return t.claim_first[route] + wilds * t.claim_step[route] + choice


def _allowed_option(s: State, seat: i64, route: i64, color: i64) -> i64:
    """Return the first choice of a route's claims that has an option the seat may take, or 0."""
    t = s.tables
    first = t.claim_first[route] - t.claim
    for choice in range(i64(1), t.claim_step[route]):
        option = t.claim_option[first + choice]
        bonus = t.option_bonus[option - 1]
        if (bonus.allowed(s, seat, option - bonus.first_option) >> color) & 1:
            return choice
    return 0


def keep_least(s: State, seat: i64) -> i64:
    """Return how many tickets of its offer a seat must keep at least (S2, K1)."""
    t = s.tables
    return min(t.deal_keep if s.phase == SETUP else t.draw_keep, offer_count(s, seat))


def offer_count(s: State, seat: i64) -> i64:
    """Return how many tickets are offered to a seat."""
    return s.offer[s.offer_start(seat)]


def legal(s: State, seat: i64) -> vec[i64]:
    """Return the numbers of all actions that the seat may take now, sorted."""
    t = s.tables
    actions = vec[i64](capacity=48)  # seldom are there more
    if s.phase == OVER or not awaits(s, seat):
        return actions
    if s.phase == SETUP or s.phase == KEEP:
        least = keep_least(s, seat)
        for places in range(i64(1) << offer_count(s, seat)):
            if bits.count(places) >= least:
                actions = append(actions, t.keep + places)
        return actions
    # D8: a card may be drawn however many the seat holds.
    if s.deck_size > 0:
        actions = append(actions, DRAW_DECK)
    colors = shown(s)
    for color in range(t.colors + 1):
        if (colors >> color) & 1:
            actions = append(actions, DRAW_CARD + color)
    if s.phase == SECOND_CARD:
        return actions
    if s.ticket_count > 0:
        actions = append(actions, t.draw_tickets_action)
    actions = _claims(s, seat, actions)
    if len(actions) == 0:
        # T2: nobody may pass while another action is possible.
        actions = append(actions, PASS)
    return actions


def awaits(s: State, seat: i64) -> bool:
    """Whether the seat's decision is awaited: in the set-up all choose at the same time (S2)."""
    if s.phase == SETUP:
        return bool((s.choosing >> seat) & 1)
    return s.seat == seat


def _claims(s: State, seat: i64, actions: vec[i64]) -> vec[i64]:
    """Append every claim with every payment that the hand allows (C2)."""
    t = s.tables
    routes = vec[i64]([0] * int(t.words))
    claimable(s, seat, routes)
    hand = s.hand_start(seat)
    # By option the colours with which it may be taken, as bits; without an option all of them.
    allowed = append(vec[i64](), -1)
    for option in range(i64(1), i64(len(t.option_bonus)) + 1):
        bonus = t.option_bonus[option - 1]
        allowed = append(allowed, bonus.allowed(s, seat, option - bonus.first_option))
    hands = s.hands
    wild = hands[hand + t.wild]
    claim_color = t.claim_color
    claim_wilds = t.claim_wilds
    claim_option = t.claim_option
    for route in bits.members(routes):
        cost = t.route_cost[route]
        step = t.claim_step[route]
        claim = t.claim_first[route] - t.claim
        # Claims with more wild cards than the hand has come after all others.
        last = claim + cost * step if wild >= cost else claim + (wild + 1) * step - 1
        while claim <= last:
            color = claim_color[claim]
            option = claim_option[claim]
            if hands[hand + color] >= cost - claim_wilds[claim] and (
                option == 0 or (allowed[option] >> color) & 1 == 1
            ):
                actions = append(actions, t.claim + claim)
            claim += 1
    return actions


# ---------------------------------------------------------------------------- doing it


def apply(s: State, seat: i64, action: i64) -> None:
    """Carry out a legal action of a seat."""
    t = s.tables
    if action >= t.claim:
        _claim(s, seat, action - t.claim)
    elif action >= t.keep:
        _keep(s, seat, action - t.keep)
    elif action == DRAW_DECK:
        facts.drew(s, seat)
        reshuffle(s)
        _card_drawn(s, seat)
    elif action == PASS:
        facts.passed(s, seat)
        end_turn(s, seat)
    elif action == t.draw_tickets_action:
        facts.offered(s, seat, min(t.draw_tickets, s.ticket_count))
        facts.awaited(s, KEEP, seat, s.turns_left)
    else:
        _take(s, seat, action - DRAW_CARD)


def _take(s: State, seat: i64, color: i64) -> None:
    """Take the first face-up card of a colour; it is replaced at once (D1)."""
    place: i64 = 0
    while s.faceup[place] != color:
        place += 1
    facts.took(s, seat, place)
    if s.deck_size > 0:
        facts.turned_up(s, place)
        reshuffle(s)
    sweep(s)
    if color == s.tables.wild:
        # D2: a wild card taken face up is the only card of the turn (D3: it is never the second).
        end_turn(s, seat)
    else:
        _card_drawn(s, seat)


def _card_drawn(s: State, seat: i64) -> None:
    """Go on to the second card if there is one to take (D1, D4, D7)."""
    if s.phase == SECOND_CARD:
        end_turn(s, seat)
        return
    facts.awaited(s, SECOND_CARD, seat, s.turns_left)
    if s.deck_size == 0 and shown(s) == 0:
        end_turn(s, seat)


def _claim(s: State, seat: i64, claim: i64) -> None:
    """Pay for a route and build it; then settle the bonuses that are given in play."""
    t = s.tables
    color = t.claim_color[claim]
    wilds = t.claim_wilds[claim]
    route = t.claim_route[claim]
    held = _held(s)
    facts.claimed(s, seat, route, color, t.route_cost[route] - wilds, wilds)
    option = t.claim_option[claim]
    if option > 0:
        chosen = t.option_bonus[option - 1]
        chosen.choose(s, seat, color, option - chosen.first_option)
    _discarded(s, held)
    for bonus in t.settling:
        # Bonuses are looked at when the turn ends, after the cards played were discarded (C7): if
        # these have just become the deck, cards of a bonus are the first of the new discards (D6).
        if bonus.is_due(s, seat, route):
            held = _held(s)
            bonus.settle(s, seat, route)
            _discarded(s, held)
    end_turn(s, seat)


def _held(s: State) -> bool:
    """Whether only the lack of ordinary cards keeps the display from being replaced (D5)."""
    return wilds_up(s) >= 3 and not can_sweep(s)


def _discarded(s: State, held: bool) -> None:
    """Turn discarded cards into the deck if it is empty, and fill the display (D6).

    A display that was ``held`` may be replaced now that ordinary cards have come back (D5).
    """
    reshuffle(s)
    if fill(s) or held:
        sweep(s)


def _keep(s: State, seat: i64, places: i64) -> None:
    """Keep tickets of the offer; the others go under the ticket deck (S2, K1)."""
    facts.kept(s, seat, places)
    if s.phase == KEEP:
        facts.returned(s, seat)
        end_turn(s, seat)
    elif s.choosing:
        facts.awaited(s, SETUP, bits.lowest(s.choosing), NONE)
    else:
        # S2: in seat order, whoever chose first.
        for other in range(s.players):
            facts.returned(s, other)
        facts.awaited(s, TURN, s.first_player, NONE)


def end_turn(s: State, seat: i64) -> None:
    """End a seat's turn: the next player's follows, or the last round, or the end (T1, T2, E1)."""
    t = s.tables
    turns_left = s.turns_left
    if turns_left != NONE:
        turns_left -= 1
    else:
        left: i64 = 0
        for kind in range(t.kinds):
            left += s.pieces[seat * t.kinds + kind]
        if left <= t.last_round_at:
            facts.last_round(s, seat)
            turns_left = s.turns_left
    if turns_left == 0 or s.passes == s.players:
        facts.ended(s)
    else:
        following = seat + 1
        facts.awaited(s, TURN, following if following < s.players else 0, turns_left)
