"""The planner's decisions: what to do next to carry out a plan.

It claims what the plan wants as soon as it can be paid, draws the cards that are missing, and goes
on with more tickets or the best free routes when the plan is done. It is quick enough to play whole
games inside a search.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine import bits, rules
from fernzug.engine.bonus import UNIT
from fernzug.engine.state import KEEP, NONE, SECOND_CARD, SETUP, State, filled
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, FACE_UP, PASS
from fernzug.players import weights
from fernzug.players.outlook import FAR
from fernzug.players.plan import Plan


def decide(s: State, plan: Plan) -> i64:
    """Return the action that the plan's seat takes."""
    if s.phase == SETUP or s.phase == KEEP:
        return s.tables.keep + choose_tickets(s, plan)
    plan.refresh(s)
    going_on = plan.tickets_done and not plan.empty()
    if plan.empty() or (not plan.is_quick and (plan.tickets_done or too_long(s, plan))):
        # What was given up earlier may be possible now, what was planned may not.
        plan.make(s, 0)
    if s.phase == SECOND_CARD:
        if plan.empty():
            want_more(s, plan)
        return choose_card(s, plan)
    routes = filled(s.tables.words, 0)
    number = rules.claimable(s, plan.seat, routes)
    if s.turns_left != NONE and number > 0:
        return last_claim(s, plan, routes)
    claim = best_claim(s, plan, routes)
    if claim != PASS:
        return claim
    if plan.empty():
        if not going_on and wants_tickets(s, plan):
            plan.stale = True
            return s.tables.draw_tickets_action
        want_more(s, plan)
        claim = best_claim(s, plan, routes)
        if claim != PASS:
            return claim
    if can_draw(s):
        return choose_card(s, plan)
    if number > 0:
        return any_claim(s, plan, routes)
    return s.tables.draw_tickets_action if s.ticket_count > 0 else PASS


def too_long(s: State, plan: Plan) -> bool:
    """Whether the rest of the plan takes longer than the game is likely to last."""
    t = s.tables
    hand = s.hand_start(plan.seat)
    missing: i64 = -s.hands[hand + t.wild]
    spare: i64 = 0
    for c in range(t.colors):
        lack = plan.need[c] - s.hands[hand + c]
        if lack > 0:
            missing += lack
        else:
            spare = max(spare, -lack)
    missing += max(plan.need[t.colors] - spare, 0)
    number: i64 = 0
    for w in range(t.words):
        number += bits.count(plan.wanted[w])
    time = number * UNIT + max(missing, 0) * weights.CARD_TIME
    return s.turns_left == NONE and time > plan.horizon(s)


def can_draw(s: State) -> bool:
    """Whether a card can be drawn."""
    return s.deck_size > 0 or rules.shown(s) != 0


# ---------------------------------------------------------------------------- tickets


def choose_tickets(s: State, plan: Plan) -> i64:
    """Return the places of the offer to keep, as bits: those that make the most of the plan."""
    least = rules.keep_least(s, plan.seat)
    best: i64 = 0
    most: i64 = -FAR
    for places in range(i64(1) << rules.offer_count(s, plan.seat)):
        if bits.count(places) >= least:
            plan.make(s, places)
            worth = plan.worth + plan.time * plan.outlook.spare_turn_value // UNIT
            if worth > most:
                most = worth
                best = places
    plan.stale = True
    return best


def wants_tickets(s: State, plan: Plan) -> bool:
    """Whether new tickets promise more than the best free route, when the plan is done."""
    t = s.tables
    if s.ticket_count == 0:
        return False
    horizon = plan.horizon(s)
    if horizon < weights.TOO_LATE:
        return False
    plan.begin(s)
    gains = vec[i64]([0] * t.tickets)
    number: i64 = 0
    for ticket in range(t.tickets):
        # Tickets that the seat gave back lie at the bottom and will hardly come again.
        if s.ticket_owner[ticket] != plan.seat and not (s.returned[ticket] >> plan.seat) & 1:
            gain = ticket_gain(s, plan, ticket, horizon - UNIT)
            i = number
            while i > 0 and gains[i - 1] < gain:
                gains[i] = gains[i - 1]
                i -= 1
            gains[i] = gain
            number += 1
    drawn = min(t.draw_tickets, s.ticket_count)
    return expected_best(gains, number, drawn) > plan.outlook.turn_value


def ticket_gain(s: State, plan: Plan, ticket: i64, time_left: i64) -> i64:
    """Return what one more ticket would bring: its points minus the cost of the way."""
    t = s.tables
    points = t.ticket_points[ticket] * UNIT
    cost = plan.find_way(t.ticket_a[ticket], t.ticket_b[ticket])
    if cost == 0:
        return points
    if cost < FAR:
        time, fits = plan.measure(s, t.ticket_a[ticket], t.ticket_b[ticket])
        if fits and time * weights.SAFETY_FACTOR <= time_left * UNIT:
            return points * weights.TICKET_CONFIDENCE // UNIT - cost
    return -points


def expected_best(gains: vec[i64], number: i64, drawn: i64) -> i64:
    """Return the mean of the best of some gains drawn at random; they are sorted, best first."""
    if number <= drawn:
        return gains[0] if number > 0 else -FAR
    # The chance that the i-th is the best of those drawn, step by step.
    total: i64 = 0
    left: i64 = 1_000_000
    for i in range(number):
        rest = number - i
        share = left * min(drawn, rest) // rest
        total += gains[i] * share
        left -= share
    return total // 1_000_000


# ---------------------------------------------------------------------------- claims


def payment(s: State, plan: Plan, route: i64) -> tuple[i64, i64]:
    """Return the claim of a route that harms the plan least, and how many cards it harms.

    The route must be claimable.
    """
    t = s.tables
    hand = s.hand_start(plan.seat)
    color = t.route_color[route]
    cost = t.route_cost[route]
    if color < t.colors:
        return rules.canonical(s, plan.seat, route), 0
    best: i64 = 0
    harm: i64 = FAR
    for c in range(t.colors):
        held = s.hands[hand + c]
        cards = min(held, cost)
        wilds = cost - cards
        if wilds > s.hands[hand + t.wild]:
            continue
        need = plan.need[c]
        lost = max(need - held + cards, 0) - max(need - held, 0)
        # Wild cards are dear, and of equals the colour with most to spare is spent.
        damage = (lost + wilds) * weights.DAMAGE - min(held - need, weights.MAX_SURPLUS)
        if damage < harm:
            harm = damage
            best = wilds * t.claim_step[route] + (0 if wilds == cost else c)
    return t.claim_first[route] + best, max(harm + weights.MAX_SURPLUS, 0) // weights.DAMAGE


def best_claim(s: State, plan: Plan, routes: vec[i64]) -> i64:
    """Return the claim of the wanted route that is most urgent, or PASS if none can be paid."""
    best: i64 = PASS
    most: i64 = -FAR
    horizon = plan.horizon(s)
    for route in bits.common(routes, plan.wanted):
        claim, harm = payment(s, plan, route)
        if harm >= weights.MAX_HARM and horizon > weights.NEARLY_OVER:
            continue
        urgent = urgency(s, plan, route) - harm * weights.HARM_COST
        if urgent > most:
            most = urgent
            best = claim
    return best


def urgency(s: State, plan: Plan, route: i64) -> i64:
    """Return how urgently a wanted route should be claimed."""
    t = s.tables
    rivals: i64 = 0
    for seat in range(s.players):
        if seat != plan.seat:
            if t.network.touches(s.owner, seat, t.network.a[route]):
                rivals += 1
            if t.network.touches(s.owner, seat, t.network.b[route]):
                rivals += 1
    return rivals * weights.RIVAL_URGENCY + t.route_points[route] * weights.POINT_URGENCY


def any_claim(s: State, plan: Plan, routes: vec[i64]) -> i64:
    """Return the claim that brings most points."""
    best: i64 = PASS
    most: i64 = -FAR
    for route in bits.members(routes):
        value = plan.route_value(s, route)
        if value > most:
            most = value
            best = payment(s, plan, route)[0]
    return best


def last_claim(s: State, plan: Plan, routes: vec[i64]) -> i64:
    """Return the claim that is worth most in the seat's last turn, tickets included."""
    t = s.tables
    best: i64 = PASS
    most: i64 = -FAR
    before = t.network.join(s.owner, plan.seat)
    for route in bits.members(routes):
        value = plan.route_value(s, route)
        if bits.has(plan.wanted, route):
            s.owner[route] = plan.seat
            after = t.network.join(s.owner, plan.seat)
            s.owner[route] = NONE
            for ticket in range(t.tickets):
                if s.ticket_owner[ticket] == plan.seat:
                    a = t.ticket_a[ticket]
                    b = t.ticket_b[ticket]
                    if after[a] == after[b] and before[a] != before[b]:
                        value += 2 * t.ticket_points[ticket] * UNIT
        if value > most:
            most = value
            best = payment(s, plan, route)[0]
    return best


def want_more(s: State, plan: Plan) -> None:
    """Want the free route that brings most for its time, when the tickets are done."""
    t = s.tables
    plan.begin(s)
    horizon = plan.horizon(s)
    best: i64 = NONE
    most: i64 = 0
    for route in range(t.routes):
        if 0 < plan.weight[route] < FAR:
            time = plan.route_time(s, route)
            if time <= horizon:
                value = plan.route_value(s, route)
                for bonus in plan.outlook.spare_bonuses:
                    value += bonus.spare_value(s, plan.seat, route)
                rate = value * UNIT // time
                if rate > most:
                    most = rate
                    best = route
    plan.tickets_done = True
    if best != NONE:
        plan.want(best)


# ---------------------------------------------------------------------------- cards


def choose_card(s: State, plan: Plan) -> i64:
    """Return the card to draw: what the plan misses most, from the display or from the deck."""
    t = s.tables
    hand = s.hand_start(plan.seat)
    gray = plan.need[t.colors]
    unseen = t.cards if plan.is_quick else unseen_cards(s, plan.seat)
    total = unseen[t.wild]
    blind: i64 = 0
    best: i64 = -1
    best_color: i64 = NONE
    second: i64 = -1
    colors = rules.shown(s)
    for color in range(t.colors):
        held = s.hands[hand + color]
        value: i64 = weights.ANY_CARD
        if held < plan.need[color]:
            value = weights.NEEDED_CARD
        elif gray > 0:
            value = (
                weights.GRAY_CARD
                + min(held - plan.need[color], weights.MAX_GRAY_HELD) * weights.GRAY_HELD
            )
        blind += value * unseen[color]
        total += unseen[color]
        if (colors >> color) & 1:
            if value > best:
                second = best
                best = value
                best_color = color
            elif value > second:
                second = value
    blind = (blind + weights.WILD_CARD * unseen[t.wild]) // max(total, 1)
    if s.deck_size == 0:
        blind = -1
    if s.phase != SECOND_CARD and (colors >> t.wild) & 1:
        first = max(best, blind)
        other = max(min(best, blind), second, blind)
        if first + max(other, 0) < weights.WILD_WORTH:
            return DRAW_CARD + t.wild
    if best >= blind and best_color != NONE:
        return DRAW_CARD + best_color
    if s.deck_size > 0:
        return DRAW_DECK
    return DRAW_CARD + bits.lowest(colors)


def unseen_cards(s: State, seat: i64) -> vec[i64]:
    """Return how many cards of each colour the seat has not seen: in the deck or in hands."""
    t = s.tables
    size = t.colors + 1
    unseen = t.cards[:]
    for color in range(size):
        unseen[color] -= s.discard[color]
        for other in range(s.players):
            if other == seat:
                unseen[color] -= s.hands[other * size + color]
            else:
                unseen[color] -= s.known[other * size + color]
    for place in range(i64(FACE_UP)):
        if s.faceup[place] != NONE:
            unseen[s.faceup[place]] -= 1
    if t.slots:
        lying = filled(size, 0)
        for bonus in t.bonuses:
            bonus.count_cards(s, lying)
        for color in range(size):
            unseen[color] -= lying[color]
    return unseen
