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
from fernzug.engine.scoring import points_so_far
from fernzug.engine.state import KEEP, NONE, SECOND_CARD, SETUP, State, filled
from fernzug.engine.tables import DRAW_CARD, DRAW_DECK, FACE_UP, PASS
from fernzug.players.outlook import FAR
from fernzug.players.plan import Plan
from fernzug.players.weights import DAMAGE, MAX_DETOUR, MAX_SURPLUS


def decide(s: State, plan: Plan) -> i64:
    """Return the action that the plan's seat takes."""
    if s.phase == SETUP or s.phase == KEEP:
        return s.tables.keep + choose_tickets(s, plan)
    plan.refresh(s)
    going_on = plan.tickets_done and not plan.empty()
    if plan.empty() or (
        not plan.is_quick and (plan.weights.replan or plan.tickets_done or too_long(s, plan))
    ):
        # What was given up earlier may be possible now, what was planned may not.
        plan.make(s, 0)
    if s.phase == SECOND_CARD:
        if plan.empty():
            want_more(s, plan)
        return choose_card(s, plan)
    routes = filled(s.tables.words, 0)
    number = rules.claimable(s, plan.seat, routes)
    if s.turns_left != NONE:
        last = last_turn(s, plan, routes)
        if last != PASS:
            return last
    claim = best_claim(s, plan, routes)
    if claim == PASS and number > 0:
        claim = spare_claim(s, plan, routes)
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
    time = number * UNIT + max(missing, 0) * plan.weights.card_time
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
    if horizon < plan.weights.too_late:
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
    return expected_best(gains, number, drawn) > (
        plan.outlook.turn_value * plan.weights.ticket_turn // UNIT
    )


def ticket_gain(s: State, plan: Plan, ticket: i64, time_left: i64) -> i64:
    """Return what one more ticket would bring: its points minus the cost of the way."""
    t = s.tables
    points = t.ticket_points[ticket] * UNIT
    cost = plan.find_way(t.ticket_a[ticket], t.ticket_b[ticket])
    if cost == 0:
        return points
    if cost < FAR:
        time, fits = plan.measure(t.ticket_a[ticket], t.ticket_b[ticket])
        if fits and time * plan.weights.safety_factor <= time_left * UNIT:
            return points * plan.weights.ticket_confidence // UNIT - cost
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
        damage = (lost + wilds) * DAMAGE - min(held - need, MAX_SURPLUS)
        if damage < harm:
            harm = damage
            best = wilds * t.claim_step[route] + (0 if wilds == cost else c)
    return t.claim_first[route] + best, max(harm + MAX_SURPLUS, 0) // DAMAGE


def best_claim(s: State, plan: Plan, routes: vec[i64]) -> i64:
    """Return the claim of the wanted route that is most urgent, or PASS if none can be paid."""
    best: i64 = PASS
    most: i64 = -FAR
    w = plan.weights
    both = bits.common(routes, plan.wanted)
    if len(both) == 0:
        return PASS
    horizon = plan.horizon(s)
    detours = w.detour_urgency > 0 and len(both) > 1 and not plan.is_quick
    if detours:
        plan.weigh(s)
        for route in bits.members(plan.wanted):
            plan.weight[route] = 0
    for route in both:
        claim, harm = payment(s, plan, route)
        if harm >= w.max_harm and horizon > w.nearly_over:
            continue
        urgent = urgency(s, plan, route) - harm * w.harm_cost
        if detours:
            urgent += min(detour(s, plan, route), MAX_DETOUR) * w.detour_urgency // UNIT
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
    return rivals * plan.weights.rival_urgency + t.route_points[route] * plan.weights.point_urgency


def detour(s: State, plan: Plan, route: i64) -> i64:
    """Return what the way round a wanted route would cost; the plan's routes must weigh nothing."""
    network = s.tables.network
    plan.weight[route] = FAR
    twin = s.tables.route_twin[route]
    shut = twin != NONE and s.players <= s.tables.single_lane_up_to
    before: i64 = 0
    if shut:
        before = plan.weight[twin]
        plan.weight[twin] = FAR
    cost = plan.find_way(network.a[route], network.b[route])
    plan.weight[route] = 0
    if shut:
        plan.weight[twin] = before
    return cost


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


def last_turn(s: State, plan: Plan, routes: vec[i64]) -> i64:
    """Return what is worth most in the seat's last turn, tickets included; PASS for nothing."""
    t = s.tables
    best: i64 = PASS
    most: i64 = 0
    label = t.network.join(s.owner, plan.seat)
    awarded = filled(s.players, 0)
    if not plan.is_quick:
        award(s, plan, awarded)
    for route in bits.members(routes):
        value = plan.route_value(s, route)
        value += 2 * completed_by(s, plan.seat, label, route) * UNIT
        if not plan.is_quick:
            value += award_gain(s, plan, route, awarded)
        if value > most:
            most = value
            best = payment(s, plan, route)[0]
    if not plan.is_quick and s.ticket_count > 0 and last_tickets(s, plan, label) > most:
        return t.draw_tickets_action
    return best


def completed_by(s: State, seat: i64, label: vec[i64], route: i64) -> i64:
    """Return the points of the seat's tickets that a route would complete.

    ``label`` says which places the seat has joined.
    """
    t = s.tables
    one = label[t.network.a[route]]
    other = label[t.network.b[route]]
    points: i64 = 0
    if one != other:
        for ticket in range(t.tickets):
            if s.ticket_owner[ticket] == seat:
                a = label[t.ticket_a[ticket]]
                b = label[t.ticket_b[ticket]]
                if (a == one and b == other) or (a == other and b == one):
                    points += t.ticket_points[ticket]
    return points


def award(s: State, plan: Plan, points: vec[i64]) -> None:
    """Add what each seat would get at the end if it came now, as far as claims cannot tell."""
    for bonus in plan.outlook.award_bonuses:
        bonus.award(s, points)


def award_gain(s: State, plan: Plan, route: i64, before: vec[i64]) -> i64:
    """Return what a route brings at the end, compared with what it brings the others."""
    after = filled(s.players, 0)
    s.owner[route] = plan.seat
    award(s, plan, after)
    s.owner[route] = NONE
    own = after[plan.seat] - before[plan.seat]
    lost: i64 = 0
    for seat in range(s.players):
        if seat != plan.seat:
            lost = max(lost, before[seat] - after[seat])
    return (own + lost) * UNIT


def last_tickets(s: State, plan: Plan, label: vec[i64]) -> i64:
    """Return what new tickets promise if nothing can be built for them any more."""
    t = s.tables
    gains = vec[i64]([0] * t.tickets)
    number: i64 = 0
    for done in range(i64(2)):
        for ticket in range(t.tickets):
            if s.ticket_owner[ticket] == plan.seat or (s.returned[ticket] >> plan.seat) & 1:
                continue
            joined: i64 = 0 if label[t.ticket_a[ticket]] == label[t.ticket_b[ticket]] else 1
            if joined == done:
                points = t.ticket_points[ticket] * UNIT
                gains[number] = -points if done else points
                number += 1
    return expected_best(gains, number, min(t.draw_tickets, s.ticket_count))


def spare_claim(s: State, plan: Plan, routes: vec[i64]) -> i64:
    """Return the claim of a route that the plan does not want but that is worth a turn, or PASS."""
    t = s.tables
    w = plan.weights
    best: i64 = PASS
    most = w.spare_least
    if most >= FAR:
        return best
    hand = s.hand_start(plan.seat)
    turn = plan.outlook.turn_value * w.spare_turn // UNIT
    pieces = filled(t.kinds, 0)
    for kind in range(t.kinds):
        pieces[kind] = s.pieces_of(plan.seat, kind)
    for route in bits.members(plan.wanted):
        pieces[t.route_kind[route]] -= t.route_pieces[route]
    rush = w.rush + lead_rush(s, plan)
    if w.block:
        plan.find_rivals(s)
    for route in bits.members(routes):
        cost = t.route_cost[route]
        value = plan.route_value(s, route) + t.route_pieces[route] * rush
        value -= turn + cost * w.spare_card
        if w.block and plan.touched[t.network.a[route]] and plan.touched[t.network.b[route]]:
            # It harms one rival; the others gain as much as the seat does.
            value += w.block // (s.players - 1)
        value += line_value(s, plan, route)
        if value <= most or pieces[t.route_kind[route]] < t.route_pieces[route]:
            continue
        if bits.has(plan.wanted, route):
            continue
        twin = t.route_twin[route]
        if twin != NONE and bits.has(plan.wanted, twin):
            continue
        claim, harm = payment(s, plan, route)
        color = t.route_color[route]
        if color < t.colors:
            held = s.hands[hand + color]
            cards = min(held, cost)
            need = plan.need[color]
            harm = max(need - held + cards, 0) - max(need - held, 0) + cost - cards
        value -= harm * w.spare_harm
        if not plan.is_quick or value > most:
            for bonus in plan.outlook.spare_bonuses:
                value += bonus.spare_value(s, plan.seat, route) * w.path_share // UNIT
        if value > most:
            most = value
            best = claim
    return best


def line_value(s: State, plan: Plan, route: i64) -> i64:
    """Return what a route is worth because it makes the seat's network longer."""
    line = plan.weights.line
    if line:
        network = s.tables.network
        a, b = network.a[route], network.b[route]
        if network.touches(s.owner, plan.seat, a) or network.touches(s.owner, plan.seat, b):
            return line * s.tables.route_pieces[route]
    return 0


def lead_rush(s: State, plan: Plan) -> i64:
    """Return what more a piece is worth to a seat that is ahead, as far as the board shows it."""
    if not plan.weights.lead_rush:
        return 0
    best: i64 = 0
    for seat in range(s.players):
        if seat != plan.seat:
            best = max(best, points_so_far(s, seat))
    lead = points_so_far(s, plan.seat) - best
    return max(min(lead, 10), -10) * plan.weights.lead_rush // 10


def want_more(s: State, plan: Plan) -> None:
    """Want the free route that brings most for its time, when the tickets are done."""
    t = s.tables
    plan.begin(s)
    horizon = plan.horizon(s)
    w = plan.weights
    rush = w.rush + lead_rush(s, plan)
    wild = s.hands[s.hand_start(plan.seat) + t.wild] * w.card_time * w.wild_share // UNIT
    best: i64 = NONE
    most: i64 = 0
    for route in range(t.routes):
        if 0 < plan.weight[route] < FAR:
            time = plan.route_time(route)
            if wild > 0:
                time = max(time - wild, UNIT)
            if time <= horizon:
                value = plan.route_value(s, route) + t.route_pieces[route] * rush
                value += line_value(s, plan, route)
                for bonus in plan.outlook.spare_bonuses:
                    value += bonus.spare_value(s, plan.seat, route) * w.path_share // UNIT
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
    w = plan.weights
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
        value: i64 = w.any_card + min(held, w.max_gray_held) * w.any_held
        if held < plan.need[color]:
            value = w.needed_card
            lack = plan.need[color] - held
            if lack <= 2:
                value += w.last_card
            value += min(lack * w.scarcity // max(unseen[color], 1), w.needed_card)
        elif gray > 0:
            value = w.gray_card + min(held - plan.need[color], w.max_gray_held) * w.gray_held
        blind += value * unseen[color]
        total += unseen[color]
        if (colors >> color) & 1:
            if value > best:
                second = best
                best = value
                best_color = color
            elif value > second:
                second = value
    blind = (blind + w.wild_card * unseen[t.wild]) // max(total, 1)
    if s.deck_size == 0:
        blind = -1
    if s.phase != SECOND_CARD and (colors >> t.wild) & 1:
        first = max(best, blind)
        other = max(min(best, blind), second, blind)
        if first + max(other, 0) < w.wild_worth:
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
