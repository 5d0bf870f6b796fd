"""A bot in plain Python that plays over standard input and output.

    fernzug play --against "stdio:python examples/stdio_bot.py"
    fernzug arena greedy "stdio:python examples/stdio_bot.py" --board london --games 100

It imports nothing from Fernzug and shows everything that a program in any language has to do: read
a line of JSON, write a line of JSON. It connects the places of its tickets by the cheapest routes
that are still free, collects cards for them and claims what it can pay for. With all tickets
completed, it builds the longest routes it can pay for.
"""

import heapq
import json
import sys

WILD = "wild"
GRAY = "gray"


class Player:
    """Everything that the bot knows: the board throughout, the rest from request to request."""

    def __init__(self, hello):
        self.board = hello["board"]
        self.seat = hello["seat"]
        self.players = hello["players"]
        self.routes = {route["id"]: route for route in self.board["routes"]}
        self.tickets = {ticket["id"]: ticket for ticket in self.board["tickets"]}
        self.ways = {place["id"]: [] for place in self.board["locations"]}
        for route in self.board["routes"]:
            self.ways[route["a"]].append((route["b"], route))
            self.ways[route["b"]].append((route["a"], route))

    def decide(self, view, legal):
        """Return the text of one of the legal actions."""
        self.view = view
        self.me = view["players"][self.seat]
        if view["phase"] in ("setup", "keep"):
            return self.keep(legal)
        wanted = self.plan(self.me["tickets"])
        claims = [text for text in legal if text.startswith("claim ")]
        claim = self.claim(claims, wanted)
        if claim is not None:
            return claim
        draws = [text for text in legal if text.startswith("draw ")]
        if draws:
            return self.draw(draws, wanted)
        return claims[0] if claims else legal[0]

    # ---------------------------------------------------------------------------- network

    def cost(self, route):
        """What it costs to get a route: 0 if it is already ours, None if we cannot claim it."""
        owner = self.view["routes"].get(route["id"])
        if owner is not None:
            return 0 if owner == self.seat else None
        if route["twin"] is not None:
            other = self.view["routes"].get(route["twin"])
            shut = self.players <= self.board["single_lane_up_to"]
            if other == self.seat or (other is not None and shut):
                return None
        # A turn for the claim itself, and about half a turn for each card.
        return 2 + route["cost"]

    def way(self, a, b, planned):
        """Return the cheapest way between two places as (cost, routes), or None."""
        heap = [(0, a, ())]
        seen = set()
        while heap:
            cost, place, routes = heapq.heappop(heap)
            if place == b:
                return cost, [self.routes[name] for name in routes]
            if place in seen:
                continue
            seen.add(place)
            for end, route in self.ways[place]:
                step = 0 if route["id"] in planned else self.cost(route)
                if step is not None and end not in seen:
                    heapq.heappush(heap, (cost + step, end, (*routes, route["id"])))
        return None

    def plan(self, tickets):
        """Return the routes still to claim for these tickets, by id, as far as the pieces go."""
        planned = {}
        left = dict(self.me["pieces"])
        for name in sorted(tickets, key=lambda name: -self.tickets[name]["points"]):
            found = self.way(self.tickets[name]["a"], self.tickets[name]["b"], planned)
            if found is None:
                continue
            new = {r["id"]: r for r in found[1] if self.cost(r) and r["id"] not in planned}
            need = dict(left)
            for route in new.values():
                need[route["piece"]] -= route["pieces"]
            if min(need.values()) >= 0:
                left = need
                planned.update(new)
        return planned

    # ---------------------------------------------------------------------------- decisions

    def keep(self, legal):
        """Keep the tickets that promise most: their points minus the cost of their routes."""
        held = self.me["tickets"] or []

        def worth(text):
            places = [int(word) - 1 for word in text.split()[1:]]
            kept = [self.view["offer"][place] for place in places]
            points = sum(self.tickets[name]["points"] for name in kept)
            routes = self.plan([*held, *kept]).values()
            pieces = sum(route["pieces"] for route in routes)
            spare = sum(self.me["pieces"].values()) - pieces
            built = sum(route["points"] for route in routes)
            return (spare >= 0, points + built - 0.9 * sum(2 + r["cost"] for r in routes))

        return max(legal, key=worth)

    def claim(self, claims, wanted):
        """Return the claim to make now, or None."""
        options = []
        for text in claims:
            words = text.split()
            route = self.routes[words[1]]
            wilds = sum(int(word[5:]) for word in words if word.startswith("wild*"))
            flag = words[-1] == "flag"
            if route["id"] in wanted:
                options.append((2, route["points"], -wilds, flag, text))
            elif self.late() or (not wanted and route["cost"] >= self.longest()):
                options.append((1, route["points"], -wilds, flag, text))
        return max(options)[-1] if options else None

    def longest(self):
        """The least cost of a route that is worth claiming for its points alone."""
        pieces = min(self.me["pieces"].values())
        free = [r["cost"] for r in self.routes.values() if self.cost(r) and r["pieces"] <= pieces]
        return max(free, default=1) - 1

    def late(self):
        """Whether the game is about to end, so that any points are welcome."""
        return self.view["turns_left"] is not None

    def draw(self, draws, wanted):
        """Return the draw that helps the plan most."""
        hand = self.me["hand"]
        need = dict.fromkeys(self.board["cards"], 0)
        gray = 0
        for route in wanted.values():
            if route["color"] == GRAY:
                gray = max(gray, route["cost"])
            else:
                need[route["color"]] += route["cost"]

        def worth(text):
            color = text.split()[1]
            if color == "deck":
                return 2
            if color == WILD:
                # It would be the only card of this turn.
                return 1 if wanted else 0
            if hand.get(color, 0) < need[color]:
                return 5 + hand.get(color, 0) / 10
            if gray or not wanted:
                return 2 + hand.get(color, 0) / 10
            return 1

        return max(draws, key=worth)


def answer(message):
    """Write one line and flush it."""
    print(json.dumps(message), flush=True)


def main():
    """Answer requests until the game is over."""
    player = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "hello":
            player = Player(request)
            answer({"type": "ready", "name": "example"})
        elif request["type"] == "decide":
            action = player.decide(request["view"], request["legal"])
            answer({"type": "action", "action": action})
        elif request["type"] == "bye":
            break


if __name__ == "__main__":
    main()
