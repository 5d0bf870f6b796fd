"""Plans: which routes a seat wants, worked out from its tickets, its cards and the open routes.

A plan joins the places of each ticket by the cheapest way over own and open routes, ticket after
ticket, so that later tickets use what earlier ones have planned: a Steiner tree by insertion. What
a route costs is the time to collect its cards and to claim it, at what a turn is worth, less the
points it brings itself: long routes are nearly free, short ones are dear.
"""

from __future__ import annotations

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from fernzug.engine.bits import WORD, bit, lowest
from fernzug.engine.bonus import UNIT, Goal
from fernzug.engine.state import KEEP, NONE, State, filled
from fernzug.engine.tables import FACE_UP
from fernzug.players.outlook import FAR, Outlook


@final
class Plan:
    """What one seat is up to. It looks only at what that seat may know."""

    def __init__(self, outlook: Outlook, seat: i64) -> None:
        t = outlook.tables
        places = t.network.places
        self.outlook = outlook
        self.weights = outlook.weights
        self.seat = seat
        self.wanted = filled(t.words, 0)  # the routes still to be claimed, as bits
        self.need = filled(t.colors + 1, 0)  # cards for them by colour, gray routes last
        self.held = filled(t.colors + 1, 0)  # cards for a route by colour, gray routes last
        self.weight = filled(t.routes, 0)  # what each route costs; FAR if it cannot be claimed
        self.distance = filled(places, 0)
        self.via = filled(places, 0)  # the route over which the shortest way comes
        self.queue = filled(places, 0)
        self.waiting = filled(places, 0)  # which places are in the queue
        self.touched = filled(places, 0)  # whether others build at a place
        self.order = filled(t.tickets + 1, 0)
        self.rating = filled(t.tickets + 1, 0)
        self.pieces = filled(t.kinds, 0)  # left after the plan
        self.time: i64 = 0  # turns left after the plan
        self.worth: i64 = 0  # what the plan's tickets bring, less what the plan costs
        self.stale = True
        self.tickets_done = False  # nothing is left of the tickets: any good route will do
        # Playouts leave out what takes long and changes little: more of them measured better.
        self.is_quick = False
        self.apart = False  # whether cards are counted once, not for each route
        self.kept: i64 = 0  # tickets when the plan was made

    def take_over(self, other: Plan) -> None:
        """Go on with another plan of the same seat."""
        self.wanted = other.wanted[:]
        self.need = other.need[:]
        self.pieces = other.pieces[:]
        self.time = other.time
        self.kept = other.kept
        self.stale = other.stale
        self.tickets_done = other.tickets_done

    # ------------------------------------------------------------------------ the basis

    def horizon(self, s: State) -> i64:
        """Return how many turns the seat has left, this one included, by a rough guess."""
        t = self.outlook.tables
        if s.turns_left != NONE:
            return 0 if s.phase == KEEP else UNIT
        share = self.weights.hand_share
        own: i64 = 0
        others: i64 = 0
        if share:
            own, others = self.cards_held(s)
        least: i64 = FAR
        for other in range(s.players):
            cards = own if other == self.seat else others
            left = (s.pieces_left(other) - t.last_round_at) * UNIT - cards * share
            least = min(least, left)
        return max(least, UNIT) * UNIT // self.outlook.pace + UNIT

    def cards_held(self, s: State) -> tuple[i64, i64]:
        """Return how many cards the seat holds, and each of the others on average."""
        t = self.outlook.tables
        hand = s.hand_start(self.seat)
        own: i64 = 0
        for color in range(t.colors + 1):
            own += s.hands[hand + color]
        rest = t.card_total - own - s.deck_size - s.discard_size
        for place in range(i64(FACE_UP)):
            if s.faceup[place] != NONE:
                rest -= 1
        return own, rest // (s.players - 1)

    def count_cards(self, s: State) -> None:
        """Note how many cards there are for a route of each colour, gray last."""
        t = self.outlook.tables
        hand = s.hand_start(self.seat)
        wilds = s.hands[hand + t.wild] * self.weights.way_wilds // UNIT
        most: i64 = 0
        for color in range(t.colors):
            held = s.hands[hand + color]
            if self.apart:
                # Cards for what is wanted already are not there.
                held = max(held - self.need[color], 0)
            most = max(most, held)
            self.held[color] = held + wilds
        if self.apart:
            most = max(most - self.need[t.colors], 0)
        self.held[t.colors] = most + wilds

    def route_time(self, route: i64) -> i64:
        """Return the time to collect what is missing for a route and to claim it."""
        t = self.outlook.tables
        missing = t.route_cost[route] - self.held[t.route_color[route]]
        if missing <= 0:
            return UNIT
        return UNIT + missing * self.weights.card_time

    def route_value(self, s: State, route: i64) -> i64:
        """Return the points that a route brings itself, bonuses included."""
        value: i64 = 0
        for bonus in self.outlook.claim_bonuses:
            value += bonus.claim_value(s, self.seat, route)
        if s.turns_left == NONE:
            value = value * self.weights.bonus_share // UNIT
        return value + self.outlook.tables.route_points[route] * UNIT

    def weigh(self, s: State) -> None:
        """Work out what each route would cost the seat now."""
        t = self.outlook.tables
        weight = self.weight
        # This is where planners spend their time, so the accessors of the state are written out.
        open_routes = s.open_routes
        first_word = self.seat * t.words
        pieces = s.pieces
        first_kind = self.seat * t.kinds
        owner = s.owner
        self.count_cards(s)
        if self.weights.rival_risk:
            self.find_rivals(s)
        for route in range(t.routes):
            if owner[route] == self.seat:
                weight[route] = 0
            elif (
                open_routes[first_word + route // WORD] & bit(route)
                and pieces[first_kind + t.route_kind[route]] >= t.route_pieces[route]
            ):
                weight[route] = self.price(s, route)
            else:
                weight[route] = FAR

    def find_rivals(self, s: State) -> None:
        """Note the places where others build."""
        t = self.outlook.tables
        a = t.network.a
        b = t.network.b
        touched = self.touched
        for place in range(t.network.places):
            touched[place] = 0
        for route in range(t.routes):
            if s.owner[route] != NONE and s.owner[route] != self.seat:
                touched[a[route]] = 1
                touched[b[route]] = 1

    def price(self, s: State, route: i64) -> i64:
        """Return what an open route would cost the seat now."""
        t = self.outlook.tables
        w = self.weights
        time = self.route_time(route)
        price = time * self.outlook.turn_value // UNIT - self.route_value(s, route)
        if self.outlook.path_value:
            price -= self.outlook.path_value * t.route_pieces[route] // UNIT
        if w.rival_risk:
            ends = self.touched[t.network.a[route]] + self.touched[t.network.b[route]]
            if ends:
                twin = t.route_twin[route]
                risk = w.rival_risk
                if twin != NONE and s.is_open(self.seat, twin):
                    risk = risk * w.twin_risk // UNIT
                price += ends * risk
        return max(price, w.least_price)

    def reweigh(self, s: State) -> None:
        """Work out what routes cost beside those that are wanted already."""
        self.count_cards(s)
        weight = self.weight
        for route in range(self.outlook.tables.routes):
            if 0 < weight[route] < FAR:
                weight[route] = self.price(s, route)

    # ------------------------------------------------------------------------ ways

    def find_way(self, start: i64, end: i64) -> i64:
        """Find the cheapest way between two places; return its cost, or FAR."""
        # Places are looked at in the order in which they were reached, again if a cheaper way to
        # them turns up. On a few dozen places that is quicker than always looking for the nearest.
        network = self.outlook.tables.network
        places = network.places
        distance = self.distance
        waiting = self.waiting
        queue = self.queue
        weight = self.weight
        first = network.first
        incident = network.incident
        a = network.a
        b = network.b
        via = self.via
        for place in range(places):
            distance[place] = FAR
        distance[start] = 0
        queue[0] = start
        head: i64 = 0
        size: i64 = 1
        while size > 0:
            here = queue[head]
            head += 1
            if head == places:
                head = 0
            size -= 1
            waiting[here] = 0
            near = distance[here]
            if near >= distance[end]:
                continue
            for i in range(first[here], first[here + 1]):
                route = incident[i]
                length = near + weight[route]
                there = a[route] + b[route] - here
                if length < distance[there]:
                    distance[there] = length
                    via[there] = route
                    if not waiting[there]:
                        waiting[there] = 1
                        tail = head + size
                        if tail >= places:
                            tail -= places
                        queue[tail] = there
                        size += 1
        return distance[end]

    def measure(self, start: i64, end: i64) -> tuple[i64, bool]:
        """Return the time of the way just found, and whether the pieces suffice for it."""
        t = self.outlook.tables
        time: i64 = 0
        fits = True
        left = self.pieces[:]
        place = end
        while place != start:
            route = self.via[place]
            if self.weight[route]:
                time += self.route_time(route)
                left[t.route_kind[route]] -= t.route_pieces[route]
                if left[t.route_kind[route]] < 0:
                    fits = False
            place = t.network.a[route] + t.network.b[route] - place
        return time, fits

    def take(self, start: i64, end: i64) -> None:
        """Make the way just found part of the plan."""
        t = self.outlook.tables
        place = end
        while place != start:
            route = self.via[place]
            if self.weight[route]:
                self.want(route)
            place = t.network.a[route] + t.network.b[route] - place

    def want(self, route: i64) -> None:
        """Make a route part of the plan."""
        t = self.outlook.tables
        self.wanted[route // WORD] |= bit(route)
        self.weight[route] = 0
        self.pieces[t.route_kind[route]] -= t.route_pieces[route]
        self.need[t.route_color[route]] += t.route_cost[route]

    # ------------------------------------------------------------------------ planning

    def begin(self, s: State) -> None:
        """Start a plan with nothing wanted."""
        t = self.outlook.tables
        for w in range(t.words):
            self.wanted[w] = 0
        for color in range(t.colors + 1):
            self.need[color] = 0
        for kind in range(t.kinds):
            self.pieces[kind] = s.pieces_of(self.seat, kind)
        self.time = self.horizon(s)
        self.worth = 0
        self.weigh(s)

    def make(self, s: State, extra: i64) -> None:
        """Plan for all the seat's tickets; ``extra`` are tickets of its offer, as bits."""
        number = self.start(s, extra)
        order = self.order[:number]
        self.insert_all(s, number)
        if number > 1 and not self.is_quick:
            # Which ticket comes first may matter: the others use what it has planned.
            best: i64 = 0
            most = self.worth
            for first in range(i64(1), number):
                self.start(s, extra)
                self.put_first(order, first)
                self.insert_all(s, number)
                if self.worth > most:
                    most = self.worth
                    best = first
            if best != number - 1:
                self.start(s, extra)
                self.put_first(order, best)
                self.insert_all(s, number)
        self.stale = False
        self.tickets_done = False
        self.apart = False

    def put_first(self, order: vec[i64], first: i64) -> None:
        """Insert the tickets in an order, but one of them first."""
        self.order[0] = order[first]
        i: i64 = 1
        for place in range(i64(len(order))):
            if place != first:
                self.order[i] = order[place]
                i += 1

    def start(self, s: State, extra: i64) -> i64:
        """Begin a plan and put the tickets in order; return how many there are."""
        t = self.outlook.tables
        self.apart = False
        self.begin(s)
        self.apart = not self.is_quick
        number: i64 = 0
        for ticket in range(t.tickets):
            if s.ticket_owner[ticket] == self.seat:
                number = self.enter(ticket, number, t.ticket_points[ticket])
        offer = s.offer_start(self.seat)
        for i in range(s.offer[offer]):
            if (extra >> i) & 1:
                ticket = s.offer[offer + 1 + i]
                number = self.enter(ticket, number, t.ticket_points[ticket])
                # Things go wrong: not every ticket that can be planned is completed.
                self.worth -= t.ticket_points[ticket] * (UNIT - self.weights.keep_confidence) * 2
        return number

    def insert_all(self, s: State, number: i64) -> None:
        """Plan the ways for tickets in their order, and for the goals of bonuses."""
        for i in range(number):
            self.insert(s, self.order[i])
        for goal in self.outlook.goals:
            self.insert_goal(s, goal)

    def enter(self, ticket: i64, number: i64, points: i64) -> i64:
        """Put a ticket into the order of insertion: most points for the price first."""
        t = self.outlook.tables
        cost = self.find_way(t.ticket_a[ticket], t.ticket_b[ticket])
        rating = cost * UNIT // points
        i = number
        while i > 0 and self.rating[i - 1] > rating:
            self.rating[i] = self.rating[i - 1]
            self.order[i] = self.order[i - 1]
            i -= 1
        self.rating[i] = rating
        self.order[i] = ticket
        return number + 1

    def insert(self, s: State, ticket: i64) -> None:
        """Plan the way for a ticket if it can be done and is worth it."""
        t = self.outlook.tables
        start = t.ticket_a[ticket]
        end = t.ticket_b[ticket]
        points = t.ticket_points[ticket] * UNIT
        cost = self.find_way(start, end)
        if cost == 0:
            self.worth += points
            return
        if cost < FAR:
            time, fits = self.measure(start, end)
            # A ticket that is not completed costs its points, so completing it is worth twice.
            if fits and time <= self.time and cost < 2 * points:
                self.take(start, end)
                if self.apart:
                    self.reweigh(s)
                self.time -= time
                self.worth += points - cost
                return
        self.worth -= points

    def insert_goal(self, s: State, goal: Goal) -> None:
        """Plan to join the places of a bonus's goal if that is worth more than it costs."""
        members = goal.places
        value = goal.points * self.weights.goal_share
        cost: i64 = 0
        missing: i64 = 0
        at: i64 = 0
        for i in range(i64(1), i64(len(members))):
            way = self.find_way(members[0], members[i])
            if way >= FAR:
                return
            if way > 0:
                cost += way
                missing += 1
                at = i
        # One way at a time: what several missing ways would share is hard to tell.
        if missing == 1 and cost < value:
            self.find_way(members[0], members[at])
            time, fits = self.measure(members[0], members[at])
            if fits and time <= self.time:
                self.take(members[0], members[at])
                self.time -= time
                self.worth += value - cost

    def empty(self) -> bool:
        """Whether nothing is wanted any more."""
        for w in range(self.outlook.tables.words):
            if self.wanted[w]:
                return False
        return True

    def refresh(self, s: State) -> None:
        """Drop what has been claimed; plan anew if somebody else took a wanted route."""
        t = self.outlook.tables
        words = t.words
        for w in range(words):
            gone = self.wanted[w] & ~s.open_routes[self.seat * words + w]
            while gone:
                route = w * WORD + lowest(gone)
                gone &= gone - 1
                self.wanted[w] &= ~bit(route)
                self.need[t.route_color[route]] -= t.route_cost[route]
                if s.owner[route] != self.seat:
                    self.stale = True
        kept: i64 = 0
        for ticket in range(t.tickets):
            if s.ticket_owner[ticket] == self.seat:
                kept += 1
        if self.stale or kept != self.kept:
            self.kept = kept
            self.make(s, 0)
